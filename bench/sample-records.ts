// Records and words that benchmark requests refer to, in a database filled by `grow`.
import type { Db } from '../src/db/client.ts'

export interface SampleRecords {
  readonly event: number
  readonly events: readonly number[]
  readonly parent: number
  readonly slug: string
  readonly venue: number
  readonly organizer: number
  readonly category: string
  readonly tag: string
  /** A word in the title of only this event. */
  readonly rareWord: string
  /** A word in the name of only this venue. */
  readonly venueWord: string
  /** A word in the name of only this organizer. */
  readonly organizerWord: string
}

/** A word in every second description. */
export const commonWord = 'canal'
export const phrase = '"women of science with"'
/** A city with 2 % of the venues. */
export const place = { latitude: 48.8566, longitude: 2.3522 }

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
    // In a defined order, so that the requests do not depend on the plan.
    include: {
      venues: { orderBy: { position: 'asc' } },
      organizers: { orderBy: { position: 'asc' } },
      categories: { orderBy: { categoryId: 'asc' } },
      tags: { orderBy: { tagId: 'asc' } },
    },
  })
  const part = await db.event.findFirstOrThrow({
    where: { ...isListed, parentId: { not: null } },
    orderBy: { id: 'asc' },
  })
  const events = await db.event.findMany({ select: { id: true }, where: isListed, take: 20, orderBy: { id: 'desc' } })
  const [venue = 0, organizer = 0] = [event.venues[0]?.venueId, event.organizers[0]?.organizerId]
  const [category = 0, tag = 0] = [event.categories[0]?.categoryId, event.tags[0]?.tagId]
  const language = 'en'
  const title = await db.eventText.findFirstOrThrow({ where: { eventId: event.id, language } })
  const venueName = await db.venueText.findFirstOrThrow({ where: { venueId: venue, language } })
  const organizerName = await db.organizerText.findFirstOrThrow({ where: { organizerId: organizer, language } })
  return {
    event: event.id,
    events: events.map(({ id }) => id),
    parent: part.parentId ?? 0,
    slug: title.slug,
    venue,
    organizer,
    category: (await db.categoryText.findFirstOrThrow({ where: { categoryId: category, language } })).slug,
    tag: (await db.tagText.findFirstOrThrow({ where: { tagId: tag, language } })).slug,
    rareWord: lastWord(title.name),
    venueWord: lastWord(venueName.name),
    organizerWord: lastWord(organizerName.name),
  }
}

const lastWord = (name: string): string => name.split(' ').at(-1) ?? ''
