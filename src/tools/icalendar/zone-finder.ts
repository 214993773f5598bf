// Finds the IANA time zone or UTC offset for a TZID.
import { readZoneRows } from '../../basics/dates/cldr-zones.ts'
import { memoize, memoizeOnce } from '../../basics/memoize.ts'
import { addDays, formatOffset, isUtc, isZone, toInstant } from '../../basics/time.ts'
import { type Component, findProperty, textOf } from './parse-components.ts'
import type { Reporter } from './report.ts'
import { createZoneDefinition, type ZoneDefinition } from './zone-definition.ts'

export type ZoneFinder = ReturnType<typeof createZoneFinder>

/** `calendarZone`: the zone of times without one. `isOwn`: this service wrote the file, so that each TZID is a known zone. */
export function createZoneFinder(calendar: Component, calendarZone: string, isOwn: boolean, reporter: Reporter) {
  const definitions = new Map(
    calendar.children
      .filter(({ name }) => name === 'vtimezone')
      .map((component) => {
        const definition = createZoneDefinition(component, reporter)
        const sameOffsets = zoneWithSameOffsets(definition, calendarZone)
        return [textOf(findProperty(component, 'tzid')) ?? '', { ...definition, sameOffsets }] as const
      }),
  )
  /** Returns the zone for a TZID, at this local time of an event. Reports an unknown TZID, or one with a wrong definition. */
  const zoneOf = (tzid: string | undefined, local: string): string => {
    if (tzid === undefined || tzid === '') return calendarZone
    if (isOwn && isZone(tzid)) return tzid
    const name = tzid.slice(0, 80)
    const definition = definitions.get(tzid)
    const named = zoneOfName(tzid) ?? (definition?.location && zoneOfName(definition.location))
    if (named && !(definition && contradicts(definition, named, local))) return named
    const offset = definition?.offsetAt(local)
    if (definition && offset !== undefined) {
      const zone = definition.sameOffsets(local)
      const basis = zone ? 'has the same offsets' : 'is its offset at the start'
      const reason = named ? `, because the file defines it with other offsets than those of ${named}` : ''
      reporter.add(`The time zone ${name} was read as ${zone ?? offset}, which ${basis}${reason}.`)
      return zone ?? offset
    }
    if (isZone(tzid)) return tzid
    const [, offsetOfName] = /^\((?:UTC|GMT)([+-]\d\d:\d\d)\)/i.exec(tzid) ?? []
    if (offsetOfName !== undefined && isZone(offsetOfName)) {
      reporter.add(`The time zone ${name} is unknown: its times were read with the offset ${offsetOfName}.`)
      return offsetOfName
    }
    reporter.add(`The time zone ${name} is unknown: its times were read as times in ${calendarZone}.`)
    return calendarZone
  }
  /** `utcZone`: the zone in which events with times in UTC are stored. */
  return { isOwn, calendarZone, utcZone: isOwn ? 'UTC' : calendarZone, zoneOf }
}

/** Returns the zone of a TZID such as `/mozilla.org/20050126_1/Europe/Paris`, `GMT+2` or `Romance Standard Time`. */
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

const zoneOffset = (zone: string, local: string) => formatOffset(toInstant(local, zone), zone)

/** Local times on two days of each month, at which offsets are compared. */
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

/** Zones with many inhabitants, which are tried first. */
const largeZones =
  `Europe/Paris Europe/London Europe/Athens Europe/Moscow America/New_York America/Chicago America/Denver
  America/Los_Angeles America/Sao_Paulo Asia/Shanghai Asia/Kolkata Asia/Tokyo Australia/Sydney`.split(/\s+/)

/** Returns a function that finds a zone with the same offsets as the definition in the year of a local time. */
function zoneWithSameOffsets({ offsetAt }: ZoneDefinition, calendarZone: string) {
  const find = memoize({ name: 'zoneWithSameOffsets', max: 100 }, (year: string) => {
    const offsets = samplesOf(year).map((sample) => [sample, offsetAt(sample)] as const)
    const isSame = (zone: string) => offsets.every(([sample, offset]) => zoneOffset(zone, sample) === offset)
    return [calendarZone, ...largeZones, ...windowsZones()].find(isSame)
  })
  return (local: string): string | undefined => {
    const zone = find(local.slice(0, 4))
    // Around a clock change, the definition may change on another day than the zone.
    return zone && zoneOffset(zone, local) === offsetAt(local) ? zone : undefined
  }
}

const zonesByName = memoizeOnce(() => {
  const world = readZoneRows().filter(({ territory }) => territory === '001')
  return new Map(world.map(({ windowsName, zones: [zone = ''] }) => [windowsName.toLowerCase(), zone]))
})

const regions = 'Europe America Asia Africa Australia Pacific Atlantic Indian US Canada'.split(' ')

/** The IANA zone of a name such as `Romance Standard Time` or `(UTC+01:00) Brussels, Copenhagen, Madrid, Paris`. */
function zoneOfWindowsName(name: string): string | undefined {
  const zone = zonesByName().get(name.toLowerCase())
  if (zone !== undefined) return zone
  const [, offset = '+00:00', places] = /^\((?:UTC|GMT)([+-]\d\d:\d\d)?\)\s*(.*)$/i.exec(name) ?? []
  const candidates = (places ?? name).split(/[,;:] /).flatMap(zonesOfPlace)
  // Without an offset in the name, nothing contradicts a zone that is named like the place.
  const zones = candidates.filter((candidate) => places === undefined || hasOffset(candidate, offset))
  return zones.find((candidate) => windowsZones().includes(candidate)) ?? zones[0]
}

/** Returns zones named like a place, or like the words before the bracket in `Eastern Time (US & Canada)`. */
function zonesOfPlace(place: string): string[] {
  const words = place.replace(/ \(.*$/, '').trim()
  const named = zonesByName().get(`${words.replace(/ Time$/i, '')} standard time`.toLowerCase())
  const zones = regions.map((region) => `${region}/${words.replaceAll(' ', '_')}`).filter(isZone)
  return named === undefined ? zones : [named, ...zones]
}

/** Whether the zone has the offset in January or July. */
function hasOffset(zone: string, offset: string): boolean {
  const year = new Date().getUTCFullYear()
  return [0, 6].some((month) => formatOffset(new Date(Date.UTC(year, month)), zone) === offset)
}

/** The IANA zones of all Windows time zones (CLDR). */
const windowsZones = (): readonly string[] => [...new Set(zonesByName().values())]
