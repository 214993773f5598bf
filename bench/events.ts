import type { Random } from '../prisma/seed/random.ts'
import { addDays, dateToWallClock, toInstant, toWallClock, wallClockToDate } from '../src/basics/time.ts'
import type { Tx } from '../src/engine/postgres/client.ts'
import { idsOf, published, type Venue } from './records.ts'
import { eventTexts } from './texts.ts'
import { originalLanguage, writeRecordTexts } from './write-texts.ts'

interface LinkedIds {
  readonly users: readonly number[]
  readonly categories: readonly number[]
  readonly tags: readonly number[]
  readonly venues: readonly Venue[]
  readonly organizers: readonly number[]
}

interface DateRange {
  readonly now: Date
  readonly spread: number
  /** Whether the event is in the default window of lists. */
  readonly inside: boolean
}

type EventDraft = ReturnType<typeof draftEvent>

export function draftEvent(random: Random, others: LinkedIds, when: DateRange) {
  const venue = random.chance(0.9) ? random.pickRanked(others.venues) : undefined
  return {
    columns: {
      ...published(random, when.now),
      // The first user is an import from another site.
      authorId: random.chance(0.5) ? (others.users[0] ?? null) : random.pickRanked(others.users),
      ...schedule(random, venue?.city.timeZone ?? 'Europe/Paris', when),
      cost: random.chance(0.7) ? random.pick([[], ['0 €'], ['0 €'], ['0 €'], ['0 €']]) : prices(random),
      website: random.chance(0.4) ? `https://events.example.org/${random.int(1, 1e9)}` : null,
      featured: random.chance(0.03),
      showMap: venue !== undefined,
      showMapLink: venue !== undefined,
    },
    image: random.chance(0.5) ? image(random) : undefined,
    venues: venue ? [venue.id] : [],
    organizers: random.someRanked(others.organizers, random.int(0, 2)),
    categories: random.someRanked(others.categories, random.int(1, 2)),
    tags: random.someRanked(others.tags, random.int(0, 4)),
    texts: eventTexts(random),
  }
}

export async function makeEvents(tx: Tx, drafts: readonly EventDraft[]): Promise<number[]> {
  const withImages = drafts.filter((draft) => draft.image !== undefined)
  const images = withImages.flatMap((draft) => draft.image ?? [])
  const imageIds = idsOf(await tx.image.createManyAndReturn({ data: images, select: { id: true } }))
  const imageOf = new Map(withImages.map((draft, index) => [draft, imageIds[index] ?? null]))
  const rows = drafts.map((draft) => ({
    ...draft.columns,
    originalLanguage: originalLanguage(draft),
    imageId: imageOf.get(draft) ?? null,
  }))
  const ids = idsOf(await tx.event.createManyAndReturn({ data: rows, select: { id: true } }))
  await writeRecordTexts(tx, 'event', drafts, ids)

  const links = (others: (draft: EventDraft) => readonly number[]) => {
    const pairs = drafts.flatMap((draft, index) =>
      others(draft).map((id, place) => [ids[index] ?? 0, id, place] as const),
    )
    return {
      events: pairs.map(([event]) => event),
      ids: pairs.map(([, id]) => id),
      places: pairs.map((pair) => pair[2]),
    }
  }
  const [venues, organizers] = [links((draft) => draft.venues), links((draft) => draft.organizers)]
  const [categories, tags] = [links((draft) => draft.categories), links((draft) => draft.tags)]
  await tx.$executeRaw`INSERT INTO content_venue (content_id, venue_id, position)
    SELECT * FROM unnest(${venues.events}::int[], ${venues.ids}::int[], ${venues.places}::int[])`
  await tx.$executeRaw`INSERT INTO content_organizer (content_id, organizer_id, position)
    SELECT * FROM unnest(${organizers.events}::int[], ${organizers.ids}::int[], ${organizers.places}::int[])`
  await tx.$executeRaw`INSERT INTO content_category (content_id, category_id)
    SELECT * FROM unnest(${categories.events}::int[], ${categories.ids}::int[])`
  await tx.$executeRaw`INSERT INTO content_tag (content_id, tag_id)
    SELECT * FROM unnest(${tags.events}::int[], ${tags.ids}::int[])`
  return ids
}

/** As people write them. */
function prices(random: Random): string[] {
  const euros = () => `${random.int(1, 60)}${random.pick(['', '', '.5', '.90'])}`
  return random.pick([
    [`${euros()} €`],
    [`${euros()} €`],
    [`${euros()} €`, `${euros()} €`],
    [`${euros()} €`, `${euros()} €`, `${euros()} €`],
    [`$${euros()}`],
    [`${euros()} – ${euros()} €`],
    [`from ${euros()} €, members ${euros()} €`],
    ['Donation'],
    ['Gratuit sur réservation'],
    ['Entrada libre hasta completar aforo'],
  ])
}

/** Events that start within this many days also end within the default window of two years. */
const lastDay = 725

function schedule(random: Random, timeZone: string, { now, spread, inside }: DateRange) {
  const half = Math.max(7, Math.floor(spread / 2))
  // Exhibitions last for months.
  const lasting = random.chance(0.06) ? random.int(10, 180) : 0
  const day = inside ? random.int(0, Math.max(0, Math.min(half, lastDay - lasting))) : -random.int(5, half)
  const midnight = `${addDays(toWallClock(now, timeZone), day).slice(0, 10)}T00:00:00`
  const allDay = lasting > 0 || random.chance(0.1)
  const minutes = random.int(8 * 4, 21 * 4) * 15
  const start = allDay ? midnight : later(midnight, minutes * 60)
  const end = allDay
    ? later(addDays(midnight, lasting || random.int(1, 3)), -1)
    : later(start, random.int(2, 9) * 30 * 60)
  return {
    timeZone,
    allDay,
    startsLocal: wallClockToDate(start),
    endsLocal: wallClockToDate(end),
    startsAt: toInstant(start, timeZone),
    endsAt: toInstant(end, timeZone),
  }
}

const later = (wallClock: string, seconds: number): string =>
  dateToWallClock(new Date(wallClockToDate(wallClock).getTime() + seconds * 1000))

function image(random: Random) {
  const name = random.int(1, 1e9)
  const size = (kind: string, width: number, height: number) => ({
    name: kind,
    url: `https://images.example.org/${name}-${width}x${height}.jpg`,
    width,
    height,
    mimeType: 'image/jpeg',
    fileSize: Math.round(width * height * 0.2),
  })
  const { name: _, ...full } = size('full', 1600, 1067)
  return { ...full, sizes: [size('thumbnail', 150, 150), size('medium', 300, 200), size('large', 1024, 683)] }
}
