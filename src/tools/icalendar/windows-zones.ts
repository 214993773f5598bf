// Names of time zones in Windows and in Outlook.
import { zoneRows } from '../../basics/dates/cldr-zones.ts'
import { memoizeOnce } from '../../basics/memoize.ts'
import { isZone, offsetText } from '../../basics/time.ts'

const zonesByName = memoizeOnce(() => {
  const world = zoneRows().filter(({ territory }) => territory === '001')
  return new Map(world.map(({ windowsName, zones: [zone = ''] }) => [windowsName.toLowerCase(), zone]))
})

const regions = 'Europe America Asia Africa Australia Pacific Atlantic Indian US Canada'.split(' ')

/** The IANA zone of a name such as `Romance Standard Time` or `(UTC+01:00) Brussels, Copenhagen, Madrid, Paris`. */
export function zoneOfWindowsName(name: string): string | undefined {
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
export const windowsZones = (): readonly string[] => [...new Set(zonesByName().values())]
