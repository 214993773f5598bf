// VTIMEZONE: the offsets of a time zone in the years of the events.
import { dayMs, type ZonePeriod, zonePeriods } from '../../../basics/time.ts'
import type { Component, Property } from './property.ts'

interface Change extends ZonePeriod {
  /** The local time at which the offset changes, in the offset before the change, stored as if it were UTC. */
  readonly local: Date
  readonly isDaylight: boolean
  /** Key of the changes that may follow the same yearly rule. */
  readonly kind: string
}

/** Years after the last event in which a yearly rule must hold to be written without an end. */
const yearsAhead = 2

/** Returns the VTIMEZONE of `zone` for events between `from` and `until`. `name` is the value of the parameter TZID. */
export function createTimeZoneComponent(name: string, zone: string, from: Date, until: Date): Component {
  const end = until.getTime() + yearsAhead * 366 * dayMs
  // One more year, because summer time is recognized by its end.
  const periods = zonePeriods(zone, from.getTime() - dayMs, end + 366 * dayMs)
  const first = periods[0]
  const changes = periods
    .flatMap((period, index) => toChange(period, periods[index + 1]))
    .filter((change) => change.from <= end)
  // A zone whose first period has no beginning gets one before all events.
  const initial = first && !Number.isFinite(first.from) ? [constant(first, from)] : []
  return ['vtimezone', [['tzid', {}, 'text', name]], [...initial, ...observances(changes, end)]]
}

function toChange(period: ZonePeriod, next: ZonePeriod | undefined): Change[] {
  const { from, offset, offsetBefore } = period
  if (!Number.isFinite(from)) return []
  // Summer time: the clocks are set forward, for less than a year.
  const isDaylight = offset > offsetBefore && next !== undefined && next.from - from < 300 * dayMs
  const local = new Date(from + offsetBefore)
  const time = local.getTime() % dayMs
  const kind = [offset, offsetBefore, period.abbreviation, isDaylight, local.getUTCMonth(), local.getUTCDay(), time]
  return [{ ...period, local, isDaylight, kind: kind.join() }]
}

function constant({ offset, abbreviation }: ZonePeriod, from: Date): Component {
  const year = Math.min(1970, from.getUTCFullYear() - 1)
  const start = `${String(Math.max(year, 1)).padStart(4, '0')}-01-01T00:00:00`
  return observance('standard', start, [offset, offset], abbreviation)
}

/** Changes that follow the same rule in successive years become one component with that rule. */
function observances(changes: readonly Change[], end: number): Component[] {
  const groups: Change[][] = []
  for (const change of changes) {
    const group = groups.findLast((candidate) => candidate.some((each) => each.kind === change.kind))
    if (group && ruleOf([...group, change])) group.push(change)
    else groups.push([change])
  }
  return groups.flatMap((group) => component(group, end))
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** Returns BYDAY of a yearly RRULE that produces exactly these changes; undefined if no such rule exists. */
function ruleOf(changes: readonly Change[]): string | undefined {
  const isSuccessive = changes.every(({ local }, index) => {
    const before = changes[index - 1]
    return before === undefined || local.getUTCFullYear() === before.local.getUTCFullYear() + 1
  })
  if (!isSuccessive) return undefined
  const weekday = weekdays[changes[0]?.local.getUTCDay() ?? 0] ?? 'SU'
  const isLast = ({ local }: Change) => new Date(local.getTime() + 7 * dayMs).getUTCMonth() !== local.getUTCMonth()
  if (changes.every(isLast)) return `-1${weekday}`
  const [ordinal, ...others] = new Set(changes.map(({ local }) => Math.ceil(local.getUTCDate() / 7)))
  return others.length === 0 ? `${ordinal}${weekday}` : undefined
}

const isoSeconds = (date: Date) => date.toISOString().slice(0, 19)

function component(group: readonly Change[], end: number): Component[] {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return []
  const { offset, offsetBefore, abbreviation, local, isDaylight } = first
  const rule = group.length > 1 ? ruleOf(group) : undefined
  // A rule that ends more than a year before the end of the data is over.
  const isOpen = end - last.from < 366 * dayMs
  const recurrence = rule !== undefined && {
    ...{ freq: 'YEARLY', bymonth: local.getUTCMonth() + 1, byday: rule },
    ...(!isOpen && { until: `${isoSeconds(new Date(last.from))}Z` }),
  }
  const name = isDaylight ? 'daylight' : 'standard'
  return [observance(name, isoSeconds(local), [offsetBefore, offset], abbreviation, recurrence)]
}

function observance(
  name: 'standard' | 'daylight',
  start: string,
  offsets: readonly [before: number, after: number],
  abbreviation: string,
  rule: object | false = false,
): Component {
  const [before, after] = offsets.map(formatOffset)
  const properties: Property[] = [
    ['dtstart', {}, 'date-time', start],
    ['tzoffsetfrom', {}, 'utc-offset', before],
    ['tzoffsetto', {}, 'utc-offset', after],
    ['tzname', {}, 'text', abbreviation],
    ...(rule ? [['rrule', {}, 'recur', rule] as const] : []),
  ]
  return [name, properties, []]
}

/** `+01:00`, with seconds only for local mean time. */
function formatOffset(offset: number): string {
  const total = Math.round(Math.abs(offset) / 1000)
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, ...(total % 60 === 0 ? [] : [total % 60])]
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
}
