// A new event: its row, what it is linked to, its text and slugs, stored by one statement.
import type { Tx } from '../../db/client.ts'
import { send } from '../../db/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { stored, storing } from '../text.ts'
import type { FirstText } from '../write-text.ts'
import { carrying, type Linked, placing } from './link.ts'

/**
 * What leads to the event is checked when the statement ends, and finds it. Of WITH the last is done first: tags come
 * after categories, as everywhere, so that no two writers wait for each other.
 */
const insert = `
  WITH texts AS (${storing('event', 7)}),
    tags AS (${carrying('tag', 5)}),
    categories AS (${carrying('category', 4)}),
    organizers AS (${placing('organizer', 3)}),
    venues AS (${placing('venue', 2)}),
    events AS (
      INSERT INTO event (id, author_id, status, trashed_from, published_at, modified_at, original_language, password_key,
        image_id, parent_id, starts_at, ends_at, starts_local, ends_local, time_zone, all_day, cost, website, show_map,
        show_map_link, hide_from_listings, sticky, featured, custom_fields)
      VALUES ($1, $8, $9::status, $10::status, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
        $26, $27, $28, $29, $30::jsonb)),
    slugs AS (
      INSERT INTO event_slug (slug, event_id) SELECT unnest($6::text[]), $1::int ON CONFLICT DO NOTHING RETURNING slug)
  SELECT count(*)::int AS given FROM slugs`

type Row = Omit<Prisma.EventUncheckedCreateInput, 'id' | 'cost'> & { readonly cost: string[] | undefined }

/** The number is one that was drawn for it. Answers whether it got all the slugs of its text. */
export async function insertEvent(tx: Tx, row: Row, linked: Linked, { slugs, rows }: FirstText): Promise<boolean> {
  const { id, venues, organizers, categories, tags } = linked
  const links = [venues, organizers, categories, tags].map((ids) => ids ?? [])
  const { authorId, status, trashedFrom, publishedAt, modifiedAt, originalLanguage, passwordKey, imageId, parentId } =
    row
  const { startsAt, endsAt, startsLocal, endsLocal, timeZone, allDay, cost, website } = row
  const { showMap, showMapLink, hideFromListings, sticky, featured, customFields } = row
  const [answer] = await send<{ given: number }>(tx, insert, [
    ...[id, ...links, slugs, stored('event', rows)],
    ...[authorId, status, trashedFrom, publishedAt, modifiedAt, originalLanguage, passwordKey, imageId, parentId],
    ...[startsAt, endsAt, startsLocal, endsLocal, timeZone, allDay, cost ?? [], website],
    ...[showMap, showMapLink, hideFromListings, sticky, featured].map((flag) => flag ?? false),
    JSON.stringify(customFields ?? []),
  ])
  return answer?.given === slugs.length
}
