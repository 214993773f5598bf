// Surrogate keys: response headers that name the records a response depends on, so that a CDN can purge these responses.

import { kinds as kindTable } from '../../kinds.ts'
import type { ChangeNotification } from '../postgres/notifications.ts'
import { type CachedKind, type Dependencies, isCachedKind } from '../reads/read-record.ts'

/** The surrogate key that all responses have. */
export const keyOfAllResponses = 'calendar'

/** Maximum number of characters of the keys. The headers stay below the 4 KB that nginx accepts from a backend by default. */
const maxLength = 1000

/** Returns the key of responses that a change to any record of the kind may affect, such as lists. */
const listKey = (kind: CachedKind): string =>
  kind === 'image' || kind === 'user' ? `${kind}s` : kindTable[kind].plural

const recordKey = (kind: CachedKind, id: number) => `${kind}-${id}`

/** Returns the key of responses that depend on single records of the kind. Purged if the changed records are unknown. */
const anyRecordKey = (kind: CachedKind) => `any-${kind}`

/** Returns the keys of a response. If they would become too long, `listKey` replaces the keys of single records. */
export function surrogateKeys({ kinds, records }: Dependencies): readonly string[] {
  const keys = [keyOfAllResponses, ...[...kinds].map((kind) => listKey(kind))]
  let length = keys.join(' ').length
  const single = [...records].filter(([kind]) => !kinds.has(kind)).sort(([, a], [, b]) => a.size - b.size)
  for (const [kind, ids] of single) {
    const ownKeys = [anyRecordKey(kind)]
    if (ids.size < maxLength) for (const id of ids) ownKeys.push(recordKey(kind, id))
    const ownLength = ownKeys.join(' ').length + 1
    // Reserves 60 characters for the keys of lists, which are added later.
    const fits = ids.size < maxLength && length + ownLength <= maxLength - 60
    keys.push(...(fits ? ownKeys : [listKey(kind)]))
    length += fits ? ownLength : listKey(kind).length + 1
  }
  return keys
}

/** Returns the keys of the responses that a change invalidates. */
export function invalidatedSurrogateKeys({ kind, ids }: ChangeNotification): readonly string[] {
  // A newer version of this service, which runs on the same database, may have more kinds.
  if (!isCachedKind(kind)) return [keyOfAllResponses]
  return [listKey(kind), ...(ids === undefined ? [anyRecordKey(kind)] : ids.map((id) => recordKey(kind, id)))]
}
