// Writes an event of a file, a series or one of its dates through the GraphQL API: one mutation, and so one transaction, for each.

import { maxItems } from '../../basics/input-limits.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import {
  CliCalendarCreateEventDocument,
  CliCalendarCreateSeriesDocument,
  CliCalendarUpdateEventDocument,
  CliCalendarUpdateSeriesDocument,
  type RecordStatus,
} from '../../generated/graphql/graphql.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'
import { type Operations, userErrorsOf } from '../operations.ts'
import { computeChanges, type EventChanges, type EventComparison, hasNoChanges, isDate } from './changes.ts'
import type { Reporter } from './report.ts'
import type { SeriesSchedule } from './series-schedule.ts'
import { findStoredEvents, forgetImports, type StoredEvent, saveImportedRevision } from './stored-events.ts'

export type Outcome = 'created' | 'updated' | 'unchanged'

export interface WriteOptions {
  /** The status that new events get. */
  readonly status: RecordStatus
  readonly language: string
  readonly dryRun: boolean
}

interface Work extends EventComparison {
  readonly operations: Operations
  readonly reporter: Reporter
  readonly options: WriteOptions
  readonly importing?: ImportedRecordOptions | undefined
}

/** Imports one event. Undefined if it was skipped. */
export async function importEvent(work: Work): Promise<Outcome | undefined> {
  const { event, stored, reporter, note, matching, options } = work
  const reason = reasonToSkip(work)
  if (reason !== undefined) return void reporter.skip(event, reason)
  const changes = { ...(await computeChanges(work)), ...statusFor(work) }
  if (stored && hasNoChanges(changes)) return 'unchanged'
  const older = olderThanImported(work)
  if (older !== undefined) return void reporter.skip(event, older)
  if (event.eventStatus === 'POSTPONED') note('Its STATUS is TENTATIVE: it was imported as postponed.')
  const { imageUrl, ...others } = changes
  // A dry run downloads no image.
  let written = await writeEvent(work, options.dryRun ? others : changes)
  const imageError = written.errors.find(({ path }) => path[0] === 'imageUrl')
  if (imageError && imageUrl) {
    // If only the image cannot be imported, the event is imported without it.
    note(`The image ${imageUrl} was not imported: ${imageError.message}`)
    if (stored && hasNoChanges(others)) return 'unchanged'
    written = await writeEvent(work, others)
  }
  const messages = written.errors.map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (messages.length > 0) return void reporter.skip(event, messages.join(' '))
  if (written.record) matching.addRecordsOf(written.record)
  return stored && !leavesSeries(stored, changes) ? 'updated' : 'created'
}

/** Returns why an event must not be written; undefined if it may. */
export function reasonToSkip({ event, stored }: Pick<Work, 'event' | 'stored'>): string | undefined {
  const isCancellation = event.method === 'CANCEL'
  if (!stored) {
    if (isCancellation && event.texts.length === 0) return 'The component cancels an event that was never imported.'
    if (!event.times) return 'The event has no DTSTART, which is the start.'
    return event.texts[0]?.title === undefined ? 'The event has no SUMMARY, which is the title.' : undefined
  }
  const { status, sequence, eventStatus } = stored.event
  if (status === 'TRASH') return 'The event with this UID is in the trash. Restore it to import it again.'
  const isDone = isCancellation && eventStatus === 'CANCELLED'
  if (event.sequence === undefined || event.sequence >= sequence || isDone) return undefined
  return `The event in the file is older than the stored event: its SEQUENCE is ${event.sequence}, but the stored event has ${sequence}.`
}

/** Returns why the event is older than the last import, by LAST-MODIFIED if SEQUENCE does not decide; undefined if it is not. */
export function olderThanImported({
  event: { sequence, lastModified },
  stored,
}: Pick<Work, 'event' | 'stored'>): string | undefined {
  const imported = stored?.lastModified
  const isNewer = sequence !== undefined && stored && sequence > stored.event.sequence
  if (isNewer || !imported || !lastModified || lastModified >= imported) return undefined
  return `The event in the file is older than the stored event: its LAST-MODIFIED is ${lastModified.toISOString()}, but the last import had ${imported.toISOString()}.`
}

function statusFor({ event: { isPrivate }, stored, options, note }: Work): EventChanges {
  const before = stored?.event.status
  if (isPrivate && (before === undefined || before === 'PUBLISHED' || before === 'SCHEDULED')) {
    note('Its CLASS is not public: it was imported with the status private.')
    return { status: 'PRIVATE' }
  }
  return stored ? {} : { status: options.status }
}

/** Fields that a date can have apart from its series. With others it becomes an event of its own, with a UID. */
const ownFields = new Set(
  'startsAt endsAt startsLocal endsLocal eventStatus attendanceMode onlineUrl dateLabel dateNote'.split(' '),
)

const leavesSeries = (stored: StoredEvent, changes: EventChanges) =>
  isDate(stored) && Object.keys(changes).some((field) => !ownFields.has(field))

async function writeEvent(work: Work, changes: EventChanges) {
  const { event, stored, operations, options, importing } = work
  const language = event.texts[0]?.language ?? options.language
  const { uid } = event
  // Many cancellations repeat the SEQUENCE of the event. A higher stored SEQUENCE keeps the older file from undoing them.
  const isCancelled = stored && event.method === 'CANCEL'
  const sequence = isCancelled ? Math.max(event.sequence ?? 0, stored.event.sequence + 1) : (event.sequence ?? null)
  const { schedule: _, ...fields } = { ...changes, sequence }
  const schedule = stored?.series ? changes.schedule : event.schedule
  // The dates of many years are more than an input can have.
  const sent = schedule && {
    ...schedule,
    extraDates: schedule.extraDates.slice(0, maxItems),
    excludedDates: schedule.excludedDates.slice(0, maxItems),
  }
  const leaves = stored !== undefined && leavesSeries(stored, changes)
  // In the transaction of the mutation: an import that is stopped leaves no event of which it does not know.
  const afterWrite = async (tx: Tx, id: number) => {
    const { lastModified, excludedByFile: excludedDates = [] } = event
    await saveImportedRevision(tx, id, options.language, { lastModified, excludedDates }, !stored)
    if (importing?.dateIds) await forgetImports(tx, id, [...new Set(importing.dateIds.values())])
    // The file has the SEQUENCE of the series; that it leaves out a date is no edit of it.
    if (leaves)
      await tx.$executeRaw`
        UPDATE series SET sequence = sequence - 1 WHERE id = (SELECT former_series_id FROM event WHERE id = ${id}::int)`
  }
  const mode = {
    ...{ language, forEditing: true },
    importing: {
      ...{ ...importing, afterWrite },
      extraDates: schedule?.extraDates as ImportedRecordOptions['extraDates'],
      excludedDates: schedule?.excludedDates,
    },
  }
  const title = fields.title ?? ''
  if (event.schedule || stored?.series) {
    const { outcome } =
      stored?.series === undefined
        ? await operations.execute(
            CliCalendarCreateSeriesDocument,
            { input: { ...fields, title, uid, schedule: sent as SeriesSchedule } },
            mode,
          )
        : await operations.execute(
            CliCalendarUpdateSeriesDocument,
            { input: { ...fields, id: stored.series.id, ...(sent && { schedule: sent }) } },
            mode,
          )
    const series = outcome?.series && (await findStoredEvents(operations, [uid], options.language)).get(uid)
    return { id: outcome?.series?.databaseId, record: series?.event, errors: userErrorsOf(outcome) }
  }
  if (!stored) {
    const input = { ...fields, title, uid }
    const { outcome } = await operations.execute(CliCalendarCreateEventDocument, { input }, mode)
    return { id: outcome?.event?.databaseId, record: outcome?.event, errors: userErrorsOf(outcome) }
  }
  const input = { ...fields, id: stored.event.databaseId, ...(leaves && { uid }) }
  const { outcome } = await operations.execute(CliCalendarUpdateEventDocument, { input }, mode)
  return { id: outcome?.event?.databaseId, record: outcome?.event, errors: userErrorsOf(outcome) }
}
