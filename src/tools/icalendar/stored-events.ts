// Reads the events of the database that an import compares with.

import { withUids } from '../../calendar/event/uid.ts'
import { globalId } from '../../calendar/rules/identify.ts'
import { type CliCalendarEventFragment, CliCalendarEventsDocument } from '../../generated/graphql/graphql.ts'
import type { Operations } from '../operations.ts'
import { occurrenceSeparator, type StoredOccurrence } from './stored-occurrences.ts'

export interface StoredEvent {
  readonly event: CliCalendarEventFragment
  /** Where its image was downloaded from. */
  readonly imageUrl: string | undefined
  /** LAST-MODIFIED of its last import, by language of the file. */
  readonly lastModified: ReadonlyMap<string, Date>
  /** Language of the files whose venues, organizers and categories it has. */
  readonly linkLanguage: string
}

/** The site of the rows of imported_record for calendars in a language. Their source ID is the ID of the event. */
const siteOf = (language: string) => `ics:${language}`

/** The events with these UIDs, also in the trash and hidden from lists. */
export async function findStoredEvents(
  { session, site, execute }: Operations,
  uids: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent>> {
  const { db, settings } = session
  const select = { id: true, originalLanguage: true, image: { select: { sourceUrl: true } } } as const
  const rows = await db.event.findMany({ where: withUids(uids, site), select })
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => globalId('event', id))
  const imported = await db.importedRecord.findMany({
    where: {
      site: { in: settings.languages.map(siteOf) },
      kind: 'event',
      sourceId: { in: rows.map(({ id }) => BigInt(id)) },
    },
    select: { site: true, recordId: true, sourceModifiedAt: true, isComplete: true },
  })
  const importedOf = Map.groupBy(imported, ({ recordId }) => recordId)
  const { nodes } = await execute(CliCalendarEventsDocument, { ids }, { forEditing: true })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const stored = nodes.flatMap((event) => {
    const row = event?.__typename === 'Event' ? byId.get(event.databaseId) : undefined
    if (event?.__typename !== 'Event' || !row) return []
    const { originalLanguage, image } = row
    const imports = (importedOf.get(event.databaseId) ?? []).map(({ site, ...values }) => {
      return { language: site.slice(siteOf('').length), ...values }
    })
    const times = imports.flatMap(({ language, sourceModifiedAt: time }) => (time ? [[language, time] as const] : []))
    const linkLanguage = imports.find(({ isComplete }) => isComplete)?.language ?? originalLanguage
    const imageUrl = image?.sourceUrl ?? undefined
    return [[event.uid, { event, imageUrl, lastModified: new Map(times), linkLanguage }] as const]
  })
  return new Map(stored)
}

interface Revision {
  readonly id: number
  /** Of the file. */
  readonly language: string
  readonly lastModified: Date | undefined
  /** Whether the import created the event, with its links. */
  readonly isFirst: boolean
}

/** Remembers which file an event comes from, after it was written. */
export async function saveRevision({ session }: Operations, revision: Revision): Promise<void> {
  const { id, language, lastModified = null, isFirst } = revision
  const key = { site: siteOf(language), kind: 'event', sourceId: BigInt(id) }
  const values = { sourceModifiedAt: lastModified }
  await session.db.importedRecord.upsert({
    where: { site_kind_sourceId: key },
    create: { ...key, ...values, recordId: id, recordVersion: '', digest: '', isComplete: isFirst },
    update: values,
  })
}

/** All occurrences on the site, also in the trash, by the UID of their series. */
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
