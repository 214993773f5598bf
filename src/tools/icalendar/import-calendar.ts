// Imports the events of an iCalendar file.
import { DomainError } from '../../basics/errors.ts'
import type { Operations } from '../operations.ts'
import { createDryRunSession } from '../session.ts'
import { quoteForMessage, readContentLines } from './content-lines.ts'
import { type ImportOptions, importItem } from './import-item.ts'
import { parseComponents } from './parse-components.ts'
import { type ReadFileOptions, readEventsOfFile } from './read-calendar.ts'
import { createRecordMatcher, type RecordMatcher } from './record-matcher.ts'
import { createReporter } from './report.ts'
import { findOwnDates, findStoredEvents } from './stored-events.ts'

export interface CalendarImportOptions extends Omit<ReadFileOptions, 'languages' | 'calendar'>, ImportOptions {
  onProgress?(done: number, total: number): void
}

/** Number of events whose stored versions are read with one request. */
const batchSize = 50

export async function importCalendar(bytes: Buffer, given: Operations, options: CalendarImportOptions) {
  const { settings } = given.session
  const reporter = createReporter(options.dryRun)
  const components = parseComponents(readContentLines(bytes, reporter), reporter)
  if (components.length === 0) {
    const beginning =
      bytes.length > 0
        ? `The file begins with ${quoteForMessage(bytes.toString('utf8', 0, 200))}.`
        : 'The file is empty.'
    throw new Error(`This is not an iCalendar file, which contains BEGIN:VCALENDAR. ${beginning}`)
  }
  const { languages, perPageMax } = settings
  const items = readEventsOfFile(components, { ...options, languages, calendar: settings }, reporter)
  const dryRun = options.dryRun ? createDryRunSession(given.session) : undefined
  const { session } = dryRun ?? given
  const operations = { ...given, session, execute: given.executeOn(session) }
  const ownDates = await findOwnDates(operations)
  const matching = await createRecordMatcher(operations.execute, perPageMax)
  for (let index = 0; index < items.length; index += batchSize) {
    const batch = items.slice(index, index + batchSize)
    const stored = await findStoredEvents(
      operations,
      batch.map(({ uid }) => uid),
      options.language,
    )
    for (const { uid, line, read } of batch) {
      const known = { stored: stored.get(uid), ownDates: ownDates.get(uid) ?? [] }
      try {
        const importOne = (records: RecordMatcher) =>
          importItem(read(), known, { operations, options, reporter, matching: records })
        await (dryRun ? dryRun.runAndRollBack(() => importOne(matching.branch())) : importOne(matching))
      } catch (error) {
        // An event with a time that Date cannot represent, or dates that no series can have, is skipped; the others are imported.
        const isInvalid = error instanceof RangeError || (error instanceof DomainError && error.code === 'BAD_INPUT')
        if (!isInvalid) throw error
        reporter.skip({ uid, line }, `The times of the event cannot be read: ${error.message}`)
      }
    }
    options.onProgress?.(Math.min(index + batchSize, items.length), items.length)
  }
  return reporter.report()
}
