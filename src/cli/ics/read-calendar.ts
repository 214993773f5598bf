// Reads all events of a file: those that occur once, and the occurrences of recurring ones.
import { addDays, toWallClock } from '../../time.ts'
import { type Component, findProperties, findProperty, parameterOf, textOf } from './parse-components.ts'
import { type ImportedEvent, type ReadOptions, readEvent, uidOf } from './read-event.ts'
import { createExpansionBudget, type ExpansionBudget, expandRule, type RuleData } from './recurrence.ts'
import type { Reporter } from './report.ts'
import { type DateOrTime, dateOrTimeOf, instantOf, type Times, timesFrom, toDateOrTime } from './times.ts'
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
  /** UIDs of the events in the file before recurring ones were expanded. */
  readonly uids: ReadonlySet<string>
  /** UIDs whose occurrences were not all read, so that none of them may be removed. */
  readonly incomplete: ReadonlySet<string>
}

/** Separates the UID of a recurring event from its occurrence in the UID of an occurrence. */
export const occurrenceSeparator = '/occurrence/'

export function readCalendars(
  components: readonly Component[],
  options: CalendarOptions,
  reporter: Reporter,
): ImportedCalendar {
  const budget = createExpansionBudget()
  const events = new Map<string, ImportedEvent>()
  const uids = new Set<string>()
  const incomplete = new Set<string>()
  for (const calendar of components) {
    const readOptions = readOptionsOf(calendar, options, reporter)
    for (const [uid, series] of seriesOf(calendar, reporter)) {
      uids.add(uid)
      const { occurrences, isComplete } = readSeries(uid, series, { ...readOptions, options, budget })
      if (!isComplete) incomplete.add(uid)
      for (const event of occurrences) addEvent(events, event, reporter)
    }
  }
  return { events: [...events.values()], uids, incomplete }
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

interface Series {
  readonly masters: Component[]
  /** Components with a RECURRENCE-ID. */
  readonly overrides: Component[]
}

function seriesOf(calendar: Component, reporter: Reporter): Map<string, Series> {
  const all = new Map<string, Series>()
  // A VEVENT outside of a VCALENDAR.
  const components = calendar.name === 'vevent' ? [calendar] : calendar.children
  for (const component of components) {
    if (component.name === 'vtimezone') continue
    const uid = uidOf(component)
    if (component.name !== 'vevent') {
      const reason = `${component.name.toUpperCase()} is not an event. Only VEVENT is imported.`
      reporter.skip({ uid: findProperty(component, 'uid') ? uid : null, line: component.line }, reason)
      continue
    }
    const series = all.get(uid) ?? { masters: [], overrides: [] }
    all.set(uid, series)
    if (findProperty(component, 'recurrence-id')) series.overrides.push(component)
    else series.masters.push(component)
  }
  return all
}

interface SeriesOptions extends ReadOptions {
  readonly options: CalendarOptions
  readonly budget: ExpansionBudget
}

function readSeries(uid: string, { masters, overrides }: Series, options: SeriesOptions) {
  const { zones, reporter } = options
  const occurrences: ImportedEvent[] = []
  const changed = new Map<string, ImportedEvent>()
  let isComplete = true
  const masterEvents = masters.map((component) => [component, readEvent(component, options)] as const)
  const isDaily = occurrencesDifferByDay(masterEvents, options)
  for (const component of overrides) {
    const id = dateOrTimeOf(findProperty(component, 'recurrence-id'), zones)
    const event = id && readEvent(component, options)
    if (!id) reporter.skip({ uid, line: component.line }, 'RECURRENCE-ID is not a date.')
    if (!event) continue
    if (parameterOf(findProperty(component, 'recurrence-id'), 'range')) {
      reporter.add(`Event ${uid} (line ${component.line}): RANGE is not supported, only one occurrence was changed.`)
    }
    const zone = masterEvents[0]?.[1]?.times.start.timeZone ?? id.timeZone
    const key = keyOf(id, zone, isDaily)
    const own = { ...event, uid: `${uid}${occurrenceSeparator}${key}` }
    const before = changed.get(key)
    changed.set(key, before ? newer(before, own) : own)
  }
  for (const [component, event] of masterEvents) {
    if (!event) isComplete = false
    else if (!isRecurring(component)) occurrences.push(event)
    else {
      const { starts, isCut } = startsOf(component, event.times, options)
      if (isCut) isComplete = false
      for (const local of starts) {
        const times = timesFrom(event.times, local)
        const key = keyOf(times.start, times.start.timeZone, isDaily)
        if (!changed.has(key)) occurrences.push({ ...event, times, uid: `${uid}${occurrenceSeparator}${key}` })
      }
      const limit = isCut ? ' There are more, which exceed the limits of an import.' : ''
      const { from, until } = options.options
      reporter.add(
        `Event ${uid} (line ${event.line}) recurs: ${starts.length} occurrences from ${from} to ${until} were imported as events of their own.${limit}`,
      )
    }
  }
  return { occurrences: [...occurrences, ...changed.values()], isComplete }
}

const isRecurring = (component: Component) => findProperties(component, 'rrule', 'rdate').length > 0

/** The local date identifies an occurrence, so that it stays the same event if the time of day of all of them changes. */
const keyOf = (dateOrTime: DateOrTime, zone: string, isDaily: boolean): string => {
  const local = dateOrTime.isDate ? dateOrTime.local : toWallClock(instantOf(dateOrTime), zone)
  return (isDaily ? local.slice(0, 10) : local).replace(/[-:]/g, '')
}

function occurrencesDifferByDay(
  masters: readonly (readonly [Component, ImportedEvent | undefined])[],
  { budget, ...options }: SeriesOptions,
): boolean {
  return masters.every(([component, event]) => {
    if (!event || !isRecurring(component)) return true
    const rules = findProperties(component, 'rrule').flatMap(({ values }) => values as RuleData[])
    if (
      rules.some(
        ({ freq, byhour, byminute }) =>
          !dayFrequencies.has(freq ?? '') || [byhour ?? [], byminute ?? []].some((part) => [part].flat().length > 1),
      )
    )
      return false
    const days = recurrenceDates(component, options).map(({ local }) => local.slice(0, 10))
    return new Set(days).size === days.length
  })
}

const dayFrequencies: ReadonlySet<string> = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])

/** The dates of RDATE; of each period, its start. */
const recurrenceDates = (component: Component, { zones }: Pick<ReadOptions, 'zones'>): DateOrTime[] =>
  findProperties(component, 'rdate').flatMap((property) =>
    property.values.flatMap((value) => toDateOrTime([value].flat()[0], parameterOf(property, 'tzid'), zones) ?? []),
  )

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

/** Of two components with the same UID, the newer one counts, unless they are translations of each other. */
function addEvent(events: Map<string, ImportedEvent>, event: ImportedEvent, reporter: Reporter): void {
  const before = events.get(event.uid)
  if (!before) {
    events.set(event.uid, event)
    return
  }
  const added = event.texts.filter(({ language }) => !before.texts.some((text) => text.language === language))
  const isTranslation = before.texts[0]?.language !== event.texts[0]?.language && added.length > 0
  if (isTranslation) {
    events.set(event.uid, { ...before, texts: [...before.texts, ...added] })
    return
  }
  const kept = newer(before, event)
  events.set(event.uid, kept)
  const dropped = kept === before ? event : before
  reporter.skip(
    dropped,
    `The file has another event with this UID at line ${kept.line}, which is newer or comes later.`,
  )
}

function newer(before: ImportedEvent, after: ImportedEvent): ImportedEvent {
  const [first, second] = [before.sequence ?? 0, after.sequence ?? 0]
  if (first !== second) return first > second ? before : after
  return before.revised > after.revised ? before : after
}
