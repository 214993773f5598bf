// The row of a new event with its links, stored by one statement.
import type { Tx } from '../../db/client.ts'
import { send } from '../../db/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { carrying, type Linked, placing } from './link.ts'

/** The last of WITH is done first: everywhere categories come before tags, so that writers do not wait for each other. */
const insert = `
  WITH tags AS (${carrying('tag', 5)}), categories AS (${carrying('category', 4)}),
    organizers AS (${placing('organizer', 3)}), venues AS (${placing('venue', 2)})
  INSERT INTO event (id, author_id, status, trashed_from, published_at, modified_at, original_language, password_key,
    image_id, parent_id, starts_at, ends_at, starts_local, ends_local, time_zone, all_day, cost, website, show_map,
    show_map_link, hide_from_listings, sticky, featured, custom_fields)
  VALUES ($1, $6, $7::status, $8::status, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
    $25, $26, $27, $28::jsonb)`

type Row = Omit<Prisma.EventUncheckedCreateInput, 'id' | 'cost'> & { readonly cost: string[] | undefined }

/** The number is one that was drawn for it. Links are checked when the statement ends, with the event in its table. */
export async function insertEvent(
  tx: Tx,
  row: Row,
  { id, venues, organizers, categories, tags }: Linked,
): Promise<void> {
  const links = [venues, organizers, categories, tags].map((ids) => ids ?? [])
  const { authorId, status, trashedFrom, publishedAt, modifiedAt, originalLanguage, passwordKey, imageId, parentId } =
    row
  const { startsAt, endsAt, startsLocal, endsLocal, timeZone, allDay, cost, website } = row
  const { showMap, showMapLink, hideFromListings, sticky, featured, customFields } = row
  await send(tx, insert, [
    id,
    ...links,
    ...[authorId, status, trashedFrom, publishedAt, modifiedAt, originalLanguage, passwordKey, imageId, parentId],
    ...[startsAt, endsAt, startsLocal, endsLocal, timeZone, allDay, cost ?? [], website],
    ...[showMap, showMapLink, hideFromListings, sticky, featured].map((flag) => flag ?? false),
    JSON.stringify(customFields ?? []),
  ])
}
