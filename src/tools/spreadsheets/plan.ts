// Compares rows with the stored records, and computes the mutation that each row needs.

import { languageCode, languageOfCode } from '../../basics/language.ts'
import { cleanHtml } from '../../calendar/text/sanitize-html.ts'
import { slugify } from '../../calendar/text/slug.ts'
import type { SheetEventFragment } from '../../generated/graphql/graphql.ts'
import { CellError, parseInstant, parseLine } from './cells.ts'
import type {
  Column,
  MutationInput,
  RowContext,
  SheetKind,
  SheetRecord,
  SheetText,
  SheetUserError,
  TextField,
} from './columns.ts'
import { customColumn, customKeyOf, mergeCustomFields } from './event-columns.ts'
import { PendingParent, type References } from './references.ts'
import { type Problem, type SheetRow, textColumnsOf } from './rows.ts'

export interface Plan {
  readonly action: 'create' | 'update' | 'unchanged'
  /** ID of the record to update. */
  readonly id: number | undefined
  /** The columns that are written. */
  readonly columns: readonly string[]
  readonly input: MutationInput
  /** Language of the mutation. */
  readonly language: string
  /** Whether another row has to be written before. */
  readonly isPending: boolean
  readonly problems: readonly Problem[]
  /** Remarks about cells that are not imported. */
  readonly notes: readonly Problem[]
  /** The problem that a user error of the mutation means. */
  problemOf(error: SheetUserError): Problem
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

export async function planRow(
  kind: SheetKind,
  row: SheetRow,
  current: SheetRecord | undefined,
  references: References,
  zone: string,
): Promise<Plan> {
  const problems: Problem[] = [...row.problems]
  const notes: Problem[] = []
  const changes: Change[] = []
  const texts: TextChange[] = []
  const unused: { column: Column<SheetRecord>; name: string }[] = []
  const context: RowContext<SheetRecord> = { current, references, zone, cell: (column) => row.cells.get(column) }
  let isPending = false
  const attempt = async (column: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (error instanceof PendingParent) isPending = true
      else if (error instanceof CellError) problems.push({ column, message: error.message })
      else throw error
    }
  }
  const textFields = textColumnsOf(kind)
  for (const [name, cell] of row.cells) {
    if (name === 'id' || name === 'modified') continue
    await attempt(name, async () => {
      const [textColumn = '', language] = name.split(':')
      const field = textFields.get(textColumn)
      if (field && language !== undefined) {
        const value = await changedText(field, cell, textOf(current, language)?.[field] ?? '')
        if (value !== undefined) texts.push({ column: name, language, field, value })
        return
      }
      const key = customKeyOf(name)
      const column =
        key === undefined ? kind.columns.find((each) => each.name === name) : (customColumn(key) as Column<SheetRecord>)
      if (!column) return
      const text = await changedCell(column, cell, context)
      if (text === undefined) return
      const reason = column.leftOut?.(text)
      if (reason !== undefined) return void notes.push({ column: name, message: reason })
      if (!column.toInput) unused.push({ column, name })
      else {
        const input = await column.toInput(text, context)
        if (!current || !(await column.isStored?.(input, current, references))) changes.push({ column: name, input })
      }
    })
  }
  const modified = row.cells.get('modified')
  let since = current?.modifiedAt
  if (current && modified !== undefined && modified.trim() !== '') {
    await attempt('modified', async () => {
      since = new Date(parseInstant(modified))
    })
  }
  const writing = current
    ? updateInput(kind, current, since, changes, texts)
    : createInput(kind, row, changes, texts, problems)
  for (const { column, name } of unused) {
    const message = column.ignored?.(writing.input, context)
    if (message !== undefined) notes.push({ column: name, message })
  }
  const columns = [...new Set([...changes, ...texts].map(({ column }) => column))]
  const action = current ? (columns.length === 0 && !isPending ? 'unchanged' : 'update') : 'create'
  const problemOf = (error: SheetUserError) => toProblem(error, changes, writing.textPaths, kind, row)
  return { action, id: current?.id, columns, ...writing, isPending, problems, notes, problemOf }
}

/** The text to import, or undefined if the cell has what is stored. */
async function changedCell(
  column: Column<SheetRecord>,
  cell: string,
  context: RowContext<SheetRecord>,
): Promise<string | undefined> {
  const { current } = context
  const parse = async (text: string) => (column.parse ? column.parse(text, context) : text.trim())
  if (!current) return cell.trim() === '' ? undefined : parse(cell)
  const stored = column.read(current)
  if (cell === stored) return undefined
  const text = await parse(cell)
  if (text === '' && column.required) throw new CellError('The cell must not be empty.')
  return text === stored || text === (await parse(stored)) ? undefined : text
}

/** The text to write, null to remove it, or undefined if the cell has what is stored. */
async function changedText(field: TextField, cell: string, stored: string): Promise<string | null | undefined> {
  if (cell === stored) return undefined
  const text = await normalized(field, cell)
  if (text === stored) return undefined
  if (text !== '') return text
  // A record always has a slug.
  return field === 'slug' ? undefined : null
}

/** The text as it is stored. */
async function normalized(field: TextField, cell: string): Promise<string> {
  if (field === 'name') return parseLine(cell)
  if (field === 'slug') return slugify(cell)
  return cell.trim() === '' ? '' : cleanHtml(cell.replaceAll('\r\n', '\n').toWellFormed())
}

const textOf = (record: SheetRecord | undefined, language: string): SheetText | undefined =>
  record?.translations.find((text) => languageOfCode(text.language) === language)

interface Writing {
  readonly input: MutationInput
  readonly language: string
  /** Columns of texts by their path in the input. */
  readonly textPaths: ReadonlyMap<string, string>
}

function merged(changes: readonly Change[], current: SheetRecord | undefined): Record<string, unknown> {
  const input: Record<string, unknown> = Object.assign({}, ...changes.map((change) => change.input))
  const custom = changes.flatMap((change) => (change.input.customFields as SheetEventFragment['customFields']) ?? [])
  const stored = (current as SheetEventFragment | undefined)?.customFields ?? []
  if (custom.length > 0) input.customFields = mergeCustomFields(stored, custom)
  return input
}

function updateInput(
  { isPost }: SheetKind,
  current: SheetRecord,
  since: Date | undefined,
  changes: readonly Change[],
  texts: readonly TextChange[],
): Writing {
  const input = merged(changes, current)
  const { translations, textPaths } = translationsOf(texts)
  if (translations.length > 0) input.translations = translations
  if (isPost && since) input.ifUnmodifiedSince = since
  return { input: { ...input, id: current.id }, language: '', textPaths }
}

function createInput(
  kind: SheetKind,
  row: SheetRow,
  changes: readonly Change[],
  texts: readonly TextChange[],
  problems: Problem[],
): Writing {
  const written = texts.filter(({ value }) => value)
  const named = written.filter(({ field }) => field === 'name').map(({ language }) => language)
  const language = named.includes(row.language) ? row.language : named[0]
  if (language === undefined) {
    problems.push({ column: kind.name, message: `A new ${kind.record} needs a ${kind.name}.` })
    return { input: {}, language: row.language, textPaths: new Map() }
  }
  const own = written.filter((text) => text.language === language)
  const nameOf = (field: TextField) => (field === 'name' ? kind.name : field)
  const { translations, textPaths } = translationsOf(written.filter((text) => text.language !== language))
  for (const { field, column } of own) textPaths.set(nameOf(field), column)
  const input = {
    ...merged(changes, undefined),
    ...Object.fromEntries(own.map(({ field, value }) => [nameOf(field), value])),
    ...(translations.length > 0 && { translations }),
  }
  return { input, language, textPaths }
}

function translationsOf(texts: readonly TextChange[]) {
  const textPaths = new Map<string, string>()
  const byLanguage = [...Map.groupBy(texts, ({ language }) => language)]
  const translations = byLanguage.map(([language, changes], index) => {
    for (const { field, column } of changes) textPaths.set(`translations.${index}.${field}`, column)
    const fields = changes.map(({ field, value }) => [field, value])
    return { ...Object.fromEntries(fields), language: languageCode(language) }
  })
  return { translations, textPaths }
}

/** Columns of inputs that a row may lack. */
const columnsByInput: Readonly<Record<string, string>> = {
  startsLocal: 'start',
  endsLocal: 'end',
  timeZone: 'time_zone',
}

function toProblem(
  { code, path, message, modifiedAt }: SheetUserError,
  changes: readonly Change[],
  textPaths: ReadonlyMap<string, string>,
  kind: SheetKind,
  row: SheetRow,
): Problem {
  if (code === 'CONFLICT' && modifiedAt) {
    return {
      column: 'modified',
      message: `The ${kind.record} was modified at ${modifiedAt.toISOString()}, after the file was written. Export it again, or leave this cell empty to overwrite the change.`,
    }
  }
  if (code === 'TRASHED') {
    return { column: 'status', message: `The ${kind.record} is in the trash. Write another status to restore it.` }
  }
  const [field = ''] = path
  const column =
    textPaths.get(path.join('.')) ??
    changes.find(({ input }) => field !== '' && field in input)?.column ??
    columnsByInput[field] ??
    (textColumnsOf(kind).has(field) ? `${field}:${row.language}` : undefined) ??
    (field === 'id' ? 'id' : undefined)
  return { column, message }
}
