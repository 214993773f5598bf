// Types and factories of columns: how the cells of a spreadsheet are converted from records and to mutation input.
import { languageOfCode } from '../../basics/language.ts'
import type { SheetTextFragment } from '../../generated/graphql/graphql.ts'
import type { MutationInput } from '../operations.ts'
import { CellError, parseBoolean, parseLine } from './cells.ts'
import type { ReferenceFinder } from './reference-finder.ts'

export type TextField = 'name' | 'description' | 'excerpt' | 'slug'

export interface SheetRecord {
  readonly id: number
  readonly modifiedAt: Date
  readonly translations: readonly SheetTextFragment[]
}

/** The row that is imported. */
export interface RowContext<Row extends SheetRecord> {
  /** The record to update; undefined for a new one. */
  readonly current: Row | undefined
  /** Returns the cell of another column of the row; undefined if the file has no such column. */
  readonly cell: (column: string) => string | undefined
  readonly references: ReferenceFinder
}

/** A column of a spreadsheet: how cells are read from records and converted to mutation input. */
export interface Column<Row extends SheetRecord> {
  readonly name: string
  /** Description of the column in docs/spreadsheets.md. */
  readonly description: string
  /** The type of the value in JSON files. Default: text. */
  readonly type?: 'boolean' | 'number'
  read(record: Row): string
  /** Returns the input fields that set the value of a cell. Throws CellError. */
  toInput?(cell: string, context: RowContext<Row>): MutationInput | Promise<MutationInput>
  /** Returns mutation input with the stored value, to compare it with the cell. Default: `toInput(read(record))`. */
  stored?(record: Row): MutationInput
  /** Returns why the cell of an imported row is left out; undefined if it is imported. */
  leftOut?(cell: string): string | undefined
  /** For a column without `toInput`: returns why the cell has no effect; undefined if another column uses it. */
  ignored?(input: MutationInput, context: RowContext<Row>): string | undefined
  /** Whether an empty cell is invalid in a row that updates a record. */
  readonly required?: boolean
}

/** A column for a field with one line of text. `empty`: the input for an empty cell. */
export const textColumn = <Row extends SheetRecord>(
  name: string,
  description: string,
  field: keyof NoInfer<Row> & string,
  empty: null | '' = '',
): Column<Row> => ({
  name,
  description,
  read: (record) => String(record[field] ?? ''),
  toInput: (cell) => ({ [field]: parseLine(cell) || empty }),
})

export const booleanColumn = <Row extends SheetRecord>(
  name: string,
  description: string,
  field: keyof NoInfer<Row> & string,
): Column<Row> => ({
  name,
  description,
  type: 'boolean',
  read: (record) => String(record[field] ?? false),
  toInput: (cell) => ({ [field]: parseBoolean(cell) }),
})

/** Returns a text of the record in a language; empty if there is none. */
export const textOf = (record: SheetRecord | undefined, language: string, field: TextField): string =>
  record?.translations.find((text) => languageOfCode(text.language) === language)?.[field] ?? ''

export const formatNumber = (value: number | null | undefined): string => (value == null ? '' : String(value))

/** Returns the input field `coordinates`, which needs both latitude and longitude. */
export function coordinatesInput(latitude: number | null, longitude: number | null) {
  if (latitude !== null && longitude !== null) return { latitude, longitude }
  if (latitude === longitude) return null
  throw new CellError('A venue needs both latitude and longitude, or none of them.')
}
