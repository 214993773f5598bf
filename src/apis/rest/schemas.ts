// Schemas of the response bodies (contract c), for /doc. Tests validate responses with them.
import { z } from 'zod'
import { memoizeOnce } from '../../basics/memoize.ts'
import { legacyStatuses, mapVenueTexts } from './text.ts'

const text = z.string()
const date = z.string().regex(/^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const url = z.url()
/** A URL, or an empty string. */
const link = text
const total = z.int().min(0)
const optional = { text: text.optional(), int: z.int().optional() }

const ImageSize = z.strictObject({
  width: optional.int,
  height: optional.int,
  'mime-type': optional.text,
  filesize: optional.int,
  url,
})

const Image = z.strictObject({
  url: text.describe('The image in full size.'),
  id: z.int(),
  extension: text,
  width: z.int().optional().describe('Pixels.'),
  height: z.int().optional().describe('Pixels.'),
  filesize: z.int().optional().describe('Bytes.'),
  sizes: z
    .record(z.string(), ImageSize)
    .optional()
    .describe('Smaller versions by name. Without any, the file itself as `full`.'),
})

const DateDetails = z
  .strictObject({ year: text, month: text, day: text, hour: text, minutes: text, seconds: text })
  .describe('The parts of a date, padded with zeros.')

const CostDetails = z.strictObject({
  currency_symbol: text,
  currency_code: text,
  currency_position: z.enum(['prefix', 'postfix', '']),
  values: z.array(z.string()).describe('Prices, lowest first.'),
})

const Term = z
  .strictObject({
    id: z.int(),
    name: text,
    slug: text,
    taxonomy: text.describe('`post_tag` for tags, REST_CATEGORY_TAXONOMY for categories.'),
    description: text,
    parent: z.int().describe('ID of the parent category; 0 for top-level categories and tags.'),
    count: z.int().describe('Number of published events with this term.'),
    meta: z.array(z.unknown()).max(0),
    url: link,
    urls: z.strictObject({ self: url, collection: url, up: url.optional() }),
  })
  .describe('A category or tag.')

const jsonLd = z.record(z.string(), z.unknown()).describe('schema.org JSON-LD; only when a single record is read.')
const image = z.union([Image, z.literal(false)])

const identity = { id: z.int(), global_id: text, global_id_lineage: z.array(text) }
const published = {
  status: z.enum(legacyStatuses),
  date: date.describe("Publication date, in the site's time zone."),
  date_utc: date,
  modified: date,
  modified_utc: date,
  url: link,
}

const post = {
  ...identity,
  author: optional.text,
  ...published,
  description: text.optional().describe('HTML.'),
  excerpt: text.optional().describe('HTML.'),
  slug: optional.text,
  image: image.optional().describe('False while a password withholds it. Other withheld fields are empty.'),
  phone: optional.text,
  website: optional.text,
  json_ld: jsonLd.optional(),
}

const Venue = z
  .strictObject({
    ...post,
    venue: text.describe('Name.'),
    ...mapVenueTexts(() => optional.text),
    stateprovince: optional.text,
    geo_lat: z.number().optional(),
    geo_lng: z.number().optional(),
    show_map: z.boolean().nullable(),
    show_map_link: z.boolean().nullable(),
  })
  .describe('Fields without a value are omitted.')

const Organizer = z
  .strictObject({ ...post, organizer: text.describe('Name.'), email: optional.text })
  .describe('Fields without a value are omitted.')

const withheld = 'Null if the event is protected and the request has no valid password.'
const flag = z.boolean().nullable().describe(withheld)

const SeriesDate = z.strictObject({
  id: z.int().describe('ID of the series.'),
  url: link.describe('Page of the series.'),
  rest_url: url.describe('The dates of the series.'),
  occurrence: z
    .enum(['regular', 'changed', 'extra'])
    .describe('Whether the date is one that a rule gives, one that was changed, or one apart from the rules.'),
  original_start_date: date.describe('Local start that the schedule of the series gives the date.'),
  label: text.describe('What is special about this date; empty if nothing, or while a password withholds it.'),
  note: text.describe('A note about this date; empty like `label`.'),
})

const Event = z.strictObject({
  ...identity,
  author: text,
  ...published,
  rest_url: url,
  title: text,
  description: text.describe('HTML.'),
  excerpt: text.describe('HTML.'),
  slug: text,
  image,
  all_day: flag,
  start_date: date.describe("Wall clock in the event's time zone."),
  start_date_details: DateDetails,
  end_date: date,
  end_date_details: DateDetails,
  utc_start_date: date,
  utc_start_date_details: DateDetails,
  utc_end_date: date,
  utc_end_date_details: DateDetails,
  timezone: text,
  timezone_abbr: text,
  cost: text,
  cost_details: CostDetails,
  website: text,
  show_map: flag,
  show_map_link: flag,
  hide_from_listings: flag,
  sticky: flag,
  featured: flag,
  categories: z.array(Term),
  tags: z.array(Term),
  venue: z.union([Venue, z.array(Venue)]).describe('The venue; a list if there are several or none.'),
  organizer: z.array(Organizer),
  custom_fields: z.union([
    z.array(z.unknown()).max(0),
    z.record(z.string(), z.strictObject({ label: z.string(), value: z.unknown() })),
  ]),
  is_virtual: z.literal(true).optional().describe('Extension: only of events that people attend online.'),
  virtual_url: link
    .nullable()
    .optional()
    .describe(
      'Extension: URL where people attend the event online; null if there is none, or if the event is protected and the request has no valid password.',
    ),
  virtual_video_source: z.literal('').optional().describe('Extension: always empty.'),
  json_ld: jsonLd.optional(),
  series: SeriesDate.optional().describe('Extension: only of dates of a series of events.'),
})

const list = (key: string, item: z.ZodType) =>
  z.strictObject({
    [key]: z.array(item),
    rest_url: url,
    next_rest_url: url.optional(),
    previous_rest_url: url.optional(),
    total,
    total_pages: total,
  })

const changes = (key: string, item: z.ZodType) =>
  z
    .strictObject({
      [key]: z.array(item).describe('The records to store.'),
      deleted: z.array(z.int()).describe('IDs of the records to remove.'),
      sync_token: text.describe('For the next request.'),
      has_more: z.boolean().describe('Whether the next request returns more now.'),
    })
    .describe('The response to a request with `sync_token`.')

const ErrorBody = z.strictObject({
  code: text,
  message: text.describe('For humans; may change.'),
  data: z.looseObject({ status: z.int().describe('The HTTP status.') }),
})

/** The response to a write that was committed, but whose record could not be read back. */
const Committed = z.strictObject({
  id: z.int().nullable().describe('ID of the record that was written.'),
  code: z.literal('rest_committed_unreadable'),
  message: text.describe('For humans; may change.'),
  data: z.looseObject({ status: z.int().describe('The HTTP status.'), committed: z.literal(true) }),
})

const schemas = {
  ImageSize,
  Image,
  DateDetails,
  CostDetails,
  Term,
  Venue,
  Organizer,
  SeriesDate,
  Event,
  EventList: list('events', Event),
  VenueList: list('venues', Venue),
  OrganizerList: list('organizers', Organizer),
  CategoryList: list('categories', Term),
  TagList: list('tags', Term),
  EventChanges: changes('events', Event),
  VenueChanges: changes('venues', Venue),
  OrganizerChanges: changes('organizers', Organizer),
  CategoryChanges: changes('categories', Term),
  TagChanges: changes('tags', Term),
  Committed,
  Error: ErrorBody,
} as const

export type SchemaName = keyof typeof schemas

/** Converts the schemas to JSON Schema 2020-12, with references to components of the OpenAPI document. */
export const createComponentSchemas = memoizeOnce((): Readonly<Record<string, object>> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas: all } = z.toJSONSchema(registry, { uri, io: 'output', override: simplify })
  return Object.fromEntries(Object.entries(all).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]))
})

/** Removes redundant keywords, which Swagger UI would show in its examples. */
function simplify(context: {
  jsonSchema: { minimum?: number; maximum?: number; additionalProperties?: unknown }
}): void {
  const { additionalProperties } = context.jsonSchema
  if (additionalProperties && Object.keys(additionalProperties).length === 0)
    delete context.jsonSchema.additionalProperties
  removeIntegerBounds(context)
}

/** Removes the bounds that zod adds to every integer. */
export function removeIntegerBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
