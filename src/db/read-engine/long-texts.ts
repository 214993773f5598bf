// Long texts are read only once their size is known: a statement first answers how many bytes each of them has, in its
// place, and is sent again for the rows that have one.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Column } from './data-model.ts'

const { sql } = Prisma

/** What the long texts of an operation are taken from. Throws when they are more than it may read. */
export interface LongTextBudget {
  reserve(bytes: number): Promise<void>
}

/** In the values of a statement: how many bytes a text may have to be read. */
const byteLimit = Symbol('byte limit')

/** A text up to this size is read at once; few texts that people write are longer. */
export const shortText = 8000
export const anyLength = 2 ** 31 - 1

const longTexts = new Set(['description', 'excerpt'])

export const isLongText = ({ name, type, isList }: Column): boolean =>
  type === 'String' && !isList && longTexts.has(name)

/** The text as JSON, or its size. PostgreSQL knows the size without reading the text. */
export const textOrSize = (text: Prisma.Sql): Prisma.Sql =>
  sql`CASE WHEN octet_length(${text}) <= ${byteLimit}::int THEN to_json(${text}) ELSE json_build_object('bytes', octet_length(${text})) END`

export const hasLongTexts = (values: readonly unknown[]): boolean => values.includes(byteLimit)

export const withByteLimit = (values: readonly unknown[], bytes: number): readonly unknown[] =>
  values.map((value) => (value === byteLimit ? bytes : value))

/** Only json_build_object writes it like this: a quote within a string has a backslash, and jsonb no space before a colon. */
const sizeStart = '{"bytes" : '

/** How many bytes of long texts the JSON of a row stands for. */
export function omittedBytes(json: string): number {
  let bytes = 0
  for (let at = json.indexOf(sizeStart); at !== -1; at = json.indexOf(sizeStart, at + 1)) {
    bytes += Number.parseInt(json.slice(at + sizeStart.length, at + sizeStart.length + 10), 10)
  }
  return bytes
}
