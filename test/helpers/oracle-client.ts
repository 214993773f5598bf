// Sends a query of the oracle to the REST API or to GraphQL.

import qs from 'qs'
import { expect } from 'vitest'
import { toRecordStatus } from '../../src/basics/record-status.ts'
import type { ApiClient } from './app.ts'
import type { Language } from './oracle-facts.ts'
import type { Near } from './oracle-linked.ts'
import { password } from './oracle-save.ts'
import type { SentDate } from './oracle-time.ts'
import { ns } from './rest.ts'

export type Kind = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

export interface OracleQuery {
  readonly kind: Kind
  readonly language: Language
  /** Whether the path contains the language even if it is the default one. */
  readonly root: boolean
  readonly values: Readonly<Record<string, unknown>>
  readonly order: { readonly field: string; readonly direction?: 'ASC' | 'DESC' } | undefined
  readonly page: number
  readonly perPage: number
  readonly opens: boolean
  /** GraphQL only: unknown records are an error, as they always are in REST. */
  readonly mustExist: boolean
}

interface Page {
  readonly ids: readonly number[]
  readonly total: number
  readonly pages: number
}

/** `refused`: the query is invalid; `forbidden`: the reader may not send it. */
export type QueryError = 'refused' | 'forbidden'
export type QueryResult = Page | QueryError | 'beyond the end'

const rootOf = ({ language, root }: OracleQuery) => (language === 'en' && !root ? '' : `/${language}`)
const isTerms = (kind: Kind) => kind === 'categories' || kind === 'tags'

const parameters: Readonly<Record<string, string>> = {
  ...{ venues: 'venue', organizers: 'organizer', parent: 'post_parent', located: 'geoloc' },
  ...{ hasEvents: 'has_events', onlyWithUpcoming: 'only_with_upcoming', hideEmpty: 'hide_empty' },
}

function parameter(kind: Kind, name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (name === 'near') {
    const { center, radius } = value as Near
    const { latitude, longitude } = center
    return { geoloc_lat: latitude, geoloc_lng: longitude, ...(radius === undefined ? {} : { geoloc_radius: radius }) }
  }
  const key = isTerms(kind) && name === 'parent' ? name : (parameters[name] ?? name)
  if (typeof value === 'object' && value !== null && 'text' in value) return { [key]: (value as SentDate).text }
  return { [key]: Array.isArray(value) && typeof value[0] === 'number' ? value.join(',') : value }
}

export async function queryRest(client: ApiClient, oracleQuery: OracleQuery): Promise<QueryResult> {
  const { kind, values, order, page, perPage, opens } = oracleQuery
  const query = {
    ...Object.assign({}, ...Object.entries(values).map(([name, value]) => parameter(kind, name, value))),
    ...(order ? { orderby: order.field === 'NUMBER' ? 'id' : order.field.toLowerCase() } : {}),
    ...(order?.direction ? { order: order.direction.toLowerCase() } : {}),
    ...{ page, per_page: perPage, password: opens ? password : undefined },
  }
  const url = `${rootOf(oracleQuery)}${ns}/${kind}?${qs.stringify(query, { arrayFormat: 'brackets' })}`
  const { status, body, headers } = await client.get(url)
  if (status === 400) return expectCode(body.code, 'rest_invalid_param', 'refused')
  if (status === 404) return expectCode(body.code, `${kind.slice(0, -1)}-archive-page-not-found`, 'beyond the end')
  expect([url, status], JSON.stringify(body)).toEqual([url, 200])
  expect([headers['x-cal-total'], headers['x-cal-totalpages']]).toEqual([`${body.total}`, `${body.total_pages}`])
  return { ids: body[kind].map(({ id }: { id: number }) => id), total: body.total, pages: body.total_pages }
}

function expectCode<Meaning>(code: unknown, expected: string, meaning: Meaning): Meaning {
  expect(code).toBe(expected)
  return meaning
}

function errorOf(code: string): QueryError {
  expect(['BAD_INPUT', 'UNAUTHENTICATED', 'FORBIDDEN']).toContain(code)
  return code === 'BAD_INPUT' ? 'refused' : 'forbidden'
}

const types: Readonly<Record<Kind, string>> = {
  ...{ events: 'Event', venues: 'Venue', organizers: 'Organizer', categories: 'Category', tags: 'Tag' },
}

/** The values with every other ID of a record as a global ID, and root categories as GraphQL selects them. */
function references(kind: Kind, { parent, ...values }: OracleQuery['values']): Readonly<Record<string, unknown>> {
  const globalId = (type: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => globalId(type, item))
    return typeof value === 'number' && value % 2 === 1 ? btoa(`${type}:${value}`) : value
  }
  const typeOfField: Readonly<Record<string, string>> = {
    ...{ venues: 'Venue', organizers: 'Organizer', event: 'Event', parent: types[kind] },
    // In lists of terms, a number is first a slug.
    ...(isTerms(kind) ? {} : { include: types[kind] }),
  }
  const all = parent === 0 ? { ...values, isRoot: true } : parent === undefined ? values : { ...values, parent }
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => {
      const type = typeOfField[name]
      return [name, type ? globalId(type, value) : value]
    }),
  )
}

/** The oracle has no stems, and searches in filters within the filter, too. */
const byParts = ({ not, any, ...values }: Readonly<Record<string, unknown>>): object => ({
  ...values,
  ...(values.search !== undefined && { searchMode: 'SUBSTRING' }),
  ...(not !== undefined && { not: byParts(not as Readonly<Record<string, unknown>>) }),
  ...(Array.isArray(any) && { any: any.map(byParts) }),
})

/** Sends the query of a list field. `range` are its arguments beside filter and order. */
async function query(
  client: ApiClient,
  { kind, values, order, opens, mustExist, ...oracleQuery }: OracleQuery,
  field: string,
  range: Readonly<Record<string, readonly [type: string, value: unknown]>>,
  selection: string,
) {
  const { status, ...others } = references(kind, values)
  const statuses = Array.isArray(status) ? { status: status.map(toRecordStatus) } : {}
  const filter = { ...byParts(others), ...statuses, ...(mustExist ? { mustExist } : {}) }
  const args = { filter: [`${types[kind]}Filter`, filter], orderBy: [`${types[kind]}Order`, order], ...range } as const
  const declared = Object.entries(args).map(([name, [type]]) => `$${name}: ${type}`)
  const passed = Object.keys(args).map((name) => `${name}: $${name}`)
  const context = opens ? `@inContext(password: "${password}")` : ''
  const text = `query(${declared.join(', ')}) ${context} { list: ${field}(${passed.join(', ')}) { ${selection} } }`
  const variables = Object.fromEntries(Object.entries(args).map(([name, [, value]]) => [name, value]))
  const { body } = await client.graphql(
    text,
    variables,
    rootOf({ kind, values, order, opens, mustExist, ...oracleQuery }),
  )
  return body
}

const idsOf = (nodes: readonly { databaseId: number }[]) => nodes.map(({ databaseId }) => databaseId)

/** Queries one numbered page. */
export async function queryGraphqlPage(client: ApiClient, oracleQuery: OracleQuery): Promise<QueryResult> {
  const { kind, page, perPage } = oracleQuery
  const range = { page: ['Int', page], perPage: ['Int', perPage] } as const
  const body = await query(
    client,
    oracleQuery,
    `${kind}Page`,
    range,
    'total totalPages page perPage items { databaseId }',
  )
  if (body.errors) return errorOf(body.errors[0].extensions.code)
  const { items, total, totalPages, ...echoed } = body.data.list
  expect(echoed).toEqual({ page, perPage })
  return { ids: idsOf(items), total, pages: totalPages }
}

/** Queries all pages by cursor, from either end. */
export async function queryAllByCursor(
  client: ApiClient,
  oracleQuery: OracleQuery,
  forward: boolean,
): Promise<readonly number[] | QueryError> {
  const { kind, perPage } = oracleQuery
  const [count, beyond] = forward ? (['first', 'after'] as const) : (['last', 'before'] as const)
  const selection = 'totalCount nodes { databaseId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  const ids: number[] = []
  let cursor: string | null = null
  for (let hasMore = true; hasMore; ) {
    const range = { [count]: ['Int', perPage], [beyond]: ['String', cursor] } as const
    const body = await query(client, oracleQuery, kind, range, selection)
    if (body.errors) return errorOf(body.errors[0].extensions.code)
    const { nodes, pageInfo, totalCount } = body.data.list
    ids.splice(forward ? ids.length : 0, 0, ...idsOf(nodes))
    hasMore = forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage
    cursor = forward ? pageInfo.endCursor : pageInfo.startCursor
    if (hasMore) expect(nodes, 'a page that is not the last').toHaveLength(perPage)
    else expect(totalCount).toBe(ids.length)
  }
  return ids
}
