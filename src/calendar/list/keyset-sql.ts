// Keyset pagination in SQL statements: the conditions of the rows after or before a cursor.
import { Prisma } from '../../generated/prisma/client.ts'
import type { SortKey, SortValue } from '../../service/graphql/keyset.ts'

const { sql, raw, join } = Prisma

/** A cursor at one end of a page. */
export interface KeysetBound {
  /** Whether the page comes after the row of the cursor, or before it. */
  readonly isAfter: boolean
  /** Values of the sort keys in the row of the cursor. */
  readonly keys: readonly SortValue[]
}

/** Returns the name of a column in the database. */
export const columnName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the operator by which rows of the page compare with the row of the cursor. */
export const boundOperator = (descending = false, { isAfter }: Pick<KeysetBound, 'isAfter'>) =>
  descending === isAfter ? '<' : '>'

const sqlTypes = { date: 'timestamptz', text: 'text', integer: 'int', bigint: 'bigint', number: 'float8' } as const

/** Returns the condition on the sort keys, which all have the same direction. `table`: the alias of their table, with a dot. */
export const keysetCondition = (keys: readonly SortKey[], bound: KeysetBound, table = ''): Prisma.Sql =>
  sql`(${raw(keys.map(({ column }) => table + columnName(column)).join())}) ${raw(boundOperator(keys[0]?.descending, bound))} (${join(
    keys.map(({ type }, index) => sql`${bound.keys[index]}::${raw(sqlTypes[type])}`),
  )})`
