// Imports an iCalendar file through the GraphQL API: one mutation, and so one transaction, for each event.
import {
  CliCalendarCreateEventDocument,
  type CliCalendarEventPayloadFragment,
  CliCalendarUpdateEventDocument,
  type RecordStatus,
} from '../../generated/graphql/graphql.ts'
import type { Operations } from '../operations.ts'
import { type ChangeOptions, changesOf, createInput, type EventChanges, type VenueMode } from './changes.ts'
import { quote, readContentLines } from './content-lines.ts'
import { createMatching } from './matching.ts'
import { parseComponents } from './parse-components.ts'
import { type CalendarOptions, readCalendars } from './read-calendar.ts'
import type { ImportedEvent } from './read-event.ts'
import { createReporter, type ImportReport, type Reporter } from './report.ts'
import { findStoredEvents, findStoredOccurrences, type StoredEvent, saveRevision } from './stored-events.ts'
import { trashRemoved } from './trash-removed.ts'

export interface ImportOptions extends Omit<CalendarOptions, 'languages' | 'siteTimeZone'> {
  /** Of new events. */
  readonly status: RecordStatus
  readonly venues: VenueMode
  readonly dryRun: boolean
  /** Whether the bounds apply to events that occur once, too. */
  readonly bounds: { readonly from?: string | undefined; readonly until?: string | undefined }
  onProgress?(done: number, total: number): void
}

/** Events that are compared at a time. */
const batchSize = 50

export async function importCalendar(
  bytes: Buffer,
  operations: Operations,
  options: ImportOptions,
): Promise<ImportReport> {
  const { settings } = operations.session
  const reporter = createReporter(options.dryRun)
  const components = parseComponents(readContentLines(bytes, reporter), reporter)
  if (components.length === 0) {
    const beginning = bytes.length > 0 ? `It begins with ${quote(bytes.toString('utf8', 0, 200))}.` : 'It is empty.'
    throw new Error(`This is not an iCalendar file, which contains BEGIN:VCALENDAR. ${beginning}`)
  }
  const { languages, siteTimeZone, perPageMax } = settings
  const stored = await findStoredOccurrences(operations, options.language)
  const calendar = readCalendars(components, { ...options, languages, siteTimeZone }, stored, reporter)
  const matching = await createMatching(operations.execute, perPageMax)
  const events = calendar.events.filter((event) => isWithin(event, options, reporter))
  for (let index = 0; index < events.length; index += batchSize) {
    const batch = events.slice(index, index + batchSize)
    const uids = batch.map(({ uid }) => uid)
    const storedEvents = await findStoredEvents(operations, uids)
    for (const event of batch) {
      const note = (text: string) => reporter.add(`Event ${event.uid} (line ${event.line}): ${text}`)
      const change: ChangeOptions = { settings, matching, venues: options.venues, language: options.language, note }
      const payload = await importEvent(event, storedEvents.get(event.uid), { operations, reporter, change, options })
      if (!payload?.event) continue
      matching.addRecordsOf(payload.event)
      const { databaseId: id } = payload.event
      const { lastModified } = event
      const { language } = options
      await saveRevision(operations, { id, language, lastModified, isFirst: !storedEvents.has(event.uid) })
    }
    options.onProgress?.(Math.min(index + batchSize, events.length), events.length)
  }
  await trashRemoved(operations, { calendar, stored, ...options, reporter })
  return reporter.report()
}

function isWithin({ uid, line, times }: ImportedEvent, { bounds }: ImportOptions, reporter: Reporter): boolean {
  const { from, until } = bounds
  if (!times) return true
  const [first, last] = [times.start.local.slice(0, 10), times.end.local.slice(0, 10)]
  const isOutside = (from !== undefined && last < from) || (until !== undefined && first > until)
  if (isOutside) reporter.skip({ uid, line }, 'It is outside of the range from --from to --until.')
  return !isOutside
}

interface Work {
  readonly operations: Operations
  readonly reporter: Reporter
  readonly change: ChangeOptions
  readonly options: ImportOptions
}

type Payload = CliCalendarEventPayloadFragment

/** The payload of the mutation; undefined if nothing was to be written. */
async function importEvent(
  event: ImportedEvent,
  stored: StoredEvent | undefined,
  work: Work,
): Promise<Payload | undefined> {
  const { reporter, change, options } = work
  const reason = reasonToSkip(event, stored)
  if (reason !== undefined) {
    reporter.skip(event, reason)
    return
  }
  const changes = { ...(await changesOf(event, stored, change)), ...statusFor(event, stored, work) }
  if (stored && Object.keys(changes).length === 0) {
    reporter.count('unchanged')
    return
  }
  const older = stored && olderThanImported(event, stored, options.language)
  if (older !== undefined) {
    reporter.skip(event, older)
    return
  }
  if (event.eventStatus === 'POSTPONED') change.note('It is TENTATIVE, and was imported as postponed.')
  const language = event.texts[0]?.language ?? options.language
  const write = (input: EventChanges) => writeEvent(event, stored, input, { language, work })
  const payload = await write(changes)
  const { imageUrl, ...others } = changes
  const imageError = payload.userErrors.find(({ path }) => path[0] === 'imageUrl')
  if (imageError === undefined || imageUrl === undefined) return finish(event, stored, payload, work)
  // An event without its image is better than none.
  change.note(`The image ${imageUrl} was not imported: ${imageError.message}`)
  if (stored && Object.keys(others).length === 0) {
    reporter.count('unchanged')
    return
  }
  return finish(event, stored, await write(others), work)
}

function reasonToSkip(event: ImportedEvent, stored: StoredEvent | undefined): string | undefined {
  const isCancellation = event.method === 'CANCEL'
  if (!stored) {
    if (isCancellation && event.texts.length === 0) return 'It cancels an event that was never imported.'
    if (!event.times) return 'It has no DTSTART.'
    return event.texts[0]?.title === undefined ? 'It has no SUMMARY, which is the title.' : undefined
  }
  const { status, sequence, eventStatus } = stored.event
  if (status === 'TRASH') return 'The event with this UID is in the trash. Restore it to import it again.'
  const isDone = isCancellation && eventStatus === 'CANCELLED'
  if (event.sequence === undefined || event.sequence >= sequence || isDone) return undefined
  return `It is older than the stored event: its SEQUENCE is ${event.sequence}, that of the stored event ${sequence}.`
}

/** Decides between versions with the same SEQUENCE, and for producers that do not write it. */
function olderThanImported(
  { sequence, lastModified }: ImportedEvent,
  stored: StoredEvent,
  language: string,
): string | undefined {
  const imported = stored.lastModified.get(language)
  const isNewer = sequence !== undefined && sequence > stored.event.sequence
  if (isNewer || !imported || !lastModified || lastModified >= imported) return undefined
  return `It is older than the stored event: its LAST-MODIFIED is ${lastModified.toISOString()}, that of the last import ${imported.toISOString()}.`
}

function statusFor(
  { isPrivate }: ImportedEvent,
  stored: StoredEvent | undefined,
  { options, change }: Work,
): EventChanges {
  const before = stored?.event.status
  if (isPrivate && (before === undefined || before === 'PUBLISHED' || before === 'SCHEDULED')) {
    change.note('Its CLASS is not public: it was imported with the status private.')
    return { status: 'PRIVATE' }
  }
  return stored ? {} : { status: options.status }
}

async function writeEvent(
  event: ImportedEvent,
  stored: StoredEvent | undefined,
  changes: EventChanges,
  { language, work }: { readonly language: string; readonly work: Work },
): Promise<Payload> {
  const { operations, options } = work
  const { execute } = operations
  const mode = { language, forEditing: true, checksOnly: options.dryRun }
  if (!stored) {
    const { outcome } = await execute(CliCalendarCreateEventDocument, { input: createInput(event, changes) }, mode)
    return requirePayload(outcome)
  }
  const { databaseId: id, sequence } = stored.event
  // Many cancellations have the same SEQUENCE as the event. Importing the older file again must not undo them.
  const cancelled = event.method === 'CANCEL' ? Math.max(event.sequence ?? 0, sequence + 1) : undefined
  const input = { id, ...changes, sequence: cancelled ?? event.sequence ?? null }
  return requirePayload((await execute(CliCalendarUpdateEventDocument, { input }, mode)).outcome)
}

function requirePayload(payload: Payload | null | undefined): Payload {
  if (!payload) throw new Error('The mutation has no payload.')
  const errors = payload.userErrors.filter(({ message }) => message !== '')
  return { ...payload, userErrors: errors }
}

function finish(
  event: ImportedEvent,
  stored: StoredEvent | undefined,
  payload: Payload,
  { reporter }: Work,
): Payload | undefined {
  if (payload.userErrors.length === 0) {
    reporter.count(stored ? 'updated' : 'created')
    return payload
  }
  const messages = payload.userErrors.map(({ path, message }) => `${path.join('.')}: ${message}`)
  reporter.skip(event, messages.join(' '))
}
