// Loads the records of a sample into an empty database, in the caller's transaction.
import { toInstant, wallClockToDate } from '../../basics/time.ts'
import { addCategoryToTree } from '../../calendar/category/tree.ts'
import { reserveUniqueSlugs, slugify } from '../../calendar/text/slug.ts'
import { insertTextRows, type OwnText, type SiteLanguages, toServedTextRows } from '../../calendar/text/text-rows.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type RecordKind } from '../../kinds.ts'
import type { SampleEvent, SampleRecords, SampleRecordTexts } from './records.ts'

/** Kinds of sample records in the order of removal: each kind before the kinds that its records refer to. */
export const sampleKinds = ['event', 'venue', 'organizer', 'category', 'tag'] as const
export type SampleKind = (typeof sampleKinds)[number]

type Rows = Promise<readonly { readonly id: number }[]>

/** Creates the records. Returns their IDs by kind. */
export async function loadSampleRecords(
  tx: Tx,
  site: SiteLanguages,
  sample: SampleRecords,
  now: Date,
): Promise<Readonly<Record<SampleKind, readonly number[]>>> {
  const select = { id: true } as const
  const save = async (kind: RecordKind, records: readonly SampleRecordTexts[], rows: Rows) => {
    const ids = (await rows).map(({ id }) => id)
    await writeSampleTexts(tx, kind, site, records, ids)
    return ids
  }

  const images = sample.images.map(({ key: _, ...columns }) => columns)
  const imageRows = await tx.image.createManyAndReturn({ data: images, select })
  const imageIds = new Map(sample.images.map(({ key }, index) => [key, imageRows[index]?.id]))

  const postsOf = <Columns>(
    posts: readonly (SampleRecordTexts & { readonly key?: string; readonly image?: string })[],
  ) =>
    posts.map(({ key: _, texts: __, first, image = '', ...columns }, position) => {
      const publishedAt = new Date(now.getTime() - (position + 1) * 60_000)
      const dates = { publishedAt, modifiedAt: publishedAt }
      return {
        ...columns,
        ...dates,
        originalLanguage: first,
        status: 'publish',
        imageId: imageIds.get(image),
      } as Columns
    })
  const venues = postsOf<Prisma.VenueCreateManyInput>(sample.venues)
  const venue = await save('venue', sample.venues, tx.venue.createManyAndReturn({ data: venues, select }))
  const organizers = postsOf<Prisma.OrganizerCreateManyInput>(sample.organizers)
  const created = tx.organizer.createManyAndReturn({ data: organizers, select })
  const organizer = await save('organizer', sample.organizers, created)

  const category = await save('category', sample.categories, loadCategories(tx, sample.categories))
  const tags = sample.tags.map(({ first }) => ({ originalLanguage: first }))
  const tag = await save('tag', sample.tags, tx.tag.createManyAndReturn({ data: tags, select }))

  const events = postsOf<Prisma.EventCreateManyInput>(sample.events.map(eventColumns))
  const event = await save('event', sample.events, tx.event.createManyAndReturn({ data: events, select }))

  const linksOf = (plural: 'venues' | 'organizers' | 'categories' | 'tags', ids: readonly number[]) =>
    sample.events.flatMap((each, index) =>
      (each[plural] ?? []).map((key, position) => {
        const id = ids[sample[plural].findIndex((record) => record.key === key)] ?? 0
        return { contentId: event[index] ?? 0, id, position }
      }),
    )
  await tx.contentVenue.createMany({
    data: linksOf('venues', venue).map(({ id, ...link }) => ({ ...link, venueId: id })),
  })
  await tx.contentOrganizer.createMany({
    data: linksOf('organizers', organizer).map(({ id, ...link }) => ({ ...link, organizerId: id })),
  })
  await tx.contentCategory.createMany({
    data: linksOf('categories', category).map(({ contentId, id }) => ({ contentId, categoryId: id })),
  })
  await tx.contentTag.createMany({ data: linksOf('tags', tag).map(({ contentId, id }) => ({ contentId, tagId: id })) })
  return { event, venue, organizer, category, tag }
}

function eventColumns({ venues: _, organizers: __, categories: ___, tags: ____, ...columns }: SampleEvent) {
  const { startsLocal, endsLocal, timeZone } = columns
  return {
    showMap: true,
    showMapLink: true,
    ...columns,
    startsLocal: wallClockToDate(startsLocal),
    endsLocal: wallClockToDate(endsLocal),
    startsAt: toInstant(startsLocal, timeZone),
    endsAt: toInstant(endsLocal, timeZone),
  }
}

async function loadCategories(tx: Tx, records: SampleRecords['categories']): Rows {
  const ids = new Map<string, number>()
  for (const { key, first, parent } of records) {
    const parentId = (parent !== undefined && ids.get(parent)) || null
    const { id } = await tx.category.create({ data: { originalLanguage: first, parentId }, select: { id: true } })
    ids.set(key, id)
    await addCategoryToTree(tx, id, parentId)
  }
  return [...ids.values()].map((id) => ({ id }))
}

/** Stores the texts of records in each language, with slugs made from the names. */
async function writeSampleTexts(
  tx: Tx,
  kind: RecordKind,
  site: SiteLanguages,
  records: readonly SampleRecordTexts[],
  ids: readonly number[],
): Promise<void> {
  const texts = records.flatMap((record, index) =>
    Object.entries(record.texts).map(([language, text]) => ({ index, language, id: ids[index] ?? 0, text })),
  )
  const slugs = await reserveUniqueSlugs(
    tx,
    kind,
    texts.map(({ id, text }) => ({ id, slug: slugify(text.name ?? '') || String(id) })),
  )
  const own = records.map(() => new Map<string, OwnText>())
  for (const [position, { index, language, text }] of texts.entries()) {
    own[index]?.set(language, { ...text, slug: slugs[position] ?? '' })
  }
  const rows = own.flatMap((ownTexts, index) => {
    const record: Readonly<Record<string, unknown>> & SampleRecordTexts = { ...(records[index] as SampleRecordTexts) }
    const searchedColumns = kinds[kind].searchedColumns
      .map((column) => record[column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())])
      .filter((value) => typeof value === 'string')
    return toServedTextRows({ id: ids[index] ?? 0, original: record.first, own: ownTexts, searchedColumns }, site)
  })
  await insertTextRows(tx, kind, rows)
}
