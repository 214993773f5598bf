// Finds the time zone of a TZID.
import { zoneRows } from '../../basics/dates/cldr-zones.ts'
import { memoize, memoizeOnce } from '../../basics/memoize.ts'
import { addDays, isUtc, isZone, offsetText, toInstant } from '../../basics/time.ts'
import { type Component, findProperty, textOf } from './parse-components.ts'
import type { Reporter } from './report.ts'
import { createZoneDefinition, type ZoneDefinition } from './zone-definition.ts'

export type ZoneFinder = ReturnType<typeof createZoneFinder>

/** `calendarZone` is that of times without one. `isOwn`: this service wrote the file, and knows the zone of every TZID. */
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
  /** The zone that a TZID names, for an event at this local time. */
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
  /** `utcZone` is that of events whose times are in UTC. */
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

/** Finds a known zone with the offsets that the definition has during the year of a local time. */
function zoneWithSameOffsets({ offsetAt }: ZoneDefinition, calendarZone: string) {
  const find = memoize({ name: 'zoneWithSameOffsets', max: 100 }, (year: string) => {
    const offsets = samplesOf(year).map((sample) => [sample, offsetAt(sample)] as const)
    const isSame = (zone: string) => offsets.every(([sample, offset]) => zoneOffset(zone, sample) === offset)
    return [calendarZone, ...largeZones, ...windowsZones()].find(isSame)
  })
  return (local: string): string | undefined => {
    const zone = find(local.slice(0, 4))
    // Near a change that is on another day than in the zone.
    return zone && zoneOffset(zone, local) === offsetAt(local) ? zone : undefined
  }
}

const zonesByName = memoizeOnce(() => {
  const world = zoneRows().filter(({ territory }) => territory === '001')
  return new Map(world.map(({ windowsName, zones: [zone = ''] }) => [windowsName.toLowerCase(), zone]))
})

const regions = 'Europe America Asia Africa Australia Pacific Atlantic Indian US Canada'.split(' ')

/** The IANA zone of a name such as `Romance Standard Time` or `(UTC+01:00) Brussels, Copenhagen, Madrid, Paris`. */
function zoneOfWindowsName(name: string): string | undefined {
  const zone = zonesByName().get(name.toLowerCase())
  if (zone !== undefined) return zone
  const [, offset = '+00:00', places] = /^\((?:UTC|GMT)([+-]\d\d:\d\d)?\)\s*(.*)$/i.exec(name) ?? []
  const candidates = (places ?? name).split(/[,;:] /).flatMap(zonesOfPlace)
  // In a name without offset, a place may be anything.
  const zones = candidates.filter((candidate) => places === undefined || hasOffset(candidate, offset))
  return zones.find((candidate) => windowsZones().includes(candidate)) ?? zones[0]
}

/** Also of the first words of `Eastern Time (US & Canada)`. */
function zonesOfPlace(place: string): string[] {
  const words = place.replace(/ \(.*$/, '').trim()
  const named = zonesByName().get(`${words.replace(/ Time$/i, '')} standard time`.toLowerCase())
  const zones = regions.map((region) => `${region}/${words.replaceAll(' ', '_')}`).filter(isZone)
  return named === undefined ? zones : [named, ...zones]
}

/** Whether the zone has the offset in January or July. */
function hasOffset(zone: string, offset: string): boolean {
  const year = new Date().getUTCFullYear()
  return [0, 6].some((month) => offsetText(new Date(Date.UTC(year, month)), zone) === offset)
}

/** The zones that a calendar program on Windows can write. */
const windowsZones = (): readonly string[] => [...new Set(zonesByName().values())]
