// The users who made the changes on a page of the log.
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../service/context.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { findRecordsByIds } from '../list/records.ts'

/** The users of a page of entries, and what was read of them by response name. */
export interface EntryUsers {
  readonly ids: readonly number[]
  readonly reads: Map<string, Promise<ReadonlyMap<number, object>>>
}

export const createEntryUsers = (entries: readonly { readonly userId: number | null }[]): EntryUsers => ({
  ids: entries.flatMap(({ userId }) => userId ?? []),
  reads: new Map(),
})

/** Reads the user of an entry; null if the user was deleted. One statement reads the users of all entries of the page. */
export async function readEntryUser(
  userId: number | null,
  { ids, reads }: EntryUsers,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<{ readonly id: number } | null> {
  if (userId === null) return null
  const key = String(info.path.key)
  const reading =
    reads.get(key) ?? findRecordsByIds<{ readonly id: number }>(context, 'user', buildSelection(context, info), ids)
  reads.set(key, reading)
  return ((await reading).get(userId) as { readonly id: number } | undefined) ?? null
}
