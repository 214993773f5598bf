// Reads what an iCalendar file says about each event.
import { dateToWallClock, isZone } from '../../basics/time.ts'
import { expandSchedule } from '../../calendar/series/expand-schedule.ts'
import type { Calendar } from '../../calendar/series/schedule.ts'
import { addOrMergeEvent, groupEventsByUid, type Series, selectNewestMasters } from './group-components.ts'
import { type Component, findProperty, textOf } from './parse-components.ts'
import { type DateChange, readDateChanges } from './read-dates.ts'
import {
  type ImportedEvent,
  isCancellation,
  type MasterEvent,
  type ReadOptions,
  readEvent,
  type VEvent,
} from './read-event.ts'
import type { Reporter } from './report.ts'
import { inUtc, isRecurring, readSeriesSchedule, type SeriesSchedule } from './series-schedule.ts'
import type { EventTimes } from './times.ts'
import { createZoneFinder, type ZoneFinder, zoneOfName } from './zone-finder.ts'

export interface ReadFileOptions {
  readonly languages: readonly string[]
  readonly language: string
  /** Time zone of times without one. Default: X-WR-TIMEZONE of the calendar, or else the time zone of the site. */
  readonly timeZone: string | undefined
  readonly calendar: Calendar
  /** First and last day of the dates of recurring events that are imported. */
  readonly from: string
  readonly until: string
  /** The days of --from and --until, if they were given: single events and rules have no bounds otherwise. */
  readonly bounds: { readonly from?: string | undefined; readonly until?: string | undefined }
}

/** All that a file says about the event with a UID. */
export interface CalendarItem {
  readonly uid: string
  /** The event, or all dates of a recurring one; undefined if the file only has single dates. */
  readonly event: ImportedEvent | undefined
  readonly schedule: SeriesSchedule | undefined
  readonly isRecurring: boolean
  /** The first date, and the zones of the file, for the dates that follow it. */
  readonly first: { readonly times: EventTimes; readonly zones: ZoneFinder } | undefined
  readonly changes: readonly DateChange[]
  /** Whether the file describes the whole event, so that it has no other dates. */
  readonly isComplete: boolean
}

/** Returns the components of each UID, with a function that reads them. */
export function readEventsOfFile(calendars: readonly Component[], options: ReadFileOptions, reporter: Reporter) {
  const withOptions = calendars.map((calendar) => [calendar, readOptionsOf(calendar, options, reporter)] as const)
  return [...groupEventsByUid(withOptions, reporter)].map(([uid, series]) => ({
    uid,
    line: [...series.masters, ...series.overrides][0]?.component.line ?? null,
    read: () => readItem(uid, series, options, reporter),
  }))
}

function readOptionsOf(calendar: Component, options: ReadFileOptions, reporter: Reporter): ReadOptions {
  const name = textOf(findProperty(calendar, 'x-wr-timezone')) ?? ''
  const named = zoneOfName(name) ?? (isZone(name) ? name : undefined)
  const zone = options.timeZone ?? named ?? options.calendar.siteTimeZone
  if (name !== '' && zone !== named && options.timeZone === undefined)
    reporter.add(`X-WR-TIMEZONE:${name.slice(0, 80)} is unknown: times without a zone were read as times in ${zone}.`)
  const isOwn = /event-calendar-gateway/i.test(textOf(findProperty(calendar, 'prodid')) ?? '')
  const { languages, language } = options
  const method = (textOf(findProperty(calendar, 'method')) ?? '').toUpperCase()
  const zones = createZoneFinder(calendar, zone, isOwn, reporter)
  return { languages, language, isOwn, zones, method, reporter }
}

function readItem(
  uid: string,
  { overrides, furtherRules, ...series }: Series,
  { calendar }: ReadFileOptions,
  reporter: Reporter,
): CalendarItem {
  const parts = selectNewestMasters(uid, series.masters, reporter)
  const nothing = {
    uid,
    event: undefined,
    schedule: undefined,
    isRecurring: false,
    first: undefined,
    isComplete: false,
  }
  if (parts.some(isCancellation))
    return {
      ...nothing,
      changes: [],
      event: parts
        .filter(isCancellation)
        .flatMap((part) => readEvent(part) ?? [])
        .at(-1),
    }
  const readMaster = (part: VEvent): MasterEvent[] => {
    const event = readEvent(part)
    if (!event?.times) return []
    return [{ ...part, event: { ...event, times: isRecurring(part.component) ? inUtc(event.times) : event.times } }]
  }
  const masters = parts.flatMap(readMaster)
  const [first] = masters
  const changes = readDateChanges(uid, overrides, masters, reporter)
  if (!first) return { ...nothing, changes }
  const events = new Map<string, ImportedEvent>()
  for (const { event } of masters) addOrMergeEvent(events, event, reporter)
  const { times } = first.event
  // Feeds of this service write each rule of a series as a component.
  const schedules = [first, ...furtherRules.flatMap(readMaster)].map(({ component, event, options: { zones } }) =>
    readSeriesSchedule(component, event.times, { zones, calendar, note: reporter.noteOn(event) }),
  )
  const [schedule] = schedules.map((each) => each.schedule)
  const all = <Part>(partsOf: (each: SeriesSchedule) => Part[]) => schedules.flatMap((each) => partsOf(each.schedule))
  const recurs = parts.some(({ component }) => isRecurring(component))
  // The file may describe an event that occurs once by a component with a RECURRENCE-ID, too.
  const other = recurs ? undefined : changes.find(({ localIn }) => localIn(times.start.timeZone) === times.start.local)
  return {
    ...{ uid, isRecurring: recurs, first: { times, zones: first.options.zones } },
    schedule: schedule && {
      ...schedule,
      recurrences: all(({ recurrences }) => recurrences),
      excludedDates: excludedByAll(
        schedules.map((each) => each.schedule),
        calendar,
      ),
    },
    event: other ? { ...other.event, uid, times: other.timesOf(times) } : (events.get(uid) ?? first.event),
    changes: changes.filter((change) => change !== other),
    isComplete:
      masters.length === parts.length &&
      changes.length === overrides.length &&
      !series.isDamaged &&
      schedules.every(({ isComplete }) => isComplete),
  }
}

/** Returns the excluded dates of rules, except those that another rule generates. */
function excludedByAll(schedules: readonly SeriesSchedule[], calendar: Calendar): string[] {
  const excluded = schedules.flatMap(({ excludedDates }) => excludedDates)
  const last = excluded.toSorted().at(-1)
  if (last === undefined || schedules.length === 1) return excluded
  const until = `${last.slice(0, 10)}T23:59:59`
  const dates = schedules.flatMap((each) => expandSchedule(each, new Date(0), calendar, { until }).dates)
  const starts = new Set(dates.map(({ startsLocal }) => dateToWallClock(startsLocal)))
  const days = new Set([...starts].map((start) => start.slice(0, 10)))
  return excluded.filter((text) => !starts.has(text) && !days.has(text))
}
