// Bodies as JSON. Responses share the objects of records in the result cache, so their JSON is kept with the object.
import { objectNumber } from '../../basics/memoize.ts'
import type { RestResult } from './route.ts'
import type { LinkBuilder, LinkQuery } from './urls.ts'

/** Maximum number of JSON texts that are cached per record, such as with links in several languages. */
const maxFormats = 8

const keptJson = new WeakMap<object, Map<string, Buffer>>()

/** Returns the JSON of a record, cached per record, `serialize` and `options.key`, which must determine the JSON. */
export function stringifyRecordOnce<Item extends object, Options extends { readonly key: string }>(
  serialize: (item: Item, options: Options) => object,
  item: Item,
  options: Options,
): Buffer {
  const format = `${objectNumber(serialize)} ${options.key}`
  const kept = keptJson.get(item) ?? new Map<string, Buffer>()
  const json = kept.get(format) ?? Buffer.from(JSON.stringify(serialize(item, options)))
  if (kept.size < maxFormats) keptJson.set(item, kept.set(format, json))
  return json
}

export interface RecordPage<Item> {
  readonly items: readonly Item[]
  readonly perPage: number
  readonly total: number
  readonly totalPages: number
}

/** The records to store, and the IDs of records to remove, with the token for the next request. */
export function toChangesResult(
  resource: string,
  items: readonly Buffer[],
  others: { readonly deleted: readonly number[]; readonly sync_token: string; readonly has_more: boolean },
): RestResult {
  return { body: listBody(resource, items, others) }
}

function listBody(resource: string, items: readonly Buffer[], others: object): Buffer {
  return Buffer.concat([
    Buffer.from(`{"${resource}":[`),
    ...items.flatMap((item, index) => (index === 0 ? item : [Buffer.from(','), item])),
    Buffer.from(`],${JSON.stringify(others).slice(1)}`),
  ])
}

interface ListAddress {
  readonly page: number
  readonly resource: string
  /** Query parameters of links to the list, without the page number, in order. */
  readonly query: LinkQuery
  /** Whether `rest_url` of page 1 has the parameter `page` (contract c.13: it has for events, venues and organizers). */
  readonly selfLinkHasPage: boolean
}

/** Creates a list response: items, links to the previous and next page, totals in the body and in headers. */
export function toListResult(
  { items, total, totalPages }: Omit<RecordPage<Buffer>, 'perPage'>,
  { page, resource, query, selfLinkHasPage }: ListAddress,
  urls: LinkBuilder,
): RestResult {
  const address = (number: number | undefined) => urls.link(`/${resource}/`, { page: number, ...query })
  const others = {
    rest_url: address(page === 1 && !selfLinkHasPage ? undefined : page),
    ...(page < totalPages ? { next_rest_url: address(page + 1) } : {}),
    ...(page > 1 ? { previous_rest_url: address(page === 2 ? undefined : page - 1) } : {}),
    total,
    total_pages: totalPages,
  }
  return { body: listBody(resource, items, others), totals: [total, totalPages] }
}
