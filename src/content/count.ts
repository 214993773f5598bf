// How many events carry a term: read from what is stored of it, with the term itself, or one query a request, however
// many are asked about; another of each kind for those who see locked events.
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import { read } from '../db/read.ts'
import { hidden, type Scope } from '../db/scope.ts'
import { compute } from '../db/selection.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { unlocked } from './password.ts'
import { published } from './status.ts'

/** What a term's count counts, for any reader: published events whose terms are not withheld. */
export const countedEvents = (context: Context) => ({ AND: [published(context.now), unlocked(context)] })

type TermKind = 'category' | 'tag'

interface Term {
  readonly kind: TermKind
  /** Categories and tags share their numbers. */
  readonly id: number
}

const loader = createContextCache(
  (context: Context) =>
    new DataLoader<Term, number, number>(
      async (terms) => {
        const stored = await storedCounts(context, terms)
        const opened = [await openedCounts(context, 'category', terms), await openedCounts(context, 'tag', terms)]
        return terms.map(({ id }) => [stored, ...opened].reduce((sum, counts) => sum + (counts.get(id) ?? 0), 0))
      },
      { cacheKeyFn: ({ id }) => id },
    ),
)

/** How many published events are in a category itself, or have a tag. */
export const countOf = (context: Context, kind: TermKind, id: number): Promise<number> =>
  loader(context).load({ kind, id })

/** The field that tells it: of a term that was read by a statement of our own it is there already. */
export const countField = (kind: TermKind) => ({
  select: (_args: object, context: Context): { id: true } =>
    context.forStatement && !opens(context) ? { id: true, ...{ count: true } } : { id: true },
  resolve: (term: { readonly id: number; readonly count?: number }, _args: object, context: Context) =>
    term.count ?? countOf(context, kind, term.id),
})

/** As `storedCounts`, of one term. The events still to be published are few, and looked up once a statement. */
const storedCount = (kind: TermKind) => (term: Scope) => {
  const id = term.column('"id"')
  return `(
    SELECT coalesce(sum(events), 0)::int FROM ${kind}_count WHERE ${kind}_id = ${id}
  ) - coalesce(((
    SELECT json_object_agg(id, number) FROM (
      SELECT l.${kind}_id AS id, count(*) AS number FROM event e JOIN event_${kind} l ON l.event_id = e.id
        WHERE e.published_at > ${term.now()} AND e.published_at < 'infinity' AND e.live AND e.password_key IS NULL
        GROUP BY l.${kind}_id
    ) AS scheduled
  ) ->> ${id}::text)::int, 0)`
}

compute('Category', 'count', storedCount('category'))
compute('Tag', 'count', storedCount('tag'))

/** Of live, unlocked events, less those few that are still to be published. */
async function storedCounts({ db, now }: Context, terms: readonly Term[]): Promise<Map<number, number>> {
  const kinds = (['category', 'tag'] as const).filter((kind) => terms.some((term) => term.kind === kind))
  const ids = hidden(1, 'int[]')
  // Two bounds, even if one is none: the planner takes what lies between them for few.
  const parts = kinds.map(
    (kind) => `
      SELECT ${kind}_id AS id, events AS number FROM ${kind}_count WHERE ${kind}_id = ANY(${ids})
      UNION ALL SELECT l.${kind}_id, -1 FROM event e JOIN event_${kind} l ON l.event_id = e.id
        WHERE e.published_at > ${hidden(2, 'timestamptz')} AND e.published_at < 'infinity' AND e.live
          AND e.password_key IS NULL AND l.${kind}_id = ANY(${ids})`,
  )
  const text = `SELECT id, sum(number)::int AS count FROM (${parts.join(' UNION ALL ')}) AS part GROUP BY id`
  const values = [terms.map(({ id }) => id), now]
  const rows = await read<{ id: number; count: number }>(db, { text, values, planned: true })
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Whether any locked event may be open to this reader. */
const opens = ({ passwordKey, forEditing }: Context) => passwordKey !== undefined || forEditing

/** Of locked events that are open to this reader. */
async function openedCounts(context: Context, kind: TermKind, terms: readonly Term[]): Promise<Map<number, number>> {
  const ids = terms.filter((term) => term.kind === kind).map(({ id }) => id)
  if (!opens(context) || ids.length === 0) return new Map()
  const event: Prisma.EventWhereInput = { AND: [countedEvents(context), { passwordKey: { not: null } }] }
  if (kind === 'category') {
    const where = { categoryId: { in: ids }, event }
    const rows = await context.db.eventCategory.groupBy({ by: 'categoryId', where, _count: true })
    return new Map(rows.map(({ categoryId, _count }) => [categoryId, _count]))
  }
  const where = { tagId: { in: ids }, event }
  const rows = await context.db.eventTag.groupBy({ by: 'tagId', where, _count: true })
  return new Map(rows.map(({ tagId, _count }) => [tagId, _count]))
}
