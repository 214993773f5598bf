// How many events carry a term: read from what is stored of it, one query a request and kind, however many are
// asked about; a second for those who see locked events.
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { unlocked } from './password.ts'
import { published } from './status.ts'

/** What a term's count counts, for any reader: published events whose terms are not withheld. */
export const countedEvents = (context: Context) => ({ AND: [published(context.now), unlocked(context)] })

const loader = (kind: 'category' | 'tag') =>
  createContextCache(
    (context: Context) =>
      new DataLoader<number, number>(async (ids) => {
        const [stored, opened] = [await storedCounts(context, kind, ids), await openedCounts(context, kind, ids)]
        return ids.map((id) => (stored.get(id) ?? 0) + (opened.get(id) ?? 0))
      }),
  )

export const categoryCounts = loader('category')
export const tagCounts = loader('tag')

/** Of live, unlocked events, less those few that are still to be published. */
async function storedCounts({ db, now }: Context, kind: 'category' | 'tag', ids: readonly number[]) {
  const [counts, links, key] = [`${kind}_count`, `event_${kind}`, `${kind}_id`].map((name) => Prisma.raw(`"${name}"`))
  const rows = await db.$queryRaw<{ id: number; count: number }[]>`
    SELECT id, sum(number)::int AS count FROM (
      SELECT ${key} AS id, events AS number FROM ${counts} WHERE ${key} = ANY(${[...ids]}::int[])
      UNION ALL SELECT l.${key}, -1 FROM event e JOIN ${links} l ON l.event_id = e.id
        WHERE e.published_at > ${now} AND e.live AND e.password_key IS NULL AND l.${key} = ANY(${[...ids]}::int[])
    ) AS part GROUP BY id`
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Of locked events that are open to this reader. */
async function openedCounts(context: Context, kind: 'category' | 'tag', ids: readonly number[]) {
  if (context.passwordKey === undefined && !context.forEditing) return new Map<number, number>()
  const event: Prisma.EventWhereInput = { AND: [countedEvents(context), { passwordKey: { not: null } }] }
  if (kind === 'category') {
    const where = { categoryId: { in: [...ids] }, event }
    const rows = await context.db.eventCategory.groupBy({ by: 'categoryId', where, _count: true })
    return new Map(rows.map(({ categoryId, _count }) => [categoryId, _count]))
  }
  const where = { tagId: { in: [...ids] }, event }
  const rows = await context.db.eventTag.groupBy({ by: 'tagId', where, _count: true })
  return new Map(rows.map(({ tagId, _count }) => [tagId, _count]))
}
