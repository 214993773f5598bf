// Filters and orders that categories and tags share (contract c.14).

import type { InputShapeFromFields } from '@pothos/core'
import { badInputError } from '../../basics/errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import type { SortKey } from '../../service/graphql/keyset.ts'
import { nameComplexity } from '../../service/graphql/limits/complexity.ts'
import { idDescription } from '../rules/identify.ts'
import { reachableEventsFilter } from '../rules/visibility.ts'
import { matchTermTexts } from '../search/matches.ts'
import { inLanguageFilter } from '../text/served-text.ts'
import { slugify } from '../text/slug.ts'
import { computedOrderName, createTextOrder, joinTextsSql, type ListOrder, type ListQuery } from './list-query.ts'
import { translationConditions, translationFilterFields } from './post-filter.ts'
import { mustExistOptions, resolveReferences, termReferencesNote } from './references.ts'
import { relevanceOrder } from './relevance.ts'
import { addSearchModeField } from './search-input.ts'
import { termCountSql } from './term-counts.ts'

const { sql } = Prisma

export const termFilterFields = (t: InputFields, kind: TermKind) => ({
  include: t.idList({ description: `Only these ${kinds[kind].plural}. ${termReferencesNote}` }),
  exclude: t.idList({ description: `Excludes these ${kinds[kind].plural}. ${termReferencesNote}` }),
  search: t.string({
    description:
      'Words that must all occur in the name or slug, also in other forms; with SUBSTRING, a text that occurs in the name or slug. Ignores case and accents.',
    extensions: nameComplexity,
  }),
  searchMode: addSearchModeField(t),
  slug: t.string({ description: 'Only the record with this slug in any language.' }),
  mustExist: t.boolean(mustExistOptions),
  event: t.id({ description: `Only records that this event links to. ${idDescription('event')}` }),
  ...translationFilterFields(t, kind),
})

type TermFilter = InputShapeFromFields<ReturnType<typeof termFilterFields>> & {
  readonly parent?: string | null | undefined
}

type Where = Prisma.CategoryWhereInput & Prisma.TagWhereInput

interface ListArgs<Filter> {
  readonly filter?: Filter | null | undefined
  readonly orderBy?:
    | { readonly field: Order['field']; readonly direction?: 'asc' | 'desc' | null | undefined }
    | null
    | undefined
}

/** Converts filter and order of a list of categories or tags. `conditionsOf` converts criteria that only one kind has. */
export async function inputToTermListQuery<Filter extends TermFilter>(
  kind: TermKind,
  args: ListArgs<Filter>,
  conditionsOf: (filter: Filter, context: Context) => object[],
  context: Context,
): Promise<Omit<ListQuery, 'selection'>> {
  const [filter, { field = 'name', direction } = {}] = [args.filter ?? ({} as Filter), args.orderBy ?? {}]
  const { where, included } = await termsWhere(kind, filter, context)
  const order = { field, descending: direction === 'desc' }
  return {
    where: { AND: [where, ...conditionsOf(filter, context)] },
    order: termOrder(kind, order, { included, search: filter.search }, context),
  }
}

/** Converts the filter. `included` are the IDs of the filter `include`, in the order of the filter. */
async function termsWhere(kind: TermKind, filter: TermFilter, context: Context) {
  const { mustExist } = filter
  const records = { event: ['event', filter.event], parent: ['category', filter.parent] } as const
  const terms = { include: [kind, filter.include], exclude: [kind, filter.exclude] } as const
  const ids = await resolveReferences({ mustExist, records, terms }, context)
  const included = filter.include ? (ids.include ?? []) : undefined
  const filters: Where[] = [inLanguageFilter(context), ...translationConditions(filter)]
  if (included) filters.push({ id: { in: included } })
  if (filter.exclude) filters.push({ id: { notIn: ids.exclude ?? [] } })
  if (filter.slug != null) filters.push({ slugs: { some: { slug: slugify(filter.slug) } } })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: ids.event?.[0] ?? 0, event: reachableEventsFilter(context) } } })
  }
  if (filter.parent != null) filters.push({ parentId: ids.parent?.[0] ?? 0 })
  const mode = filter.searchMode ?? 'words'
  const text = filter.search == null ? undefined : await matchTermTexts(kind, filter.search, mode, context)
  if (text) filters.push(text)
  return { where: { AND: filters } satisfies Where, included }
}

export const termOrderValues = {
  NAME: { value: 'name', description: 'Name in the language of the operation.' },
  SLUG: { value: 'slug', description: 'Slug in the language of the operation.' },
  NUMBER: { value: 'id', description: '`databaseId`.' },
  DESCRIPTION: { value: 'description', description: 'Description in the language of the operation.' },
  COUNT: { value: 'count', description: 'Number of published events (`count`), then name.' },
  INCLUDE: { value: 'include', description: 'The order of `filter.include`.' },
  RELEVANCE: {
    value: 'relevance',
    description:
      'Relevance for `filter.search`, including inflected forms. Ascending puts the best match first. Equal matches are sorted by name.',
  },
} as const

interface Order {
  readonly field: 'name' | 'slug' | 'id' | 'description' | 'count' | 'include' | 'relevance' | 'parent'
  readonly descending: boolean
}

/** Throws badInputError if the order requires a missing filter. */
function termOrder(
  kind: TermKind,
  { field, descending }: Order,
  { included, search }: { readonly included: readonly number[] | undefined } & Pick<TermFilter, 'search'>,
  context: Context,
): ListOrder {
  if (field === 'id') return { keys: [{ column: 'id', order: `${kind}Id`, descending, type: 'integer' }] }
  if (field === 'name' || field === 'slug') return createTextOrder(kind, field, descending, context)
  if (field === 'description') {
    const cursorKeys = [{ column: 'id', descending, type: 'integer', order: field } as const]
    return { ...createTextOrder(kind, field, descending, context), cursorKeys }
  }
  if (field === 'relevance' && search == null) throw badInputError({ orderBy: 'RELEVANCE requires filter.search.' })
  if (field === 'include' && included === undefined)
    throw badInputError({ orderBy: 'INCLUDE requires filter.include.' })
  const isInverted = field === 'relevance' && descending
  const keys: SortKey[] = [
    { column: 'name', descending: isInverted, type: 'text' },
    { column: 'id', descending: isInverted, type: 'integer' },
  ]
  if (field === 'relevance') return { keys, value: relevanceOrder(kind, search ?? '', descending, context) }
  const values = {
    count: () => termCountSql(kind, context),
    // Root categories come before all others.
    parent: () => sql`coalesce(record.parent_id, 0)::float8`,
    include: () => sql`array_position(${[...new Set(included)]}::int[], record.id)::float8`,
  }
  const columns = sql`${values[field]()} AS value, texts.name`
  return {
    keys,
    value: {
      name: field === 'include' ? computedOrderName(field, included) : field,
      ...{ descending, type: 'number' },
      select: (terms) => joinTextsSql(kind, terms, columns, context),
    },
  }
}
