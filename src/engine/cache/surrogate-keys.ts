// Keys that name what a response depends on, so that a CDN can purge the responses that a change concerns.

import { kinds as kindTable } from '../../kinds.ts'
import type { ChangeNotification } from '../postgres/notifications.ts'
import { type CachedKind, type Dependencies, isCachedKind } from '../reads/read-record.ts'

/** The key of all responses. */
export const keyOfAllResponses = 'calendar'

/** Characters. Both headers together stay below the 4 KB that nginx accepts from a backend by default. */
const maxLength = 1000

/** The key of all responses that any record of the kind may change. */
const listKey = (kind: CachedKind): string =>
  kind === 'image' || kind === 'user' ? `${kind}s` : kindTable[kind].plural

const recordKey = (kind: CachedKind, id: number) => `${kind}-${id}`

/** The key of responses that depend on single records of the kind. It is purged if any of them may have changed. */
const anyRecordKey = (kind: CachedKind) => `any-${kind}`

/** The keys of a response. If they would become too long, the key of a list replaces those of its records. */
export function surrogateKeys({ kinds, records }: Dependencies): readonly string[] {
  const keys = [keyOfAllResponses, ...[...kinds].map((kind) => listKey(kind))]
  let length = keys.join(' ').length
  const single = [...records].filter(([kind]) => !kinds.has(kind)).sort(([, a], [, b]) => a.size - b.size)
  for (const [kind, ids] of single) {
    const ownKeys = [anyRecordKey(kind)]
    if (ids.size < maxLength) for (const id of ids) ownKeys.push(recordKey(kind, id))
    const ownLength = ownKeys.join(' ').length + 1
    // Leaves room for the keys of the lists that follow.
    const fits = ids.size < maxLength && length + ownLength <= maxLength - 60
    keys.push(...(fits ? ownKeys : [listKey(kind)]))
    length += fits ? ownLength : listKey(kind).length + 1
  }
  return keys
}

/** The keys that a change invalidates. */
export function invalidatedKeys({ kind, ids }: ChangeNotification): readonly string[] {
  // A newer version of this service may have more kinds.
  if (!isCachedKind(kind)) return [keyOfAllResponses]
  return [listKey(kind), ...(ids === undefined ? [anyRecordKey(kind)] : ids.map((id) => recordKey(kind, id)))]
}
