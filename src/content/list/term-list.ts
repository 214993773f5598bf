// Filters and orders that categories and tags share (contract c.14).

import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { InputFields } from '../../graphql/builder.ts'
import type { SortKey } from '../../graphql/keyset.ts'
import { searches } from '../../graphql/limits/complexity.ts'
import { dependsOn } from '../../response-cache/dependencies.ts'
import { reachableEvents } from '../event/visibility.ts'
import type { TermKind } from '../kinds.ts'
import { byRelevance, termWith } from '../text/search.ts'
import { inLanguage } from '../text/served-text.ts'
import { slugify } from '../text/slug.ts'
import type { ListOrder } from './pages.ts'
import { mustExist, one, resolveReferences } from './references.ts'
import { countsOf } from './term-counts.ts'

export const termFilterFields = (t: InputFields, plural: string) => ({
  include: t.idList({ description: `These ${plural}, each by slug, number or name.` }),
  exclude: t.idList({ description: `Not these ${plural}, each by slug, number or name.` }),
  search: t.string({
    description: 'With this text in name or slug, whatever its case and accents.',
    extensions: searches,
  }),
  slug: t.string({ description: 'With this slug, in any language.' }),
  mustExist: t.boolean(mustExist),
  event: t.int({ description: 'Those of this event.', extensions: dependsOn('event') }),
})

interface Given {
  readonly mustExist?: boolean | null | undefined
  readonly include?: readonly (string | number)[] | null | undefined
  readonly exclude?: readonly (string | number)[] | null | undefined
  readonly search?: string | null | undefined
  readonly slug?: string | null | undefined
  readonly event?: number | null | undefined
  readonly parent?: number | null | undefined
}

type Where = Prisma.CategoryWhereInput & Prisma.TagWhereInput

/** What a filter comes down to. */
export interface FoundTerms {
  readonly where: Where
  /** The numbers of `include`, in its order. */
  readonly included: readonly number[] | undefined
}

/** Throws badInput that names all records which must exist and don't. */
export async function termsWhere(kind: TermKind, filter: Given, context: Context): Promise<FoundTerms> {
  const lists = { include: filter.include, exclude: filter.exclude }
  const numbers = { event: ['event', one(filter.event)], parent: ['category', one(filter.parent || null)] } as const
  const named = await resolveReferences(
    { mustExist: filter.mustExist, numbers, ...(kind === 'category' ? { categories: lists } : { tags: lists }) },
    context,
  )
  const included = filter.include ? (named.include ?? []) : undefined
  const filters: Where[] = [inLanguage(context)]
  if (included) filters.push({ id: { in: included } })
  if (filter.exclude) filters.push({ id: { notIn: named.exclude ?? [] } })
  if (filter.slug != null) filters.push({ slugs: { some: { slug: slugify(filter.slug) } } })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  const text = filter.search == null ? undefined : termWith(filter.search, context)
  if (text) filters.push(text)
  return { where: { AND: filters }, included }
}

export const termOrderValues = {
  NAME: { value: 'name', description: 'Name as it is served.' },
  SLUG: { value: 'slug', description: 'Slug as it is served.' },
  NUMBER: { value: 'id', description: '`databaseId`.' },
  DESCRIPTION: { value: 'description', description: 'Description as it is served. By page number only.' },
  COUNT: { value: 'count', description: '`count`; ties go by name. By page number only.' },
  INCLUDE: { value: 'include', description: 'As `filter.include` names them. By page number only.' },
  RELEVANCE: {
    value: 'relevance',
    description:
      'How well the words of `filter.search` fit, in any of their forms: the best match is first in ascending order. Ties go by name. By page number only.',
  },
} as const

interface Order {
  readonly field: 'name' | 'slug' | 'id' | 'description' | 'count' | 'include' | 'relevance' | 'parent'
  readonly descending: boolean
}

/** By name unless an order is given. Throws badInput for an order by what the filter doesn't name. */
export function termOrder(
  kind: TermKind,
  { field, descending }: Order,
  { included, search }: Pick<FoundTerms, 'included'> & Pick<Given, 'search'>,
  context: Context,
): ListOrder {
  const id = `${kind}Id`
  const by = (column: string, down = descending): ListOrder => {
    const keys: SortKey[] = [{ column, descending: down, type: 'text' }]
    return { of: 'text', keys: [...keys, { column: id, descending: down, type: 'integer' }] }
  }
  const byName = by('name', false)
  if (field === 'name' || field === 'slug') return by(field)
  if (field === 'id') return { of: 'text', keys: [{ column: id, descending, type: 'integer' }] }
  // The database has them in this order already.
  if (field === 'description')
    return { ...by(field), sort: async (ids, { skip, take }) => ids.slice(skip, skip + take) }
  if (field === 'relevance') {
    if (search == null) throw badInput({ orderBy: 'Relevance needs filter.search.' })
    return { ...byName, sort: (ids, part) => byRelevance(kind, ids, search, { ...part, descending }, context) }
  }
  if (field === 'include' && included === undefined) throw badInput({ orderBy: 'This order needs filter.include.' })
  const places = new Map(included?.map((term, place) => [term, place]))
  const valuesOf = (ids: readonly number[]): Promise<number[]> => {
    if (field === 'include') return Promise.resolve(ids.map((term) => places.get(term) ?? 0))
    if (field === 'parent') return parents(ids, context)
    return countsOf(context, kind, ids)
  }
  const sort: ListOrder['sort'] = async (ids, { skip, take }) => {
    const values = await valuesOf(ids)
    const sign = descending ? -1 : 1
    const sorted = ids.map((term, place) => ({ term, place, value: values[place] ?? 0 }))
    sorted.sort((a, b) => sign * (a.value - b.value) || a.place - b.place)
    return sorted.slice(skip, skip + take).map(({ term }) => term)
  }
  return { ...byName, sort }
}

/** Number of the parent of each, 0 of those at the top. */
async function parents(ids: readonly number[], { db }: Context): Promise<number[]> {
  const rows = await db.$queryRaw<{ parent: number }[]>`
    SELECT coalesce(c.parent_id, 0) AS parent FROM unnest(${[...ids]}::int[]) WITH ORDINALITY AS given(id, place)
      JOIN category c ON c.id = given.id ORDER BY given.place`
  return rows.map((row) => row.parent)
}
