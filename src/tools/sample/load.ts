// Loads the records of a sample into an empty database, in the caller's transaction.

import { toInstant, wallClockDate } from '../../basics/time.ts'
import { addToTree } from '../../calendar/category/tree.ts'
import { claimSlugs, slugify } from '../../calendar/text/slug.ts'
import { type OwnText, type SiteLanguages, servedTexts, writeTexts } from '../../calendar/text/text-rows.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Keyed, Sample, SampleCategory, SampleEvent, SampleOrganizer, SampleVenue, TextRecord } from './records.ts'

/** Each before the kinds that it uses. */
export const sampleKinds = ['event', 'venue', 'organizer', 'category', 'tag'] as const
export type SampleKind = (typeof sampleKinds)[number]

type Ids = ReadonlyMap<string, number>

/** Returns the IDs of the records. */
export async function loadRecords(
  tx: Tx,
  site: SiteLanguages,
  sample: Sample,
  now: Date,
): Promise<Readonly<Record<SampleKind, readonly number[]>>> {
  const post = (position: number) => {
    const publishedAt = new Date(now.getTime() - (position + 1) * 60_000)
    return { status: 'publish' as const, publishedAt, modifiedAt: publishedAt }
  }

  const imageRows = sample.images.map(({ key: _, ...picture }) => picture)
  const images = byKey(sample.images, await tx.image.createManyAndReturn({ data: imageRows, select: { id: true } }))

  const venueRows = sample.venues.map(({ key: _, first, texts: __, image, ...venue }, position) => ({
    ...venue,
    ...post(position),
    originalLanguage: first,
    imageId: image === undefined ? null : (images.get(image) ?? null),
  }))
  const venues = byKey(sample.venues, await tx.venue.createManyAndReturn({ data: venueRows, select: { id: true } }))
  await writeSampleTexts(tx, 'venue', site, sample.venues, [...venues.values()], venueSearched)

  const organizerRows = sample.organizers.map(({ key: _, first, texts: __, ...organizer }, position) => ({
    ...organizer,
    ...post(position),
    originalLanguage: first,
  }))
  const organizerIds = await tx.organizer.createManyAndReturn({ data: organizerRows, select: { id: true } })
  const organizers = byKey(sample.organizers, organizerIds)
  await writeSampleTexts(tx, 'organizer', site, sample.organizers, [...organizers.values()], organizerSearched)

  const categories = await loadCategories(tx, sample.categories)
  await writeSampleTexts(tx, 'category', site, sample.categories, [...categories.values()])

  const tagRows = sample.tags.map(({ first }) => ({ originalLanguage: first }))
  const tags = byKey(sample.tags, await tx.tag.createManyAndReturn({ data: tagRows, select: { id: true } }))
  await writeSampleTexts(tx, 'tag', site, sample.tags, [...tags.values()])

  const eventRows = sample.events.map((event, position) => ({
    ...post(position),
    ...schedule(event),
    originalLanguage: event.first,
    allDay: event.allDay ?? false,
    cost: [...(event.cost ?? [])],
    website: event.website ?? null,
    featured: event.featured ?? false,
    showMap: true,
    showMapLink: true,
    imageId: event.image === undefined ? null : (images.get(event.image) ?? null),
    eventStatus: event.eventStatus,
    attendanceMode: event.attendanceMode,
    onlineUrl: event.onlineUrl,
  }))
  const created = await tx.event.createManyAndReturn({ data: eventRows, select: { id: true } })
  const events = created.map(({ id }) => id)
  await writeSampleTexts(tx, 'event', site, sample.events, events)

  const linked = (keys: (event: SampleEvent) => readonly string[] | undefined, ids: Ids) =>
    sample.events.flatMap((event, index) => {
      const eventId = events[index] ?? 0
      return (keys(event) ?? []).map((key, position) => ({ eventId, id: ids.get(key) ?? 0, position }))
    })
  const venueLinks = linked((event) => event.venues, venues)
  await tx.eventVenue.createMany({ data: venueLinks.map(({ id, ...link }) => ({ ...link, venueId: id })) })
  const organizerLinks = linked((event) => event.organizers, organizers)
  await tx.eventOrganizer.createMany({ data: organizerLinks.map(({ id, ...link }) => ({ ...link, organizerId: id })) })
  const categoryLinks = linked((event) => event.categories, categories)
  await tx.eventCategory.createMany({ data: categoryLinks.map(({ eventId, id }) => ({ eventId, categoryId: id })) })
  const tagLinks = linked((event) => event.tags, tags)
  await tx.eventTag.createMany({ data: tagLinks.map(({ eventId, id }) => ({ eventId, tagId: id })) })
  const idsOf = (ids: Ids) => [...ids.values()]
  return {
    event: events,
    ...{ venue: idsOf(venues), organizer: idsOf(organizers), category: idsOf(categories), tag: idsOf(tags) },
  }
}

const byKey = (records: readonly Keyed[], rows: readonly { id: number }[]): Ids =>
  new Map(records.map(({ key }, index) => [key, rows[index]?.id ?? 0]))

/** Parents come before their parts in the file. */
async function loadCategories(tx: Tx, records: readonly SampleCategory[]): Promise<Ids> {
  const ids = new Map<string, number>()
  for (const { key, first, parent } of records) {
    const parentId = parent === undefined ? null : (ids.get(parent) ?? null)
    const { id } = await tx.category.create({ data: { originalLanguage: first, parentId }, select: { id: true } })
    ids.set(key, id)
    await addToTree(tx, id, parentId)
  }
  return ids
}

const present = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined)
const venueSearched = (venue: SampleVenue) =>
  present([venue.address, venue.city, venue.province, venue.state, venue.stateProvince, venue.zip, venue.phone])
const organizerSearched = ({ phone, email, website }: SampleOrganizer) => present([phone, email, website])

/** Creates slugs from the names, in each language, and stores the texts of records. */
async function writeSampleTexts<Record extends TextRecord>(
  tx: Tx,
  kind: RecordKind,
  site: SiteLanguages,
  records: readonly Record[],
  ids: readonly number[],
  searchedColumns: (record: Record) => string[] = () => [],
): Promise<void> {
  const languages = records.flatMap((record, index) =>
    Object.entries(record.texts).map(([language, text]) => ({ index, language, id: ids[index] ?? 0, text })),
  )
  const slugs = await claimSlugs(
    tx,
    kind,
    languages.map(({ id, text }) => ({ id, slug: slugify(text.name ?? '') || String(id) })),
  )
  const own = records.map(() => new Map<string, OwnText>())
  for (const [position, { index, language, text }] of languages.entries()) {
    own[index]?.set(language, { ...text, slug: slugs[position] ?? '' })
  }
  const rows = records.flatMap((record, index) =>
    servedTexts(
      {
        id: ids[index] ?? 0,
        original: record.first,
        own: own[index] ?? new Map(),
        searchedColumns: searchedColumns(record),
      },
      site,
    ),
  )
  await writeTexts(tx, kind, rows)
}

const schedule = ({ startsLocal, endsLocal, timeZone }: SampleEvent) => ({
  timeZone,
  startsLocal: wallClockDate(startsLocal),
  endsLocal: wallClockDate(endsLocal),
  startsAt: toInstant(startsLocal, timeZone),
  endsAt: toInstant(endsLocal, timeZone),
})
