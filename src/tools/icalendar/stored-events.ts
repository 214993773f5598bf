// Reads the stored events that an import compares with the events of the file.
import { dateToWallClock } from '../../basics/time.ts'
import { uidOf, uidsFilter } from '../../calendar/event/uid.ts'
import { globalId } from '../../calendar/rules/identify.ts'
import { findTemplate } from '../../calendar/series/dates.ts'
import { type SeriesRow, toScheduleInput } from '../../calendar/series/stored-schedule.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { type CliCalendarEventFragment, CliCalendarEventsDocument } from '../../generated/graphql/graphql.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Operations } from '../operations.ts'
import type { SeriesSchedule } from './series-schedule.ts'

export interface StoredEvent {
  /** The event; for a series, one of its dates, with the UID, state and SEQUENCE of the series. */
  readonly event: CliCalendarEventFragment
  readonly series: { readonly id: number; readonly schedule: SeriesSchedule } | undefined
  /** The URL that the image of the event was downloaded from. */
  readonly imageUrl: string | undefined
  /** Whether an import in the language of the file has written it, with this LAST-MODIFIED. */
  readonly isImported: boolean
  readonly lastModified: Date | undefined
  /** The dates that the last imported file excluded. */
  readonly excludedByFile: ReadonlySet<string>
  /** Whether files in this language set venues, organizers and categories. Files in other languages leave them unchanged. */
  readonly hasLinksOfFile: boolean
}

/** Returns the column `site` of imported_record for calendar files in a language. The column `source_id` has the event ID. */
const siteOf = (language: string) => `ics:${language}`

/** Returns the series and events with these UIDs, including trashed and hidden ones. `language`: the language of the file. */
export async function findStoredEvents(
  operations: Operations,
  uids: readonly string[],
  language: string,
): Promise<ReadonlyMap<string, StoredEvent>> {
  const { session, site } = operations
  const events = await readStoredEvents(operations, uidsFilter(uids, site), language)
  // The columns of the filter are also columns of series.
  const series = await session.db.series.findMany({ where: uidsFilter(uids, site) as Prisma.SeriesWhereInput })
  const dates = new Map<number, SeriesRow>()
  for (const row of series) dates.set((await findTemplate(session.db as never, row.id))?.id ?? 0, row)
  const templates = await readStoredEvents(operations, { id: { in: [...dates.keys()] } }, language, dates)
  return new Map([...events.values(), ...templates.values()].map((stored) => [stored.event.uid, stored]))
}

/** Returns the events that match, by ID. `seriesOf`: the series that an event stands for. */
export async function readStoredEvents(
  { session: { db, settings }, site, execute }: Operations,
  where: Prisma.EventWhereInput,
  language: string,
  seriesOf: ReadonlyMap<number, SeriesRow> = new Map(),
): Promise<ReadonlyMap<number, StoredEvent>> {
  const select = { id: true, originalLanguage: true, image: { select: { sourceUrl: true } } } as const
  const rows = await db.event.findMany({ where, select })
  if (rows.length === 0) return new Map()
  const keyOf = (id: number) => seriesOf.get(id)?.id ?? id
  const imported = await db.importedRecord.findMany({
    where: {
      site: { in: settings.languages.map(siteOf) },
      kind: 'event',
      sourceId: { in: rows.map(({ id }) => BigInt(keyOf(id))) },
    },
    select: { site: true, recordId: true, sourceModifiedAt: true, isComplete: true, excludedDates: true },
  })
  const ids = rows.map(({ id }) => globalId('event', id))
  const { nodes } = await execute(CliCalendarEventsDocument, { ids }, { forEditing: true })
  const stored = rows.flatMap(({ id, originalLanguage, image }, index) => {
    const event = nodes[index]
    if (event?.__typename !== 'Event') return []
    const row = seriesOf.get(id)
    const imports = imported.filter(({ recordId }) => recordId === keyOf(id))
    const own = imports.find((each) => each.site === siteOf(language))
    const linkSite = imports.find(({ isComplete }) => isComplete)?.site ?? siteOf(originalLanguage)
    const values: StoredEvent = {
      event: row ? { ...event, ...seriesValues(row), uid: uidOf(row, site) } : event,
      series: row && { id: row.id, schedule: toScheduleInput(row) as SeriesSchedule },
      imageUrl: image?.sourceUrl ?? undefined,
      isImported: own !== undefined,
      lastModified: own?.sourceModifiedAt ?? undefined,
      excludedByFile: new Set(own?.excludedDates),
      hasLinksOfFile: linkSite === siteOf(language),
    }
    return [[id, values] as const]
  })
  return new Map(stored)
}

const seriesValues = ({ sequence, onlineUrl, eventStatus }: SeriesRow) => ({
  ...{ sequence, onlineUrl },
  eventStatus: eventStatus.toUpperCase() as CliCalendarEventFragment['eventStatus'],
})

/** Stores that an event was imported, and what the file says of it. `isFirst`: this import created the event. */
export async function saveImportedRevision(
  tx: Tx,
  id: number,
  language: string,
  { lastModified = null, excludedDates }: { lastModified: Date | null | undefined; excludedDates: readonly string[] },
  isFirst: boolean,
): Promise<void> {
  const key = { site: siteOf(language), kind: 'event', sourceId: BigInt(id) }
  const values = { sourceModifiedAt: lastModified, excludedDates: [...excludedDates] }
  await tx.importedRecord.upsert({
    where: { site_kind_sourceId: key },
    create: { ...key, ...values, recordId: id, recordVersion: '', digest: '', isComplete: isFirst },
    update: values,
  })
}

/** Removes what is stored about the imports of events that became dates of a series. */
export async function forgetImports(tx: Tx, seriesId: number, ids: readonly number[]) {
  const dates = await tx.event.findMany({ where: { id: { in: [...ids] }, seriesId }, select: { id: true } })
  await tx.importedRecord.deleteMany({
    where: { site: { startsWith: siteOf('') }, kind: 'event', sourceId: { in: dates.map(({ id }) => BigInt(id)) } },
  })
}

/** A date of a recurring event: of a series, or an event of its own. */
export interface StoredDate {
  readonly id: number
  /** Of an event of its own. */
  readonly uid: string | undefined
  /** Local start by the rule, or its day. */
  readonly local: string
  readonly timeZone: string
  readonly allDay: boolean
  readonly startsLocal: string
  readonly endsLocal: string
  readonly endsAt: Date
  readonly sequence: number
  readonly isTrashed: boolean
  /** Whether it differs from its series. */
  readonly isChanged: boolean
}

/** Between the UID of a recurring event and its date, in the UID of a date that is an event of its own. */
const separator = '/occurrence/'

/** Returns the UID of a date that is an event of its own. */
export const uidOfDate = (uid: string, local: string): string => `${uid}${separator}${local.replace(/[-:]/g, '')}`

const localOfKey = (key: string) =>
  key.replace(/^(....)(..)(..)(T..)?(..)?(..)?$/, '$1-$2-$3$4:$5:$6').replace(/::$/, '')

/** Returns all dates of recurring events that are events of their own, by the UID of the recurring event. */
export async function findOwnDates({ session: { db } }: Operations) {
  const rows = await db.event.findMany({ where: { uid: { contains: separator } }, orderBy: { id: 'asc' } })
  const dates = rows.map((row) => {
    const [uid = '', key = ''] = row.uid?.split(separator) ?? []
    return { seriesUid: uid, ...toStoredDate(row), uid: row.uid ?? undefined, local: localOfKey(key) }
  })
  return Map.groupBy(dates, ({ seriesUid }) => seriesUid)
}

/** Returns dates of a series, or other events as if they were. */
export const findDates = async (
  { session: { db } }: Operations,
  where: Prisma.EventWhereInput,
): Promise<StoredDate[]> =>
  (await db.event.findMany({ where, orderBy: [{ startsAt: 'asc' }, { id: 'asc' }] })).map(toStoredDate)

const toStoredDate = (row: Prisma.EventGetPayload<object>): StoredDate => ({
  ...{ id: row.id, uid: undefined, timeZone: row.timeZone, allDay: row.allDay, sequence: row.sequence },
  local: dateToWallClock(row.originalStartsLocal ?? row.startsLocal),
  startsLocal: dateToWallClock(row.startsLocal),
  endsLocal: dateToWallClock(row.endsLocal),
  ...{ endsAt: row.endsAt, isTrashed: row.status === 'trash', isChanged: row.changedFields.length > 0 },
})
