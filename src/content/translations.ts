// What records were written in: one query a request and kind, however many records are asked about. A selection of its
// own would clash with that of the served text, and be loaded record by record.
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import type { StoredTranslation } from './translation.ts'

/** Rows with text of their own; the others only hold copies. */
const written = { isEmpty: false }
const columns = { language: true, name: true, description: true, slug: true, written: true } as const
const orderBy = { language: 'asc' } as const

type Found = readonly { readonly id: number; readonly text: StoredTranslation }[]

const loader = (find: (context: Context, ids: number[]) => Promise<Found>) =>
  createContextCache(
    (context: Context) =>
      new DataLoader<number, StoredTranslation[]>(async (ids) => {
        const found = Map.groupBy(await find(context, [...ids]), ({ id }) => id)
        return ids.map((id) => found.get(id)?.map(({ text }) => text) ?? [])
      }),
  )

export const translationsOf = {
  event: loader(async ({ db }, ids) => {
    const select = { ...columns, excerpt: true, eventId: true } as const
    const rows = await db.eventText.findMany({ where: { eventId: { in: ids }, written }, select, orderBy })
    return rows.map(({ eventId, ...text }) => ({ id: eventId, text }))
  }),
  venue: loader(async ({ db }, ids) => {
    const select = { ...columns, excerpt: true, venueId: true } as const
    const rows = await db.venueText.findMany({ where: { venueId: { in: ids }, written }, select, orderBy })
    return rows.map(({ venueId, ...text }) => ({ id: venueId, text }))
  }),
  organizer: loader(async ({ db }, ids) => {
    const select = { ...columns, excerpt: true, organizerId: true } as const
    const rows = await db.organizerText.findMany({ where: { organizerId: { in: ids }, written }, select, orderBy })
    return rows.map(({ organizerId, ...text }) => ({ id: organizerId, text }))
  }),
  category: loader(async ({ db }, ids) => {
    const select = { ...columns, categoryId: true } as const
    const rows = await db.categoryText.findMany({ where: { categoryId: { in: ids }, written }, select, orderBy })
    return rows.map(({ categoryId, ...text }) => ({ id: categoryId, text }))
  }),
  tag: loader(async ({ db }, ids) => {
    const select = { ...columns, tagId: true } as const
    const rows = await db.tagText.findMany({ where: { tagId: { in: ids }, written }, select, orderBy })
    return rows.map(({ tagId, ...text }) => ({ id: tagId, text }))
  }),
}
