// Reads all events of a file: those that occur once, and the occurrences of recurring ones.
import { addDays, toWallClock } from '../../time.ts'
import { addEvent } from './add-event.ts'
import { groupComponents, isCancel, isRecurring, newestMasters, type Series } from './group-components.ts'
import { movedBy } from './inherit.ts'
import { type Component, findProperties, findProperty, parameterOf, textOf } from './parse-components.ts'
import { type ImportedEvent, type ReadOptions, readEvent } from './read-event.ts'
import { readCancellation, readDetached, readOverrides, type SeriesContext } from './read-overrides.ts'
import { createExpansionBudget, type ExpansionBudget, expandRule, type RuleData } from './recurrence.ts'
import type { Reporter } from './report.ts'
import { isNewer, occurrenceUid, type StoredOccurrence } from './stored-occurrences.ts'
import { type DateOrTime, instantOf, type Times, timesFrom, toDateOrTime } from './times.ts'
import { createZones, zoneOfName } from './zones.ts'

export interface CalendarOptions {
  readonly languages: readonly string[]
  readonly language: string
  /** For times without one; by default that of the calendar, or else that of the site. */
  readonly timeZone: string | undefined
  readonly siteTimeZone: string
  /** Dates between which occurrences of recurring events are imported. */
  readonly from: string
  readonly until: string
}

export interface ImportedCalendar {
  readonly events: readonly ImportedEvent[]
  /** By UID, without those of which the file may lack occurrences, so that none may be removed. */
  readonly complete: ReadonlyMap<string, CompleteSeries>
}

interface CompleteSeries {
  readonly recurs: boolean
  readonly start: string
  readonly lastModified: Date | undefined
}

/** `stored` are the occurrences on the site by the UID of their series. */
export function readCalendars(
  calendars: readonly Component[],
  options: CalendarOptions,
  stored: ReadonlyMap<string, readonly StoredOccurrence[]>,
  reporter: Reporter,
): ImportedCalendar {
  const budget = createExpansionBudget()
  const events = new Map<string, ImportedEvent>()
  const complete = new Map<string, CompleteSeries>()
  const withOptions = calendars.map((calendar) => [calendar, readOptionsOf(calendar, options, reporter)] as const)
  for (const [uid, series] of groupComponents(withOptions, reporter)) {
    const context = { uid, reporter, stored: stored.get(uid) ?? [] }
    const read = readSeries(series, options, budget, context)
    if (read.complete) complete.set(uid, read.complete)
    for (const event of read.occurrences) addEvent(events, event, reporter)
  }
  return { events: [...events.values()], complete }
}

function readOptionsOf(calendar: Component, options: CalendarOptions, reporter: Reporter): ReadOptions {
  const name = textOf(findProperty(calendar, 'x-wr-timezone')) ?? ''
  const zone = options.timeZone ?? zoneOfName(name) ?? options.siteTimeZone
  const isOwn = /event-calendar-gateway/i.test(textOf(findProperty(calendar, 'prodid')) ?? '')
  const { languages, language } = options
  const method = (textOf(findProperty(calendar, 'method')) ?? '').toUpperCase()
  const zones = createZones(calendar, { calendarZone: zone, isOwn }, reporter)
  return { languages, language, isOwn, zones, method, reporter }
}

interface SeriesOptions extends ReadOptions {
  readonly options: CalendarOptions
  readonly budget: ExpansionBudget
}

interface SeriesEvents {
  readonly occurrences: readonly ImportedEvent[]
  /** Undefined if occurrences may be missing. */
  readonly complete?: CompleteSeries
}

function readSeries(
  series: Series,
  options: CalendarOptions,
  budget: ExpansionBudget,
  context: SeriesContext,
): SeriesEvents {
  const { uid, reporter, stored } = context
  const parts = newestMasters(uid, series.masters, reporter)
  if (parts.some(isCancel)) return { occurrences: readCancellation(parts, context) }
  const events = parts.flatMap((part) => readEvent(part.component, part.options) ?? [])
  const [first, ...others] = parts.flatMap((part) => {
    const event = events.find(({ line }) => line === part.component.line)
    return event?.times ? [{ ...part, event: { ...event, times: event.times } }] : []
  })
  if (!first) return { occurrences: readDetached(series.overrides, context) }
  const masters = [first, ...others] as const
  const dated = masters.map((master) => {
    const { component, event } = master
    return { ...master, dates: occurrencesOf(component, event.times, { ...master.options, options, budget }) }
  })
  const overrides = readOverrides(series.overrides, masters, (id) => dated[0]?.dates.keyOf(id) ?? '', context)
  const { changed, ranges, unread } = overrides
  const occurrences = new Map<string, ImportedEvent>()
  const { lastModified, times } = first.event
  const unchanged = stored.filter((occurrence) => !changed.has(occurrence.uid))
  const isOld = unchanged.length > 0 && unchanged.every((occurrence) => isNewer(occurrence, first.event))
  if (isOld) {
    const reason = 'It is older than the occurrences on the site, whose SEQUENCE or LAST-MODIFIED is higher.'
    reporter.skip(first.event, reason)
    return { occurrences: [...changed.values()] }
  }
  const isRead = masters.length === parts.length && !series.isDamaged && dated.every(({ dates }) => dates.isComplete)
  const add = (event: ImportedEvent) => addEvent(occurrences, event, reporter)
  for (const { event, dates } of dated) {
    if (!dates.isRecurring) {
      if (isRead || stored.length === 0) add(event)
      else reporter.skip(event, 'Its dates cannot be read: its occurrences on the site stay as they are.')
      continue
    }
    for (const { key, times: at } of dates.occurrences) {
      const own = occurrenceUid(uid, key)
      if (changed.has(own) || unread.has(own)) continue
      const range = ranges.find(({ from }) => from <= at.start.local)
      if (!range) add({ ...event, times: at, uid: own })
      else if (!occurrences.has(own))
        add({ ...range.event, times: movedBy(range.event.times, range.from, at.start.local), uid: own })
    }
    const limit = dates.isCut ? ' There are more, which exceed the limits of an import.' : ''
    const { from, until } = options
    reporter.add(
      `Event ${uid} (line ${event.line}) recurs: ${dates.occurrences.length} occurrences from ${from} to ${until} were imported as events of their own.${limit}`,
    )
  }
  const recurs = dated.some(({ dates }) => dates.isRecurring)
  return {
    occurrences: [...occurrences.values(), ...changed.values()],
    ...(isRead && overrides.isComplete && { complete: { recurs, lastModified, start: times.start.local } }),
  }
}

/** The dates of an event. */
function occurrencesOf(component: Component, times: Times, options: SeriesOptions) {
  const isDaily = occurrencesDifferByDay(component, options)
  const keyOf = (time: DateOrTime) => {
    const zone = times.start.timeZone
    const local = time.isDate ? time.local : toWallClock(instantOf(time), zone)
    return (isDaily ? local.slice(0, 10) : local).replace(/[-:]/g, '')
  }
  const { starts, isCut } = startsOf(component, times, options)
  const occurrences = starts.map((local) => {
    const at = timesFrom(times, local)
    return { key: keyOf(at.start), times: at }
  })
  const isRead = !isCut && !hasUnreadDates(component, options)
  return { isRecurring: isRecurring(component), occurrences, isCut, isComplete: isRead, keyOf }
}

/** The local date identifies an occurrence, so that it stays the same event if the time of day of all of them changes. */
function occurrencesDifferByDay(component: Component, { budget, ...options }: SeriesOptions): boolean {
  const rules = findProperties(component, 'rrule').flatMap(({ values }) => values as RuleData[])
  if (
    rules.some(
      ({ freq, byhour, byminute }) =>
        (freq !== undefined && !dayFrequencies.has(freq)) ||
        [byhour ?? [], byminute ?? []].some((part) => [part].flat().length > 1),
    )
  )
    return false
  const days = recurrenceDates(component, options).map(({ local }) => local.slice(0, 10))
  return new Set(days).size === days.length
}

const dayFrequencies: ReadonlySet<string> = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])

/** The dates of RDATE; of each period, its start. */
const recurrenceDates = (component: Component, { zones }: Pick<ReadOptions, 'zones'>): DateOrTime[] =>
  findProperties(component, 'rdate').flatMap((property) =>
    property.values.flatMap((value) => toDateOrTime([value].flat()[0], parameterOf(property, 'tzid'), zones) ?? []),
  )

const hasUnreadDates = (component: Component, options: Pick<ReadOptions, 'zones'>) =>
  recurrenceDates(component, options).length < findProperties(component, 'rdate').flatMap(({ values }) => values).length

/** The local starts of all occurrences within the window. */
function startsOf(component: Component, times: Times, { zones, options, budget }: SeriesOptions) {
  const { start } = times
  const bounds = { from: `${options.from}T00:00:00`, until: `${addDays(`${options.until}T00:00:00`, 1)}` }
  const inZone = (dateOrTime: DateOrTime) =>
    dateOrTime.isDate ? dateOrTime.local : toWallClock(instantOf(dateOrTime), start.timeZone)
  const excluded = new Set<string>()
  for (const property of findProperties(component, 'exdate')) {
    for (const value of property.values) {
      const dateOrTime = toDateOrTime(value, parameterOf(property, 'tzid'), zones)
      if (!dateOrTime) continue
      // A date excludes all occurrences of its day.
      excluded.add(dateOrTime.isDate ? dateOrTime.local.slice(0, 10) : inZone(dateOrTime))
    }
  }
  const starts = new Set([start.local, ...recurrenceDates(component, { zones }).map(inZone)])
  let isCut = false
  for (const rule of findProperties(component, 'rrule').flatMap(({ values }) => values as RuleData[])) {
    if (rule.freq === undefined) {
      isCut = true
      continue
    }
    const last = rule.until === undefined ? undefined : toDateOrTime(rule.until, undefined, zones)
    const lastStart = last && (last.isDate ? `${last.local.slice(0, 10)}T23:59:59` : inZone(last))
    const expansion = expandRule(rule, start.local, bounds, lastStart, budget)
    for (const local of expansion.starts) starts.add(local)
    isCut ||= expansion.isCut
  }
  const included = [...starts].filter(
    (local) =>
      local >= bounds.from && local < bounds.until && !excluded.has(local) && !excluded.has(local.slice(0, 10)),
  )
  return { starts: included.sort(), isCut }
}
