// Imports an iCalendar file through the GraphQL API: one mutation, and so one transaction, for each event.
import { toWallClock } from '../../basics/time.ts'
import {
  CliCalendarCreateEventDocument,
  type CliCalendarEventFragment,
  CliCalendarUpdateEventDocument,
  type RecordStatus,
  ToolTrashEventDocument,
} from '../../generated/graphql/graphql.ts'
import { type Operations, userErrorsOf } from '../operations.ts'
import { computeChanges, type EventChanges, type EventComparison, hasNoChanges, type VenueMode } from './changes.ts'
import { quoteForMessage, readContentLines } from './content-lines.ts'
import { parseComponents } from './parse-components.ts'
import { type ImportedCalendar, type ReadFileOptions, readEventsOfFile } from './read-calendar.ts'
import type { ImportedEvent } from './read-event.ts'
import { createRecordMatcher } from './record-matcher.ts'
import { createReporter, type Reporter } from './report.ts'
import {
  findStoredEvents,
  findStoredOccurrences,
  isModifiedLater,
  occurrenceSeparator,
  type StoredOccurrence,
  saveImportedRevision,
} from './stored-events.ts'

export interface CalendarImportOptions extends Omit<ReadFileOptions, 'languages' | 'siteTimeZone'> {
  /** The status that new events get. */
  readonly status: RecordStatus
  readonly venues: VenueMode
  readonly dryRun: boolean
  /** The dates of --from and --until. Events that occur once are skipped outside of these dates. */
  readonly bounds: { readonly from?: string | undefined; readonly until?: string | undefined }
  onProgress?(done: number, total: number): void
}

/** Number of events whose stored versions are read with one request. */
const batchSize = 50

export async function importCalendar(bytes: Buffer, operations: Operations, options: CalendarImportOptions) {
  const { settings } = operations.session
  const reporter = createReporter(options.dryRun)
  const components = parseComponents(readContentLines(bytes, reporter), reporter)
  if (components.length === 0) {
    const beginning =
      bytes.length > 0
        ? `The file begins with ${quoteForMessage(bytes.toString('utf8', 0, 200))}.`
        : 'The file is empty.'
    throw new Error(`This is not an iCalendar file, which contains BEGIN:VCALENDAR. ${beginning}`)
  }
  const { languages, siteTimeZone, perPageMax } = settings
  const stored = await findStoredOccurrences(operations, options.language)
  const calendar = readEventsOfFile(components, { ...options, languages, siteTimeZone }, stored, reporter)
  const matching = await createRecordMatcher(operations.execute, perPageMax)
  const events = calendar.events.filter((event) => isWithin(event, options, reporter))
  for (let index = 0; index < events.length; index += batchSize) {
    const batch = events.slice(index, index + batchSize)
    const uids = batch.map(({ uid }) => uid)
    const storedEvents = await findStoredEvents(operations, uids, options.language)
    for (const event of batch) {
      const stored = storedEvents.get(event.uid)
      const comparison = { event, stored, settings, matching, venues: options.venues, note: reporter.noteOn(event) }
      const written = await importEvent({ ...comparison, operations, reporter, options })
      if (!written) continue
      matching.addRecordsOf(written)
      await saveImportedRevision(operations, written.databaseId, options.language, event.lastModified, !stored)
    }
    options.onProgress?.(Math.min(index + batchSize, events.length), events.length)
  }
  await trashRemoved(operations, { calendar, stored, ...options, reporter })
  return reporter.report()
}

function isWithin(
  event: ImportedEvent,
  { bounds: { from, until } }: CalendarImportOptions,
  reporter: Reporter,
): boolean {
  if (!event.times) return true
  const [first, last] = [event.times.start.local.slice(0, 10), event.times.end.local.slice(0, 10)]
  const isOutside = (from !== undefined && last < from) || (until !== undefined && first > until)
  if (isOutside) reporter.skip(event, 'The event is not between the dates of --from and --until.')
  return !isOutside
}

interface Work extends EventComparison {
  readonly operations: Operations
  readonly reporter: Reporter
  readonly options: CalendarImportOptions
}

/** Writes one event. Returns the event after the mutation; undefined if nothing was written. */
async function importEvent(work: Work): Promise<CliCalendarEventFragment | undefined> {
  const { event, stored, reporter, note } = work
  const reason = reasonToSkip(work)
  if (reason !== undefined) return void reporter.skip(event, reason)
  const changes = { ...(await computeChanges(work)), ...statusFor(work) }
  if (stored && hasNoChanges(changes)) return void reporter.count('unchanged')
  const older = olderThanImported(work)
  if (older !== undefined) return void reporter.skip(event, older)
  if (event.eventStatus === 'POSTPONED') note('Its STATUS is TENTATIVE: it was imported as postponed.')
  let written = await writeEvent(work, changes)
  const { imageUrl, ...others } = changes
  const imageError = written.errors.find(({ path }) => path[0] === 'imageUrl')
  if (imageError && imageUrl) {
    // If only the image cannot be imported, the event is imported without it.
    note(`The image ${imageUrl} was not imported: ${imageError.message}`)
    if (stored && hasNoChanges(others)) return void reporter.count('unchanged')
    written = await writeEvent(work, others)
  }
  const messages = written.errors.map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (messages.length > 0) return void reporter.skip(event, messages.join(' '))
  reporter.count(stored ? 'updated' : 'created')
  return written.event ?? undefined
}

function reasonToSkip({ event, stored }: Work): string | undefined {
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
function olderThanImported({ event: { sequence, lastModified }, stored }: Work): string | undefined {
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

async function writeEvent({ event, stored, operations: { execute }, options }: Work, changes: EventChanges) {
  const language = event.texts[0]?.language ?? options.language
  const mode = { language, forEditing: true, checksOnly: options.dryRun }
  const sequence = event.sequence ?? null
  // Many cancellations repeat the SEQUENCE of the event. A higher stored SEQUENCE keeps the older file from undoing them.
  const cancelled = stored && event.method === 'CANCEL' ? Math.max(sequence ?? 0, stored.event.sequence + 1) : undefined
  const [id, title] = [stored?.event.databaseId, changes.title ?? '']
  const { outcome } =
    id === undefined
      ? await execute(CliCalendarCreateEventDocument, { input: { ...changes, title, uid: event.uid, sequence } }, mode)
      : await execute(
          CliCalendarUpdateEventDocument,
          { input: { ...changes, id, sequence: cancelled ?? sequence } },
          mode,
        )
  return { event: outcome?.event, errors: userErrorsOf(outcome) }
}

// Moves events to the trash that the calendar no longer contains.

interface Removal extends Pick<ReadFileOptions, 'from' | 'until' | 'language'> {
  readonly calendar: ImportedCalendar
  readonly stored: ReadonlyMap<string, readonly StoredOccurrence[]>
  readonly dryRun: boolean
  readonly reporter: Reporter
}

/** Moves stored occurrences to the trash that the file no longer has, and single events that became recurring. */
async function trashRemoved(operations: Operations, removal: Removal): Promise<void> {
  const { calendar, stored, from, until, language, dryRun, reporter } = removal
  const current = new Set(calendar.events.map(({ uid }) => uid))
  const now = operations.session.now()
  const trash = async (id: number, uid: string, reason: string) => {
    const mode = { checksOnly: dryRun }
    const { outcome } = await operations.execute(ToolTrashEventDocument, { input: { id } }, mode)
    const [error] = userErrorsOf(outcome)
    if (error) return reporter.skip({ uid, line: null }, error.message)
    reporter.count('trashed')
    reporter.add(`Event ${uid} was moved to the trash: ${reason}.`)
  }
  const isOutside = (local: string) => local.slice(0, 10) < from || local.slice(0, 10) > until
  for (const [seriesUid, { start, lastModified }] of calendar.complete) {
    for (const occurrence of stored.get(seriesUid) ?? []) {
      const { id, uid, isTrashed, startsLocal, endsAt } = occurrence
      // Past occurrences stay, because many calendar files contain only present and future events.
      const isOver = endsAt < now && startsLocal < start
      if (current.has(uid) || isTrashed || isOver || isOutside(startsLocal)) continue
      if (!isModifiedLater(occurrence, lastModified)) await trash(id, uid, 'the calendar no longer has this occurrence')
    }
  }
  const hasOccurrences = new Set([...current].map((uid) => uid.split(occurrenceSeparator)[0]))
  const recurring = [...calendar.complete].flatMap(([uid, { recurs }]) =>
    recurs && !current.has(uid) && hasOccurrences.has(uid) ? uid : [],
  )
  for (const [uid, { event }] of await findStoredEvents(operations, recurring, language)) {
    const isNewer = event.sequence > (calendar.complete.get(uid)?.sequence ?? event.sequence)
    if (event.status !== 'TRASH' && !isOutside(toWallClock(event.startsAt, event.timeZone)) && !isNewer)
      await trash(event.databaseId, uid, 'it is a recurring event now, and its occurrences replace it')
  }
}
