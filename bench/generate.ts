// Creates synthetic events with all records that they are linked to.

import { createRandom } from '../prisma/seed/random.ts'
import type { Db, Tx } from '../src/engine/postgres/client.ts'
import { draftEvent, makeEvents } from './events.ts'
import { makeCategories, makeOrganizers, makeTags, makeUsers, makeVenues } from './records.ts'

export interface GenerateOptions {
  readonly now: Date
  readonly seed?: number
  /** Starts are spread over this many days, half of them before now and half after. */
  readonly spread?: number
  /** Number of events in the default window of lists: they start from today on and end within two years. */
  readonly inWindow?: number
  /** Number of events after which the statistics of the planner are taken, instead of at the end. */
  readonly analyzedAt?: number
}

const batchSize = 1000

/** Generates the same records for the same arguments. If it fails, complete batches stay. */
export async function generate(db: Db, count: number, options: GenerateOptions): Promise<void> {
  const { now, seed = 1, spread = 1400, inWindow = Math.round(count * 0.6), analyzedAt = count } = options
  const random = createRandom(seed)
  const batches = batchesOf(db)
  const users = await batches(Math.max(20, Math.floor(count / 500)), (tx, numbers) => makeUsers(tx, numbers))
  const categories = await batches(Math.max(40, Math.floor(count / 500)), (tx, numbers) =>
    makeCategories(tx, random, numbers),
  )
  const tags = await batches(Math.max(200, Math.floor(count / 20)), (tx, numbers) => makeTags(tx, random, numbers))
  const venues = await batches(Math.max(5, Math.floor(count / 10)), (tx, numbers) =>
    makeVenues(tx, random, numbers, now),
  )
  const organizers = await batches(Math.max(5, Math.floor(count / 20)), (tx, numbers) =>
    makeOrganizers(tx, random, numbers, now),
  )
  const others = { users, categories, tags, venues, organizers }
  // A permutation of the numbers: whether an event is inside the window does not depend on its neighbours, or on multiples.
  const isInside = (number: number) => (number * 7919) % count < inWindow
  const createEvents = (from: number, to: number) =>
    batches(to - from, (tx, numbers) => {
      const drafts = numbers.map((number) =>
        draftEvent(random, others, { now, spread, inside: isInside(from + number) }),
      )
      return makeEvents(tx, drafts)
    })
  await createEvents(0, analyzedAt)
  // Updates planner statistics and the visibility map.
  await db.$executeRaw`VACUUM ANALYZE`
  await createEvents(analyzedAt, count)
}

/** Creates records in one transaction per batch, and returns all results. */
function batchesOf(db: Db) {
  return async <Created>(
    count: number,
    make: (tx: Tx, numbers: number[]) => Promise<readonly Created[]>,
  ): Promise<Created[]> => {
    const created: Created[] = []
    for (let start = 0; start < count; start += batchSize) {
      const numbers = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => start + offset)
      created.push(...(await db.$transaction((tx) => make(tx, numbers), { timeout: 600_000 })))
    }
    return created
  }
}
