// Reads the stored events that an import compares with the events of the file.
import { uidsFilter } from '../../calendar/event/uid.ts'
import { globalId } from '../../calendar/rules/identify.ts'
import { type CliCalendarEventFragment, CliCalendarEventsDocument } from '../../generated/graphql/graphql.ts'
import type { Operations } from '../operations.ts'
import type { ImportedEvent } from './read-event.ts'

export interface StoredEvent {
  readonly event: CliCalendarEventFragment
  /** The URL that the image of the event was downloaded from. */
  readonly imageUrl: string | undefined
  /** LAST-MODIFIED of its last import in the language of the file. */
  readonly lastModified: Date | undefined
  /** Whether files in this language set venues, organizers and categories. Files in other languages leave them unchanged. */
  readonly hasLinksOfFile: boolean
}

/** Returns the column `site` of imported_record for calendar files in a language. The column `source_id` has the event ID. */
const siteOf = (language: string) => `ics:${language}`

/** Returns the events with these UIDs, including trashed and hidden ones. `language`: the language of the file. */
export async function findStoredEvents(
  { session: { db, settings }, site, execute }: Operations,
  uids: readonly string[],
  language: string,
): Promise<ReadonlyMap<string, StoredEvent>> {
  const select = { id: true, originalLanguage: true, image: { select: { sourceUrl: true } } } as const
  const rows = await db.event.findMany({ where: uidsFilter(uids, site), select })
  if (rows.length === 0) return new Map()
  const imported = await db.importedRecord.findMany({
    where: {
      site: { in: settings.languages.map(siteOf) },
      kind: 'event',
      sourceId: { in: rows.map(({ id }) => BigInt(id)) },
    },
    select: { site: true, recordId: true, sourceModifiedAt: true, isComplete: true },
  })
  const ids = rows.map(({ id }) => globalId('event', id))
  const { nodes } = await execute(CliCalendarEventsDocument, { ids }, { forEditing: true })
  const stored = rows.flatMap(({ id, originalLanguage, image }, index) => {
    const event = nodes[index]
    if (event?.__typename !== 'Event') return []
    const imports = imported.filter(({ recordId }) => recordId === id)
    const own = imports.find((each) => each.site === siteOf(language))
    const linkSite = imports.find(({ isComplete }) => isComplete)?.site ?? siteOf(originalLanguage)
    const hasLinksOfFile = linkSite === siteOf(language)
    const values = { imageUrl: image?.sourceUrl ?? undefined, lastModified: own?.sourceModifiedAt ?? undefined }
    return [[event.uid, { event, ...values, hasLinksOfFile }] as const]
  })
  return new Map(stored)
}

/** Stores that an event was imported, and the LAST-MODIFIED of the file. `isFirst`: this import created the event. */
export async function saveImportedRevision(
  { session }: Operations,
  id: number,
  language: string,
  sourceModifiedAt: Date | undefined,
  isFirst: boolean,
): Promise<void> {
  const key = { site: siteOf(language), kind: 'event', sourceId: BigInt(id) }
  const values = { sourceModifiedAt: sourceModifiedAt ?? null }
  await session.db.importedRecord.upsert({
    where: { site_kind_sourceId: key },
    create: { ...key, ...values, recordId: id, recordVersion: '', digest: '', isComplete: isFirst },
    update: values,
  })
}

/** Returns all stored occurrences, including those in the trash, by the UID of their series. */
export async function findStoredOccurrences(
  { session: { db } }: Operations,
  language: string,
): Promise<ReadonlyMap<string, readonly StoredOccurrence[]>> {
  const rows = await db.$queryRaw<Omit<StoredOccurrence, 'seriesUid' | 'key'>[]>`
    SELECT e.id, e.uid, e.sequence, e.status = 'trash' AS "isTrashed", e.all_day AS "allDay", e.time_zone AS "timeZone",
      to_char(e.starts_local, 'YYYY-MM-DD"T"HH24:MI:SS') AS "startsLocal", e.starts_at AS "startsAt",
      to_char(e.ends_local, 'YYYY-MM-DD"T"HH24:MI:SS') AS "endsLocal", e.ends_at AS "endsAt",
      i.source_modified_at AS "lastModified"
    FROM event e LEFT JOIN imported_record i ON i.site = ${siteOf(language)} AND i.kind = 'event' AND i.source_id = e.id
    WHERE e.uid LIKE ${`%${occurrenceSeparator}%`} ORDER BY e.id`
  const occurrences = rows.map((row) => {
    const index = row.uid.lastIndexOf(occurrenceSeparator)
    const [seriesUid, key] = [row.uid.slice(0, index), row.uid.slice(index + occurrenceSeparator.length)]
    return { ...row, seriesUid, key }
  })
  return Map.groupBy(occurrences, ({ seriesUid }) => seriesUid)
}

// Occurrences of a series: each occurrence is stored as a separate event.

/** The UID of an occurrence is the UID of the series, this separator, and the key of the occurrence. */
export const occurrenceSeparator = '/occurrence/'

export const occurrenceUid = (seriesUid: string, key: string): string => `${seriesUid}${occurrenceSeparator}${key}`

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

/** Whether the stored occurrence is newer than the event of the file: by SEQUENCE, or else by LAST-MODIFIED. */
export function isNewerThanFile(stored: StoredOccurrence, { sequence, lastModified }: ImportedEvent): boolean {
  if (sequence !== undefined && sequence !== stored.sequence) return stored.sequence > sequence
  return isModifiedLater(stored, lastModified)
}

export const isModifiedLater = (stored: StoredOccurrence, lastModified: Date | undefined): boolean =>
  stored.lastModified !== null && lastModified !== undefined && stored.lastModified > lastModified

/** Returns the key of the occurrence that the series has at a local time, such as `20261201T180000`. */
export const occurrenceKeyAt = (local: string): string => local.replace(/[-:]/g, '').slice(0, '20261201T180000'.length)

/** Finds the stored occurrence that `id` names; with `isRange` also all later ones. `to`: their original local time. */
export function findOccurrences(
  stored: readonly StoredOccurrence[],
  id: { readonly local: (zone: string) => string; readonly isDate: boolean },
  isRange: boolean,
) {
  const zoneOf = keyZone(stored)
  const found = stored.flatMap((occurrence) => {
    const length = id.isDate ? '20261201'.length : occurrence.key.length
    const from = occurrenceKeyAt(id.local(zoneOf(occurrence))).slice(0, length)
    const to = occurrence.key.slice(0, length)
    const isFound = from === to || (isRange && to > from && !occurrence.isTrashed)
    return isFound ? [{ occurrence, from: localOfKey(from), to: localOfKey(to) }] : []
  })
  // Where a day has several occurrences, the keys of the further ones contain the time.
  const exact = found.filter(({ occurrence }) => occurrence.key.includes('T'))
  return isRange || id.isDate || exact.length === 0 ? found : exact
}

const localOfKey = (key: string) =>
  key.padEnd('20261201T000000'.length, 'T000000').replace(/^(....)(..)(..T..)(..)(..)$/, '$1-$2-$3:$4:$5')

/** Returns the time zone of the times in occurrence keys: UTC for a series in UTC, else the zone of the occurrence. */
function keyZone(stored: readonly StoredOccurrence[]): (occurrence: StoredOccurrence) => string {
  const count = (localOf: (occurrence: StoredOccurrence) => string) =>
    stored.filter((occurrence) => occurrenceKeyAt(localOf(occurrence)).startsWith(occurrence.key)).length
  const isUtc = count(({ startsAt }) => startsAt.toISOString()) > count(({ startsLocal }) => startsLocal)
  return ({ timeZone }) => (isUtc ? 'UTC' : timeZone)
}
