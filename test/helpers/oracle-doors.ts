// One question put to either door, and what comes back.

import qs from 'qs'
import { expect } from 'vitest'
import type { Doors } from './app.ts'
import type { Language } from './oracle-facts.ts'
import { password } from './oracle-save.ts'
import type { SentDate } from './oracle-time.ts'
import { ns } from './rest.ts'

export type Kind = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

export interface Asked {
  readonly kind: Kind
  readonly language: Language
  /** Whether the language is named where it is the default one. */
  readonly root: boolean
  readonly values: Readonly<Record<string, unknown>>
  readonly order: { readonly field: string; readonly direction?: 'ASC' | 'DESC' } | undefined
  readonly page: number
  readonly perPage: number
  readonly opens: boolean
  /** GraphQL: naming what does not exist is an error, as it always is for the legacy door. */
  readonly mustExist: boolean
}

interface Page {
  readonly ids: readonly number[]
  readonly total: number
  readonly pages: number
}

/** `refused`: the question makes no sense; `forbidden`: not to this reader. */
export type Refusal = 'refused' | 'forbidden'
export type Answer = Page | Refusal | 'beyond the end'

const rootOf = ({ language, root }: Asked) => (language === 'en' && !root ? '' : `/${language}`)
const isTerms = (kind: Kind) => kind === 'categories' || kind === 'tags'

const parameters: Readonly<Record<string, string>> = {
  ...{ venues: 'venue', organizers: 'organizer', parent: 'post_parent', located: 'geoloc' },
  ...{ hasEvents: 'has_events', onlyWithUpcoming: 'only_with_upcoming', hideEmpty: 'hide_empty' },
}

function parameter(kind: Kind, name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (name === 'near') {
    const { latitude, longitude, radius } = value as { latitude: number; longitude: number; radius?: number }
    return { geoloc_lat: latitude, geoloc_lng: longitude, ...(radius === undefined ? {} : { geoloc_radius: radius }) }
  }
  const key = isTerms(kind) && name === 'parent' ? name : (parameters[name] ?? name)
  if (typeof value === 'object' && value !== null && 'text' in value) return { [key]: (value as SentDate).text }
  return { [key]: Array.isArray(value) && typeof value[0] === 'number' ? value.join(',') : value }
}

export async function askLegacy(doors: Doors, asked: Asked): Promise<Answer> {
  const { kind, values, order, page, perPage, opens } = asked
  const query = {
    ...Object.assign({}, ...Object.entries(values).map(([name, value]) => parameter(kind, name, value))),
    ...(order ? { orderby: order.field === 'NUMBER' ? 'id' : order.field.toLowerCase() } : {}),
    ...(order?.direction ? { order: order.direction.toLowerCase() } : {}),
    ...{ page, per_page: perPage, password: opens ? password : undefined },
  }
  const url = `${rootOf(asked)}${ns}/${kind}?${qs.stringify(query, { arrayFormat: 'brackets' })}`
  const { status, body, headers } = await doors.get(url)
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

function refusal(code: string): Refusal {
  expect(['BAD_INPUT', 'UNAUTHENTICATED', 'FORBIDDEN']).toContain(code)
  return code === 'BAD_INPUT' ? 'refused' : 'forbidden'
}

const types: Readonly<Record<Kind, string>> = {
  ...{ events: 'Event', venues: 'Venue', organizers: 'Organizer', categories: 'Category', tags: 'Tag' },
}

/** `field` is the list by pages or by cursors; what it is given beside filter and order is named by `range`. */
async function query(
  doors: Doors,
  { kind, values, order, opens, mustExist, ...asked }: Asked,
  field: string,
  range: Readonly<Record<string, readonly [type: string, value: unknown]>>,
  selection: string,
) {
  const { status, ...others } = values
  const statuses = Array.isArray(status) ? { status: status.map((name: string) => name.toUpperCase()) } : {}
  const filter = { ...others, ...statuses, ...(mustExist ? { mustExist } : {}) }
  const given = { filter: [`${types[kind]}Filter`, filter], orderBy: [`${types[kind]}Order`, order], ...range } as const
  const declared = Object.entries(given).map(([name, [type]]) => `$${name}: ${type}`)
  const passed = Object.keys(given).map((name) => `${name}: $${name}`)
  const context = opens ? `@inContext(password: "${password}")` : ''
  const text = `query(${declared.join(', ')}) ${context} { list: ${field}(${passed.join(', ')}) { ${selection} } }`
  const variables = Object.fromEntries(Object.entries(given).map(([name, [, value]]) => [name, value]))
  const { body } = await doors.graphql(text, variables, rootOf({ kind, values, order, opens, mustExist, ...asked }))
  return body
}

const idsOf = (nodes: readonly { databaseId: number }[]) => nodes.map(({ databaseId }) => databaseId)

/** By page number. */
export async function askPage(doors: Doors, asked: Asked): Promise<Answer> {
  const { kind, page, perPage } = asked
  const range = { page: ['Int', page], perPage: ['Int', perPage] } as const
  const body = await query(doors, asked, `${kind}Page`, range, 'total totalPages page perPage items { databaseId }')
  if (body.errors) return refusal(body.errors[0].extensions.code)
  const { items, total, totalPages, ...echoed } = body.data.list
  expect(echoed).toEqual({ page, perPage })
  return { ids: idsOf(items), total, pages: totalPages }
}

/** The whole list by cursors, so many at a time, from either end. */
export async function walk(doors: Doors, asked: Asked, forward: boolean): Promise<readonly number[] | Refusal> {
  const { kind, perPage } = asked
  const [count, beyond] = forward ? (['first', 'after'] as const) : (['last', 'before'] as const)
  const selection = 'totalCount nodes { databaseId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  const found: number[] = []
  let cursor: string | null = null
  for (let more = true; more; ) {
    const range = { [count]: ['Int', perPage], [beyond]: ['String', cursor] } as const
    const body = await query(doors, asked, kind, range, selection)
    if (body.errors) return refusal(body.errors[0].extensions.code)
    const { nodes, pageInfo, totalCount } = body.data.list
    found.splice(forward ? found.length : 0, 0, ...idsOf(nodes))
    more = forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage
    cursor = forward ? pageInfo.endCursor : pageInfo.startCursor
    if (more) expect(nodes, 'a page that is not the last').toHaveLength(perPage)
    else expect(totalCount).toBe(found.length)
  }
  return found
}
