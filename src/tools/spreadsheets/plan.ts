// Compares rows with the stored records, and computes the mutation that each row needs.

import { isDeepStrictEqual } from 'node:util'
import { languageCode, languageOfCode } from '../../basics/language.ts'
import { cleanHtml } from '../../calendar/text/sanitize-html.ts'
import { slugify } from '../../calendar/text/slug.ts'
import type { SheetEventFragment, ToolErrorFragment } from '../../generated/graphql/graphql.ts'
import type { MutationInput } from '../mutations.ts'
import { CellError, parseInstant, parseLine, parseNumber } from './cells.ts'
import {
  type Column,
  numberText,
  type RowContext,
  type SheetKind,
  type SheetRecord,
  type TextField,
} from './columns.ts'
import { customColumn, customKeyOf, mergeCustomFields } from './event-columns.ts'
import { PendingParent, type References } from './references.ts'
import { addProblem, type Problem, type SheetRow } from './rows.ts'

export interface Plan {
  readonly action: 'create' | 'update' | 'unchanged'
  /** ID of the record to update. */
  readonly id: number | undefined
  /** The columns that are written. */
  readonly columns: readonly string[]
  readonly input: MutationInput
  /** Language of the mutation; undefined for that of the site. */
  readonly language: string | undefined
  /** Whether another row has to be written before. */
  readonly isPending: boolean
  /** Remarks about cells that are not imported. */
  readonly notes: readonly Problem[]
  /** The problem that a user error of the mutation means. */
  problemOf(error: ToolErrorFragment): Problem
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

/** Adds what is wrong with the cells to the problems of the row. */
export async function planRow(
  kind: SheetKind,
  row: SheetRow,
  current: SheetRecord | undefined,
  references: References,
): Promise<Plan> {
  const notes: Problem[] = []
  const changes: Change[] = []
  const texts: TextChange[] = []
  const unused: Column<SheetRecord>[] = []
  const context: RowContext<SheetRecord> = { current, references, cell: (column) => row.cells.get(column) }
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
    const key = customKeyOf(name)
    const column =
      key === undefined ? kind.columns.find((each) => each.name === name) : (customColumn(key) as Column<SheetRecord>)
    if (!column) return
    if (!column.toInput) {
      const text = column.type === 'number' ? numberText(parseNumber(cell)) : cell.trim()
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
      if (error instanceof PendingParent) isPending = true
      else addProblem(row, name, error)
    }
  }
  const writing = current
    ? updateInput(current, kind.isPost ? since : undefined, changes, texts)
    : createInput(kind, row, changes, texts)
  for (const { name, ignored } of unused) {
    const message = ignored?.(writing.input, context)
    if (message !== undefined) notes.push({ column: name, message })
  }
  const columns = [...new Set([...changes, ...texts].map(({ column }) => column))]
  const action = current ? (columns.length === 0 && !isPending ? 'unchanged' : 'update') : 'create'
  const problemOf = (error: ToolErrorFragment) => toProblem(error, changes, writing.textPaths, kind, row)
  return { action, id: current?.id, columns, ...writing, isPending, notes, problemOf }
}

/** The input that sets the cell, or undefined if the record has it already. */
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

const textOf = (record: SheetRecord | undefined, language: string, field: TextField): string =>
  record?.translations.find((text) => languageOfCode(text.language) === language)?.[field] ?? ''

interface Writing {
  readonly input: MutationInput
  readonly language: string | undefined
  /** Columns of texts by their path in the input. */
  readonly textPaths: ReadonlyMap<string, string>
}

function merged(changes: readonly Change[], current: SheetRecord | undefined): MutationInput {
  const input: MutationInput = Object.assign({}, ...changes.map((change) => change.input))
  if (!('customFields' in input)) return input
  const custom = changes.flatMap((change) => (change.input.customFields as SheetEventFragment['customFields']) ?? [])
  const stored = (current as SheetEventFragment | undefined)?.customFields ?? []
  return { ...input, customFields: mergeCustomFields(stored, custom) }
}

function updateInput(
  current: SheetRecord,
  since: Date | undefined,
  changes: readonly Change[],
  texts: readonly TextChange[],
): Writing {
  const { translations, textPaths } = translationsOf(texts)
  const unmodified = since && { ifUnmodifiedSince: since }
  const input = { ...merged(changes, current), ...translations, ...unmodified, id: current.id }
  return { input, language: undefined, textPaths }
}

function createInput(
  kind: SheetKind,
  row: SheetRow,
  changes: readonly Change[],
  texts: readonly TextChange[],
): Writing {
  const written = texts.filter(({ value }) => value)
  const named = written.filter(({ field }) => field === 'name').map(({ language }) => language)
  const language = named.includes(row.language) ? row.language : named[0]
  if (language === undefined) {
    row.problems.push({ column: kind.name, message: `A new ${kind.record} needs a ${kind.name}.` })
    return { input: {}, language: row.language, textPaths: new Map() }
  }
  const { translations, textPaths } = translationsOf(written.filter((text) => text.language !== language))
  const own: Record<string, string | null> = {}
  for (const { field, column, value } of written.filter((text) => text.language === language)) {
    const name = field === 'name' ? kind.name : field
    own[name] = value
    textPaths.set(name, column)
  }
  return { input: { ...merged(changes, undefined), ...own, ...translations }, language, textPaths }
}

function translationsOf(texts: readonly TextChange[]) {
  const textPaths = new Map<string, string>()
  const translations = [...Map.groupBy(texts, ({ language }) => language)].map(([language, changes], index) => {
    for (const { field, column } of changes) textPaths.set(`translations.${index}.${field}`, column)
    return {
      ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
      language: languageCode(language),
    }
  })
  return { translations: translations.length > 0 ? { translations } : {}, textPaths }
}

/** Columns of inputs that a row may lack. */
const columnsByInput: Readonly<Record<string, string>> = {
  startsLocal: 'start',
  endsLocal: 'end',
  timeZone: 'time_zone',
  id: 'id',
}

function toProblem(
  { code, path, message, modifiedAt }: ToolErrorFragment,
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
    (kind.texts.has(field) ? `${field}:${row.language}` : columnsByInput[field])
  return { column, message }
}
