// The list parameters of categories and tags (contract c.14).
import { badInput, DomainError } from '../../basics/errors.ts'
import { flag, legacySearch, nonEmptyText, type Params, pageParams, positiveInteger, termList } from './params.ts'
import { formatList, type Query } from './urls.ts'

export const termListParams = (plural: string) => ({
  ...pageParams,
  search: nonEmptyText.optional().describe(`Only ${plural} with this text in name or slug.`),
  exclude: termList.optional().describe(`Leave out these ${plural}.`),
  include: termList.optional().describe(`Only these ${plural}.`),
  order: nonEmptyText.optional().describe('asc (default) or desc.'),
  orderby: nonEmptyText.optional().describe('name (default), id, slug, description, count, parent or include.'),
  hide_empty: flag.default(true).describe(`Leave out ${plural} that no published event has.`),
  post: positiveInteger.optional().describe(`Only ${plural} of this event.`),
  event: positiveInteger.optional().describe('Same as post, and takes precedence over it.'),
  slug: nonEmptyText.optional().describe(`Only ${plural} with this slug.`),
})

type TermListParams = Partial<Params<ReturnType<typeof termListParams>>> & { readonly parent?: number | undefined }

/** The part of the filter that refers to records, which GraphQL may reject. */
export const termReferences = (params: TermListParams) => ({
  mustExist: true,
  include: params.include,
  exclude: params.exclude,
  event: params.event ?? params.post,
})

export const termFilter = (params: TermListParams) => ({
  ...termReferences(params),
  ...legacySearch(params.search),
  slug: params.slug,
  hideEmpty: params.hide_empty,
})

/** `event` and `post` both set the GraphQL filter `event`. An error names the parameter that the client sent. */
export function withParamName(error: unknown, { event: sent }: Pick<TermListParams, 'event'>): unknown {
  const fields = error instanceof DomainError ? (error.data.fields as Record<string, string> | undefined) : undefined
  if (sent !== undefined || fields?.event === undefined) return error
  const { event, ...others } = fields
  return badInput({ ...others, post: event })
}

/** What the lists of categories and tags have in common. */
export const sortedTerms = { order: 'sorted by name', toParamError: withParamName }

const orderFields = {
  name: 'NAME',
  id: 'NUMBER',
  slug: 'SLUG',
  description: 'DESCRIPTION',
  count: 'COUNT',
  include: 'INCLUDE',
} as const

type OrderField = (typeof orderFields)[keyof typeof orderFields]

/** Unknown values mean `name`; so does `include` without a list of included terms. */
export function termOrder<Other extends string = never>(
  { orderby = 'name', order, include }: Partial<Pick<TermListParams, 'orderby' | 'order' | 'include'>>,
  otherFields: Readonly<Record<string, Other>> = {},
) {
  const fields: Readonly<Record<string, OrderField | Other>> = { ...orderFields, ...otherFields }
  const requested = Object.hasOwn(fields, orderby) ? fields[orderby] : undefined
  const field = requested === undefined || (requested === 'INCLUDE' && !include) ? 'NAME' : requested
  const direction = order === undefined || order.toLowerCase() === 'asc' ? ('ASC' as const) : ('DESC' as const)
  return { field, direction }
}

/** The query string of links to the list: the parameters that the client sent. */
export const termQuery = (params: TermListParams): Query => ({
  search: params.search,
  ...formatList('exclude', params.exclude),
  ...formatList('include', params.include),
  order: params.order,
  orderby: params.orderby,
  hide_empty: params.hide_empty === false ? '0' : undefined,
  parent: params.parent,
  post: params.post,
  event: params.event,
  slug: params.slug,
})
