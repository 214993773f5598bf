// Records and words that benchmark requests refer to, in a database filled by `grow`.
import { foldText } from '../src/calendar/text/fold.ts'
import type { Db } from '../src/engine/postgres/client.ts'
import { Prisma } from '../src/generated/prisma/client.ts'

/** A record of each kind that events are linked to: the IDs, or the slugs of terms. */
interface LinkedRecords {
  readonly venue: number
  readonly organizer: number
  readonly category: string
  readonly tag: string
  readonly author: number
}

/** The linked records have few events. */
export interface SampleRecords extends LinkedRecords {
  /** Those with most events. */
  readonly frequent: LinkedRecords
  readonly event: number
  readonly events: readonly number[]
  readonly parent: number
  readonly slug: string
  /** A word in the title of a listed event, and in the texts of few other events. */
  readonly rareWord: string
  /** A word in the names of few venues. */
  readonly venueWord: string
  /** A word in the names of few organizers. */
  readonly organizerWord: string
}

/** A word of a third of the events. */
export const commonWord = 'festival'
export const phrase = '"of the festival"'
/** A city with 3 % of the venues. */
export const place = { latitude: 48.8566, longitude: 2.3522 }

const language = 'en'

/** Finds records that are linked to events in the default window of lists. */
export async function findSampleRecords(db: Db, now: Date): Promise<SampleRecords> {
  const isListed = { status: 'publish', hideFromListings: false, passwordKey: null, startsAt: { gt: now } } as const
  const event = await db.event.findFirstOrThrow({
    where: {
      ...isListed,
      venues: { some: {} },
      organizers: { some: {} },
      categories: { some: {} },
      tags: { some: {} },
    },
    orderBy: { id: 'desc' },
  })
  const part = await db.event.findFirstOrThrow({
    where: { ...isListed, parentId: { not: null } },
    orderBy: { id: 'asc' },
  })
  const events = await db.event.findMany({ select: { id: true }, where: isListed, take: 20, orderBy: { id: 'desc' } })
  const ids = events.map(({ id }) => id)
  // The generator links those most often that it created first.
  const linked = (key: string, table: string) => Prisma.sql`
    SELECT max(${Prisma.raw(key)}) AS id FROM ${Prisma.raw(table)} WHERE ${Prisma.raw(table === 'event' ? 'id' : 'event_id')} = ANY(${ids})`
  const rare = await linkedRecords(db, linked)
  const frequent = await linkedRecords(db, (key, table) => {
    const column = Prisma.raw(key)
    return Prisma.sql`
      SELECT ${column} AS id FROM ${Prisma.raw(table)} GROUP BY ${column} ORDER BY count(*) DESC, ${column} LIMIT 1`
  })
  return {
    ...rare,
    frequent,
    event: event.id,
    events: ids,
    parent: part.parentId ?? 0,
    slug: (await db.eventText.findFirstOrThrow({ where: { eventId: event.id, language } })).slug,
    rareWord: await rarestWord(db, 'event', ids),
    venueWord: await rarestWord(db, 'venue', [rare.venue]),
    organizerWord: await rarestWord(db, 'organizer', [rare.organizer]),
  }
}

/** `select` returns a statement for one ID of a key in a table. */
async function linkedRecords(db: Db, select: (key: string, table: string) => Prisma.Sql): Promise<LinkedRecords> {
  const idOf = async (key: string, table: string) => {
    const rows = await db.$queryRaw<{ id: number | null }[]>(select(key, table))
    return rows[0]?.id ?? 0
  }
  const [categoryId, tagId] = [await idOf('category_id', 'event_category'), await idOf('tag_id', 'event_tag')]
  return {
    venue: await idOf('venue_id', 'event_venue'),
    organizer: await idOf('organizer_id', 'event_organizer'),
    category: (await db.categoryText.findFirstOrThrow({ where: { categoryId, language } })).slug,
    tag: (await db.tagText.findFirstOrThrow({ where: { tagId, language } })).slug,
    author: await idOf('author_id', 'event'),
  }
}

/** The word in the names of the records that the texts of the fewest records have, of equally rare words the first. */
async function rarestWord(db: Db, kind: 'event' | 'venue' | 'organizer', ids: readonly number[]): Promise<string> {
  const [table, key] = [Prisma.raw(`${kind}_text`), Prisma.raw(`${kind}_id`)]
  const names = await db.$queryRaw<{ name: string }[]>`
    SELECT name FROM ${table} WHERE ${key} = ANY(${ids}) AND language = ${language} ORDER BY ${key} DESC`
  const words = [...new Set(names.flatMap(({ name }) => foldText(name).match(/[a-z]{5,}/g) ?? []))]
  const rows = await db.$queryRaw<{ word: string }[]>`
    SELECT word FROM ${table}, unnest(string_to_array(regexp_replace(folded, '[^a-z]+', ' ', 'g'), ' ')) AS word
    WHERE language = ${language} AND word = ANY(${words}) GROUP BY word
    ORDER BY count(*), array_position(${words}::text[], word) LIMIT 1`
  return rows[0]?.word ?? ''
}
