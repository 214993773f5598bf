// Connections of lists that an SQL statement selects, such as the entries of a log.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { type CursorBounds, parseCursor, type SortKey } from '../../service/graphql/keyset.ts'
import { createCursorSlice, selectedConnectionParts } from '../../service/graphql/pagination.ts'
import { columnName, keysetCondition } from './keyset-sql.ts'

const { sql, raw, join, empty } = Prisma

/** Returns the conditions of the rows between two cursors, each with AND. Throws badInputError for an invalid cursor. */
function betweenCursorsSql(
  keys: readonly SortKey[],
  { after, before }: CursorBounds,
  table: string | undefined,
): Prisma.Sql {
  const beyond = (name: 'after' | 'before', cursor: string | undefined) => {
    if (cursor === undefined) return empty
    return sql`AND ${keysetCondition(keys, { isAfter: name === 'after', keys: parseCursor(keys, name, cursor) }, table)}`
  }
  return sql`${beyond('after', after)} ${beyond('before', before)}`
}

/** Returns the ORDER BY clause, of the reverse order if `inverted`. */
function orderBySql(keys: readonly SortKey[], inverted: boolean, table: string | undefined): Prisma.Sql {
  const columns = keys.map(({ column, descending = false }) =>
    raw(`${table ?? ''}${columnName(column)} ${descending === inverted ? 'ASC' : 'DESC'}`),
  )
  return sql`ORDER BY ${join(columns)}`
}

interface SqlList {
  readonly keys: readonly SortKey[]
  /** The alias of the table of the keys, with a dot. */
  readonly table?: string
  readonly columns: Prisma.Sql
  /** FROM with a WHERE clause. */
  readonly from: Prisma.Sql
}

/** Reads the rows of a page and the next one, and the total, as far as the operation selects them. */
export async function loadConnectionRows<Row>(
  { keys, table, columns, from }: SqlList,
  args: DefaultConnectionArguments,
  { reads, settings }: Pick<Context, 'reads' | 'settings'>,
  info: GraphQLResolveInfo,
) {
  const slice = createCursorSlice(args, settings)
  const selected = selectedConnectionParts(info)
  const [count] = selected.total ? await reads.rows<{ total: number }>(sql`SELECT count(*)::int AS total ${from}`) : []
  const rows = selected.rows
    ? await reads.rows<Row>(sql`
        SELECT ${columns} ${from} ${betweenCursorsSql(keys, slice, table)} ${orderBySql(keys, slice.inverted, table)}
        LIMIT ${slice.expectedSize + 1}`)
    : []
  return { slice, rows, total: count?.total }
}
