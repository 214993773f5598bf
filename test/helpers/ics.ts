// Imports calendars into a test app.
import { expect } from 'vitest'
import { type CalendarImportOptions, importCalendar } from '../../src/tools/icalendar/import-calendar.ts'
import type { CalendarImportReport } from '../../src/tools/icalendar/report.ts'
import { createOperations, type Operations } from '../../src/tools/operations.ts'
import { now, type TestApp } from './app.ts'
import { makeUser } from './users.ts'

export type ImportCalendar = (
  calendar: Buffer | string,
  options?: Partial<CalendarImportOptions>,
) => Promise<CalendarImportReport>

const defaults: CalendarImportOptions = {
  language: 'en',
  timeZone: undefined,
  from: '2025-11-21',
  until: '2028-11-21',
  bounds: {},
  status: 'PUBLISHED',
  venues: 'create',
  dryRun: false,
}

/** The function of the command import-ics, which acts as a new administrator. Each fourth import is done after a dry run, which must report the same. */
export async function importerOf(
  app: TestApp,
  change: (operations: Operations) => Operations = (operations) => operations,
): Promise<ImportCalendar> {
  await makeUser(app.db, 'administrator')
  const operations = change(await createOperations({ ...app, now: () => now }, { author: {} }))
  let imports = 0
  return async (calendar, options) => {
    const run = (dryRun: boolean) =>
      importCalendar(Buffer.from(calendar), operations, { ...defaults, ...options, dryRun })
    imports += 1
    if (options?.dryRun) return run(true)
    const dry = imports % 4 === 0 ? await run(true) : undefined
    const report = await run(false)
    // Only the run downloads images.
    const isAbandoned = report.notes.some((note) => note.includes('The image '))
    if (dry && !isAbandoned) expect({ ...dry, dryRun: false }).toEqual(report)
    return report
  }
}

/** A calendar with these components. */
export const calendarOf = (...components: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...components, 'END:VCALENDAR', ''].join('\r\n')

/** An event with these further lines. */
export const eventOf = (uid: string, ...lines: string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')
