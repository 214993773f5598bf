// The tables from which the rows of lists are read.

import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { SortKey } from '../../service/graphql/keyset.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'
import type { ListQuery, Parents } from './list-query.ts'
import { type Delegate, delegateOf, findByIds, type PageQuery, type PageRecords } from './records.ts'

export interface Lists {
  readonly context: Context
  readonly kind: RecordKind
  readonly list: ListQuery
  readonly parents: Parents | undefined
}

/** A table of records or texts, with the conditions of the list and of the list of one parent. */
export interface Source {
  readonly delegate: Delegate
  readonly where: object
  readonly parents: Parents | undefined
}

export const sourceOf = (lists: Lists): Source =>
  lists.list.order.of === 'text' ? textSource(lists) : recordSource(lists)

export const recordSource = ({ context, kind, list: { where }, parents }: Lists): Source => ({
  delegate: delegateOf(context, kind),
  where,
  parents,
})

export const textSource = ({ context, kind, list: { where }, parents }: Lists): Source => ({
  delegate: delegateOf(context, `${kind}Text`),
  where: { language: context.language, [kind]: where },
  parents: parents && { ids: parents.ids, where: (id) => ({ [kind]: parents.where(id) }) },
})

/** Reads the list of one parent like a list without parents, whose statement uses the values of the parent. */
export async function findPages(
  { delegate, where, parents }: Source,
  { unread, ...query }: Omit<PageQuery, 'where'>,
): Promise<PageRecords[]> {
  const [id, ...others] = parents?.ids ?? []
  if (parents && others.length > 0) return delegate.findPages({ ...query, where, forEach: parents })
  const condition = parents && id !== undefined ? { AND: [where, parents.where(id)] } : where
  return [await delegate.findPage({ ...query, unread, where: condition })]
}

/** The records of all lists, by ID. */
export async function recordsOf<Node extends object>(
  { context, kind, list }: Lists,
  ids: readonly (readonly number[])[],
  keys: readonly SortKey[] = [],
): Promise<ReadonlyMap<number, Node>> {
  const columns = keys.map(({ column }) => column).filter((column) => column !== 'id')
  const selection: RecordSelection = () => list.selection(columns)
  const records = await findByIds<Node & { readonly id: number }>(context, kind, selection, [...new Set(ids.flat())])
  return new Map(records.map((record) => [record.id, record]))
}

export const columnsOf = (keys: readonly SortKey[]) => Object.fromEntries(keys.map(({ column }) => [column, true]))

export const textKey = (kind: RecordKind) => `${kind}Id`

export const textRowId = (kind: RecordKind, row: object): number => (row as Record<string, number>)[textKey(kind)] ?? 0
