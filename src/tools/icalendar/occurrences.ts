// The dates of an event by its RRULE, RDATE, EXRULE and EXDATE.
import { dayOfInstant, type ExpansionBudget, expandRule, type RuleStart } from '../../basics/dates/recurrence.ts'
import type { RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import { addDays, toWallClock, wallClockDate } from '../../basics/time.ts'
import type { Component } from './parse-components.ts'
import { countValues, type ExplicitDate, type ReadOptions, readDates, readRules } from './recurrence-properties.ts'
import { type DateOrTime, instantOf, isInUtc, type Times, timesFrom } from './times.ts'
import type { Zones } from './zones.ts'

export interface Occurrences {
  readonly isRecurring: boolean
  readonly occurrences: readonly { readonly key: string; readonly times: Times }[]
  /** Whether all dates of the event within the days of the import were read. */
  readonly isComplete: boolean
  /** Whether dates are missing because of the limits of an import. */
  readonly isCut: boolean
  /** The key of the occurrence that a RECURRENCE-ID means, or of one that is added. */
  keyOf(id: DateOrTime, isAdded: boolean): string
}

interface Options extends ReadOptions {
  /** Days. */
  readonly from: string
  readonly until: string
  readonly budget: ExpansionBudget
}

export function occurrencesOf(component: Component, times: Times, options: Options): Occurrences {
  const { from, until, budget, zones } = options
  const locals = localTimesOf(times.start, zones)
  const rules = readRules(component, 'rrule', options)
  const exclusions = readRules(component, 'exrule', options)
  const allDates = readDates(component, 'rdate', times.start, options)
  const dates = allDates.slice(0, Math.max(budget.occurrences, 0))
  budget.occurrences -= dates.length
  const isRecurring = rules.read.length > 0 || dates.length > 0
  const ruleStart: RuleStart = { local: locals.first, isDate: times.start.isDate, isOccurrence: true, ...locals }
  // A day more on each side, because in UTC a time may be on another day.
  const window = { from: addDays(`${from}T00:00:00`, -1), until: addDays(`${until}T23:59:59`, 1) }
  const expansions = rules.read.map((rule) => expandRule(rule, ruleStart, window, budget))
  const starts = new Map<string, ExplicitDate | undefined>([[locals.first, undefined]])
  for (const local of expansions.flatMap((expansion) => expansion.starts).sort()) starts.set(local, starts.get(local))
  for (const date of dates) {
    const local = locals.of(date.start)
    if (!starts.has(local)) starts.set(local, date)
  }
  const isExcluded = exclusionsOf(component, times.start, options)
  const excludedByRule = exclusions.read.map((rule) =>
    expandRule(rule, { ...ruleStart, isOccurrence: false }, window, budget),
  )
  const excluded = new Set(excludedByRule.flatMap((expansion) => expansion.starts))
  const keyOfLocal = keysOf([...starts.keys()], rules.read)
  const occurrences = [...starts].flatMap(([local, date]) => {
    if (excluded.has(local) || isExcluded(local)) return []
    const start = local === locals.first ? times.start : locals.at(local, date?.start.instant)
    const day = start.local.slice(0, 10)
    if (day < from || day > until) return []
    const end = date?.endFrom?.(start)
    return [{ key: keyOfLocal(local), times: end ? { ...times, start, end } : timesFrom(times, start, zones) }]
  })
  const isCut =
    dates.length < allDates.length || [...expansions, ...excludedByRule].some((expansion) => expansion.isCut)
  return {
    isRecurring,
    occurrences: occurrences.sort((a, b) => (a.times.start.local < b.times.start.local ? -1 : 1)),
    isComplete: !isCut && rules.isComplete && dates.length === countValues(component, 'rdate'),
    isCut,
    keyOf: (id, isAdded) => {
      const local = locals.of(id)
      const isFurther =
        isAdded && !starts.has(local) && [...starts.keys()].some((each) => dayKey(each) === dayKey(local))
      return isFurther ? timeKey(local) : keyOfLocal(local)
    },
  }
}

const timeKey = (local: string) => local.replace(/[-:]/g, '')
const dayKey = (local: string) => local.slice(0, 10).replaceAll('-', '')

/**
 * The local date identifies an occurrence, so that it stays the same event if the time of day of all of them changes. Further
 * ones on the same day, and those of rules with several times a day, are identified by their time, too.
 */
function keysOf(locals: readonly string[], rules: readonly RecurrenceRule[]): (local: string) => string {
  const isDaily = !rules.some(({ isWithinDays }) => isWithinDays)
  const days = new Set<string>()
  const further = new Set<string>()
  for (const local of locals) {
    if (days.has(dayKey(local))) further.add(local)
    days.add(dayKey(local))
  }
  return (local) => (isDaily && !further.has(local) ? dayKey(local) : timeKey(local))
}

/** Converts between times and the local times of the rules: those of the zone of DTSTART, or UTC if it is in UTC. */
function localTimesOf(start: DateOrTime, zones: Zones) {
  const isUtc = isInUtc(start)
  const zoneAt = (local: string) => {
    if (isUtc) return 'UTC'
    return start.tzid ? zones.zoneOf(start.tzid, local) : start.timeZone
  }
  const inZone = (time: DateOrTime) => {
    const { instant, local, tzid } = time
    if (!instant && tzid === start.tzid && !isUtc) return local
    const at = instant ?? instantOf(time)
    return toWallClock(at, zoneAt(toWallClock(at, start.timeZone)))
  }
  const first = start.isDate ? start.local : inZone(start)
  return {
    first,
    zoneAt,
    of(time: DateOrTime): string {
      if (start.isDate && time.instant) return `${dayOfInstant(time.instant.toISOString(), start.timeZone)}T00:00:00`
      if (start.isDate || time.isDate) return `${time.local.slice(0, 10)}${first.slice(10)}`
      return inZone(time)
    },
    at(local: string, instant: Date | undefined): DateOrTime {
      if (start.isDate) return { ...start, local }
      if (!isUtc) return { ...start, local, timeZone: zoneAt(local), instant }
      const utc = wallClockDate(local)
      return { ...start, local: toWallClock(utc, start.timeZone), instant: utc }
    },
  }
}

/** A date excludes all occurrences of its day. */
function exclusionsOf(component: Component, start: DateOrTime, options: Options): (local: string) => boolean {
  const locals = localTimesOf(start, options.zones)
  const dates = readDates(component, 'exdate', start, options).map((date) => date.start)
  const excluded = new Set(dates.map((date) => (date.isDate ? date.local.slice(0, 10) : locals.of(date))))
  return (local) => excluded.has(local) || excluded.has(local.slice(0, 10))
}
