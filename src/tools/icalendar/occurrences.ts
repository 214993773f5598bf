// Expands a recurring event to its occurrences, by RRULE, RDATE, EXRULE and EXDATE.
import { dayOfInstant, type ExpansionBudget, expandRule, type RuleStart } from '../../basics/dates/recurrence.ts'
import { parseRule, type RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import { addDays, toWallClock, wallClockToDate } from '../../basics/time.ts'
import { type Component, findProperties, parameterOf } from './parse-components.ts'
import {
  addDuration,
  type DateOrTime,
  type EventTimes,
  instantOf,
  isExpandedInUtc,
  parseEventDuration,
  timesStartingAt,
  toDateOrTime,
} from './times.ts'
import type { ZoneFinder } from './zone-finder.ts'

interface Options {
  readonly zones: ZoneFinder
  /** First day of the occurrences to return, as `YYYY-MM-DD`. `until` is the last day. */
  readonly from: string
  readonly until: string
  readonly budget: ExpansionBudget
  note(text: string): void
}

/** Returns the occurrences from `from` to `until`; an event without a rule has one occurrence. */
export function expandOccurrences(component: Component, times: EventTimes, options: Options) {
  const { from, until, budget, zones } = options
  const locals = localTimesOf(times.start, zones)
  const rules = readRules(component, 'rrule', options)
  const exclusionRules = readRules(component, 'exrule', options)
  const allDates = readDates(component, 'rdate', times.start, options)
  const dates = allDates.slice(0, Math.max(budget.occurrences, 0))
  budget.occurrences -= dates.length
  const ruleStart: RuleStart = { local: locals.first, isDate: times.start.isDate, isOccurrence: true, ...locals }
  // One day more on each side, because the day in UTC may differ from the local day.
  const window = { from: addDays(`${from}T00:00:00`, -1), until: addDays(`${until}T23:59:59`, 1) }
  const expansions = rules.map((rule) => expandRule(rule, ruleStart, window, budget))
  const starts = new Map<string, (typeof dates)[number] | undefined>([[locals.first, undefined]])
  for (const local of expansions.flatMap((expansion) => expansion.starts).sort()) starts.set(local, undefined)
  for (const date of dates) {
    const local = locals.of(date.start)
    if (!starts.has(local)) starts.set(local, date)
  }
  const exclusions = exclusionRules.map((rule) =>
    expandRule(rule, { ...ruleStart, isOccurrence: false }, window, budget),
  )
  const excluded = new Set(exclusions.flatMap((expansion) => expansion.starts))
  // An EXDATE without a time excludes all occurrences of the day.
  for (const { start } of readDates(component, 'exdate', times.start, options))
    excluded.add(start.isDate ? start.local.slice(0, 10) : locals.of(start))
  const keyOfLocal = keysOf([...starts.keys()], rules)
  const occurrences = [...starts].flatMap(([local, date]) => {
    if (excluded.has(local) || excluded.has(local.slice(0, 10))) return []
    const start = local === locals.first ? times.start : locals.at(local, date?.start.instant)
    const day = start.local.slice(0, 10)
    if (day < from || day > until) return []
    const end = date?.endFrom?.(start)
    return [{ key: keyOfLocal(local), times: end ? { ...times, start, end } : timesStartingAt(times, start, zones) }]
  })
  const isCut = dates.length < allDates.length || [...expansions, ...exclusions].some((expansion) => expansion.isCut)
  const countOf = (name: string) => findProperties(component, name).flatMap(({ values }) => values).length
  return {
    isRecurring: rules.length > 0 || dates.length > 0,
    occurrences: occurrences.sort((a, b) => (a.times.start.local < b.times.start.local ? -1 : 1)),
    /** Whether the occurrences are complete: no rule or date was invalid, and no limit was reached. */
    isComplete: !isCut && rules.length === countOf('rrule') && dates.length === countOf('rdate'),
    /** Whether occurrences are missing because a limit of the import was reached. */
    isCut,
    /** Returns the key of the occurrence that RECURRENCE-ID names, or, with `isAdded`, of one that METHOD:ADD adds. */
    keyOf: (id: DateOrTime, isAdded: boolean): string => {
      const local = locals.of(id)
      const isFurther =
        isAdded && !starts.has(local) && [...starts.keys()].some((each) => dayKey(each) === dayKey(local))
      return isFurther ? timeKey(local) : keyOfLocal(local)
    },
  }
}

function readRules(component: Component, name: 'rrule' | 'exrule', { note }: Options): RecurrenceRule[] {
  return findProperties(component, name).flatMap(({ values }) => {
    const text = String(values[0])
    const rule = parseRule(text)
    if (typeof rule !== 'string') {
      rule.notes.forEach(note)
      return rule
    }
    const effect = `the dates of the rule were not ${name === 'rrule' ? 'imported' : 'excluded'}`
    note(`${name.toUpperCase()}:${text.slice(0, 100)} cannot be read (${rule}): ${effect}.`)
    return []
  })
}

function readDates(component: Component, name: 'rdate' | 'exdate', start: DateOrTime, { zones, note }: Options) {
  return findProperties(component, name).flatMap((property) =>
    property.values.flatMap((value) => {
      const [from, to] = [value].flat()
      const read = (text: unknown) => toDateOrTime(text, parameterOf(property, 'tzid'), zones, start)
      const date = read(from)
      if (!date) {
        note(`${name.toUpperCase()}:${String(from).slice(0, 60)} is not a date and was ignored.`)
        return []
      }
      if (date.isDate && !start.isDate && name === 'rdate')
        note(`RDATE:${String(from)} has no time: it was read with the time of DTSTART.`)
      const [end, duration] = [to === undefined ? undefined : read(to), parseEventDuration(String(to))]
      /** Function from the start to the end of an occurrence, if the RDATE is a period; otherwise undefined. */
      const endFrom = duration ? (first: DateOrTime) => addDuration(first, duration) : end && (() => end)
      return [{ start: date, endFrom }]
    }),
  )
}

const timeKey = (local: string) => local.replace(/[-:]/g, '')
const dayKey = (local: string) => local.slice(0, 10).replaceAll('-', '')

/**
 * Returns a function from a local start to the key of the occurrence: its date, so that an occurrence keeps its key if the
 * series moves to another time of day. Where several occurrences can be on one day, the key also contains the time.
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

/** Converts between times and the local times in which rules are expanded: in the zone of DTSTART, or in UTC. */
function localTimesOf(start: DateOrTime, zones: ZoneFinder) {
  const isUtc = isExpandedInUtc(start)
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
      const utc = wallClockToDate(local)
      return { ...start, local: toWallClock(utc, start.timeZone), instant: utc }
    },
  }
}
