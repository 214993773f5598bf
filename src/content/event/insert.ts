// A new event: its row, what it is linked to, its text and slugs, stored by one statement.
import type { Tx } from '../../db/client.ts'
import { writeAlone } from '../../db/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { stored, storing } from '../text.ts'
import type { FirstText } from '../write-text.ts'
import { carrying, type Linked, placing } from './link.ts'

const ifMade = 'WHERE EXISTS (SELECT FROM made)'

/**
 * All of it, or nothing if a slug is taken. What leads to the event is checked when the statement ends, and finds it; of
 * slugs that are taken at the last moment one may lead to none, which is refused. Of WITH the last is done first: tags
 * come after categories, as everywhere, so that no two writers wait for each other.
 */
const insert = `
  WITH slugs AS (
      INSERT INTO event_slug (slug, event_id)
      SELECT unnest($6::text[]), $1::int WHERE NOT EXISTS (SELECT FROM event_slug WHERE slug = ANY($6::text[]))
      ON CONFLICT DO NOTHING RETURNING slug),
    made AS (
      INSERT INTO event (id, author_id, status, trashed_from, published_at, modified_at, original_language, password_key,
        image_id, parent_id, starts_at, ends_at, starts_local, ends_local, time_zone, all_day, cost, website, show_map,
        show_map_link, hide_from_listings, sticky, featured, custom_fields)
      SELECT $1::int, $8::int, $9::status, $10::status, $11::timestamptz, $12::timestamptz, $13, $14, $15::int, $16::int,
        $17::timestamptz, $18::timestamptz, $19::timestamp, $20::timestamp, $21, $22::boolean, $23::text[], $24,
        $25::boolean, $26::boolean, $27::boolean, $28::boolean, $29::boolean, $30::jsonb
      WHERE (SELECT count(*) FROM slugs) = cardinality($6::text[])
      RETURNING id),
    texts AS (${storing('event', 7, ifMade)}),
    tags AS (${carrying('tag', 5, ifMade)}),
    categories AS (${carrying('category', 4, ifMade)}),
    organizers AS (${placing('organizer', 3, ifMade)}),
    venues AS (${placing('venue', 2, ifMade)})
  SELECT id FROM made`

type Row = Omit<Prisma.EventUncheckedCreateInput, 'id' | 'cost'> & { readonly cost: string[] | undefined }

/** The number is one that was drawn for it. False when a slug is taken, and nothing was stored. */
export async function insertEvent(tx: Tx, row: Row, linked: Linked, { slugs, rows }: FirstText): Promise<boolean> {
  const { id, venues, organizers, categories, tags } = linked
  const links = [venues, organizers, categories, tags].map((ids) => ids ?? [])
  const { authorId, status, trashedFrom, publishedAt, modifiedAt, originalLanguage, passwordKey, imageId, parentId } =
    row
  const { startsAt, endsAt, startsLocal, endsLocal, timeZone, allDay, cost, website } = row
  const { showMap, showMapLink, hideFromListings, sticky, featured, customFields } = row
  const made = await writeAlone(tx, insert, [
    ...[id, ...links, slugs, stored('event', rows)],
    ...[authorId, status, trashedFrom, publishedAt, modifiedAt, originalLanguage, passwordKey, imageId, parentId],
    ...[startsAt, endsAt, startsLocal, endsLocal, timeZone, allDay, cost ?? [], website],
    ...[showMap, showMapLink, hideFromListings, sticky, featured].map((flag) => flag ?? false),
    JSON.stringify(customFields ?? []),
  ])
  return made.length > 0
}
