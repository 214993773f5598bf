// Text in the format of the legacy contract.
import { stripTags } from '../../basics/strip-tags.ts'
import { toWallClock } from '../../basics/time.ts'

/** Text without tags (contract c.3). An unclosed tag is escaped. */
export const removeTags = (text: string): string =>
  text.includes('<') ? stripTags(text).replace(/<(?=[a-z!/?])/gi, '&lt;') : text

const urlEscapes: Readonly<Record<string, string>> = { '"': '%22', "'": '%27', '<': '%3C', '>': '%3E' }

/** Percent-encodes quotes and angle brackets, so that the URL is safe in an HTML attribute. */
export const escapeUrl = (url: string): string => url.replace(/["'<>]/g, (character) => urlEscapes[character] ?? '')

export const legacyStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const

/** The author's ID as text; "0" without an author. */
export const formatLegacyAuthor = (author: { databaseId: number } | null): string => String(author?.databaseId ?? 0)

// The legacy date format: `YYYY-MM-DD HH:MM:SS`, without a time zone.

export const formatLegacyDate = (wallClock: string): string => wallClock.replace('T', ' ')

export const formatLegacyInstant = (instant: Date, zone: string): string => formatLegacyDate(toWallClock(instant, zone))

export function toDateParts(date: string) {
  const [year = '', month = '', day = '', hour = '', minutes = '', seconds = ''] = date.split(/[- :]/)
  return { year, month, day, hour, minutes, seconds }
}

/** The plain-text fields of a venue with their descriptions, for requests, responses and /doc. */
const venueTexts = {
  address: 'Street and number.',
  city: 'City.',
  country: 'Country.',
  province: 'Province.',
  state: 'State.',
  zip: 'Postal code.',
  phone: 'Telephone number.',
} as const

type VenueText = keyof typeof venueTexts

/** Returns an object with the result of `read` for each text of a venue, in the order of the contract. */
export const mapVenueTexts = <Value>(read: (name: VenueText, description: string) => Value) =>
  Object.fromEntries(
    Object.entries(venueTexts).map(([name, description]) => [name, read(name as VenueText, description)]),
  ) as Record<VenueText, Value>
