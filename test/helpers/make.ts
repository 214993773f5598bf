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
  const id = await makeRow(db, texts, input)
  await write(db, 'event', id, texts)
  return id
}

/** Creates an event without texts. */
async function makeRow(db: Db, texts: Texts, input: EventInput): Promise<number> {
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
  const contentId = input.contentId ?? id
  if (Object.keys(links).length > 0) await db.content.update({ where: { id: contentId }, data: links })
  return id
}

/** Creates a series with a date on each day from 19:00 to 21:00 in Paris. Returns its ID, and those of its dates; after a given ID, the next ones. */
export async function makeSeries(
  db: Db,
  texts: Texts,
  {
    days = ['2026-12-01', '2026-12-08'],
    id: givenId,
    ...input
  }: EventInput & { readonly days?: readonly string[] } = {},
): Promise<{ id: number; dates: number[] }> {
  const dates: number[] = []
  const [content] = await db.$queryRaw<{ id: number }[]>`
    INSERT INTO content SELECT coalesce(${givenId ?? null}::int, nextval('post_id_seq')) RETURNING id`
  const id = content?.id ?? 0
  const extraDates = days.map((day) => ({ startsLocal: `${day}T19:00:00`, endsLocal: `${day}T21:00:00` }))
  const [recurrence, ...others] = extraDates
  const schedule = {
    recurrences: recurrence ? [{ ...recurrence, rule: 'FREQ=DAILY;COUNT=1' }] : [],
    extraDates: others,
    excludedDates: [],
  }
  await db.series.create({
    data: { id, timeZone: 'Europe/Paris', allDay: false, schedule, isEndless: false, modifiedAt: monthAgo },
  })
  for (const [index, { startsLocal }] of extraDates.entries()) {
    const ofDate = {
      contentId: id,
      seriesId: id,
      originalStartsLocal: wallClockToDate(startsLocal),
      isExtra: index > 0,
      ...(givenId !== undefined && { id: givenId + 1 + index }),
    }
    const { venueIds, organizerIds, categoryIds, tagIds, tickets, ...columns } = input
    const links = index > 0 ? {} : { venueIds, organizerIds, categoryIds, tagIds, tickets }
    const given = Object.fromEntries(Object.entries(links).filter(([, value]) => value !== undefined))
    dates.push(await makeRow(db, texts, { ...columns, ...given, ...ofDate, start: startsLocal }))
  }
  await write(db, 'event', id, texts)
  return { id, dates }
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
