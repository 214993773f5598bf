// Finds the pages of lists that are sorted by a value, with one statement for all lists.
import { badInput } from '../../basics/errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { parseCursor, type SortKey, type SortValue } from '../../service/graphql/keyset.ts'
import { keysInCursors, type Lists, type RowQuery } from './list-query.ts'
import type { OrderValue } from './order-value.ts'
import { delegateOf } from './records.ts'

const { sql, raw, join } = Prisma

/** A record of a page: its ID, its value, and its sort keys. */
interface ValueRow {
  readonly id: number
  readonly [key: string]: unknown
}

/** A cursor as one end of a page. */
interface End {
  readonly isAfter: boolean
  readonly value: SortValue
  readonly keys: readonly SortValue[]
}

/** The page of each list, in the order of the parents. */
export async function findValuePages(
  lists: Lists,
  value: OrderValue,
  { bounds = {}, inverted = false, skip = 0, take }: RowQuery,
): Promise<ValueRow[][]> {
  const { context, kind, list, parents } = lists
  const { where, order: listOrder } = list
  const { keys } = listOrder
  const delegate = delegateOf(context, kind)
  const ends: End[] = []
  if (bounds.after !== undefined) ends.push(await readCursor(lists, value, 'after', bounds.after))
  if (bounds.before !== undefined) ends.push(await readCursor(lists, value, 'before', bounds.before))
  const ranked = parents ? undefined : await value.splitOf?.(where)
  const split = ranked ?? value.split

  const columns = raw(['value', ...keys.map(({ column }) => columnOf(column))].join())
  const direction = (isDescending = false) => (isDescending !== inverted ? 'DESC' : 'ASC')
  const keyOrder = keys.map(({ column, descending }) => `${columnOf(column)} ${direction(descending)}`).join()
  const valueOrder = `value ${direction(value.descending)}`
  const order = raw(`${valueOrder} NULLS ${inverted ? 'FIRST' : 'LAST'}, ${keyOrder}`)
  const limit = sql`LIMIT ${take}::bigint OFFSET ${skip}::bigint`
  const pageOf = async (condition: object): Promise<Prisma.Sql> => {
    const rows = (part: object, stopsEarly: boolean) =>
      delegate.matchingRows({ AND: [value.where ?? where, condition, part] }, value.flags, { stopsEarly })
    const isBetween = join([raw('TRUE'), ...ends.map((end) => isBeyond(value, keys, end))], ' AND ')
    const valued = sql`FROM (${await value.select(await rows(split?.with ?? {}, ranked !== undefined))}) AS valued WHERE ${isBetween}`
    if (!split) return sql`SELECT ${columns} ${valued} ORDER BY ${raw(`${valueOrder}, ${keyOrder}`)} ${limit}`
    const isOtherBetween = join([raw('TRUE'), ...ends.map((end) => isOtherBeyond(keys, end))], ' AND ')
    const others = sql`
      FROM (SELECT *, NULL::${typeOf(value)} AS value FROM (${await rows(split.without, true)}) AS record) AS others
      WHERE ${isOtherBetween}`
    const first = sql`LIMIT ${skip + take}::bigint`
    return sql`SELECT * FROM (
      (SELECT ${columns} ${valued} AND value IS NOT NULL ORDER BY ${raw(`${valueOrder}, ${keyOrder}`)} ${first})
      UNION ALL (SELECT ${columns} ${others} ORDER BY ${raw(keyOrder)} ${first})) AS page ORDER BY ${order} ${limit}`
  }
  const [parent, ...otherParents] = parents?.ids ?? []
  const pages =
    parents && parent !== undefined && otherParents.length > 0
      ? await delegate.pagesForEach(parents, pageOf)
      : sql`SELECT 1 AS list, page.* FROM (${await pageOf(parents && parent !== undefined ? parents.where(parent) : {})}) AS page`
  const names = keys.map(({ column }) => `${columnOf(column)} AS "${column}"`)
  const rows = await context.reads.rows<ValueRow & { readonly list: number }>(
    sql`SELECT list, value AS ${raw(`"${value.name}"`)}, ${raw(names.join())} FROM (${pages}) AS pages ORDER BY list, ${order}`,
  )
  const byList = Map.groupBy(rows, ({ list }) => list)
  return (parents?.ids ?? [1]).map((_, index) => byList.get(index + 1) ?? [])
}

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const typeOf = ({ type }: Pick<OrderValue, 'type'>): Prisma.Sql => raw(type === 'text' ? 'text' : 'float8')

/** Throws badInput for an invalid cursor, for one of another order, and if its record is needed and no longer exists. */
async function readCursor(
  { context, kind, list }: Lists,
  value: OrderValue,
  name: 'after' | 'before',
  cursor: string,
): Promise<End> {
  const isAfter = name === 'after'
  const [first = null, ...keys] = parseCursor(keysInCursors(list.order), name, cursor)
  if (!list.order.cursorKeys) return { isAfter, value: first, keys }
  const record = await delegateOf(context, kind).matchingRows({ id: first })
  const [row] = await context.reads.rows<{ value: SortValue }>(
    sql`SELECT value FROM (${await value.select(record)}) AS valued`,
  )
  if (!row) throw badInput({ [name]: `The ${kind} of this cursor no longer exists.` })
  return { isAfter, value: row.value, keys: [first] }
}

/** Records with a value on the inner side of an end. With the first condition, an index scan can start at the value. */
function isBeyond(value: OrderValue, keys: readonly SortKey[], end: End): Prisma.Sql {
  // Records without a value come last.
  if (end.value === null) return raw(end.isAfter ? 'FALSE' : 'TRUE')
  const operator = operatorOf(value.descending, end)
  const bound = sql`${end.value}::${typeOf(value)}`
  return sql`value ${raw(`${operator}=`)} ${bound} AND (value ${raw(operator)} ${bound} OR ${keysBeyond(keys, end)})`
}

const isOtherBeyond = (keys: readonly SortKey[], end: End): Prisma.Sql =>
  end.value === null ? keysBeyond(keys, end) : raw(end.isAfter ? 'TRUE' : 'FALSE')

const operatorOf = (descending = false, { isAfter }: End) => (descending === isAfter ? '<' : '>')

const sqlTypes = { date: 'timestamptz', text: 'text', integer: 'int', number: 'float8' } as const

/** All keys of an order have the same direction. */
const keysBeyond = (keys: readonly SortKey[], end: End): Prisma.Sql =>
  sql`(${raw(keys.map(({ column }) => columnOf(column)).join())}) ${raw(operatorOf(keys[0]?.descending, end))} (${join(
    keys.map(({ type }, index) => sql`${end.keys[index]}::${raw(sqlTypes[type])}`),
  )})`
