// Finds the time zone of a TZID.
import { memoize, memoizeByObject } from '../../basics/memoize.ts'
import { addDays, isUtc, isZone, offsetText, toInstant } from '../../basics/time.ts'
import { type Component, findProperty, textOf } from './parse-components.ts'
import type { Notes } from './report.ts'
import { windowsZones, zoneOfWindowsName } from './windows-zones.ts'
import { createDefinition, type ZoneDefinition } from './zone-definition.ts'

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

interface ZoneOptions {
  readonly calendarZone: string
  /** Whether this service wrote the file: then every TZID is a zone that it knows. */
  readonly isOwn: boolean
}

export function createZones(calendar: Component, { calendarZone, isOwn }: ZoneOptions, notes: Notes): Zones {
  const definitions = new Map(
    calendar.children
      .filter(({ name }) => name === 'vtimezone')
      .map((component) => [textOf(findProperty(component, 'tzid')) ?? '', createDefinition(component, notes)] as const),
  )
  const sameOffsets = zonesWithSameOffsets(calendarZone)
  const zoneOf: Zones['zoneOf'] = (tzid, local) => {
    if (tzid === undefined || tzid === '') return calendarZone
    if (isOwn && isZone(tzid)) return tzid
    const name = tzid.slice(0, 80)
    const definition = definitions.get(tzid)
    const named = zoneOfName(tzid) ?? (definition?.location && zoneOfName(definition.location))
    const offset = definition?.offsetAt(local)
    if (named && !(definition && contradicts(definition, named, local))) return named
    if (definition && offset !== undefined) {
      const zone = sameOffsets(definition, local)
      const basis = zone ? 'has the same offsets' : 'is its offset at the start'
      const reason = named ? `, because the file defines it with other offsets than those of ${named}` : ''
      notes.add(`The time zone ${name} was read as ${zone ?? offset}, which ${basis}${reason}.`)
      return zone ?? offset
    }
    if (isZone(tzid)) return tzid
    const [, offsetOfName] = /^\((?:UTC|GMT)([+-]\d\d:\d\d)\)/i.exec(tzid) ?? []
    if (offsetOfName !== undefined && isZone(offsetOfName)) {
      notes.add(`The time zone ${name} is unknown: its times were read with the offset ${offsetOfName}.`)
      return offsetOfName
    }
    notes.add(`The time zone ${name} is unknown: its times were read as times in ${calendarZone}.`)
    return calendarZone
  }
  return { isOwn, calendarZone, utcZone: isOwn ? 'UTC' : calendarZone, zoneOf }
}

/** Also of names such as `/mozilla.org/20050126_1/Europe/Paris`. */
export function zoneOfName(name: string): string | undefined {
  if (name.length > 200) return undefined
  const text = name.replace(/^["']|["']$|^tzone:\/\/Microsoft\//gi, '').trim()
  const ianaName = /(?:^|\/)([A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/.exec(text)?.[1]
  for (const candidate of [text, ianaName, ianaName?.replace(/^[A-Za-z]+\//, '')]) {
    if (candidate?.includes('/') && isZone(candidate)) return candidate
  }
  if ((isZone(text) && isUtc(text)) || /\bCoordinated Universal Time$/i.test(text)) return 'UTC'
  const offset = /^(?:UTC|GMT)?([+-]\d.*)$/i.exec(text)?.[1]
  if (offset !== undefined && isZone(offset)) return offset
  return zoneOfWindowsName(text)
}

const zoneOffset = (zone: string, local: string) => offsetText(toInstant(local, zone), zone)

/** Two days of each month of the year. */
const samplesOf = (year: string) =>
  Array.from({ length: 24 }, (_, index) => {
    const month = String(Math.floor(index / 2) + 1).padStart(2, '0')
    return `${year}-${month}-${index % 2 === 0 ? '01' : '15'}T12:00:00`
  })

/**
 * Whether the definition contradicts the zone of its name. Two differences do not count: an offset that differs only around
 * the day of a clock change, because many programs write a wrong hour; and a definition without the changes of the year, if
 * the zone has its offset at another time of the year, because many programs write only one offset.
 */
function contradicts({ offsetAt, covers, changesIn }: ZoneDefinition, zone: string, local: string): boolean {
  const differs = (time: string) => offsetAt(time) !== zoneOffset(zone, time)
  if (!covers(local) || !differs(local) || !(differs(addDays(local, -1)) || differs(addDays(local, 1)))) return false
  const year = local.slice(0, 4)
  return changesIn(year) > 1 || !samplesOf(year).some((sample) => zoneOffset(zone, sample) === offsetAt(local))
}

/** The zones with the most people, which are meant most often. */
const largeZones =
  `Europe/Paris Europe/London Europe/Athens Europe/Moscow America/New_York America/Chicago America/Denver
  America/Los_Angeles America/Sao_Paulo Asia/Shanghai Asia/Kolkata Asia/Tokyo Australia/Sydney`.split(/\s+/)

/** Finds a known zone with the offsets that a definition has during a year. */
function zonesWithSameOffsets(calendarZone: string) {
  const find = memoizeByObject((definition: ZoneDefinition) =>
    memoize({ name: 'zonesWithSameOffsets', max: 100 }, (year: string) => {
      const offsets = samplesOf(year).map((sample) => [sample, definition.offsetAt(sample)] as const)
      const isSame = (zone: string) => offsets.every(([sample, offset]) => zoneOffset(zone, sample) === offset)
      return [calendarZone, ...largeZones, ...windowsZones()].find(isSame)
    }),
  )
  return (definition: ZoneDefinition, local: string): string | undefined => {
    const zone = find(definition)(local.slice(0, 4))
    // Near a change that is on another day than in the zone.
    return zone && zoneOffset(zone, local) === definition.offsetAt(local) ? zone : undefined
  }
}
