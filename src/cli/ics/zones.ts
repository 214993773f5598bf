// Finds the time zone of a TZID.
import { isUtc, isZone, offsetText, toInstant } from '../../time.ts'
import { type Component, findProperties, findProperty, textOf } from './parse-components.ts'
import { createExpansionBudget, expandRule, type RuleData } from './recurrence.ts'
import type { Notes } from './report.ts'
import { windowsZones, zoneOfWindowsName } from './windows-zones.ts'

export interface Zones {
  /** Whether this service wrote the file. */
  readonly isOwn: boolean
  /** The zone of times without one. */
  readonly calendarZone: string
  /** The zone of events whose times are in UTC. */
  readonly utcZone: string
  /** The zone that a TZID names, for an event at this local time. */
  zoneOf(tzid: string | undefined, local: string): string
}

interface Definition {
  /** The IANA name that the producer wrote next to its own one. */
  readonly location: string | undefined
  readonly observances: readonly Component[]
}

interface ZoneOptions {
  readonly calendarZone: string
  /** Whether this service wrote the file: then every TZID is a zone that it knows. */
  readonly isOwn: boolean
}

export function createZones(calendar: Component, { calendarZone, isOwn }: ZoneOptions, notes: Notes): Zones {
  const definitions = new Map(
    calendar.children
      .filter(({ name }) => name === 'vtimezone')
      .map((component) => [textOf(findProperty(component, 'tzid')) ?? '', definitionOf(component)] as const),
  )
  const found = new Map<string, string>()
  const find = (tzid: string, local: string) => {
    const definition = definitions.get(tzid)
    if (isOwn && isZone(tzid)) return tzid
    const named = zoneOfName(tzid) ?? (definition?.location && zoneOfName(definition.location))
    if (named) return named
    if (definition) {
      const zone = zoneOfOffsets(definition, local, calendarZone)
      const basis = isZone(zone) && zone.includes('/') ? 'has the same offsets' : 'is its offset at the start'
      notes.add(`The time zone ${shorten(tzid)} was read as ${zone}, which ${basis}.`)
      return zone
    }
    if (isZone(tzid)) return tzid
    notes.add(`The time zone ${shorten(tzid)} is unknown: its times were read as times in ${calendarZone}.`)
    return calendarZone
  }
  const zoneOf: Zones['zoneOf'] = (tzid, local) => {
    if (tzid === undefined || tzid === '') return calendarZone
    // Rules of a zone may differ between years.
    const key = `${local.slice(0, 4)} ${tzid}`
    const zone = found.get(key) ?? find(tzid, local)
    found.set(key, zone)
    return zone
  }
  return { isOwn, calendarZone, utcZone: isOwn ? 'UTC' : calendarZone, zoneOf }
}

const shorten = (tzid: string) => tzid.slice(0, 80)

const definitionOf = (component: Component): Definition => ({
  location: textOf(findProperty(component, 'x-lic-location')),
  observances: component.children.filter(({ name }) => name === 'standard' || name === 'daylight'),
})

/** Also of names such as `/mozilla.org/20050126_1/Europe/Paris`. */
export function zoneOfName(name: string): string | undefined {
  const text = name.replace(/^"|"$/g, '').trim()
  const ianaName = /(?:^|\/)([A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/.exec(text)?.[1]
  for (const candidate of [text, ianaName, ianaName?.replace(/^[A-Za-z]+\//, '')]) {
    if (candidate?.includes('/') && isZone(candidate)) return candidate
  }
  if (isZone(text) && isUtc(text)) return 'UTC'
  if (/^(?:UTC)?[+-]\d/i.test(text) && isZone(text)) return text
  return zoneOfWindowsName(text)
}

/** A known zone with the offsets of the definition during the year; otherwise the offset at the local time. */
function zoneOfOffsets(definition: Definition, local: string, calendarZone: string): string {
  const year = Number(local.slice(0, 4))
  const onsets = onsetsOf(definition, year)
  const samples = Array.from({ length: 24 }, (_, index) => {
    const month = String(Math.floor(index / 2) + 1).padStart(2, '0')
    return `${local.slice(0, 4)}-${month}-${index % 2 === 0 ? '01' : '15'}T12:00:00`
  })
  const hasSameOffsets = (zone: string) =>
    samples.every((sample) => offsetText(toInstant(sample, zone), zone) === offsetAt(onsets, sample))
  const zone = [calendarZone, ...largeZones, ...windowsZones()].find(hasSameOffsets)
  return zone ?? offsetAt(onsets, local)
}

/** The zones with the most people, which are meant most often. */
const largeZones =
  `Europe/Paris Europe/London Europe/Athens Europe/Moscow America/New_York America/Chicago America/Denver
  America/Los_Angeles America/Sao_Paulo Asia/Shanghai Asia/Kolkata Asia/Tokyo Australia/Sydney`.split(/\s+/)

interface Onset {
  /** Local time before the change. */
  readonly local: string
  /** For example `+02:00`. */
  readonly offset: string
  readonly before: string
}

function onsetsOf({ observances }: Definition, year: number): Onset[] {
  const budget = createExpansionBudget()
  const until = `${year + 1}-01-01T00:00:00`
  const onsets = observances.flatMap((observance) => {
    const [start] = findProperty(observance, 'dtstart')?.values ?? []
    const offset = offsetOf(observance, 'tzoffsetto')
    const before = offsetOf(observance, 'tzoffsetfrom') ?? offset
    if (typeof start !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(start) || !offset || !before) return []
    const local = start.slice(0, 19)
    const rules = findProperties(observance, 'rrule').flatMap(({ values }) => values as RuleData[])
    const more = findProperties(observance, 'rdate').flatMap(({ values }) => values.map(String))
    const repeated = rules.flatMap((rule) => {
      const last = rule.until?.slice(0, 19)
      return expandRule(rule, local, { from: `${year - 1}-01-01T00:00:00`, until }, last, budget).starts
    })
    return [local, ...more.map((text) => text.slice(0, 19)), ...repeated].map((time) => ({
      local: time,
      offset,
      before,
    }))
  })
  return onsets.sort((a, b) => (a.local < b.local ? -1 : 1))
}

function offsetOf(observance: Component, name: string): string | undefined {
  const text = textOf(findProperty(observance, name))
  return text && /^[+-]\d\d:\d\d/.test(text) ? text.slice(0, 6) : undefined
}

/** The offset of the last onset; before the first one, the offset that it replaced. */
function offsetAt(onsets: readonly Onset[], local: string): string {
  const onset = onsets.findLast((candidate) => candidate.local <= local)
  return onset?.offset ?? onsets[0]?.before ?? '+00:00'
}
