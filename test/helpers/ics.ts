// Imports calendars into a test app.
import { type CalendarImportOptions, importCalendar } from '../../src/tools/icalendar/import-calendar.ts'
import type { CalendarImportReport } from '../../src/tools/icalendar/report.ts'
import { createOperations } from '../../src/tools/operations.ts'
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

/** The function of the command import-ics, which acts as a new administrator. */
export async function importerOf(app: TestApp): Promise<ImportCalendar> {
  await makeUser(app.db, 'administrator')
  const operations = await createOperations({ ...app, now: () => now }, { author: {} })
  return (calendar, options) => importCalendar(Buffer.from(calendar), operations, { ...defaults, ...options })
}

/** A calendar with these components. */
export const calendarOf = (...components: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...components, 'END:VCALENDAR', ''].join('\r\n')

/** An event with these further lines. */
export const eventOf = (uid: string, ...lines: string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')
