// Reads one record of a list.
import { z } from 'zod'
import type { ToolKind } from '../operations.ts'
import { coordinateSchema, flagSchema, isEmptyFieldValue, lineSchema, recordIdSchema } from './fields.ts'
import type { RecordLabel } from './findings.ts'
import { readLanguage } from './languages.ts'
import { knownEventFields, readEventFields } from './read-event.ts'
import { type ReadRecordContext, type RecordVersion, readPostFields, readWebsite } from './read-post.ts'

/** Reads a record. One that cannot be imported is reported as skipped, and undefined. */
export function readRecord(kind: ToolKind, item: unknown, context: ReadRecordContext): RecordVersion | undefined {
  const { findings, languages } = context
  const source: Readonly<Record<string, unknown>> = Object(item)
  const { nameField, protectedFields, known } = shapes[kind]
  const id = recordIdSchema.parse(source.id)
  const subject = { kind, id, name: lineSchema.parse(source[nameField]) }
  const skip = (reason: string) => findings.skip(subject, reason)
  if (id === undefined) return skip('The record has no ID.')
  if (subject.name === '') return skip(`The record has no ${kind === 'event' ? 'title' : 'name'}.`)
  if (protectedFields.length > 0 && protectedFields.every((field) => source[field] === null)) {
    return skip('A password protects the record, so the site does not send its fields.')
  }
  const { named = context.language, translations } = readLanguage(item, languages)
  if (!languages.includes(named)) return skip(`Its language ${named} is not imported. Add it by --languages.`)
  const read =
    kind === 'category' || kind === 'tag' ? readTerm(subject, source, context) : readPostOf(subject, source, context)
  if (!read) return undefined
  for (const [field, value] of Object.entries(source)) {
    if (!known.has(field) && !isEmptyFieldValue(value)) findings.lossy(kind, field, value)
  }
  const fields = { kind, id, ...read.fields } as RecordVersion['fields']
  return { language: named, translations, text: read.text, fields }
}

const term = z.object({ slug: z.string().catch(''), description: lineSchema.optional(), parent: recordIdSchema })

function readTerm({ kind, name, id }: RecordLabel, source: object, { terms }: ReadRecordContext) {
  const { slug, description, parent } = term.parse(source)
  if (slug && id !== undefined && (kind === 'category' || kind === 'tag')) terms[kind].set(slug, id)
  const text = { name, description, excerpt: undefined, slug }
  return { text, fields: { parent: kind === 'tag' ? undefined : parent } }
}

function readPostOf(subject: RecordLabel, source: Readonly<Record<string, unknown>>, context: ReadRecordContext) {
  const post = readPostFields(subject, source, context)
  if (!post) return undefined
  const { text, common, url } = post
  if (subject.kind === 'event') {
    const fields = readEventFields(subject, source, url, context)
    return fields && { text, fields: { ...common, ...fields } }
  }
  const { website, ...fields } = subject.kind === 'venue' ? readVenue(source) : organizer.parse(source)
  return { text, fields: { ...common, ...fields, website: readWebsite(website, subject, context) } }
}

const organizer = z.object({ phone: lineSchema, email: lineSchema, website: z.unknown().optional() })

const venue = z.object({
  address: lineSchema,
  city: lineSchema,
  country: lineSchema,
  province: lineSchema,
  state: lineSchema,
  stateprovince: lineSchema,
  zip: lineSchema,
  phone: lineSchema,
  website: z.unknown().optional(),
  show_map: flagSchema,
  show_map_link: flagSchema,
  geo_lat: coordinateSchema,
  geo_lng: coordinateSchema,
})

function readVenue(source: object) {
  const { stateprovince, show_map, show_map_link, geo_lat, geo_lng, ...fields } = venue.parse(source)
  const hasPlace = geo_lat !== undefined && geo_lng !== undefined && (geo_lat !== 0 || geo_lng !== 0)
  return {
    ...fields,
    stateProvince: stateprovince,
    showMap: show_map,
    showMapLink: show_map_link,
    coordinates: hasPlace ? { latitude: geo_lat, longitude: geo_lng } : undefined,
  }
}

const fieldNames = (text: string) => text.trim().split(/\s+/)

/** Fields of all records that are read elsewhere, or follow from other fields. */
const commonFields = fieldNames(`
  id slug description url link name count meta urls json_ld _links lang translations wpml_current_locale wpml_translations`)
const postFields = fieldNames(`
  author status date date_utc modified modified_utc excerpt image global_id global_id_lineage rest_url pll_sync_post type`)
const termFields = fieldNames('parent taxonomy term_group term_taxonomy_id term_id term_order filter')

/** `protectedFields`: all null if a password protects the record. Fields that are not `known` are reported. */
const shapeOf = (nameField: string, known: readonly string[], protectedFields: readonly string[] = []) => ({
  nameField,
  protectedFields,
  known: new Set([...commonFields, nameField, ...known]),
})

const shapes: Readonly<Record<ToolKind, ReturnType<typeof shapeOf>>> = {
  event: shapeOf('title', [...postFields, ...knownEventFields], ['show_map', 'all_day']),
  venue: shapeOf('venue', [...postFields, ...Object.keys(venue.shape)], ['show_map']),
  organizer: shapeOf('organizer', [...postFields, ...Object.keys(organizer.shape)]),
  category: shapeOf('name', termFields),
  tag: shapeOf('name', termFields),
}
