// Fills an empty database with synthetic events: node bench/generate.ts <DATABASE_URL> <count>
import type { Db, Tx } from '../src/db/client.ts'
import { prepareDatabase } from './database.ts'
import { draftEvent, makeEvents } from './events.ts'
import { createRandom } from './random.ts'
import { makeCategories, makeOrganizers, makeTags, makeVenues } from './records.ts'

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
  const categories = await batches(40, (tx) => makeCategories(tx, random))
  const tags = await batches(Math.max(200, Math.floor(count / 20)), (tx, numbers) => makeTags(tx, random, numbers))
  const venues = await batches(Math.max(5, Math.floor(count / 10)), (tx, numbers) =>
    makeVenues(tx, random, numbers, now),
  )
  const organizers = await batches(Math.max(5, Math.floor(count / 20)), (tx, numbers) =>
    makeOrganizers(tx, random, numbers, now),
  )
  const others = { categories, tags, venues, organizers }
  // Events inside the window are spread evenly among the others.
  const insideBefore = (number: number) => Math.floor((number * inWindow) / count)
  const createEvents = (from: number, to: number) =>
    batches(to - from, (tx, numbers) => {
      const drafts = numbers.map((number) => {
        const inside = insideBefore(from + number + 1) > insideBefore(from + number)
        return draftEvent(random, others, { now, spread, inside })
      })
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

async function main([url, number]: readonly string[]): Promise<void> {
  const count = /^[1-9]\d{0,8}$/.test(number ?? '') ? Number(number) : 0
  if (!url || !count) throw new Error('Usage: node bench/generate.ts <DATABASE_URL> <count>')
  const { seconds } = await prepareDatabase(url, count, (db) => generate(db, count, { now: new Date() }))
  console.log(
    `${count} events, ${seconds === undefined ? 'already present' : `${Math.round(count / seconds)} per second`}`,
  )
}

if (process.argv[1] === import.meta.filename) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
