// How many events carry a term: read from what is stored of it, with the term itself, or one query a request, however
// many are asked about; another for those who see locked events.
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import { condition } from '../db/condition.ts'
import { quoted } from '../db/models.ts'
import { read } from '../db/read.ts'
import { hidden, Scope, Values } from '../db/scope.ts'
import { compute } from '../db/selection.ts'
import { unlocked } from './password.ts'
import { published } from './status.ts'

/** What a term's count counts, for any reader: published events whose terms are not withheld. */
export const countedEvents = (context: Reader) => ({ AND: [published(context.now), unlocked(context)] })

/** What counts depend on of who asks, and when. */
type Reader = Pick<Context, 'now' | 'viewer' | 'passwordKey' | 'forEditing'>

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
        const opened = await openedCounts(context, terms)
        return terms.map(({ id }) => (stored.get(id) ?? 0) + (opened.get(id) ?? 0))
      },
      { cacheKeyFn: ({ id }) => id },
    ),
)

/** How many published events are in a category itself, or have a tag. */
export const countOf = (context: Context, kind: TermKind, id: number): Promise<number> =>
  loader(context).load({ kind, id })

/** The field that tells it: of a term that was read by a statement of our own it is there already. */
export const countField = (kind: TermKind) => ({
  select: (_args: object, { forStatement }: Context): { id: true } => ({
    id: true,
    ...(forStatement && { count: true }),
  }),
  resolve: (term: { readonly id: number; readonly count?: number }, _args: object, context: Context) => {
    context.withheld?.terms.add(term.id)
    return term.count ?? countOf(context, kind, term.id)
  },
})

/** As `storedCounts` and `openedCounts`, of one term. The events of either are few, and looked up once a statement. */
const countColumn = (kind: TermKind) => (term: Scope, context: Reader) => {
  const id = term.column(quoted('id'))
  const stored = `(SELECT coalesce(sum(events), 0)::int FROM ${kind}_count WHERE ${kind}_id = ${id})`
  const scheduled = `e.published_at > ${term.values.add(context.now, 'timestamptz')} AND e.published_at < 'infinity' AND e.live
    AND e.password_key IS NULL`
  const few = (events: string) => `coalesce(((
    SELECT json_object_agg(id, number) FROM (
      SELECT l.${kind}_id AS id, count(*) AS number FROM ${events} GROUP BY l.${kind}_id
    ) AS counted
  ) ->> ${id}::text)::int, 0)`
  const less = few(`event e JOIN event_${kind} l ON l.event_id = e.id WHERE ${scheduled}`)
  return `(${stored} - ${less}${opens(context) ? ` + ${few(openedLinks(kind, term.inner('Event'), context))}` : ''})`
}

compute('Category', 'count', countColumn('category'))
compute('Tag', 'count', countColumn('tag'))

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
  const rows = await read<{ id: number; count: number }>(db, { text, values, planned: 'constant' })
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Whether any locked event may be open to this reader. */
const opens = ({ passwordKey, forEditing }: Reader) => passwordKey !== undefined || forEditing

/** Of locked events that are open to this reader. */
async function openedCounts(context: Context, terms: readonly Term[]): Promise<Map<number, number>> {
  if (!opens(context)) return new Map()
  const shared = { values: new Values(true), aliases: 0 }
  const parts = (['category', 'tag'] as const).flatMap((kind) => {
    const ids = terms.filter((term) => term.kind === kind).map(({ id }) => id)
    if (ids.length === 0) return []
    const links = openedLinks(kind, new Scope('Event', shared), context)
    const isAsked = `l.${kind}_id = ANY(${shared.values.add(ids, 'int[]')})`
    return `SELECT l.${kind}_id AS id, count(*)::int AS count FROM ${links} AND ${isAsked} GROUP BY l.${kind}_id`
  })
  const statement = { text: parts.join(' UNION ALL '), values: shared.values.all, planned: 'constant' as const }
  const rows = await read<{ id: number; count: number }>(context.db, statement)
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** The links `l` of those events to terms. */
function openedLinks(kind: TermKind, event: Scope, context: Reader): string {
  const isOpened = condition(event, { AND: [countedEvents(context), { passwordKey: { not: null } }] })
  return `${event.tables()} JOIN event_${kind} l ON l.event_id = ${event.column(quoted('id'))} WHERE ${isOpened}`
}
