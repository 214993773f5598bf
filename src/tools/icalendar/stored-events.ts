// Reads the events of the database that an import compares with.

import { dateWallClock } from '../../basics/time.ts'
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
  const select = {
    ...{ id: true, uid: true, sequence: true, status: true, allDay: true, timeZone: true },
    ...{ startsLocal: true, endsLocal: true, startsAt: true, endsAt: true },
  } as const
  const where = { uid: { contains: occurrenceSeparator } }
  const rows = await db.event.findMany({ where, select, orderBy: { id: 'asc' } })
  const imports = await db.importedRecord.findMany({
    where: { site: siteOf(language), kind: 'event', sourceModifiedAt: { not: null } },
    select: { recordId: true, sourceModifiedAt: true },
  })
  const lastModified = new Map(
    imports.map(({ recordId, sourceModifiedAt }) => [recordId, sourceModifiedAt ?? undefined]),
  )
  const occurrences = rows.flatMap(({ uid, status, startsLocal, endsLocal, ...row }) => {
    const index = uid?.lastIndexOf(occurrenceSeparator) ?? -1
    if (!uid || index < 0) return []
    return {
      ...{ ...row, uid, lastModified: lastModified.get(row.id), isTrashed: status === 'trash' },
      ...{ seriesUid: uid.slice(0, index), key: uid.slice(index + occurrenceSeparator.length) },
      ...{ startsLocal: dateWallClock(startsLocal), endsLocal: dateWallClock(endsLocal) },
    }
  })
  return Map.groupBy(occurrences, ({ seriesUid }) => seriesUid)
}
