// Creates the categories, tags, venues and organizers of events.

import type { Random } from '../prisma/seed/random.ts'
import { addCategoryToTree } from '../src/calendar/category/tree.ts'
import type { Tx } from '../src/engine/postgres/client.ts'
import { type City, cities } from './cities.ts'
import { languages } from './sample-texts.ts'
import { capitalized, categoryTexts, organizerTexts, tagTexts, venueTexts } from './texts.ts'
import { wordsOf } from './words.ts'
import { originalLanguage, writeRecordTexts } from './write-texts.ts'

export interface Venue {
  readonly id: number
  readonly city: City
}

/** Columns of a record that was published within the last year. */
export function published(random: Random, now: Date) {
  const publishedAt = new Date(now.getTime() - random.int(1, 365 * 24 * 60) * 60_000)
  return { status: 'publish' as const, publishedAt, modifiedAt: publishedAt }
}

/** Creates users with the role of authors. */
export async function makeUsers(tx: Tx, numbers: readonly number[]): Promise<number[]> {
  const data = numbers.map((number) => ({
    login: `author-${number}`,
    name: `Author ${number}`,
    role: 'author' as const,
  }))
  return idsOf(await tx.user.createManyAndReturn({ data, select: { id: true } }))
}

/** Creates a tree of categories, several levels deep. */
export async function makeCategories(tx: Tx, random: Random, numbers: readonly number[]): Promise<number[]> {
  const records = numbers.map((number) => ({ texts: categoryTexts(random, number) }))
  const ids: number[] = []
  for (const [number, record] of records.entries()) {
    const parentId = number < roots || ids.length === 0 ? null : random.pick(ids)
    const data = { originalLanguage: originalLanguage(record), parentId }
    const { id } = await tx.category.create({ data, select: { id: true } })
    await addCategoryToTree(tx, id, parentId)
    ids.push(id)
  }
  await writeRecordTexts(tx, 'category', records, ids)
  return ids
}

/** Number of categories without a parent. */
const roots = 12

export async function makeTags(tx: Tx, random: Random, numbers: readonly number[]): Promise<number[]> {
  const records = numbers.map(() => ({ texts: tagTexts(random) }))
  const data = records.map((record) => ({ originalLanguage: originalLanguage(record) }))
  const ids = idsOf(await tx.tag.createManyAndReturn({ data, select: { id: true } }))
  await writeRecordTexts(tx, 'tag', records, ids)
  return ids
}

export async function makeVenues(tx: Tx, random: Random, numbers: readonly number[], now: Date): Promise<Venue[]> {
  const records = numbers.map((number) => {
    const region = random.pick(cities)
    const city = random.chance(0.4) ? region : inventTown(random, region)
    const columns = {
      ...published(random, now),
      address: `${random.int(1, 180)} ${random.pick(streets)} ${inventPlace(random)}`,
      city: city.name,
      country: city.country,
      province: city.province,
      stateProvince: city.province,
      zip: `${city.zip}${random.int(10, 99)}`,
      phone: phone(random),
      website: `https://venue-${number + 1}.example.org`,
      latitude: near(random, city.latitude),
      longitude: near(random, city.longitude),
    }
    const { address, province, stateProvince, zip } = columns
    const searched = [address, city.name, province, stateProvince, zip, columns.phone]
    return { columns, city, texts: venueTexts(random, city.name), searched }
  })
  const data = records.map((record) => ({ ...record.columns, originalLanguage: originalLanguage(record) }))
  const ids = idsOf(await tx.venue.createManyAndReturn({ data, select: { id: true } }))
  await writeRecordTexts(tx, 'venue', records, ids)
  return records.map(({ city }, index) => ({ id: ids[index] ?? 0, city }))
}

export async function makeOrganizers(tx: Tx, random: Random, numbers: readonly number[], now: Date): Promise<number[]> {
  const records = numbers.map((number) => {
    const host = `organizer-${number + 1}.example.org`
    const contact = { phone: phone(random), email: `hello@${host}`, website: `https://${host}` }
    const searched = [contact.phone, contact.email, contact.website]
    return { columns: { ...published(random, now), ...contact }, texts: organizerTexts(random), searched }
  })
  const data = records.map((record) => ({ ...record.columns, originalLanguage: originalLanguage(record) }))
  const ids = idsOf(await tx.organizer.createManyAndReturn({ data, select: { id: true } }))
  await writeRecordTexts(tx, 'organizer', records, ids)
  return ids
}

export const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

const streets = ['rue', 'avenue', 'calle', 'plaza', 'Street', 'quai']

/** The name of a town or a street. */
function inventPlace(random: Random): string {
  const words = wordsOf(random.pick(languages))
  return random.pick(['', '', 'Saint-', 'Villa ', 'Le ']) + capitalized(words.pick(random))
}

/** A town within some hundred kilometres of the city. */
const inventTown = (random: Random, city: City): City => ({
  ...city,
  name: inventPlace(random),
  latitude: city.latitude + random.next() * 4 - 2,
  longitude: city.longitude + random.next() * 4 - 2,
})

const phone = (random: Random) => `+00 555 ${random.int(100, 999)} ${random.int(100, 999)}`

/** A coordinate within about eight kilometres, with a precision of a metre. */
const near = (random: Random, degrees: number) => Math.round((degrees + (random.next() - 0.5) * 0.15) * 1e5) / 1e5
