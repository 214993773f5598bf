// Compares rows with the stored records, and computes the mutation input for each row.
import { isDeepStrictEqual } from 'node:util'
import { languageCode } from '../../basics/language.ts'
import { sanitizeHtmlText } from '../../calendar/text/sanitize-html.ts'
import { slugify } from '../../calendar/text/slug.ts'
import type { SheetEventFragment, ToolErrorFragment } from '../../generated/graphql/graphql.ts'
import type { MutationInput } from '../operations.ts'
import { CellError, parseInstant, parseLine, parseNumber } from './cells.ts'
import { type Column, formatNumber, type RowContext, type SheetRecord, type TextField, textOf } from './columns.ts'
import { customFieldColumn, customFieldKeyOf, mergeCustomFields } from './event-columns.ts'
import type { SheetKind } from './kinds.ts'
import { PendingParentError, type ReferenceFinder } from './reference-finder.ts'
import { addCellProblem, type Problem, type SheetRow } from './rows.ts'
import type { DateOfSeries } from './series-rows.ts'

export type RowMutationPlan = Awaited<ReturnType<typeof planRowMutation>>

/** The changes of a row compared with its stored record. */
interface Draft {
  readonly kind: SheetKind
  readonly row: SheetRow
  readonly current: SheetRecord | undefined
  readonly changes: Change[]
  readonly texts: TextChange[]
}

interface Change {
  readonly column: string
  readonly input: MutationInput
}

interface TextChange {
  readonly column: string
  readonly language: string
  readonly field: TextField
  readonly value: string | null
}

/** Computes the mutation for a row. Adds invalid cells to the problems of the row. */
export async function planRowMutation(
  kind: SheetKind,
  row: SheetRow,
  current: SheetRecord | undefined,
  references: ReferenceFinder,
  date?: DateOfSeries,
) {
  /** Notes about cells that are not imported. */
  const notes: Problem[] = []
  const draft: Draft = { kind, row, current, changes: [], texts: [] }
  const { changes, texts } = draft
  const unused: Column<SheetRecord>[] = []
  const context: RowContext<SheetRecord> = { current, references, cell: (column) => row.cells.get(column) }
  /** Whether another row, with the parent category, has to be written first. */
  let isPending = false
  let since = current?.modifiedAt

  const planCell = async (name: string, cell: string): Promise<void> => {
    if (name === 'id') return
    if (name === 'modified') {
      if (current && cell.trim() !== '') since = parseInstant(cell)
      return
    }
    const [textColumn = '', language] = name.split(':')
    const field = kind.texts.get(textColumn)
    if (field && language !== undefined) {
      const value = await changedText(field, cell, textOf(current, language, field))
      if (value !== undefined) texts.push({ column: name, language, field, value })
      return
    }
    const key = customFieldKeyOf(name)
    const column =
      key === undefined
        ? kind.columns.find((each) => each.name === name)
        : (customFieldColumn(key) as Column<SheetRecord>)
    if (!column) return
    if (!column.toInput) {
      const text = column.type === 'number' ? formatNumber(parseNumber(cell)) : cell.trim()
      if (text !== (current ? column.read(current).trim() : '')) unused.push(column)
      return
    }
    const input = await changedInput(column, column.toInput, cell, context)
    const reason = input && column.leftOut?.(cell)
    if (reason !== undefined) notes.push({ column: name, message: reason })
    else if (input) changes.push({ column: name, input })
  }
  for (const [name, cell] of row.cells) {
    try {
      await planCell(name, cell)
    } catch (error) {
      if (error instanceof PendingParentError) isPending = true
      else addCellProblem(row, name, error)
    }
  }
  const { own, common } = divide(draft, date)
  // In a pass that writes, the pass that checks has compared the time before.
  const unchangedSince = date?.isWritten ? undefined : since
  const writing = current ? updateInput(own, current, unchangedSince) : createInput(draft)
  const ofSeries = current && hasChanges(common) ? updateInput(common, current, undefined) : undefined
  if (ofSeries && current && since && current.modifiedAt > since) {
    row.problems.push(modifiedProblem(kind, current.modifiedAt))
  }
  for (const { name, ignored } of unused) {
    const message = ignored?.(writing.input, context)
    if (message !== undefined) notes.push({ column: name, message })
  }
  const written = [own, common].flatMap((part) => [...part.changes, ...part.texts])
  const columns = [...new Set(written.map(({ column }) => column))]
  const isUnchanged = current !== undefined && columns.length === 0 && !isPending
  const action: 'create' | 'update' | 'unchanged' = isUnchanged ? 'unchanged' : current ? 'update' : 'create'

  const problemOf = (error: ToolErrorFragment) => toProblem(error, draft, ofSeries ?? writing)
  /** Inputs of mutations, in this order: a change of the series changes the time of modification of its dates. */
  const inputs: MutationInput[] = [
    ...(current === undefined || hasChanges(own) ? [writing.input] : []),
    ...(ofSeries ? [{ ...ofSeries.input, scope: 'ALL' }] : []),
  ]
  return { action, id: current?.id, columns, ...writing, inputs, isPending, notes, problemOf }
}

const hasChanges = ({ changes, texts }: Draft) => changes.length + texts.length > 0

/** Divides the changes of a date into those of the date and those of its series. */
function divide(draft: Draft, date: DateOfSeries | undefined): { readonly own: Draft; readonly common: Draft } {
  const none = { ...draft, changes: [], texts: [] }
  if (!date) return { own: draft, common: none }
  const { own, common } = date.split(draft.changes)
  return {
    own: { ...none, changes: own },
    common: { ...draft, changes: common, texts: date.isWritten ? [] : draft.texts },
  }
}

type Writing = ReturnType<typeof createInput> | ReturnType<typeof updateInput>

function updateInput(draft: Draft, current: SheetRecord, since: Date | undefined) {
  const { translations, translated } = translationsOf(draft.texts)
  const unmodified = since && { ifUnmodifiedSince: since }
  return {
    input: { ...merged(draft), ...translations, ...unmodified, id: current.id },
    language: undefined,
    translated,
  }
}

/** Returns the input, the language of the mutation, and the languages of the input translations in order. */
function createInput(draft: Draft) {
  const { kind, row } = draft
  const written = draft.texts.filter(({ value }) => value)
  const named = written.flatMap(({ field, language }) => (field === 'name' ? language : []))
  const language = named.includes(row.language) ? row.language : named[0]
  if (language === undefined) {
    row.problems.push({ column: kind.name, message: `A new ${kind.record} needs a ${kind.name}.` })
    return { input: {}, language, translated: [] }
  }
  const { true: own = [], false: others = [] } = Object.groupBy(written, (text) => `${text.language === language}`)
  const { translations, translated } = translationsOf(others)
  return {
    input: { ...merged(draft), ...fieldsOf(own, kind.name), ...translations },
    language,
    translated,
  }
}

function translationsOf(texts: readonly TextChange[]) {
  const byLanguage = Map.groupBy(texts, ({ language }) => language)
  const translated = [...byLanguage.keys()]
  const translations = [...byLanguage].map(([language, changed]) => ({
    ...fieldsOf(changed, 'name'),
    language: languageCode(language),
  }))
  return { translations: translations.length > 0 && { translations }, translated }
}

const fieldsOf = (texts: readonly TextChange[], nameField: string) =>
  Object.fromEntries(texts.map(({ field, value }) => [field === 'name' ? nameField : field, value]))

/** Columns by input field, for errors about fields that the row does not set. */
const columnsByInput: Readonly<Record<string, string>> = {
  startsLocal: 'start',
  endsLocal: 'end',
  timeZone: 'time_zone',
  id: 'id',
}

/** Converts a user error of the mutation to a problem of a column. */
function toProblem(
  { code, path, message, modifiedAt }: ToolErrorFragment,
  { kind, row, changes }: Draft,
  { language, translated }: Writing,
): Problem {
  if (code === 'CONFLICT' && modifiedAt) return modifiedProblem(kind, modifiedAt)
  if (code === 'TRASHED') {
    return { column: 'status', message: `The ${kind.record} is in the trash. Write another status to restore it.` }
  }
  const [first = '', index, last = ''] = path
  const [field, name, textLanguage] =
    first === 'translations'
      ? [last, last === 'name' ? kind.name : last, translated[Number(index)]]
      : [first, first, language ?? row.language]
  if (kind.texts.has(name) && textLanguage !== undefined) return { column: `${name}:${textLanguage}`, message }
  return { column: changes.find(({ input }) => field in input)?.column ?? columnsByInput[field], message }
}

const modifiedProblem = ({ record }: SheetKind, modifiedAt: Date): Problem => ({
  column: 'modified',
  message: `The ${record} was modified at ${modifiedAt.toISOString()}, after the file was written. Export it again, or leave this cell empty to overwrite the change.`,
})

/** Returns the input fields that set the cell; undefined if the record has this value already. */
async function changedInput(
  { read, stored, required }: Column<SheetRecord>,
  toInput: NonNullable<Column<SheetRecord>['toInput']>,
  cell: string,
  context: RowContext<SheetRecord>,
): Promise<MutationInput | undefined> {
  const { current } = context
  const isEmpty = cell.trim() === ''
  if (!current) return isEmpty ? undefined : toInput(cell, context)
  if (cell === read(current)) return undefined
  if (isEmpty && required) throw new CellError('The cell must not be empty.')
  const input = await toInput(cell, context)
  return isDeepStrictEqual(input, stored?.(current) ?? (await toInput(read(current), context))) ? undefined : input
}

/** Returns the normalized text, null to remove the text, or undefined if it does not change. */
async function changedText(field: TextField, cell: string, stored: string): Promise<string | null | undefined> {
  const text = cell === stored ? stored : await normalized(field, cell)
  // An empty cell leaves the slug unchanged, because a slug cannot be removed.
  if (text === stored || (text === '' && field === 'slug')) return undefined
  return text || null
}

async function normalized(field: TextField, cell: string): Promise<string> {
  if (field === 'name') return parseLine(cell)
  if (field === 'slug') return slugify(cell)
  return cell.trim() === '' ? '' : sanitizeHtmlText(cell.replaceAll('\r\n', '\n').toWellFormed())
}

function merged({ changes, current }: Draft): MutationInput {
  const input: MutationInput = Object.assign({}, ...changes.map((change) => change.input))
  if (!('customFields' in input)) return input
  const custom = changes.flatMap((change) => (change.input.customFields as SheetEventFragment['customFields']) ?? [])
  const stored = (current as SheetEventFragment | undefined)?.customFields ?? []
  return { ...input, customFields: mergeCustomFields(stored, custom) }
}
