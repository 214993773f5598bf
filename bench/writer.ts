// The user and the request body of the benchmark that creates events.

import type { Db } from '../src/engine/postgres/client.ts'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { createClient } from '../src/engine/reads/client.ts'
import { generateSecret, hashSecret } from '../src/service/auth/secrets.ts'
import type { EventBody } from './yardstick-create.ts'

export interface Writer {
  readonly id: number
  readonly headers: Readonly<Record<string, string>>
  /** A different body for each request. */
  body(): string
}

const login = 'bench'

/** Creates an administrator with a token, and a request body with links to records. Removes leftovers of an earlier run. */
export async function prepareWriter(url: string): Promise<Writer> {
  return withDatabase(url, async (db) => {
    await remove(db)
    const { id } = await db.user.create({ data: { login, name: 'Benchmark', role: 'administrator' } })
    const secret = generateSecret()
    const credential = { userId: id, kind: 'api_token', name: login, hash: hashSecret(secret) } as const
    await db.credential.create({ data: credential })
    const venues = await db.venue.findMany({ select: { id: true }, where: { live: true }, take: 1 })
    const organizers = await db.organizer.findMany({ select: { id: true }, where: { live: true }, take: 1 })
    const categories = await db.category.findMany({ select: { id: true }, take: 2 })
    const tags = await db.tag.findMany({ select: { id: true }, take: 3 })
    const fixed: Omit<EventBody, 'title'> = {
      description: '<p>An evening of <strong>songs</strong> by the river, with a talk before the concert.</p>',
      excerpt: 'Songs by the river.',
      start_date: '2027-05-01 20:00:00',
      end_date: '2027-05-01 22:00:00',
      timezone: 'Europe/Paris',
      cost: '12',
      website: 'https://example.org/concert',
      venue: venues,
      organizer: organizers,
      categories: categories.map((category) => category.id),
      tags: tags.map((tag) => tag.id),
    }
    let created = 0
    const body = () => JSON.stringify({ title: `Concert ${secret.slice(0, 8)} ${++created}`, ...fixed })
    return { id, headers: { authorization: `Bearer ${secret}` }, body }
  })
}

/** Removes the user and the events of the user. */
export const removeWriter = (url: string): Promise<void> => withDatabase(url, remove)

async function remove(db: Db): Promise<void> {
  const { count } = await db.event.deleteMany({ where: { author: { login } } })
  await db.user.deleteMany({ where: { login } })
  if (count > 0) await db.$executeRaw`VACUUM ANALYZE`
}

async function withDatabase<Done>(url: string, work: (db: Db) => Promise<Done>): Promise<Done> {
  const database = await openDatabase(url, 2)
  const db = createClient(database.pool)
  try {
    return await work(db)
  } finally {
    await db.$disconnect()
    await database.close()
  }
}
