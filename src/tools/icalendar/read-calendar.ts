// Reads all events of an iCalendar file. Each occurrence of a recurring event becomes an event.
import { createExpansionBudget, type ExpansionBudget } from '../../basics/dates/recurrence.ts'
import { isZone } from '../../basics/time.ts'
import { addOrMergeEvent, groupEventsByUid, type Series, selectNewestMasters } from './group-components.ts'
import { shiftTimes } from './inherit.ts'
import { expandOccurrences } from './occurrences.ts'
import { type Component, findProperty, textOf } from './parse-components.ts'
import { type ImportedEvent, isCancellation, type ReadOptions, readEvent } from './read-event.ts'
import {
  readLoneOccurrences,
  readModifiedOccurrences,
  readSeriesCancellation,
  type SeriesContext,
} from './read-overrides.ts'
import type { Reporter } from './report.ts'
import { isNewerThanFile, occurrenceUid, type StoredOccurrence } from './stored-events.ts'
import { createZoneFinder, zoneOfName } from './zone-finder.ts'

export interface ReadFileOptions {
  readonly languages: readonly string[]
  readonly language: string
  /** Time zone of times without one. Default: X-WR-TIMEZONE of the calendar, or else the time zone of the site. */
  readonly timeZone: string | undefined
  readonly siteTimeZone: string
  /** First and last day of the occurrences of recurring events that are imported. */
  readonly from: string
  readonly until: string
}

export type ImportedCalendar = ReturnType<typeof readEventsOfFile>

/** Reads the events of a file. `stored`: the occurrences in the database by the UID of their series. */
export function readEventsOfFile(
  calendars: readonly Component[],
  options: ReadFileOptions,
  stored: ReadonlyMap<string, readonly StoredOccurrence[]>,
  reporter: Reporter,
) {
  const budget = createExpansionBudget()
  const events = new Map<string, ImportedEvent>()
  /** Completely read series by UID. Of other series, no stored occurrences are moved to the trash. */
  const complete = new Map<string, NonNullable<ReturnType<typeof readSeries>['complete']>>()
  const withOptions = calendars.map((calendar) => [calendar, readOptionsOf(calendar, options, reporter)] as const)
  for (const [uid, series] of groupEventsByUid(withOptions, reporter)) {
    const context = { uid, reporter, stored: stored.get(uid) ?? [] }
    try {
      const read = readSeries(series, { ...options, budget }, context)
      if (read.complete) complete.set(uid, read.complete)
      for (const event of read.occurrences) addOrMergeEvent(events, event, reporter)
    } catch (error) {
      // An event with a time that Date cannot represent is skipped; the other events are imported.
      if (!(error instanceof RangeError)) throw error
      const line = [...series.masters, ...series.overrides][0]?.component.line ?? null
      reporter.skip({ uid, line }, `The times of the event cannot be read: ${error.message}`)
    }
  }
  return { events: [...events.values()], complete }
}

function readOptionsOf(calendar: Component, options: ReadFileOptions, reporter: Reporter): ReadOptions {
  const name = textOf(findProperty(calendar, 'x-wr-timezone')) ?? ''
  const named = zoneOfName(name) ?? (isZone(name) ? name : undefined)
  const zone = options.timeZone ?? named ?? options.siteTimeZone
  if (name !== '' && zone !== named && options.timeZone === undefined)
    reporter.add(`X-WR-TIMEZONE:${name.slice(0, 80)} is unknown: times without a zone were read as times in ${zone}.`)
  const isOwn = /event-calendar-gateway/i.test(textOf(findProperty(calendar, 'prodid')) ?? '')
  const { languages, language } = options
  const method = (textOf(findProperty(calendar, 'method')) ?? '').toUpperCase()
  const zones = createZoneFinder(calendar, zone, isOwn, reporter)
  return { languages, language, isOwn, zones, method, reporter }
}

function readSeries(
  series: Series,
  { from, until, budget }: ReadFileOptions & { readonly budget: ExpansionBudget },
  context: SeriesContext,
) {
  const { uid, reporter, stored } = context
  const parts = selectNewestMasters(uid, series.masters, reporter)
  if (parts.some(isCancellation)) return { occurrences: readSeriesCancellation(parts, context) }
  const [first, ...others] = parts.flatMap((part) => {
    const event = readEvent(part)
    if (!event?.times) return []
    const { times } = event
    const options = { zones: part.options.zones, from, until, budget, note: reporter.noteOn(event) }
    return { ...part, event: { ...event, times }, dates: expandOccurrences(part.component, times, options) }
  })
  if (!first) return { occurrences: readLoneOccurrences(series.overrides, context) }
  const masters = [first, ...others] as const
  const overrides = readModifiedOccurrences(series.overrides, masters, first.dates.keyOf, context)
  const { changed, ranges, unread } = overrides
  const unchanged = stored.filter((occurrence) => !changed.has(occurrence.uid))
  if (unchanged.length > 0 && unchanged.every((occurrence) => isNewerThanFile(occurrence, first.event))) {
    const reason = 'The event is older than its stored occurrences, whose SEQUENCE or LAST-MODIFIED is higher.'
    reporter.skip(first.event, reason)
    return { occurrences: [...changed.values()] }
  }
  const occurrences = new Map<string, ImportedEvent>()
  const replaced = new Set<string>()
  const isRead = masters.length === parts.length && !series.isDamaged && masters.every(({ dates }) => dates.isComplete)
  const add = (event: ImportedEvent) => addOrMergeEvent(occurrences, event, reporter)
  for (const { event, dates } of masters) {
    if (!dates.isRecurring) {
      // The file may also describe this date by a modified occurrence with a RECURRENCE-ID.
      const own = occurrenceUid(uid, dates.keyOf(event.times.start, false))
      const override = changed.get(own)
      if (override) replaced.add(own)
      if (isRead || stored.length === 0) add(override ? { ...override, uid } : event)
      else reporter.skip(event, 'The dates of the series cannot be read, so its stored occurrences are unchanged.')
      continue
    }
    for (const { key, times: at } of dates.occurrences) {
      const own = occurrenceUid(uid, key)
      if (changed.has(own) || unread.has(own)) continue
      const range = ranges.find((override) => override.from <= at.start.local)
      if (!range) add({ ...event, times: at, uid: own })
      else if (!occurrences.has(own))
        add({ ...range.event, times: shiftTimes(range.event.times, range.from, at.start.local), uid: own })
    }
    const limit = dates.isCut ? ' Later dates exceed the limits of an import and were left out.' : ''
    reporter.add(
      `Event ${uid} (line ${event.line}) recurs: ${dates.occurrences.length} occurrences from ${from} to ${until} were imported as events of their own.${limit}`,
    )
  }
  const { lastModified, sequence, times } = first.event
  const recurs = masters.some(({ dates }) => dates.isRecurring)
  return {
    occurrences: [...occurrences.values(), ...[...changed.values()].filter((event) => !replaced.has(event.uid))],
    ...(isRead && overrides.isComplete && { complete: { recurs, lastModified, sequence, start: times.start.local } }),
  }
}
