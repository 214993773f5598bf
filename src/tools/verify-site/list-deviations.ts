// Documented differences between both sites in routes, filters, links, headers and errors.
import type { Difference } from './compare.ts'
import { type Deviation, deviation } from './deviation.ts'
import { toObject, toText } from './json.ts'

/** Fields, such as totals, that necessarily differ if the lists of both sites contain different records. */
const results =
  /^(list(\.(total|total_pages|rest_url|next_rest_url|previous_rest_url))?|header\.(total|totalpages|link .*)|status)$/
const posts = /^\/(venues|organizers)$/

const total = (body: unknown) => Number(toObject(body).total ?? 0)
const codeOf = (body: unknown) => toObject(body).code

/** Returns the decoded parameters of a link. */
const paramsOf = (link: unknown) =>
  new Map(new URLSearchParams((toText(link).split('?')[1] ?? '').replaceAll('&amp;', '&')))

const lastSegment = (link: unknown) => String(link).split('?')[0]?.replace(/\/$/, '').split('/').at(-1)

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value)

/** Whether both links mean the same although they differ: links of this service have more parameters, and encode them. */
function losesParams({ legacy, ours }: Difference): boolean {
  if (lastSegment(legacy) !== lastSegment(ours)) return false
  const [legacyParams, ourParams] = [paramsOf(legacy), paramsOf(ours)]
  return [...legacyParams].every(([name, value]) => {
    const our = ourParams.get(name)
    return our === value || (isDay(value) && our?.startsWith(`${value} `)) || (name === 'status' && our === undefined)
  })
}

export const listDeviations: readonly Deviation[] = [
  deviation('a.1', 'Lists contain all visible records in every language, also untranslated ones.', {
    field: results,
    when: (_, { legacy, ours }, { language }) => language !== undefined && total(ours.body) > total(legacy.body),
  }),
  deviation('a.1', 'This service has a route that the legacy site lacks.', {
    field: /^status$/,
    when: (_, { legacy, ours }) => codeOf(legacy.body) === 'rest_no_route' && codeOf(ours.body) !== 'rest_no_route',
  }),
  deviation('a.2', 'The index contains only the routes and parameters of the contract.', {
    field: /^index\.(routes|args)$/,
    what: 'missing',
  }),
  deviation('a.3', '/doc returns an OpenAPI 3.1 document.', { field: /^doc$/ }),
  deviation('QUIRK-4', 'strict_dates=0 is a valid value.', {
    field: /^status$/,
    when: (_, { request, legacy }) => request.query.strict_dates === '0' && legacy.status === 400,
  }),
  deviation('QUIRK-11', 'If several date filters are set, all of them apply.', {
    field: results,
    when: (_, { request: { query } }) =>
      ('start_date' in query && 'starts_after' in query) || ('end_date' in query && 'ends_before' in query),
  }),
  deviation('QUIRK-12', 'Strict dates are in the time zone of the site.', { field: results, asks: ['strict_dates'] }),
  deviation('QUIRK-13', 'With include, no date filter applies.', {
    field: results,
    path: /^\/events$/,
    asks: ['include'],
    when: (_, { legacy, ours }) => total(ours.body) >= total(legacy.body),
  }),
  deviation('QUIRK-29', 'If a search finds nothing, the totals are 0.', {
    field: results,
    path: posts,
    asks: ['search'],
    when: ({ field, what }, { ours }) => total(ours.body) === 0 && (field !== 'list' || what !== 'items'),
  }),
  deviation('QUIRK-30', 'has_events considers all published and private events that the user may read.', {
    field: results,
    path: posts,
    asks: ['has_events'],
  }),
  deviation('QUIRK-31', 'only_with_upcoming considers all events.', {
    field: results,
    path: posts,
    asks: ['only_with_upcoming'],
  }),
  deviation('QUIRK-32', 'parent=0 selects the terms without a parent.', {
    field: /^status$/,
    when: (_, { request, legacy }) => request.query.parent === '0' && legacy.status === 400,
  }),
  deviation('QUIRK-43', 'by-slug finds slugs that contain dots.', {
    field: /^status$/,
    path: /\/by-slug\/.*\./,
    when: (_, { ours }) => ours.status === 200,
  }),
  deviation('c.2', 'By its slug, a recurring event is its next date, else its last.', {
    path: /\/by-slug\//,
    when: (_, { legacy, ours }) =>
      toObject(ours.body).series !== undefined && toObject(ours.body).id !== toObject(legacy.body).id,
  }),
  deviation('c.14', 'The filters ticketed and geoloc work without an add-on.', {
    field: results,
    when: (_, { request: { query } }) => Object.keys(query).some((name) => /^(ticketed|geoloc)/.test(name)),
  }),
  deviation('c.13', 'The sort order by ID differs, because the records have other IDs.', {
    field: /^list$/,
    when: (_, { request }, { keepsIds }) => request.query.orderby === 'id' && !keepsIds,
  }),
  deviation('c.5', 'The sort order by count differs, because the counts of events differ.', {
    field: /^list$/,
    when: (_, { request }) => request.query.orderby === 'count',
  }),
  deviation('QUIRK-27', 'Links contain all parameters that apply, including defaults, percent-encoded.', {
    field: /^list\.(rest_url|next_rest_url|previous_rest_url)$/,
    what: 'value',
    when: losesParams,
  }),
  deviation('c.13', 'Headers with totals start with the setting REST_HEADER_PREFIX.', { field: /^header\.name of / }),
  deviation('d.1', 'Texts of errors are not part of the contract.', { field: /^error\.message$/ }),
  deviation('d.1', 'Texts of errors are not part of the contract.', {
    field: /^error\.data\.params\./,
    what: 'value',
  }),
]
