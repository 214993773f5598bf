// Documented differences of routes, filters, links, headers and errors.
import type { Difference } from './compare.ts'
import type { Deviation } from './deviation.ts'
import { isObject } from './json.ts'
import type { Exchange } from './request.ts'

/** Fields that differ when a list has other records. */
const selection =
  /^(list\.(total|total_pages|next_rest_url|previous_rest_url)|header\.(total|totalpages|link .*)|status)$/
const isSelection = ({ field, what }: Difference) =>
  selection.test(field) || (field === 'list' && (what === 'items' || what === 'order'))
const isLink = ({ field }: Difference) => /^list\.(rest_url|next_rest_url|previous_rest_url)$/.test(field)

const asks = ({ request }: Exchange, ...names: string[]) => names.every((name) => name in request.query)
const asksOne = ({ request }: Exchange, ...names: string[]) => names.some((name) => name in request.query)
const isPost = ({ request }: Exchange) => /^\/(venues|organizers)$/.test(request.path)

const total = (body: unknown) => (isObject(body) && typeof body.total === 'number' ? body.total : 0)
const codeOf = (body: unknown) => (isObject(body) ? body.code : undefined)

/** The parameters of a link, as decoded text. */
function paramsOf(link: unknown): ReadonlyMap<string, string> {
  const query = typeof link === 'string' ? (link.split('?')[1] ?? '') : ''
  return new Map(new URLSearchParams(query.replaceAll('&amp;', '&')))
}

const pathOf = (link: unknown) =>
  String(link)
    .split('?')[0]
    ?.replace(/^https?:\/\/[^/]+/, '')
    .replace(/\/$/, '')

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value)

/** Parameters by which the links of both sites say the same: ours contain more of them, and encoded. */
function losesParams({ legacy, ours, what }: Difference): boolean {
  if (what !== 'value' || pathOf(legacy)?.split('/').at(-1) !== pathOf(ours)?.split('/').at(-1)) return false
  const [legacyParams, ourParams] = [paramsOf(legacy), paramsOf(ours)]
  return [...legacyParams].every(([name, value]) => {
    const our = ourParams.get(name)
    return our === value || (isDay(value) && our?.startsWith(`${value} `)) || (name === 'status' && our === undefined)
  })
}

export const listDeviations: readonly Deviation[] = [
  {
    rule: 'a.1',
    text: 'Lists of every language contain every visible record.',
    explains: (difference, { legacy, ours }, { language }) =>
      language !== undefined &&
      (isSelection(difference) || isLink(difference)) &&
      total(ours.body) > total(legacy.body),
  },
  {
    rule: 'a.1',
    text: 'The legacy site has no such route.',
    explains: ({ field }, { legacy, ours }) =>
      field === 'status' && codeOf(legacy.body) === 'rest_no_route' && codeOf(ours.body) !== 'rest_no_route',
  },
  {
    rule: 'a.2',
    text: 'The index lists the routes and parameters of the contract only.',
    explains: ({ field, what }) => what === 'missing' && /^index\.(routes|args)$/.test(field),
  },
  { rule: 'a.3', text: '/doc is a document of OpenAPI 3.1.', explains: ({ field }) => field === 'doc' },
  {
    rule: 'QUIRK-4',
    text: 'strict_dates=0 is valid.',
    explains: ({ field }, { request, legacy }) =>
      field === 'status' && request.query.strict_dates === '0' && legacy.status === 400,
  },
  {
    rule: 'QUIRK-11',
    text: 'All date filters apply together.',
    explains: (difference, exchange) =>
      (isSelection(difference) || isLink(difference)) &&
      (asks(exchange, 'start_date', 'starts_after') || asks(exchange, 'end_date', 'ends_before')),
  },
  {
    rule: 'QUIRK-12',
    text: 'Strict dates are read in the zone of the site.',
    explains: (difference, exchange) =>
      (isSelection(difference) || isLink(difference)) && asks(exchange, 'strict_dates'),
  },
  {
    rule: 'QUIRK-13',
    text: 'include switches all date filters off.',
    explains: (difference, exchange) =>
      exchange.request.path === '/events' &&
      asks(exchange, 'include') &&
      (isLink(difference) || isSelection(difference)) &&
      total(exchange.ours.body) >= total(exchange.legacy.body),
  },
  {
    rule: 'QUIRK-29',
    text: 'A search without a match has zeros as totals.',
    explains: (difference, exchange) =>
      isPost(exchange) &&
      asks(exchange, 'search') &&
      (isSelection(difference) || isLink(difference)) &&
      total(exchange.ours.body) === 0 &&
      (difference.field !== 'list' || difference.what !== 'items'),
  },
  {
    rule: 'QUIRK-30',
    text: 'has_events counts published and private events that the caller may see.',
    explains: (difference, exchange) =>
      (isSelection(difference) || isLink(difference)) && asks(exchange, 'has_events') && isPost(exchange),
  },
  {
    rule: 'QUIRK-31',
    text: 'only_with_upcoming looks at all events.',
    explains: (difference, exchange) =>
      (isSelection(difference) || isLink(difference)) && asks(exchange, 'only_with_upcoming') && isPost(exchange),
  },
  {
    rule: 'QUIRK-32',
    text: 'parent=0 means the top level.',
    explains: ({ field }, { request, legacy }) =>
      field === 'status' && request.query.parent === '0' && legacy.status === 400,
  },
  {
    rule: 'QUIRK-43',
    text: 'Slugs with dots are found.',
    explains: ({ field }, { request, ours }) =>
      field === 'status' && /\/by-slug\/.*\./.test(request.path) && ours.status === 200,
  },
  {
    rule: 'c.14',
    text: 'ticketed and geoloc filter without an add-on.',
    explains: (difference, exchange) =>
      (isSelection(difference) || isLink(difference)) &&
      asksOne(exchange, 'ticketed', 'geoloc', 'geoloc_lat', 'geoloc_radius'),
  },
  {
    rule: 'c.13',
    text: 'A list by ID has another order, because the records have other IDs.',
    explains: ({ field }, { request }, { keepsIds }) => field === 'list' && request.query.orderby === 'id' && !keepsIds,
  },
  {
    rule: 'c.5',
    text: 'A list by count has another order where the counts differ.',
    explains: ({ field }, { request }) => field === 'list' && request.query.orderby === 'count',
  },
  {
    rule: 'QUIRK-27',
    text: 'Links contain all effective parameters, percent-encoded.',
    explains: (difference) => isLink(difference) && losesParams(difference),
  },
  {
    rule: 'c.13',
    text: 'The setting REST_HEADER_PREFIX names the headers with totals.',
    explains: ({ field }) => field.startsWith('header.name of '),
  },
  {
    rule: 'd.1',
    text: 'Texts of errors are not part of the contract.',
    explains: ({ field, what }) =>
      field === 'error.message' || (what === 'value' && /^error\.data\.params\./.test(field)),
  },
]
