// The list parameters that categories and tags share (contract c.14).
import { badInput, DomainError } from '../errors.ts'
import { flag, nonEmptyText, pageParams, positiveInteger, termList } from './params.ts'
import { type Query, shownList } from './urls.ts'

export const termsParams = (plural: string) => ({
  ...pageParams,
  search: nonEmptyText.optional().describe(`Only ${plural} with this text in name or slug.`),
  exclude: termList.optional().describe(`Leave out these ${plural}.`),
  include: termList.optional().describe(`Only these ${plural}.`),
  order: nonEmptyText.optional().describe('asc, which is the default, or desc.'),
  orderby: nonEmptyText
    .optional()
    .describe('name, which is the default, id, slug, description, count, parent or include.'),
  hide_empty: flag.default(true).describe(`Leave out ${plural} that no published event has.`),
  post: positiveInteger.optional().describe(`Only ${plural} of this event.`),
  event: positiveInteger.optional().describe('The same; goes before post.'),
  slug: nonEmptyText.optional().describe(`Only ${plural} with this slug.`),
})

interface TermsParams {
  readonly search?: string | undefined
  readonly exclude?: readonly string[] | undefined
  readonly include?: readonly string[] | undefined
  readonly order?: string | undefined
  readonly orderby?: string | undefined
  readonly hide_empty?: boolean | undefined
  readonly parent?: number | undefined
  readonly post?: number | undefined
  readonly event?: number | undefined
  readonly slug?: string | undefined
  readonly per_page?: number | undefined
}

/** The part of the filter that names records. */
export const namedByTerms = (params: TermsParams) => ({
  mustExist: true,
  include: params.include && [...params.include],
  exclude: params.exclude && [...params.exclude],
  event: params.event ?? params.post,
})

export const termsFilter = (params: TermsParams) => ({
  ...namedByTerms(params),
  search: params.search,
  slug: params.slug,
  hideEmpty: params.hide_empty,
})

/** The same event may be named by either of two parameters: an error tells the one that was given. */
export async function byGivenName<Answer>(params: TermsParams, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    const fields = error instanceof DomainError ? (error.data.fields as Record<string, string> | undefined) : undefined
    if (params.event !== undefined || fields?.event === undefined) throw error
    const { event, ...others } = fields
    throw badInput({ ...others, post: event })
  }
}

const orders = {
  name: 'NAME',
  id: 'NUMBER',
  slug: 'SLUG',
  description: 'DESCRIPTION',
  count: 'COUNT',
  include: 'INCLUDE',
} as const

type TermOrder = (typeof orders)[keyof typeof orders]

/** Other words mean the name, as does the order of a list that was not given. */
export function termsOrder<Other extends string = never>(
  { orderby = 'name', order, include }: TermsParams,
  others: Readonly<Record<string, Other>> = {},
) {
  const known: Readonly<Record<string, TermOrder | Other>> = { ...orders, ...others }
  const named = Object.hasOwn(known, orderby) ? known[orderby] : undefined
  const field = named === undefined || (named === 'INCLUDE' && !include) ? 'NAME' : named
  const direction = order === undefined || order.toLowerCase() === 'asc' ? ('ASC' as const) : ('DESC' as const)
  return { field, direction }
}

/** The parameters that links carry: those that were given. */
export const termsQuery = (params: TermsParams, perPage: number): Query => ({
  per_page: params.per_page && perPage,
  search: params.search,
  ...shownList('exclude', params.exclude),
  ...shownList('include', params.include),
  order: params.order,
  orderby: params.orderby,
  hide_empty: params.hide_empty === false ? '0' : undefined,
  parent: params.parent,
  post: params.post,
  event: params.event,
  slug: params.slug,
})
