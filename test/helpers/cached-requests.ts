// Reads for every parameter of every REST route, and for the page of every kind of record.
import fc from 'fast-check'
import qs from 'qs'
import { createRestRoutes } from '../../src/apis/rest/routes.ts'
import type { NamedRequest } from './cached-compare.ts'
import { type Content, parameterValues, pluralOf, recordKinds } from './cached-content.ts'
import type { Coordinate } from './cached-operations.ts'
import { ns } from './rest.ts'

type Query = Readonly<Record<string, unknown>>

/** Parameters that others require to have an effect. */
const needed: Readonly<Record<string, Query>> = {
  strict_dates: { starts_after: '2026-11-21 12:00:00' },
  order: { orderby: 'name' },
  geoloc_lat: { geoloc_lng: 2.3522, geoloc_radius: 9000 },
  geoloc_lng: { geoloc_lat: 48.8566, geoloc_radius: 9000 },
  geoloc_radius: { geoloc_lat: 48.8566, geoloc_lng: 2.3522 },
  page: { per_page: 2 },
  include: { hide_empty: 'false' },
  slug: { hide_empty: 'false' },
  parent: { hide_empty: 'false' },
}

export function restRequests(content: Content, languages: readonly string[]): Coordinate[] {
  const table = parameterValues(content)
  const values = (places: readonly string[]): fc.Arbitrary<unknown> => {
    const arbitrary = places.flatMap((place) => table[place] ?? [])[0]
    if (!arbitrary) throw new Error(`There are no values for ${places[0]}. Add some to the table of values.`)
    return arbitrary
  }
  const reads = createRestRoutes({ languages, legacyAddresses: false }).filter(({ action }) => action === 'read')
  return reads.flatMap(({ path, resource = 'namespace', params }) => {
    const [named] = /\{(id|slug)\}/.exec(path)?.slice(1) ?? []
    const segment =
      named === undefined ? fc.constant('') : values([`${resource}.${named}/path`, `${resource}.${named}`])
    const requestOf = (root: string, at: unknown, query: Query) =>
      restRequest(`${root}${ns}${path.replace(/\{\w+\}/, encodeURIComponent(String(at)))}`, query)
    const one = (name: string): Coordinate => {
      const beside = needed[name] ?? {}
      const own = name === named ? fc.constant(undefined) : values([`${resource}.${name}`, name])
      const request = fc
        .tuple(fc.constantFrom('', '', '/fr'), segment, own)
        .map(([root, at, value]) => requestOf(root, at, { ...beside, [name]: value }))
      const variants = fc
        .tuple(segment, segment, own, own)
        .map(([at, other, value, another]) =>
          name === named
            ? [requestOf('', at, {}), requestOf('', other, {})]
            : [undefined, value, another].map((each) => requestOf('', at, { ...beside, [name]: each })),
        )
      return { name: `${path || '/'}?${name}`, request: request, variants }
    }
    return Object.keys(params).map(one)
  })
}

function restRequest(path: string, query: Query): NamedRequest {
  const text = qs.stringify(query)
  const url = text === '' ? path : `${path}?${text}`
  return { name: url, request: { url } }
}

/** Requests for the pages of records. */
export function pageRequests({ open, slugs }: Content): fc.Arbitrary<NamedRequest>[] {
  const paths = { event: '/event', venue: '/venue', organizer: '/organizer', category: '/events/category', tag: '/tag' }
  const root = fc.constantFrom('', '/fr')
  const page = fc.constantFrom('', '?page=2')
  const records = recordKinds.map((kind) =>
    fc
      .tuple(root, fc.constantFrom(...(open[kind] ?? []).map(({ slug }) => slug), ...(slugs[kind] ?? [])), page)
      .map(([from, slug, which]) => `${from}${paths[kind]}/${encodeURIComponent(slug)}/${which}`),
  )
  const numbered = fc
    .constantFrom(...recordKinds.flatMap((kind) => open[kind] ?? []))
    .map(({ databaseId }) => `/?p=${databaseId}`)
  const home = fc.tuple(root, page).map(([from, which]) => `${from}/${which}`)
  return [...records, numbered, home].map((urls) =>
    urls.map((url) => ({ name: url, request: { url, headers: { accept: 'text/html' } } })),
  )
}

/** The content of a REST list without links, which repeat the parameters. */
export function essence(body: string): string {
  if (!body.startsWith('{')) return body
  const parsed = JSON.parse(body) as Record<string, unknown>
  if (parsed.rest_url === undefined || parsed.total === undefined) return body
  const items = recordKinds.map((kind) => parsed[pluralOf[kind]])
  return JSON.stringify([parsed.total, parsed.total_pages, items])
}
