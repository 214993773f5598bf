// Fills an empty database with synthetic events: node bench/generate.ts <DATABASE_URL> <count>
import type { Db, Tx } from '../src/db/client.ts'
import { prepareDatabase } from './database.ts'
import { draftEvent, makeEvents } from './events.ts'
import { createRandom } from './random.ts'
import { makeCategories, makeOrganizers, makeTags, makeVenues } from './records.ts'

export interface GenerateOptions {
  readonly now: Date
  readonly seed?: number
  /** Days around now that starts are spread over, half of them before and half after. */
  readonly spread?: number
  /** How many events start from today on and end within two years, which is what lists show by default. */
  readonly inWindow?: number
}

const batchSize = 1000

/** The same numbers and texts for the same arguments. What fails midway leaves whole batches behind. */
export async function generate(db: Db, count: number, options: GenerateOptions): Promise<void> {
  const { now, seed = 1, spread = 1400, inWindow = Math.round(count * 0.6) } = options
  const random = createRandom(seed)
  const batches = batchesOf(db)
  const categories = await batches(40, (tx) => makeCategories(tx))
  const tags = await batches(200, (tx, numbers) => makeTags(tx, random, numbers))
  const venues = await batches(Math.max(5, Math.floor(count / 10)), (tx, numbers) =>
    makeVenues(tx, random, numbers, now),
  )
  const organizers = await batches(Math.max(5, Math.floor(count / 20)), (tx, numbers) =>
    makeOrganizers(tx, random, numbers, now),
  )
  const others = { categories, tags, venues, organizers }
  // The events inside the window are dealt evenly among the others.
  const insideBefore = (number: number) => Math.floor((number * inWindow) / count)
  await batches(count, (tx, numbers) => {
    const drafts = numbers.map((number) => {
      const inside = insideBefore(number + 1) > insideBefore(number)
      return draftEvent(random, others, { now, spread, inside })
    })
    return makeEvents(tx, drafts)
  })
  // Statistics for the planner, and pages as they are in a database that was not filled a moment ago.
  await db.$executeRaw`VACUUM ANALYZE`
}

/** Makes so many records in transactions of their own; what they return is joined. */
function batchesOf(db: Db) {
  return async <Made>(
    count: number,
    make: (tx: Tx, numbers: number[]) => Promise<readonly Made[]>,
  ): Promise<Made[]> => {
    const made: Made[] = []
    for (let start = 0; start < count; start += batchSize) {
      const numbers = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => start + offset)
      made.push(...(await db.$transaction((tx) => make(tx, numbers), { timeout: 600_000 })))
    }
    return made
  }
}

async function main([url, number]: readonly string[]): Promise<void> {
  const count = /^[1-9]\d{0,8}$/.test(number ?? '') ? Number(number) : 0
  if (!url || !count) throw new Error('Usage: node bench/generate.ts <DATABASE_URL> <count>')
  const { seconds } = await prepareDatabase(url, count, (db) => generate(db, count, { now: new Date() }))
  console.log(`${count} events, ${seconds === undefined ? 'there already' : `${Math.round(count / seconds)} a second`}`)
}

if (process.argv[1] === import.meta.filename) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
