// Reads the location, the organizer, the image and the online address of a component.
import { type Place, readPlace, webAddress } from './online-places.ts'
import { type Component, findProperties, findProperty, type Property, parameterOf, textOf } from './parse-components.ts'

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

export interface Location {
  /** The location as one text. */
  readonly text: string
  readonly name: string
  /** The rest of the text. */
  readonly address: string
  readonly website?: string | undefined
  readonly coordinates: Coordinates | undefined
}

/** None if the component only says that the event is online. */
export function readLocations(component: Component, isOwn: boolean): Location[] {
  const structured = findProperty(component, 'x-apple-structured-location')
  const place = component.children.find(({ name }) => name === 'vlocation')
  const found = placeOf(component)
  // This service writes no web addresses behind places.
  const text = isOwn && found.place !== '' ? oneLine(textOf(findProperty(component, 'location'))) : found.place
  const [titleText, structuredAddress] = ['x-title', 'x-address'].map((name) => {
    const parameter = parameterOf(structured, name) ?? ''
    return isOwn ? parameter : unescapeParameter(parameter)
  })
  // Apple writes the address below the name.
  const title = something(titleText?.split('\n')[0]) || something(textOf(place && findProperty(place, 'name')))
  const isOnline = text === '' && (found.onlineUrl !== undefined || found.access !== '')
  const locationText = text || (isOnline ? '' : title || something(structuredAddress))
  if (locationText === '') return []
  if (isOnlinePlace.test(locationText) && readOnlineUrl(component) !== undefined) return []
  const coordinates =
    geoOf(findProperty(component, 'geo')) ?? geoUriOf(structured) ?? geoOf(place && findProperty(place, 'geo'))
  // This service writes all venues of an event. The coordinates are those of the one that the title names.
  const parts = isOwn ? locationText.split('; ') : [locationText]
  const titled = parts.findIndex((part) => startsWith(part, title))
  return parts.map((part, index) => {
    const isLocated = parts.length === 1 || index === titled
    return {
      text: part,
      ...splitLocation(part, parts.length > 1 && !isLocated ? '' : title),
      website: found.website,
      coordinates: isLocated ? coordinates : undefined,
    }
  })
}

const startsWith = (text: string, start: string) => start !== '' && text.toLowerCase().startsWith(start.toLowerCase())

const isOnlinePlace = /^(?:online|virtual|en ligne|en línea|zoom|google meet|.*microsoft teams.*)$/i

const placeOf = (component: Component): Place => readPlace(something(textOf(findProperty(component, 'location'))))

/** What people enter to attend it online. */
export const readAccess = (component: Component): string => placeOf(component).access

/** Producers escape parameters once or twice. */
const unescapeParameter = (text: string) => text.replace(/\\+n/g, '\n').replace(/\\+(?=[,;])/g, '')

/** What programs write for nothing. */
export const isNothing = (text: string): boolean => /^\(?(?:null|undefined|none|nil)\)?$/i.test(text)

/** One line; empty for what programs write for nothing. */
export const something = (text: string | undefined): string => {
  const line = oneLine(text)
  return isNothing(line) ? '' : line
}

const oneLine = (text: string | undefined): string =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ')
    .replace(/,(?:\s*,)+/g, ',')

function splitLocation(text: string, title: string): Pick<Location, 'name' | 'address'> {
  if (startsWith(text, title)) {
    return { name: title, address: text.slice(title.length).replace(/^[\s,;–-]+/, '') }
  }
  if (title !== '' && title !== text) return { name: title, address: text }
  // Meetup writes `Name (address)`.
  const [, name, address] = /^([^(),]+) \((.+)\)$/.exec(text) ?? []
  if (name !== undefined && address !== undefined) return { name, address }
  const comma = text.search(/,\s/)
  return comma < 0 ? { name: text, address: '' } : { name: text.slice(0, comma), address: text.slice(comma + 1).trim() }
}

function geoOf(property: Property | undefined): Coordinates | undefined {
  const [value] = property?.values ?? []
  return Array.isArray(value) ? toCoordinates(value) : undefined
}

function geoUriOf(property: Property | undefined): Coordinates | undefined {
  // Producers escape the comma, or write parameters with colons, which end up before the value.
  const [, ...numbers] = /geo:(-?[\d.]+)\\?[,;](-?[\d.]+)/i.exec(textOf(property)?.replace(/\s/g, '') ?? '') ?? []
  return toCoordinates(numbers)
}

/** Undefined outside of the ranges, and for 0;0, which producers write for an unknown place. */
function toCoordinates([first, second]: readonly unknown[]): Coordinates | undefined {
  const [latitude, longitude] = [Number(first ?? Number.NaN), Number(second ?? Number.NaN)]
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0)
  return isPlace ? { latitude, longitude } : undefined
}

/** Where people attend it online. */
export function readOnlineUrl(component: Component): string | undefined {
  const conferences = findProperties(component, 'conference')
  const isVideo = (property: Property) => /VIDEO/i.test(String(property.parameters.feature ?? ''))
  const properties = [
    ...conferences.filter(isVideo),
    ...conferences,
    ...findProperties(
      component,
      'x-google-conference',
      'x-microsoft-skypeteamsmeetingurl',
      'x-microsoft-onlinemeetingexternallink',
    ),
  ]
  const urls = properties.map((property) => webAddress(textOf(property)))
  return [...urls, placeOf(component).onlineUrl].find((url) => url !== undefined)
}

/** Also of an address without a scheme. */
export function readWebsite(component: Component): string | undefined {
  const text = textOf(findProperty(component, 'url')) ?? ''
  const isBare = /^(?:\/\/)?(?:[\p{L}\d-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/iu.test(text)
  return webAddress(isBare ? `https://${text.replace(/^\/\//, '')}` : text)
}

/** The URL of the first image. */
export function readImageUrl(component: Component): string | undefined {
  const attachments = findProperties(component, 'attach').filter((property) => {
    const type = parameterOf(property, 'fmttype')
    return type ? /^image\//i.test(type) : /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(textOf(property) ?? '')
  })
  return [...findProperties(component, 'image'), ...attachments]
    .map((property) => webAddress(textOf(property)))
    .find((url) => url !== undefined)
}
