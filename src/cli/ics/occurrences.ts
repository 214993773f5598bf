// The occurrences of a series, which are events of their own on the site.
import { toWallClock } from '../../time.ts'
import { type DateOrTime, instantOf } from './times.ts'

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
  readonly lastModified: Date | undefined
  readonly isTrashed: boolean
  readonly startsLocal: string
  readonly endsLocal: string
  readonly endsAt: Date
  readonly allDay: boolean
  readonly timeZone: string
}

interface Version {
  readonly sequence: number | undefined
  readonly lastModified: Date | undefined
}

/** Whether the stored occurrence comes from a newer file. SEQUENCE decides, if there is one. */
export function isNewer(stored: StoredOccurrence, { sequence, lastModified }: Version): boolean {
  if (sequence !== undefined && sequence !== stored.sequence) return stored.sequence > sequence
  return isModifiedLater(stored, lastModified)
}

export const isModifiedLater = (stored: StoredOccurrence, lastModified: Date | undefined): boolean =>
  stored.lastModified !== undefined && lastModified !== undefined && stored.lastModified > lastModified

/** The local time in a zone. */
export const localIn = (time: DateOrTime, zone: string): string =>
  time.isDate ? time.local : toWallClock(instantOf(time), zone)

/** The local date identifies an occurrence, so that it stays the same event if the time of day of all of them changes. */
export const keyOf = (time: DateOrTime, zone: string, isDaily: boolean): string =>
  keyOfLocal(localIn(time, zone).slice(0, isDaily ? 10 : undefined))

export const keyOfLocal = (local: string): string => local.replace(/[-:]/g, '')
