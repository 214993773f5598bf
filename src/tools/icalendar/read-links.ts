// Reads the locations, the organizers, the image and the URLs of a component.
import { readPlace, toWebUrl } from './online-places.ts'
import { type Component, findProperties, findProperty, type Property, parameterOf, textOf } from './parse-components.ts'

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

export type IcsLocation = ReturnType<typeof readPlacesAndContacts>['locations'][number]

/** Returns locations, organizers, image and URLs. `access`: access data of an online meeting. `isOwn`: this service wrote the file. */
export function readPlacesAndContacts(component: Component, isOwn: boolean) {
  const place = readPlace(something(textOf(findProperty(component, 'location'))))
  const onlineUrl = conferenceUrl(component) ?? place.onlineUrl
  return {
    locations: readLocations(component, isOwn, place, onlineUrl),
    access: place.access,
    organizers: readOrganizers(component, isOwn),
    onlineUrl,
    website: readWebsite(component),
    imageUrl: readImageUrl(component),
  }
}

/** Returns the locations; none if the component only says that the event is online. */
function readLocations(
  component: Component,
  isOwn: boolean,
  found: ReturnType<typeof readPlace>,
  onlineUrl: string | undefined,
) {
  const structured = findProperty(component, 'x-apple-structured-location')
  const place = component.children.find(({ name }) => name === 'vlocation')
  // Files of this service have no URLs in LOCATION: a URL there is part of the place's name.
  const text = isOwn && found.place !== '' ? oneLine(textOf(findProperty(component, 'location'))) : found.place
  const [titleText, structuredAddress] = ['x-title', 'x-address'].map((name) => {
    const parameter = parameterOf(structured, name) ?? ''
    return isOwn ? parameter : unescapeParameter(parameter)
  })
  // Apple writes the address on the lines after the name.
  const title = something(titleText?.split('\n')[0]) || something(textOf(place && findProperty(place, 'name')))
  const isOnline = text === '' && (found.onlineUrl !== undefined || found.access !== '')
  const locationText = text || (isOnline ? '' : title || something(structuredAddress))
  if (locationText === '' || (isOnlinePlace.test(locationText) && onlineUrl !== undefined)) return []
  const coordinates =
    geoOf(findProperty(component, 'geo')) ?? geoUriOf(structured) ?? geoOf(place && findProperty(place, 'geo'))
  // Files of this service list all venues of an event in LOCATION. The coordinates belong to the venue that X-TITLE names.
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

/** Programs escape the characters of parameters once or twice. */
const unescapeParameter = (text: string) => text.replace(/\\+n/g, '\n').replace(/\\+(?=[,;])/g, '')

/** Whether the text is what programs write for a missing value, such as `(null)`. */
export const isMissingValueText = (text: string): boolean => /^\(?(?:null|undefined|none|nil)\)?$/i.test(text)

/** Returns the text on one line; empty if it is missing or a placeholder such as `(null)`. */
const something = (text: string | undefined): string => {
  const line = oneLine(text)
  return isMissingValueText(line) ? '' : line
}

const oneLine = (text: string | undefined): string =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ')
    .replace(/,(?:\s*,)+/g, ',')

/** Splits a location into the name of the place and the address. `title`: the name, if the file has it separately. */
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
  // A program may escape the comma. After parameters with colons, the parsed value begins with the end of the parameters.
  const [, ...numbers] = /geo:(-?[\d.]+)\\?[,;](-?[\d.]+)/i.exec(textOf(property)?.replace(/\s/g, '') ?? '') ?? []
  return toCoordinates(numbers)
}

/** Returns coordinates; undefined if they are out of range, or 0;0, which programs write for an unknown place. */
function toCoordinates([first, second]: readonly unknown[]): Coordinates | undefined {
  const [latitude, longitude] = [Number(first ?? Number.NaN), Number(second ?? Number.NaN)]
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0)
  return isPlace ? { latitude, longitude } : undefined
}

/** The URL of a video conference, or else of an audio conference or chat. */
function conferenceUrl(component: Component): string | undefined {
  const conferences = findProperties(component, 'conference')
  const isVideo = (property: Property) => /VIDEO/i.test(String(property.parameters.feature ?? ''))
  const others = findProperties(component, ...conferencePropertyNames.slice(1))
  return firstAddress([...conferences.filter(isVideo), ...conferences, ...others])
}

/** Properties with the URL of an online meeting. The first one is the standard (RFC 7986). */
export const conferencePropertyNames = [
  ...['conference', 'x-google-conference'],
  ...['x-microsoft-skypeteamsmeetingurl', 'x-microsoft-onlinemeetingexternallink'],
]

const firstAddress = (properties: readonly Property[]): string | undefined =>
  properties.map((property) => toWebUrl(textOf(property))).find((url) => url !== undefined)

/** Reads the property URL; a host without a scheme gets `https://`. */
function readWebsite(component: Component): string | undefined {
  const text = textOf(findProperty(component, 'url')) ?? ''
  const isBare = /^(?:\/\/)?(?:[\p{L}\d-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/iu.test(text)
  return toWebUrl(isBare ? `https://${text.replace(/^\/\//, '')}` : text)
}

export function readImageUrl(component: Component): string | undefined {
  const attachments = findProperties(component, 'attach').filter((property) => {
    const type = parameterOf(property, 'fmttype')
    return type ? /^image\//i.test(type) : /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(textOf(property) ?? '')
  })
  return firstAddress([...findProperties(component, 'image'), ...attachments])
}

// Reads the organizers of a component.

export interface OrganizerContact {
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly website?: string | undefined
}

/** Reads ORGANIZER and CONTACT. Returns none for placeholders that programs write without an organizer. */
function readOrganizers(component: Component, isOwn: boolean): OrganizerContact[] {
  const property = findProperty(component, 'organizer')
  const texts = findProperties(component, 'contact').map((contact) => textOf(contact) ?? '')
  const email = emailIn(textOf(property) ?? '') ?? emailIn(parameterOf(property, 'email') ?? '')
  const name = something(parameterOf(property, 'cn')).replace(/^mailto:/i, '')
  if (/^unknownorganizer@/i.test(email ?? '')) return []
  // Google writes the address of the calendar, to which nobody can send e-mail.
  const ownEmail = /@(?:[\w.]+\.)?calendar\.google\.com$/i.test(email ?? '') ? undefined : email
  const organizer = name || ownEmail
  const website = organizerWebsite(component)
  if (isOwn && organizer) {
    const [first, ...others] = organizersOfOwnFile(organizer, ownEmail, texts)
    return first ? [{ ...first, website }, ...others] : []
  }
  const contact = something(texts[0])
  const contactName = contact.split(/[,;]\s/)[0]?.trim() ?? ''
  const found = organizer || contactName
  return found === '' ? [] : [{ name: found, email: ownEmail ?? emailIn(contact), phone: phoneIn(contact), website }]
}

/** A URL in ORGANIZER, unless it is on the same site as the event: then it is the organizer's page there, not a website. */
function organizerWebsite(component: Component): string | undefined {
  const address = toWebUrl(textOf(findProperty(component, 'organizer')))
  const page = readWebsite(component)
  return address && new URL(address).origin !== (page && new URL(page).origin) ? address : undefined
}

/** Returns the organizers in a file of this service, which has one CONTACT for each organizer with an e-mail or phone. */
function organizersOfOwnFile(name: string, email: string | undefined, texts: readonly string[]): OrganizerContact[] {
  const contacts = texts.map((text) => {
    const parts = text.split(', ')
    const isOrganizer = text.startsWith(`${name}, `)
    const contactEmail = parts.length > 1 && parts.at(-1)?.includes('@') ? parts.pop() : undefined
    const phone = parts.length > 1 ? (isOrganizer ? parts.join(', ').slice(name.length + 2) : parts.pop()) : undefined
    return { isOrganizer, contact: { name: isOrganizer ? name : parts.join(', '), email: contactEmail, phone } }
  })
  const own = contacts.find(({ isOrganizer }) => isOrganizer)
  const others = contacts.flatMap((each) => (each === own ? [] : each.contact))
  return [{ name, email: email ?? own?.contact.email, phone: own?.contact.phone || undefined }, ...others]
}

/** Returns the e-mail address in a text. The domain `.invalid` (RFC 2606) stands for a missing address. */
const emailIn = (text: string): string | undefined => {
  const email = /[^\s<>:;,"'()]{1,64}@[\w.-]{1,190}\.[a-z]{2,}/i.exec(text)?.[0]
  return email && !/\.invalid$/i.test(email) ? email : undefined
}

const phoneIn = (text: string): string | undefined => /(?:\+|\b0)\d[\d\s()./-]{5,20}\d/.exec(text)?.[0]
