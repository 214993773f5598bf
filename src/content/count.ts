// How many events carry a term: one grouped query a request and kind, however many terms are asked about.
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import { unlocked } from './password.ts'
import { published } from './status.ts'

type Counts = readonly { readonly id: number; readonly count: number }[]

const loader = (count: (context: Context, ids: number[]) => Promise<Counts>) =>
  createContextCache(
    (context: Context) =>
      new DataLoader<number, number>(async (ids) => {
        const counts = new Map((await count(context, [...ids])).map((row) => [row.id, row.count]))
        return ids.map((id) => counts.get(id) ?? 0)
      }),
  )

/** What a term's count counts, for any reader: published events whose terms are not withheld. */
export const countedEvents = (context: Context) => ({ AND: [published(context.now), unlocked(context)] })

export const categoryCounts = loader(async (context, ids) => {
  const where = { categoryId: { in: ids }, event: countedEvents(context) }
  const rows = await context.db.eventCategory.groupBy({ by: 'categoryId', where, _count: true })
  return rows.map(({ categoryId, _count }) => ({ id: categoryId, count: _count }))
})

export const tagCounts = loader(async (context, ids) => {
  const where = { tagId: { in: ids }, event: countedEvents(context) }
  const rows = await context.db.eventTag.groupBy({ by: 'tagId', where, _count: true })
  return rows.map(({ tagId, _count }) => ({ id: tagId, count: _count }))
})
