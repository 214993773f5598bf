// Common parts of the routes of the legacy platform: their parameters and list responses.
import { z } from 'zod'
import { DomainError } from '../../../basics/errors.ts'
import { LegacyError } from '../errors.ts'
import { languageParamNames, type Params, type ParamsShape, positiveIntegerParam } from '../params.ts'
import { defineRoute, type RestRequest, type RestResult, type Route } from '../route.ts'
import type { LinkBuilder, LinkQuery } from '../urls.ts'

const toList = (value: unknown) =>
  typeof value === 'string' ? value.split(',').flatMap((item) => item.trim() || []) : value

const names = z.preprocess(toList, z.array(z.string('names, separated by commas')))
const ids = z.preprocess(toList, z.array(positiveIntegerParam, 'whole numbers above 0, separated by commas'))
const pageSizeFormat = 'a whole number from 1 to 100'
const pageSize = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(pageSizeFormat).min(1, pageSizeFormat).max(100, pageSizeFormat),
)

export const platformListParams = {
  page: positiveIntegerParam.default(1).describe('Page of the list.'),
  per_page: pageSize.default(10).describe('Items per page, at most 100.'),
  search: z.string('text').optional().describe('Only items with this text.'),
  include: ids.optional().describe('Only items with these IDs.'),
  slug: names.optional().describe('Only items with one of these slugs.'),
}

const commonParams = {
  context: z
    .enum(['view', 'embed', 'edit'], 'view, embed or edit')
    .default('view')
    .describe('`edit` adds the fields for editors.'),
  _fields: names.optional().describe('Only these fields. A dot leads to a field of a field: `title.rendered`.'),
}

type CommonParams = Params<typeof commonParams>

interface PlatformRoute<S extends ParamsShape> extends Omit<Route<S>, 'handle'> {
  handle(params: Params<S> & CommonParams, request: RestRequest): Promise<RestResult>
}

export function platformRoute<S extends ParamsShape>({ handle, ...definition }: PlatformRoute<S>): Route {
  return defineRoute<ParamsShape>({
    ...(definition as unknown as Omit<Route, 'handle'>),
    params: { ...definition.params, ...commonParams },
    async handle(values, request) {
      const params = values as Params<S> & CommonParams
      if (params.context === 'edit' && !request.context.viewer) {
        throw new LegacyError(401, 'rest_forbidden_context', 'The context `edit` requires signing in.')
      }
      const { body, ...result } = await handle(params, request)
      return { ...result, body: withFields(body, params._fields) }
    },
  })
}

/** Returns only these fields of a record, or of each record of a list. */
function withFields(body: unknown, fields: readonly string[] | undefined): unknown {
  if (fields === undefined || fields.length === 0) return body
  if (Array.isArray(body)) return body.map((item) => withFields(item, fields))
  if (typeof body !== 'object' || body === null) return body
  const nested = Map.groupBy(fields, (field) => field.split('.', 1)[0] ?? '')
  const entries = Object.entries(body).flatMap(([name, value]) => {
    const paths = nested.get(name)
    if (!paths) return []
    const below = paths.map((path) => path.slice(name.length + 1))
    return [[name, below.includes('') ? value : withFields(value, below)]]
  })
  return Object.fromEntries(entries)
}

/** Returns a list response: an array, with the totals and the links to other pages in headers. */
export function platformListResult(
  { items, total, totalPages }: { items: readonly object[]; total: number; totalPages: number },
  path: string,
  params: Readonly<Record<string, unknown>> & { readonly page: number; readonly context: string },
  { urls }: RestRequest,
): RestResult {
  const { page, context, ...others } = params
  const sent = Object.entries({ ...others, context: context === 'view' ? undefined : context })
  const query: LinkQuery = Object.fromEntries(
    sent.flatMap(([name, value]) =>
      value === undefined || languageParamNames.includes(name) ? [] : [[name, String(value)] as const],
    ),
  )
  const link = (rel: string, number: number) => `<${urls.link(path, { ...query, page: number })}>; rel="${rel}"`
  const links = [
    ...(page > 1 && totalPages > 0 ? [link('prev', Math.min(page - 1, totalPages))] : []),
    ...(page < totalPages ? [link('next', page + 1)] : []),
  ]
  return {
    body: items,
    totals: [total, totalPages],
    ...(links.length > 0 && { headers: { link: links.join(', ') } }),
  }
}

/** Converts the domain error of a creation that failed to the error that clients of the platform know. */
export function toCreationError(error: unknown): LegacyError | undefined {
  if (!(error instanceof DomainError)) return undefined
  const status = { UNAUTHENTICATED: 401, FORBIDDEN: 403 }[error.code as string]
  return status === undefined ? undefined : new LegacyError(status, 'rest_cannot_create', error.message)
}

export const createUnknownIdErrorMapper = (code: string, message: string) => (error: unknown) =>
  error instanceof DomainError && ['NOT_FOUND', 'WRONG_KIND', 'BAD_INPUT'].includes(error.code)
    ? new LegacyError(404, code, message)
    : undefined

export const selfAndCollectionLinks = (path: string, id: number, { link }: LinkBuilder) => ({
  self: [{ href: link(`${path}/${id}`) }],
  collection: [{ href: link(path) }],
})
