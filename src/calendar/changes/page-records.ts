// Records that the items of a page show, such as the users who made changes.
import type { GraphQLResolveInfo } from 'graphql'
import type { NodeKind } from '../../basics/errors.ts'
import type { Context } from '../../service/context.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { findRecordsByIds } from '../list/records.ts'
import { nodeTypeName } from '../rules/identify.ts'

/** The records of a page, and what was read of them by the response name of the field. */
export interface PageRecords {
  readonly idsOf: (kind: NodeKind) => readonly number[]
  readonly reads: Map<string, Promise<ReadonlyMap<number, object>>>
}

/** The users who made the entries of a page of the log. */
export function createEntryUsers(entries: readonly { readonly userId: number | null }[]): PageRecords {
  const ids = entries.flatMap(({ userId }) => userId ?? [])
  return { idsOf: () => ids, reads: new Map() }
}

/** Reads a record; null if it was deleted. One statement reads all records of the kind on the page. */
export async function readPageRecord(
  kind: NodeKind,
  id: number | null,
  { idsOf, reads }: PageRecords,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<{ readonly id: number } | null> {
  if (id === null) return null
  const key = `${info.path.key} ${kind}`
  const selection = () => buildSelection(context, info, { typeName: nodeTypeName(kind) })
  const reading = reads.get(key) ?? findRecordsByIds<{ readonly id: number }>(context, kind, selection(), idsOf(kind))
  reads.set(key, reading)
  return ((await reading).get(id) as { readonly id: number } | undefined) ?? null
}
