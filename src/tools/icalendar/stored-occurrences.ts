// The occurrences of a series, which are events of their own on the site.

import type { ImportedEvent } from './read-event.ts'

/** Separates the UID of a series from the key of an occurrence in the UID of the occurrence. */
export const occurrenceSeparator = '/occurrence/'

export const occurrenceUid = (seriesUid: string, key: string): string => `${seriesUid}${occurrenceSeparator}${key}`

/** An occurrence on the site. */
export interface StoredOccurrence {
  readonly id: number
  readonly uid: string
  readonly seriesUid: string
  readonly key: string
  readonly sequence: number
  /** LAST-MODIFIED of its last import in the language of the file. */
  readonly lastModified: Date | null
  readonly isTrashed: boolean
  readonly startsLocal: string
  readonly endsLocal: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly allDay: boolean
  readonly timeZone: string
}

/** Whether the stored occurrence comes from a newer file. SEQUENCE decides, if there is one. */
export function isNewer(
  stored: StoredOccurrence,
  { sequence, lastModified }: Pick<ImportedEvent, 'sequence' | 'lastModified'>,
): boolean {
  if (sequence !== undefined && sequence !== stored.sequence) return stored.sequence > sequence
  return isModifiedLater(stored, lastModified)
}

export const isModifiedLater = (stored: StoredOccurrence, lastModified: Date | undefined): boolean =>
  stored.lastModified !== null && lastModified !== undefined && stored.lastModified > lastModified

/** The key of an occurrence that begins at a local time in its series. */
export const keyAt = (local: string): string => local.replace(/[-:]/g, '').slice(0, '20261201T180000'.length)

/**
 * Finds the occurrence that begins at a time in its series; with `isRange` also all later ones. `from` is the time that was
 * looked for, and `to` that of the occurrence, in the series.
 */
export function findOccurrences(
  stored: readonly StoredOccurrence[],
  id: { readonly local: (zone: string) => string; readonly isDate: boolean },
  isRange: boolean,
) {
  const zoneOf = keyZone(stored)
  const found = stored.flatMap((occurrence) => {
    const length = id.isDate ? '20261201'.length : occurrence.key.length
    const from = keyAt(id.local(zoneOf(occurrence))).slice(0, length)
    const to = occurrence.key.slice(0, length)
    const isFound = from === to || (isRange && to > from && !occurrence.isTrashed)
    return isFound ? [{ occurrence, from: localOfKey(from), to: localOfKey(to) }] : []
  })
  // Of several on one day, the further ones are identified by their time.
  const exact = found.filter(({ occurrence }) => occurrence.key.includes('T'))
  return isRange || id.isDate || exact.length === 0 ? found : exact
}

const localOfKey = (key: string) =>
  key.padEnd('20261201T000000'.length, 'T000000').replace(/^(....)(..)(..T..)(..)(..)$/, '$1-$2-$3:$4:$5')

/** Keys of series in UTC may be those of UTC. */
function keyZone(stored: readonly StoredOccurrence[]): (occurrence: StoredOccurrence) => string {
  const count = (localOf: (occurrence: StoredOccurrence) => string) =>
    stored.filter((occurrence) => keyAt(localOf(occurrence)).startsWith(occurrence.key)).length
  const isUtc = count(({ startsAt }) => startsAt.toISOString()) > count(({ startsLocal }) => startsLocal)
  return ({ timeZone }) => (isUtc ? 'UTC' : timeZone)
}
