// Computes the UTC offsets that a VTIMEZONE component defines.
import { expandRule } from '../../basics/dates/recurrence.ts'
import { parseRule, type RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import { memoize } from '../../basics/memoize.ts'
import { isZone } from '../../basics/time.ts'
import { type Component, findProperties, findProperty, textOf } from './parse-components.ts'
import type { Reporter } from './report.ts'

export type ZoneDefinition = ReturnType<typeof createZoneDefinition>

type Observance = Exclude<ReturnType<typeof readObservance>, string>

const maxObservances = 500

/** Reads a VTIMEZONE. Reports an invalid part; then the definition has no offsets. */
export function createZoneDefinition(component: Component, reporter: Reporter) {
  const parts = component.children.filter(({ name }) => name === 'standard' || name === 'daylight')
  const read = parts.slice(0, maxObservances).map(readObservance)
  const problem =
    (findProperties(component, 'tzid').length > 1 ? 'it has several TZIDs' : undefined) ??
    (parts.length > maxObservances ? `it has more than ${maxObservances} parts` : read.find(isText))
  if (problem !== undefined) {
    const name = (textOf(findProperty(component, 'tzid')) ?? '').slice(0, 80)
    reporter.add(`The definition of the time zone ${name} (line ${component.line}) was not used: ${problem}.`)
  }
  const observances = problem === undefined ? read.filter((part): part is Observance => !isText(part)) : []
  const onsetsOf = memoize({ name: 'onsetsOfDefinition', max: 100 }, (year: string) =>
    observances.flatMap((part) => onsetsOfObservance(part, year)).sort((a, b) => (a.local < b.local ? -1 : 1)),
  )
  const onsetAt = (local: string) => onsetsOf(local.slice(0, 4)).findLast((onset) => onset.local <= local)
  return {
    /** The IANA name in X-LIC-LOCATION, which programs with their own TZIDs write. */
    location: textOf(findProperty(component, 'x-lic-location')),
    /** Returns the UTC offset at a local time, such as `+02:00`; undefined if the definition is invalid. */
    offsetAt: (local: string) => onsetAt(local)?.offset ?? onsetsOf(local.slice(0, 4))[0]?.before,
    /** Whether the definition covers the local time: one of its offsets begins before. */
    covers: (local: string) => onsetAt(local) !== undefined,
    /** The number of offset changes in the year. */
    changesIn: (year: string) => onsetsOf(year).filter(({ local }) => local.startsWith(year)).length,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads a STANDARD or DAYLIGHT component. Returns the reason as text if it is invalid. */
function readObservance(component: Component) {
  const local = localOf(findProperty(component, 'dtstart')?.values[0])
  const offset = offsetOf(component, 'tzoffsetto')
  if (!local) return 'DTSTART is missing in a part'
  if (!offset) return 'TZOFFSETTO is missing in a part'
  const before = offsetOf(component, 'tzoffsetfrom') ?? offset
  if (Number.isNaN(Date.parse(`${local}Z`))) return 'DTSTART of a part is not a date'
  if (![offset, before].every(isZone)) return 'an offset is more than 14 hours'
  const rules: RecurrenceRule[] = []
  for (const { values } of findProperties(component, 'rrule')) {
    const rule = parseRule(String(values[0]))
    if (typeof rule === 'string') return `${rule} in RRULE:${String(values[0]).slice(0, 100)}`
    rules.push(rule)
  }
  const dates = findProperties(component, 'rdate').flatMap(({ values }) => values)
  return { local, offset, before, dates: dates.flatMap((value) => localOf(value) ?? []), rules }
}

const localOf = (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(String(value))?.[0]

function offsetOf(component: Component, name: string): string | undefined {
  const [, sign, hours, minutes = '00'] =
    /^([+-])(\d\d):?(\d\d)?/.exec(textOf(findProperty(component, name)) ?? '') ?? []
  return sign && `${sign}${hours}:${minutes}`
}

/** Returns the local times at which the offset begins: by rules in this and the previous year, and all single dates. */
function onsetsOfObservance({ local, offset, before, dates, rules }: Observance, year: string) {
  const lastYear = String(Math.max(Number(year) - 1, 1)).padStart(4, '0')
  const window = { from: `${lastYear}-01-01T00:00:00`, until: `${year}-12-31T23:59:59` }
  const start = { local, isDate: false, isOccurrence: true, zoneAt: () => before }
  const repeated = rules
    .filter(({ until }) => until === undefined || until >= lastYear)
    .flatMap((rule) => expandRule(rule, start, window, { steps: 1000, occurrences: 1000 }).starts)
  return [...new Set([local, ...dates, ...repeated])].map((time) => ({ local: time, offset, before }))
}
