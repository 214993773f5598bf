// Documented differences of routes, filters, links, headers and errors.
import type { Difference } from './compare.ts'
import { type Deviation, deviation } from './deviation.ts'
import { toObject, toText } from './json.ts'

/** Fields that differ when a list has other records. */
const results =
  /^(list(\.(total|total_pages|rest_url|next_rest_url|previous_rest_url))?|header\.(total|totalpages|link .*)|status)$/
const posts = /^\/(venues|organizers)$/

const total = (body: unknown) => Number(toObject(body).total ?? 0)
const codeOf = (body: unknown) => toObject(body).code

/** The parameters of a link, as decoded text. */
const paramsOf = (link: unknown) =>
  new Map(new URLSearchParams((toText(link).split('?')[1] ?? '').replaceAll('&amp;', '&')))

const lastSegment = (link: unknown) => String(link).split('?')[0]?.replace(/\/$/, '').split('/').at(-1)

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value)

/** Parameters by which the links of both sites say the same: ours contain more of them, and encoded. */
function losesParams({ legacy, ours }: Difference): boolean {
  if (lastSegment(legacy) !== lastSegment(ours)) return false
  const [legacyParams, ourParams] = [paramsOf(legacy), paramsOf(ours)]
  return [...legacyParams].every(([name, value]) => {
    const our = ourParams.get(name)
    return our === value || (isDay(value) && our?.startsWith(`${value} `)) || (name === 'status' && our === undefined)
  })
}

export const listDeviations: readonly Deviation[] = [
  deviation('a.1', 'Lists of every language contain every visible record.', {
    field: results,
    when: (_, { legacy, ours }, { language }) => language !== undefined && total(ours.body) > total(legacy.body),
  }),
  deviation('a.1', 'The legacy site has no such route.', {
    field: /^status$/,
    when: (_, { legacy, ours }) => codeOf(legacy.body) === 'rest_no_route' && codeOf(ours.body) !== 'rest_no_route',
  }),
  deviation('a.2', 'The index lists the routes and parameters of the contract only.', {
    field: /^index\.(routes|args)$/,
    what: 'missing',
  }),
  deviation('a.3', '/doc is a document of OpenAPI 3.1.', { field: /^doc$/ }),
  deviation('QUIRK-4', 'strict_dates=0 is valid.', {
    field: /^status$/,
    when: (_, { request, legacy }) => request.query.strict_dates === '0' && legacy.status === 400,
  }),
  deviation('QUIRK-11', 'All date filters apply together.', {
    field: results,
    when: (_, { request: { query } }) =>
      ('start_date' in query && 'starts_after' in query) || ('end_date' in query && 'ends_before' in query),
  }),
  deviation('QUIRK-12', 'Strict dates are read in the zone of the site.', { field: results, asks: ['strict_dates'] }),
  deviation('QUIRK-13', 'include switches all date filters off.', {
    field: results,
    path: /^\/events$/,
    asks: ['include'],
    when: (_, { legacy, ours }) => total(ours.body) >= total(legacy.body),
  }),
  deviation('QUIRK-29', 'A search without a match has zeros as totals.', {
    field: results,
    path: posts,
    asks: ['search'],
    when: ({ field, what }, { ours }) => total(ours.body) === 0 && (field !== 'list' || what !== 'items'),
  }),
  deviation('QUIRK-30', 'has_events counts published and private events that the caller may see.', {
    field: results,
    path: posts,
    asks: ['has_events'],
  }),
  deviation('QUIRK-31', 'only_with_upcoming looks at all events.', {
    field: results,
    path: posts,
    asks: ['only_with_upcoming'],
  }),
  deviation('QUIRK-32', 'parent=0 means the top level.', {
    field: /^status$/,
    when: (_, { request, legacy }) => request.query.parent === '0' && legacy.status === 400,
  }),
  deviation('QUIRK-43', 'Slugs with dots are found.', {
    field: /^status$/,
    path: /\/by-slug\/.*\./,
    when: (_, { ours }) => ours.status === 200,
  }),
  deviation('c.14', 'ticketed and geoloc filter without an add-on.', {
    field: results,
    when: (_, { request: { query } }) => Object.keys(query).some((name) => /^(ticketed|geoloc)/.test(name)),
  }),
  deviation('c.13', 'A list by ID has another order, because the records have other IDs.', {
    field: /^list$/,
    when: (_, { request }, { keepsIds }) => request.query.orderby === 'id' && !keepsIds,
  }),
  deviation('c.5', 'A list by count has another order where the counts differ.', {
    field: /^list$/,
    when: (_, { request }) => request.query.orderby === 'count',
  }),
  deviation('QUIRK-27', 'Links contain all effective parameters, percent-encoded.', {
    field: /^list\.(rest_url|next_rest_url|previous_rest_url)$/,
    what: 'value',
    when: losesParams,
  }),
  deviation('c.13', 'The setting REST_HEADER_PREFIX names the headers with totals.', { field: /^header\.name of / }),
  deviation('d.1', 'Texts of errors are not part of the contract.', { field: /^error\.message$/ }),
  deviation('d.1', 'Texts of errors are not part of the contract.', {
    field: /^error\.data\.params\./,
    what: 'value',
  }),
]
