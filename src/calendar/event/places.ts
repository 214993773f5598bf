// Finds the venues that events are filtered by: their name, address or city.

import { badInputError } from '../../basics/errors.ts'
import { escapeLikePattern } from '../../engine/postgres/query.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { maxMatches } from '../list/records.ts'
import { unlockedFilter } from '../rules/record-password.ts'
import { listedPostsFilter } from '../rules/status.ts'
import { checkSearchText, parseSearchWords } from '../search/words.ts'
import { foldLine } from '../text/fold.ts'

/** Finds venues by name, address or city; locked venues only by name. Returns undefined for blank text. */
export async function findVenuesByPlace(text: string, context: Context): Promise<number[] | undefined> {
  checkSearchText('placeName', text)
  const { present, absent } = parseSearchWords(text, 'placeName')
  if (present.length + absent.length === 0) return undefined
  const contains = (word: string): Prisma.VenueWhereInput => {
    const pattern = { contains: escapeLikePattern(word) }
    return {
      OR: [
        { texts: { some: { language: context.language, foldedName: pattern } } },
        { AND: [unlockedFilter(context), { OR: [{ foldedAddress: pattern }, { foldedCity: pattern }] }] },
      ],
    }
  }
  return idsOfVenues('placeName', { AND: present.map(contains), NOT: absent.map(contains) }, context)
}

export function findVenuesInCities(cities: readonly string[], context: Context): Promise<number[]> {
  if (cities.length > maxCities) throw badInputError({ cities: `At most ${maxCities} items are allowed.` })
  for (const city of cities) checkSearchText('cities', city)
  return idsOfVenues('cities', { AND: [unlockedFilter(context), { foldedCity: { in: foldCities(cities) } }] }, context)
}

/** Returns the distinct cities, folded for comparison, without blank texts. */
export const foldCities = (cities: readonly string[]): string[] =>
  [...new Set(cities.map(foldLine))].filter((city) => city !== '')

const maxCities = 1000

async function idsOfVenues(field: string, where: Prisma.VenueWhereInput, context: Context): Promise<number[]> {
  const venues = await context.reads.venue.findMany({
    select: { id: true },
    where: { AND: [listedPostsFilter(context), where] },
    take: maxMatches + 1,
  })
  if (venues.length > maxMatches) {
    throw badInputError({ [field]: `More than ${maxMatches} venues match. Use a more specific ${field}.` })
  }
  return venues.map(({ id }) => id)
}
