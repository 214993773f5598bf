// Reads long texts only after checking their size: a statement first returns the size of each long text in place of it, and
// is sent again for the rows that have one.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Column } from './data-model.ts'

const { sql } = Prisma

/** Limits the long texts of an operation. `reserve` throws if they exceed the limit. */
export interface LongTextBudget {
  reserve(bytes: number): Promise<void>
}

/** Placeholder in the values of a statement for the largest text, in bytes, that it returns. */
const byteLimit = Symbol('byte limit')

/** Bytes. Texts up to this size are returned by the first statement; most texts are shorter. */
export const shortText = 8000
export const anyLength = 2 ** 31 - 1

const longTexts = new Set(['description', 'excerpt'])

export const isLongText = ({ name, type, isList }: Column): boolean =>
  type === 'String' && !isList && longTexts.has(name)

/** The text as JSON, or its size. PostgreSQL determines the size without reading the whole text. */
export const textOrSize = (text: Prisma.Sql): Prisma.Sql =>
  sql`CASE WHEN octet_length(${text}) <= ${byteLimit}::int THEN to_json(${text}) ELSE json_build_object('bytes', octet_length(${text})) END`

export const hasLongTexts = (values: readonly unknown[]): boolean => values.includes(byteLimit)

export const withByteLimit = (values: readonly unknown[], bytes: number): readonly unknown[] =>
  values.map((value) => (value === byteLimit ? bytes : value))

/** Only json_build_object produces this: quotes inside of strings are escaped, and jsonb has no space before a colon. */
const sizeStart = '{"bytes" : '

/** The total size of the long texts that the JSON of a row omits. */
export function omittedBytes(json: string): number {
  let bytes = 0
  for (let at = json.indexOf(sizeStart); at !== -1; at = json.indexOf(sizeStart, at + 1)) {
    bytes += Number.parseInt(json.slice(at + sizeStart.length, at + sizeStart.length + 10), 10)
  }
  return bytes
}
