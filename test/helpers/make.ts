// Creates records for tests, with the same functions for texts and slugs as the service.

import { toInstant, wallClockToDate } from '../../src/basics/time.ts'
import { addCategoryToTree } from '../../src/calendar/category/tree.ts'
import { reserveUniqueSlugs, slugify } from '../../src/calendar/text/slug.ts'
import { insertTextRows, type OwnText, toServedTextRows } from '../../src/calendar/text/text-rows.ts'
import type { Db } from '../../src/engine/postgres/client.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { RecordKind } from '../../src/kinds.ts'
import { now } from './app.ts'

const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }
const monthAgo = new Date(now.getTime() - 30 * 86_400_000)

/** Texts by language; the first one is the original language. A single text is English. */
export type Texts = string | Readonly<Record<string, string | OwnText>>

const ownTexts = (texts: Texts): [string, OwnText][] =>
  Object.entries(typeof texts === 'string' ? { en: texts } : texts).map(([language, text]) => [
    language,
    typeof text === 'string' ? { name: text } : text,
  ])

const originalLanguage = (texts: Texts): string => ownTexts(texts)[0]?.[0] ?? 'en'

async function write(
  db: Db,
  kind: RecordKind,
  id: number,
  texts: Texts,
  searchedColumns: string[] = [],
): Promise<void> {
  await db.$transaction(async (tx) => {
    const own = new Map<string, OwnText>()
    for (const [language, text] of ownTexts(texts)) {
      const baseSlug = text.slug ?? slugify(text.name ?? '')
      const [slug] = baseSlug === '' ? [''] : await reserveUniqueSlugs(tx, kind, [{ id, slug: baseSlug }])
      own.set(language, text.name === undefined ? text : { ...text, slug: slug ?? '' })
    }
    await insertTextRows(
      tx,
      kind,
      toServedTextRows({ id, original: originalLanguage(texts), own, searchedColumns }, site),
    )
  })
}

const post = { status: 'publish' as const, publishedAt: monthAgo, modifiedAt: monthAgo }

export interface EventInput
  extends Partial<Omit<Prisma.EventUncheckedCreateInput, 'startsLocal' | 'endsLocal' | 'tickets'>> {
  /** Wall clock of the start, such as `2026-12-01T19:00:00`. The end is two hours later by default. */
  readonly start?: string
  readonly end?: string
  readonly venueIds?: readonly number[]
  readonly organizerIds?: readonly number[]
  readonly categoryIds?: readonly number[]
  readonly tagIds?: readonly number[]
  readonly tickets?: Prisma.ContentTicketUncheckedCreateNestedManyWithoutContentInput
}

export async function makeEvent(db: Db, texts: Texts, input: EventInput = {}): Promise<number> {
  const { start = '2026-12-01T19:00:00', end, venueIds = [], organizerIds = [], categoryIds = [], tagIds = [] } = input
  const { start: _, end: __, venueIds: ___, organizerIds: ____, categoryIds: _____, tagIds: ______, ...others } = input
  const { tickets, ...columns } = others
  const timeZone = input.timeZone ?? 'Europe/Paris'
  const startsLocal = wallClockToDate(start)
  const endsLocal = end === undefined ? new Date(startsLocal.getTime() + 7_200_000) : wallClockToDate(end)
  const endClock = endsLocal.toISOString().slice(0, 19)
  const { id } = await db.event.create({
    data: {
      ...post,
      originalLanguage: originalLanguage(texts),
      timeZone,
      startsLocal,
      endsLocal,
      startsAt: toInstant(start, timeZone),
      endsAt: toInstant(endClock, timeZone),
      ...columns,
    },
    select: { id: true },
  })
  const links = {
    ...(venueIds.length > 0 && { venues: { create: venueIds.map((venueId, position) => ({ venueId, position })) } }),
    ...(organizerIds.length > 0 && {
      organizers: { create: organizerIds.map((organizerId, position) => ({ organizerId, position })) },
    }),
    ...(categoryIds.length > 0 && { categories: { create: categoryIds.map((categoryId) => ({ categoryId })) } }),
    ...(tagIds.length > 0 && { tags: { create: tagIds.map((tagId) => ({ tagId })) } }),
    ...(tickets && { tickets }),
  }
  if (Object.keys(links).length > 0) await db.content.update({ where: { id }, data: links })
  await write(db, 'event', id, texts)
  return id
}

export async function makeVenue(
  db: Db,
  texts: Texts,
  columns: Partial<Prisma.VenueUncheckedCreateInput> = {},
): Promise<number> {
  const data = { ...post, originalLanguage: originalLanguage(texts), ...columns }
  const { id } = await db.venue.create({ data, select: { id: true } })
  await write(db, 'venue', id, texts)
  return id
}

export async function makeOrganizer(
  db: Db,
  texts: Texts,
  columns: Partial<Prisma.OrganizerUncheckedCreateInput> = {},
): Promise<number> {
  const data = { ...post, originalLanguage: originalLanguage(texts), ...columns }
  const { id } = await db.organizer.create({ data, select: { id: true } })
  await write(db, 'organizer', id, texts)
  return id
}

export async function makeCategory(db: Db, texts: Texts, parentId: number | null = null): Promise<number> {
  const { id } = await db.category.create({ data: { originalLanguage: originalLanguage(texts), parentId } })
  await db.$transaction((tx) => addCategoryToTree(tx, id, parentId))
  await write(db, 'category', id, texts)
  return id
}

export async function makeTag(db: Db, texts: Texts): Promise<number> {
  const { id } = await db.tag.create({ data: { originalLanguage: originalLanguage(texts) } })
  await write(db, 'tag', id, texts)
  return id
}

export async function makeImage(db: Db, url = 'https://images.test/poster.jpg'): Promise<number> {
  const sizes = [{ name: 'thumbnail', url: `${url}?small`, width: 150, height: 150, mimeType: 'image/jpeg' }]
  const alternates = sizes.map((size) => ({ ...size, url: `${url}?webp`, mimeType: 'image/webp' }))
  const name = url.replace(/^.*\/|\.[a-z]+$/g, '')
  const texts = site.languages.map((language) => ({
    language,
    title: name,
    written: language === 'en' ? ['title'] : [],
  }))
  const own = { slug: slugify(name), originalLanguage: 'en', texts: { create: texts } }
  const data = { url, mimeType: 'image/jpeg', width: 1200, height: 800, sizes, alternates, ...own }
  const { id } = await db.image.create({ data })
  return id
}
