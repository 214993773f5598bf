// Loads the sample data into an empty database, in the caller's transaction.
import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { addToTree } from '../../src/content/category/tree.ts'
import { saveImage } from '../../src/content/image/files.ts'
import type { RecordKind } from '../../src/content/kinds.ts'
import { claimSlugs, slugify } from '../../src/content/text/slug.ts'
import { type OwnText, type SiteLanguages, servedTexts, writeTexts } from '../../src/content/text/text-rows.ts'
import type { Tx } from '../../src/db/client.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import { addDays, dayLength, toInstant, toWallClock, wallClockDate } from '../../src/time.ts'

interface TextRecord {
  readonly first: string
  readonly texts: Readonly<Record<string, OwnText>>
}

interface Keyed {
  readonly key: string
}

/** A picture of this project, with the columns of an image. */
interface Picture {
  readonly url: string
  readonly mimeType: string
  readonly width: number
  readonly height: number
  readonly fileSize: number
  readonly sizes: Prisma.InputJsonObject[]
  readonly alternates: Prisma.InputJsonObject[]
  readonly sizeRules: number
}

interface SampleVenue extends Keyed, TextRecord {
  readonly address?: string
  readonly city?: string
  readonly country?: string
  readonly province?: string
  readonly state?: string
  readonly stateProvince?: string
  readonly zip?: string
  readonly phone?: string
  readonly website?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly image?: string
}

interface SampleOrganizer extends Keyed, TextRecord {
  readonly phone?: string
  readonly website?: string
  readonly email?: string
}

interface SampleCategory extends Keyed, TextRecord {
  readonly parent?: string
}

interface SampleEvent extends TextRecord {
  /** Week of the start, counted from the week when the sample is loaded. */
  readonly week: number
  readonly start: string
  readonly end: string
  readonly timeZone: string
  readonly allDay?: boolean
  readonly cost?: readonly string[]
  readonly website?: string
  readonly image?: string
  readonly venues?: readonly string[]
  readonly organizers?: readonly string[]
  readonly categories?: readonly string[]
  readonly tags?: readonly string[]
  readonly featured?: boolean
}

interface Sample {
  /** The images of the sources. Pictures of this project replace them. */
  readonly images: readonly Keyed[]
  readonly venues: readonly SampleVenue[]
  readonly organizers: readonly SampleOrganizer[]
  readonly categories: readonly SampleCategory[]
  readonly tags: readonly (Keyed & TextRecord)[]
  readonly events: readonly SampleEvent[]
}

type Ids = ReadonlyMap<string, number>

export async function loadSample(tx: Tx, site: SiteLanguages, now: Date): Promise<void> {
  const sample: Sample = JSON.parse(readFileSync(new URL('sample.json', import.meta.url), 'utf8'))
  const post = (position: number) => {
    const publishedAt = new Date(now.getTime() - (position + 1) * 60_000)
    return { status: 'publish' as const, publishedAt, modifiedAt: publishedAt }
  }

  const imageRows = choosePictures(sample)
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
    ...schedule(event, now),
    originalLanguage: event.first,
    allDay: event.allDay ?? false,
    cost: [...(event.cost ?? [])],
    website: event.website ?? null,
    featured: event.featured ?? false,
    showMap: true,
    showMapLink: true,
    imageId: event.image === undefined ? null : (images.get(event.image) ?? null),
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
}

const pictures = join(import.meta.dirname, 'pictures')

/** Copies the files of the pictures into the folder of the images. */
export async function storeSamplePictures(imagesDir: string): Promise<void> {
  for await (const path of glob('*/*/*', { cwd: pictures })) {
    await saveImage(imagesDir, await readFile(join(pictures, path)), extname(path).slice(1))
  }
}

/** A picture for each image, by the first category of the first event that has the image, or by `Heritage` for a venue. */
function choosePictures({ images, events, categories }: Sample): Picture[] {
  const byCategory: Readonly<Record<string, readonly Picture[]>> = JSON.parse(
    readFileSync(join(pictures, 'pictures.json'), 'utf8'),
  )
  const nameOf = (key: string | undefined) => categories.find((category) => category.key === key)?.texts.en?.name
  const chosenBefore = new Map<string, number>()
  return images.map(({ key }) => {
    const category = nameOf(events.find(({ image }) => image === key)?.categories?.[0]) ?? 'Heritage'
    const position = chosenBefore.get(category) ?? 0
    chosenBefore.set(category, position + 1)
    const choice = byCategory[category] ?? []
    const picture = choice[position % choice.length]
    if (!picture) throw new Error(`There is no picture for the category ${category}.`)
    return picture
  })
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

/** Moves an event by whole weeks, so that weekday and wall clock stay and its start falls into its week. */
function schedule({ start, end, timeZone, week }: SampleEvent, now: Date) {
  const target = addDays(monday(toWallClock(now, timeZone)), week * 7)
  const days = Math.round((wallClockDate(target).getTime() - wallClockDate(monday(start)).getTime()) / dayLength)
  const [startsLocal, endsLocal] = [addDays(start, days), addDays(end, days)]
  return {
    timeZone,
    startsLocal: wallClockDate(startsLocal),
    endsLocal: wallClockDate(endsLocal),
    startsAt: toInstant(startsLocal, timeZone),
    endsAt: toInstant(endsLocal, timeZone),
  }
}

function monday(wallClock: string): string {
  const day = `${wallClock.slice(0, 10)}T00:00:00`
  return addDays(day, -((wallClockDate(day).getUTCDay() + 6) % 7))
}
