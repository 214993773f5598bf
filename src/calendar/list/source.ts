// The tables from which the rows of lists are read.

import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { ListQuery, Parents } from './list-query.ts'
import { type Delegate, delegateOf, findByIds, type PageQuery, type PageRecords } from './records.ts'

export interface Lists {
  readonly context: Context
  readonly kind: RecordKind
  readonly list: ListQuery
  readonly parents: Parents | undefined
}

/** A table of records, with the conditions of the list and of the list of one parent. */
export interface Source {
  readonly delegate: Delegate
  readonly where: object
  readonly parents: Parents | undefined
}

export const recordSource = ({ context, kind, list: { where }, parents }: Lists): Source => ({
  delegate: delegateOf(context, kind),
  where,
  parents,
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
): Promise<ReadonlyMap<number, Node>> {
  const distinct = [...new Set(ids.flat())]
  const records = await findByIds<Node & { readonly id: number }>(context, kind, list.selection, distinct)
  return new Map(records.map((record) => [record.id, record]))
}
