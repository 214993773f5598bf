// Reads venues and organizers.
import { z } from 'zod'
import { coordinate, flag, identifier, line } from './fields.ts'
import {
  commonFields,
  languageOf,
  type ReadContext,
  type RecordVersion,
  readPost,
  readWebsite,
  reportUnknown,
  subjectOf,
} from './read-post.ts'
import type { SourceOrganizer, SourceVenue } from './source-records.ts'

const venue = z.object({
  id: identifier,
  venue: line,
  address: line,
  city: line,
  country: line,
  province: line,
  state: line,
  stateprovince: line,
  zip: line,
  phone: line,
  website: z.unknown().optional(),
  show_map: flag,
  show_map_link: flag,
  geo_lat: coordinate,
  geo_lng: coordinate,
})

const organizer = z.object({
  id: identifier,
  organizer: line,
  phone: line,
  email: line,
  website: z.unknown().optional(),
})

const knownVenueFields = new Set([...commonFields, ...Object.keys(venue.shape)])
const knownOrganizerFields = new Set([...commonFields, ...Object.keys(organizer.shape)])

const isProtected = 'A password protects it, so that the site does not show its fields.'

export function readVenue(item: unknown, context: ReadContext): RecordVersion<SourceVenue> | undefined {
  const { data } = venue.safeParse(item)
  const subject = subjectOf('venue', data?.id, data?.venue ?? '')
  if (!data || data.id === undefined) return void context.findings.skip(subject, 'It has no ID.')
  if (Object(item).show_map === null) return void context.findings.skip(subject, isProtected)
  const read = readNamed(item, subject, context)
  if (!read) return undefined
  reportUnknown(Object(item), knownVenueFields, 'venue', context.findings)
  const { id, venue: _, stateprovince, show_map, show_map_link, geo_lat, geo_lng, ...lines } = data
  const hasPlace = geo_lat !== undefined && geo_lng !== undefined && (geo_lat !== 0 || geo_lng !== 0)
  return {
    ...read.version,
    fields: {
      kind: 'venue',
      id,
      ...read.common,
      ...lines,
      stateProvince: stateprovince,
      website: readWebsite(data.website, subject, context),
      showMap: show_map,
      showMapLink: show_map_link,
      coordinates: hasPlace ? { latitude: geo_lat, longitude: geo_lng } : undefined,
    },
  }
}

export function readOrganizer(item: unknown, context: ReadContext): RecordVersion<SourceOrganizer> | undefined {
  const { data } = organizer.safeParse(item)
  const subject = subjectOf('organizer', data?.id, data?.organizer ?? '')
  if (!data || data.id === undefined) return void context.findings.skip(subject, 'It has no ID.')
  const read = readNamed(item, subject, context)
  if (!read) return undefined
  reportUnknown(Object(item), knownOrganizerFields, 'organizer', context.findings)
  const { id, phone, email } = data
  const website = readWebsite(data.website, subject, context)
  return { ...read.version, fields: { kind: 'organizer', id, ...read.common, phone, email, website } }
}

function readNamed(item: unknown, subject: ReturnType<typeof subjectOf>, context: ReadContext) {
  if (subject.name === '') return void context.findings.skip(subject, 'It has no name.')
  const language = languageOf(item, subject, context)
  const post = language && readPost(item, subject, context)
  return post && { version: { ...language, text: post.text }, common: post.common }
}
