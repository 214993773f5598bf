// The lists of categories and tags (contract c.14).
import { badInputError, DomainError } from '../../basics/errors.ts'
import {
  flagParam,
  legacySearchFilter,
  nonEmptyTextParam,
  type Params,
  paginationParams,
  parentCategoryParam,
  positiveIntegerParam,
  termListParam as terms,
} from './params.ts'
import { formatListParam } from './urls.ts'

const termListParams = (plural: string) => ({
  ...paginationParams,
  search: nonEmptyTextParam.optional().describe(`Only ${plural} with this text in name or slug.`),
  exclude: terms.optional().describe(`Leave out these ${plural}.`),
  include: terms.optional().describe(`Only these ${plural}.`),
  order: nonEmptyTextParam.optional().describe('asc (default) or desc.'),
  orderby: nonEmptyTextParam.optional().describe('name (default), id, slug, description, count, parent or include.'),
  hide_empty: flagParam.default(true).describe(`Leave out ${plural} that no published event has.`),
  post: positiveIntegerParam.optional().describe(`Only ${plural} of this event.`),
  event: positiveIntegerParam.optional().describe('Same as post, and takes precedence over it.'),
  slug: nonEmptyTextParam.optional().describe(`Only ${plural} with this slug.`),
})

const parentParam = {
  parent: parentCategoryParam
    .optional()
    .describe('Only direct children of this category. 0: only top-level categories.'),
}

type TermListParams = Partial<Params<ReturnType<typeof termListParams> & typeof parentParam>>

const references = ({ include, exclude, event, post, parent }: TermListParams) => ({
  mustExist: true,
  include,
  exclude,
  event: event ?? post,
  // The parent 0 means the top level (QUIRK-32).
  ...(parent === 0 ? { isRoot: true } : parent !== undefined && { parent }),
})

/** Renames `event` in an error to `post` if the client sent `post`: both set the GraphQL filter `event`. */
export function renameEventParamInError(error: unknown, { event: sent }: Pick<TermListParams, 'event'>): unknown {
  const fields = error instanceof DomainError ? (error.data.fields as Record<string, string> | undefined) : undefined
  if (sent !== undefined || fields?.event === undefined) return error
  const { event, ...others } = fields
  return badInputError({ ...others, post: event })
}

const orderFields = {
  name: 'NAME',
  id: 'NUMBER',
  slug: 'SLUG',
  description: 'DESCRIPTION',
  count: 'COUNT',
  include: 'INCLUDE',
} as const

type OrderField = (typeof orderFields)[keyof typeof orderFields]

/** Returns the sort order. An unknown `orderby`, and `include` without the parameter `include`, mean `name`. */
export function readTermOrder<Other extends string = never>(
  { orderby = 'name', order, include }: Pick<TermListParams, 'orderby' | 'order' | 'include'>,
  otherFields: Readonly<Record<string, Other>> = {},
) {
  const fields: Readonly<Record<string, OrderField | Other>> = { ...orderFields, ...otherFields }
  const requested = Object.hasOwn(fields, orderby) ? fields[orderby] : undefined
  const field = requested === undefined || (requested === 'INCLUDE' && !include) ? 'NAME' : requested
  const direction = order === undefined || order.toLowerCase() === 'asc' ? ('ASC' as const) : ('DESC' as const)
  return { field, direction }
}

/** `orderFields` are values of the parameter orderby that only this list has. */
const termList = <Other extends string = never>(plural: string, orderFields: Readonly<Record<string, Other>> = {}) => ({
  order: 'sorted by name',
  params: termListParams(plural),
  references,
  toParamError: renameEventParamInError,
  variables: (params: TermListParams) => ({
    variables: {
      filter: {
        ...references(params),
        ...legacySearchFilter(params.search),
        slug: params.slug,
        hideEmpty: params.hide_empty,
      },
      orderBy: readTermOrder(params, orderFields),
    },
    query: {
      search: params.search,
      ...formatListParam('exclude', params.exclude),
      ...formatListParam('include', params.include),
      order: params.order,
      orderby: params.orderby,
      hide_empty: params.hide_empty === false ? '0' : undefined,
      parent: params.parent,
      post: params.post,
      event: params.event,
      slug: params.slug,
    },
  }),
})

export const tagListDefinition = termList('tags')

const categories = termList('categories', { parent: 'PARENT' } as const)
export const categoryListDefinition = { ...categories, params: { ...categories.params, ...parentParam } }
