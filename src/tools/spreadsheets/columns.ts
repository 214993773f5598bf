// What the columns of a spreadsheet contain, and how their cells are read and written.
import { languageOfCode } from '../../basics/language.ts'
import type { SheetTextFragment } from '../../generated/graphql/graphql.ts'
import type { MutationInput } from '../mutations.ts'
import { CellError, parseBoolean, parseLine } from './cells.ts'
import type { ReferenceFinder } from './reference-finder.ts'

export type TextField = 'name' | 'description' | 'excerpt' | 'slug'

export interface SheetRecord {
  readonly id: number
  readonly modifiedAt?: Date
  readonly translations: readonly SheetTextFragment[]
}

/** The row that is being imported. */
export interface RowContext<Row extends SheetRecord> {
  /** The record to update; undefined for a new one. */
  readonly current: Row | undefined
  /** The cell of a column of this row; undefined if the file has no such column. */
  readonly cell: (column: string) => string | undefined
  readonly references: ReferenceFinder
}

export interface Column<Row extends SheetRecord> {
  readonly name: string
  /** For the documentation. */
  readonly description: string
  /** The type of the value in JSON files; by default text. */
  readonly type?: 'boolean' | 'number'
  read(record: Row): string
  /** The part of the mutation's input that sets the cell. Throws CellError. */
  toInput?(cell: string, context: RowContext<Row>): MutationInput | Promise<MutationInput>
  /** The input that sets what the record has; by default that of the text which `read` returns. */
  stored?(record: Row): MutationInput
  /** Why the cell is left out although its row is imported; undefined if it is not. */
  leftOut?(cell: string): string | undefined
  /** For a column without `toInput`: why the input of the row does not contain its cell; undefined if it does. */
  ignored?(input: MutationInput, context: RowContext<Row>): string | undefined
  /** Whether a cell must not be empty in a row that updates a record. */
  readonly required?: boolean
}

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

/** Empty for a text that the record lacks. */
export const textOf = (record: SheetRecord | undefined, language: string, field: TextField): string =>
  record?.translations.find((text) => languageOfCode(text.language) === language)?.[field] ?? ''

export const formatNumber = (value: number | null | undefined): string => (value == null ? '' : String(value))

/** The input has both coordinates together. */
export function coordinatesInput(latitude: number | null, longitude: number | null) {
  if (latitude !== null && longitude !== null) return { latitude, longitude }
  if (latitude === longitude) return null
  throw new CellError('A venue needs both coordinates, or none.')
}
