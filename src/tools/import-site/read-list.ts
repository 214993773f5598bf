// Reads all pages of a list, while records may be added to the site or removed.
import { z } from 'zod'
import { mapInParallel } from '../map-in-parallel.ts'
import { describeBlockingPage, describeMissingJson } from './describe-response.ts'
import { resourceUrl } from './find-root.ts'
import { extractJson } from './read-json.ts'
import type { SiteClient, SiteResponse } from './site-client.ts'

export interface SiteList {
  /** The records, each ID once, in the sort order of the site. */
  readonly items: readonly unknown[]
  /** Why records may be missing; undefined if the list is complete. */
  readonly problem: string | undefined
  /** Text before or after the JSON document of a response, such as PHP notices. */
  readonly printed?: string | undefined
}

type Page = NonNullable<Awaited<ReturnType<typeof readPage>>>

const perPage = 50
const maxPages = 100_000
/** Maximum number of pages in the request queue. The client limits the simultaneous requests. */
const readers = 16
/** Maximum number of readings of a list. A list is read again if records moved between pages during the reading. */
const maxReadings = 3

/** Reads all pages. `key`: the property with the records. `onPage` gets the number of pages as far as known. */
export async function readSiteList(
  client: SiteClient,
  root: URL,
  key: string,
  params: Readonly<Record<string, string>>,
  onPage: (done: number, total: number) => void = () => {},
): Promise<SiteList> {
  const read = (page: number) => {
    const url = resourceUrl(root, key, { ...params, per_page: String(perPage), page: String(page) })
    return readPage(client, url, key, page)
  }
  const all = new Map<unknown, unknown>()
  let problem: string | undefined
  let printed: string | undefined
  for (let reading = 1; reading <= maxReadings; reading++) {
    const pages = await readPages(read, onPage)
    printed ??= pages.find((page) => page.printed)?.printed
    const items = pages.flatMap((page) => page.items)
    const found = new Map(items.map((item) => [idOf(item) ?? item, item]))
    const before = all.size
    for (const [id, item] of found) all.set(id, item)
    const totals = [...new Set(pages.map(({ total }) => total).filter((total) => total !== undefined))]
    const total = totals[0] ?? found.size
    const isStable = totals.length < 2 && found.size === items.length && found.size === total
    // Pages of a list without a stable sort order overlap: several readings together find all records.
    const isComplete = reading > 1 && totals.length === 1 && all.size === total
    if (isStable || isComplete) return { items: [...(isStable ? found : all).values()], problem: undefined, printed }
    const announced = totals.length > 0 ? ` announces ${totals.join(', then ')} records, but it` : ''
    const repeated = items.length > found.size ? ` on pages that repeat ${items.length - found.size} of them` : ''
    problem = `the list of ${key}${announced} contains ${all.size}${totals.length > 0 ? '' : ' records'}${repeated}`
    if (reading > 1 && all.size === before) break
  }
  return { items: [...all.values()], problem, printed }
}

/** The site has no list of this kind (status 404). */
export class MissingListError extends Error {}

const identified = z.object({ id: z.union([z.number(), z.string()]).transform(String) })

const idOf = (item: unknown) => identified.safeParse(item).data?.id

async function readPages(
  readPage: (page: number) => Promise<Page | undefined>,
  onPage: (done: number, total: number) => void,
): Promise<Page[]> {
  let count = 1
  let done = 0
  const read = async (page: number) => {
    const result = await readPage(page)
    count = Math.max(count, page === 1 ? (result?.pages ?? 1) : page)
    onPage(++done, count)
    return result
  }
  const first = await read(1)
  const further = Array.from({ length: count - 1 }, (_, index) => index + 2)
  const pages = [first, ...(await mapInParallel(further, readers, read))]
  // Further pages exist if the site sends no totals, or if records were added after the first page was read.
  const ids = new Set(pages.slice(0, -1).flatMap((page) => page?.items.map(idOf) ?? []))
  for (let last = pages.at(-1); last && hasMore(last, count, ids); last = pages.at(-1)) {
    for (const item of last.items) ids.add(idOf(item))
    pages.push(await read(count + 1))
  }
  return pages.filter((page) => page !== undefined)
}

/** Whether there are pages after `last`. `ids`: the IDs of the records on the pages before it. */
function hasMore(last: Page, count: number, ids: ReadonlySet<string | undefined>): boolean {
  if (last.items.length === 0) return false
  // Some sites ignore the page number and send the same records for ever.
  if (last.items.every((item) => ids.has(idOf(item)))) return false
  return last.hasNext || (last.pages ?? 0) > count
}

const integer = z.coerce.number().int().nonnegative().optional().catch(undefined)
const envelope = z.object({
  total: integer,
  total_pages: integer,
  next_rest_url: z.string().optional().catch(undefined),
})

const failure = z.object({ code: z.string(), message: z.string().catch('') })

/** Requests a JSON document. Repeats the request if the response has none. */
export async function fetchJson(client: SiteClient, url: URL) {
  const response = await client.get(url, ({ status, text }) =>
    status === 200 && !extractJson(text) ? describeMissingJson(text) : undefined,
  )
  return { response, document: extractJson(response.text) }
}

/** Reads one page; undefined after the last one. Throws if the response is not a list. */
async function readPage(client: SiteClient, url: URL, key: string, page: number) {
  const { response, document } = await fetchJson(client, url)
  const { code = '', message } = failure.safeParse(document?.value).data ?? {}
  const { status } = response
  if (/page-not-found|invalid_page_number/.test(code) || (page > 1 && status === 404)) return undefined
  if (status !== 200) {
    const obstacle = describeBlockingPage(response.text)
    const reason = message === undefined ? obstacle && `, ${obstacle}` : `: ${code} ${message.slice(0, 200)}`
    const text = `${url.href}: the response has status ${status}${reason ?? ''}`.trim()
    throw status === 404 ? new MissingListError(text) : new Error(text)
  }
  if (!document) throw new Error(`${url.href}: ${describeMissingJson(response.text)}`)
  const list = z.record(z.string(), z.unknown()).safeParse(document.value).data ?? {}
  const items = list[key]
  if (!Array.isArray(items)) throw new Error(`${url.href}: the response has no list ${key}`)
  const { total, total_pages, next_rest_url } = envelope.parse(list)
  const pages = total_pages ?? totalHeader(response, /-totalpages$/i)
  if (Math.max(page, pages ?? 0) > maxPages) {
    throw new Error(`${url.href}: the list has ${pages ?? page} pages, but an import reads at most ${maxPages}`)
  }
  return {
    items: items as readonly unknown[],
    total: total ?? totalHeader(response, /-total$/i),
    pages,
    hasNext: Boolean(next_rest_url) || (total_pages === undefined && items.length >= perPage),
    printed: document.printed,
  }
}

const totalHeader = ({ headers }: SiteResponse, name: RegExp) =>
  integer.parse([...headers].find(([key]) => name.test(key))?.[1])
