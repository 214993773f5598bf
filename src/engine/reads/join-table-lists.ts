// Finds pages and totals of long lists that share records, such as the events of each tag. Reading all events in sort order for
// each tag would be slow, because the events of a tag may come late in the order.
import { Prisma } from '../../generated/prisma/client.ts'
import { type Column, type Model, modelOf, type Relation } from '../postgres/data-model.ts'
import { queryRows } from '../postgres/query.ts'
import { type ListsOfParents, parentId } from '../postgres/record-reads.ts'
import { orderBySql } from './order-by.ts'
import { type FindArgs, toTextAndValues } from './statement.ts'
import { Table } from './table.ts'
import { UnsupportedError } from './unsupported.ts'
import { whereSql } from './where.ts'

const { sql, raw } = Prisma

/** Number of records that are read in sort order per record of a page, unless the lists are short. */
const walkedPerRecord = 400

/**
 * Lists are read by their rows in the join table if each row replaces this number of records read in sort order. Reading by a row
 * takes as long as reading three records in order, but reads more blocks.
 */
const walkedPerLink = 8

/** Lists with at most this number of rows in the join table are never read in sort order. */
const fewLinks = 1000

/** Lists of records that a join table links to their parents, such as the events of each tag. */
export interface JoinTableLists {
  readonly model: Model
  readonly ids: readonly number[]
  readonly relation: Relation
  /** The column of the join table with the ID of the parent. */
  readonly key: Column
  /** The other conditions of the lists. */
  readonly where: object
}

/** Finds the join table that links the records of long lists with their parents. Returns undefined for other lists. */
export function findJoinTableLists(
  modelName: string,
  { ids, where, hasLongLists }: ListsOfParents,
): JoinTableLists | undefined {
  if (!hasLongLists) return undefined
  const model = modelOf(modelName)
  const conditions = conditionsOf(where(parentId))
  for (const [name, filter] of conditions) {
    const relation = model.fields.get(name)
    if (relation?.kind !== 'relation' || !relation.isList) continue
    const [column, ...others] = Object.entries((filter as { some?: object }).some ?? {})
    const pairs = modelOf(relation.model)
    const key = column?.[1] === parentId && others.length === 0 ? pairs.fields.get(column[0]) : undefined
    // The primary key must have both columns, so that no pair occurs twice.
    if (key?.kind !== 'column' || pairs.key.length !== 2 || !pairs.key.includes(key.name)) continue
    const rest = conditions.filter((condition) => condition[1] !== filter).map(([field, value]) => ({ [field]: value }))
    return { model, ids, relation, key, where: { AND: rest } }
  }
  return undefined
}

/** Returns the conditions of `where` by field, with nested AND resolved. */
const conditionsOf = (where: object): [string, unknown][] =>
  Object.entries(where).flatMap(([name, filter]): [string, unknown][] =>
    name === 'AND' ? [filter].flat().flatMap((part) => conditionsOf(part as object)) : [[name, filter]],
  )

interface ListRow {
  /** Position of the parent, from 1. */
  readonly position: number
  readonly ids: readonly number[]
}

interface Found {
  /** Whether the lists have no records beyond those that were found. */
  readonly isComplete: boolean
  /** The found IDs by list; null if nothing was found. */
  readonly lists: readonly ListRow[] | null
}

/** Compiles the statements that find the IDs of each page. Throws Unsupported for arguments that are not supported. */
export function compileJoinTablePages(
  lists: JoinTableLists,
  page: FindArgs,
): (client: object) => Promise<(readonly number[])[]> {
  const { ids } = lists
  const { take } = page
  if (take === undefined) throw new UnsupportedError('a list without limit')
  const first = firstStatement(lists, page, take)
  return async (client) => {
    const [found] = await queryRows<Found>(client, { ...first, prepared: undefined })
    const pages = new Map(found?.lists?.map((row) => [ids[row.position - 1], row.ids]))
    const missing = found?.isComplete ? [] : ids.filter((id) => (pages.get(id)?.length ?? 0) < take)
    if (missing.length > 0) {
      const linked = linkedStatement({ ...lists, ids: missing }, page, take)
      for (const row of await queryRows<ListRow>(client, { ...linked, prepared: undefined })) {
        pages.set(missing[row.position - 1], row.ids)
      }
    }
    return ids.map((id) => pages.get(id) ?? [])
  }
}

export const parentsSql = (ids: readonly number[]) => sql`unnest(${ids}::int[]) WITH ORDINALITY AS parent(id, position)`

const idsByParent = (records: Prisma.Sql, skip: number, take: number) => sql`
  SELECT position, array_agg(id ORDER BY place) AS ids FROM (${records}) AS ranked
  WHERE place > ${skip}::bigint AND place <= ${skip + take}::bigint GROUP BY position`

/** Returns table, ID, condition and order of the records of all lists, as SQL. */
function recordsOf(lists: JoinTableLists, { where = {}, orderBy }: FindArgs) {
  const table = Table.create(lists.model.name, { opaqueParams: false })
  const id = table.column('"id"')
  const condition = whereSql(table, { AND: [where, lists.where] })
  return { table, id, condition, order: orderBySql(table, orderBy) ?? id }
}

/** Returns the columns of the join table that link records to parents, as SQL. */
function pairsOf(table: Table, { relation, key }: JoinTableLists) {
  const pairs = table.subquery(relation.model)
  const [pair, ...others] = relation.on
  if (!pair || others.length > 0) throw new UnsupportedError('a relation by several columns')
  return { from: pairs.from(), recordId: pairs.column(pair.to), parentId: pairs.column(key.sql) }
}

/** Returns a JOIN of the parents that have the record with this ID in their list. */
function joinParents(table: Table, lists: JoinTableLists, id: Prisma.Sql) {
  const pairs = pairsOf(table, lists)
  return sql`JOIN ${pairs.from} ON ${pairs.recordId} = ${id} JOIN ${parentsSql(lists.ids)} ON parent.id = ${pairs.parentId}`
}

/** Returns a statement that finds the pages among all linked records if they are few, otherwise among the first in order. */
function firstStatement(lists: JoinTableLists, page: FindArgs, take: number) {
  const { skip = 0 } = page
  const { table, id, condition, order } = recordsOf(lists, page)
  const pairs = pairsOf(table, lists)
  const walkedMax = walkedPerRecord * (skip + take)
  const linksMax = Math.max(fewLinks, walkedMax / walkedPerLink)
  // The inner LIMIT makes the planner use the index for each parent.
  const links = sql`
    SELECT parent.position::int AS position, link.id FROM ${parentsSql(lists.ids)} CROSS JOIN LATERAL (
      SELECT ${pairs.recordId} AS id FROM ${pairs.from} WHERE ${pairs.parentId} = parent.id LIMIT ${linksMax + 1}::bigint
    ) AS link LIMIT ${linksMax + 1}::bigint`
  const areFew = sql`(SELECT count(*) <= ${linksMax}::bigint FROM links)`
  const walked = sql`
    SELECT ${id} AS id, row_number() OVER (ORDER BY ${order}) AS place
    FROM ${table.from()} WHERE ${condition} AND NOT ${areFew} ORDER BY ${order} LIMIT ${walkedMax}::bigint`
  const ofParents = sql`
    SELECT links.position, ${id} AS id, row_number() OVER (PARTITION BY links.position ORDER BY ${order}) AS place
    FROM ${table.from()} JOIN links ON links.id = ${id} WHERE ${condition} AND ${areFew}
    UNION ALL
    SELECT parent.position::int AS position, walked.id,
      row_number() OVER (PARTITION BY parent.position ORDER BY walked.place) AS place
    FROM walked ${joinParents(table, lists, raw('walked.id'))}`
  return toTextAndValues(sql`
    WITH links AS MATERIALIZED (${links}), walked AS MATERIALIZED (${walked})
    SELECT ${areFew} OR (SELECT count(*) < ${walkedMax}::bigint FROM walked) AS "isComplete",
      (SELECT json_agg(list) FROM (${idsByParent(ofParents, skip, take)}) AS list) AS lists`)
}

/** Returns a statement that finds the pages among all records that are linked to the parents. */
function linkedStatement(lists: JoinTableLists, page: FindArgs, take: number) {
  const { table, id, condition, order } = recordsOf(lists, page)
  const linked = sql`
    SELECT parent.position::int AS position, ${id} AS id,
      row_number() OVER (PARTITION BY parent.position ORDER BY ${order}) AS place
    FROM ${table.from()} ${joinParents(table, lists, id)} WHERE ${condition}`
  return toTextAndValues(idsByParent(linked, page.skip ?? 0, take))
}

/** Compiles one statement that counts the records of each list. */
export function compileJoinTableTotals(lists: JoinTableLists, where: object) {
  const { table, id, condition } = recordsOf(lists, { where })
  return toTextAndValues(sql`
    SELECT parent.position::int AS position, count(*)::int AS total
    FROM ${table.from()} ${joinParents(table, lists, id)} WHERE ${condition} GROUP BY parent.position`)
}
