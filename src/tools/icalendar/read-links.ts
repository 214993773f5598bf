// Reads the locations, the image and the web addresses of a component.
import { readPlace, webAddress } from './online-places.ts'
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

/** Where it takes place, what people enter to attend it online (usually empty), and its addresses. */
export function readLinks(component: Component, isOwn: boolean) {
  const place = readPlace(something(textOf(findProperty(component, 'location'))))
  const onlineUrl = conferenceUrl(component) ?? place.onlineUrl
  return {
    locations: readLocations(component, isOwn, place, onlineUrl),
    access: place.access,
    onlineUrl,
    website: readWebsite(component),
    imageUrl: readImageUrl(component),
  }
}

/** None if the component only says that the event is online. */
function readLocations(
  component: Component,
  isOwn: boolean,
  found: ReturnType<typeof readPlace>,
  onlineUrl: string | undefined,
): Location[] {
  const structured = findProperty(component, 'x-apple-structured-location')
  const place = component.children.find(({ name }) => name === 'vlocation')
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
  if (locationText === '' || (isOnlinePlace.test(locationText) && onlineUrl !== undefined)) return []
  const coordinates =
    geoOf(findProperty(component, 'geo')) ?? geoUriOf(structured) ?? geoOf(place && findProperty(place, 'geo'))
  // This service writes all venues of an event. The coordinates are those of the one that the title names.
  const parts = isOwn ? locationText.split('; ') : [locationText]
  return parts.map((part, index) => {
    const isLocated = parts.length === 1 || index === parts.findIndex((each) => startsWith(each, title))
    return {
      text: part,
      ...splitLocation(part, isLocated ? title : ''),
      website: found.website,
      coordinates: isLocated ? coordinates : undefined,
    }
  })
}

const startsWith = (text: string, start: string) => start !== '' && text.toLowerCase().startsWith(start.toLowerCase())

const isOnlinePlace = /^(?:online|virtual|en ligne|en línea|zoom|google meet|.*microsoft teams.*)$/i

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

function splitLocation(text: string, title: string) {
  if (startsWith(text, title)) return { name: title, address: text.slice(title.length).replace(/^[\s,;–-]+/, '') }
  if (title !== '' && title !== text) return { name: title, address: text }
  // Meetup writes `Name (address)`.
  const [, name, address] = /^([^(),]+) \((.+)\)$/.exec(text) ?? []
  if (name !== undefined && address !== undefined) return { name, address }
  const [first = '', ...others] = text.split(/,(?=\s)/)
  return { name: first, address: others.join(',').trim() }
}

const geoOf = (property: Property | undefined): Coordinates | undefined => toCoordinates([property?.values[0]].flat())

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

/** The address of a video conference, or else of another one. */
function conferenceUrl(component: Component): string | undefined {
  const conferences = findProperties(component, 'conference')
  const isVideo = (property: Property) => /VIDEO/i.test(String(property.parameters.feature ?? ''))
  const others = findProperties(component, ...conferenceProperties.slice(1))
  return firstAddress([...conferences.filter(isVideo), ...conferences, ...others])
}

/** The standard one first. */
export const conferenceProperties = [
  ...['conference', 'x-google-conference'],
  ...['x-microsoft-skypeteamsmeetingurl', 'x-microsoft-onlinemeetingexternallink'],
]

const firstAddress = (properties: readonly Property[]): string | undefined =>
  properties.map((property) => webAddress(textOf(property))).find((url) => url !== undefined)

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
  return firstAddress([...findProperties(component, 'image'), ...attachments])
}
