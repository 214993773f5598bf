// Sends the same requests to a legacy site and to this service, and compares the responses.
import { compareResponses, type Root } from './compare.ts'
import { createPairs, createSlugs, keepsIds, type Pairs } from './identities.ts'
import { isObject, type JsonObject, objects } from './json.ts'
import { type Records, type ResolveId, type Resource, resources } from './records.ts'
import { createReport, type VerifyReport } from './report.ts'
import { type Exchange, requestUrl, type Send, type SiteRequest } from './request.ts'
import { furtherPages, languageRequests, overviewRequests, sampleRequests } from './requests.ts'
import { Unreachable } from './send.ts'
import { createSide } from './sides.ts'

interface Site {
  /** Root of its API, such as `https://example.org/wp-json/tribe/events/v1`. */
  readonly root: string
  readonly send: Send
  /** Roots of other languages. */
  readonly languages: Readonly<Record<string, string>>
}

interface VerifyOptions {
  readonly legacy: Site
  readonly ours: Site
  /** Requests to each site at most; a few more to see what the sites have. */
  readonly sample: number
  /** Requests to each site at a time. */
  readonly concurrency: number
  readonly ignore: readonly string[]
  readonly hasCredentials: boolean
  readonly onProgress: (done: number, total: number) => void
}

export async function verifySite(options: VerifyOptions): Promise<VerifyReport> {
  const { legacy, ours, sample } = options
  const pairs = createPairs()
  const progress = { done: 0, total: sample }
  const languages = Object.keys(legacy.languages)
  const perLanguage = Math.floor(sample / (languages.length * 2 + 2))
  const main = await verifyRoot(undefined, sample - perLanguage * languages.length, pairs, progress, options)
  const all = [main]
  for (const language of languages)
    all.push(await verifyRoot(language, perLanguage, pairs, progress, options, main.root))
  const found = all.flatMap(({ root, exchanges }) =>
    exchanges.flatMap((exchange) =>
      compareResponses(exchange, root).map((difference) => ({ difference, exchange, root })),
    ),
  )
  return createReport({
    legacy: legacy.root,
    ours: ours.root,
    found,
    exchanges: all.reduce((total, { exchanges }) => total + exchanges.length, 0),
    ignore: options.ignore,
    ids: main.root.keepsIds ? 'kept' : 'by slug',
  })
}

async function verifyRoot(
  language: string | undefined,
  sample: number,
  pairs: Pairs,
  progress: { done: number; total: number },
  { legacy, ours, concurrency, hasCredentials, onProgress }: VerifyOptions,
  main?: Root,
): Promise<{ root: Root; exchanges: readonly Exchange[] }> {
  const rootOf = (site: Site) => (language === undefined ? site.root : (site.languages[language] ?? site.root))
  const exchange = async (legacyRequest: SiteRequest, ourRequest: SiteRequest): Promise<Exchange> => {
    const [fromLegacy, fromOurs] = await Promise.all([
      legacy.send(requestUrl(rootOf(legacy), legacyRequest)),
      ours.send(requestUrl(rootOf(ours), ourRequest)),
    ])
    progress.done += 1
    onProgress(progress.done, Math.max(progress.done, progress.total))
    return { request: legacyRequest, language, legacy: fromLegacy, ours: fromOurs }
  }
  const same = (requests: readonly SiteRequest[]) =>
    inParallel(requests, concurrency, (request) => exchange(request, request))

  const overviews = await same(overviewRequests(hasCredentials && language === undefined))
  for (const site of ['legacy', 'ours'] as const) requireEvents(overviews[0]?.[site])
  const pages = overviews.flatMap(({ request, legacy: { body } }) =>
    isObject(body) && typeof body.total_pages === 'number'
      ? furtherPages(request, body.total_pages, pagesOf(sample))
      : [],
  )
  const exchanges = [...overviews, ...(await same(pages))]

  const [legacySlugs, ourSlugs] = [createSlugs(), createSlugs()]
  for (const { legacy: one, ours: other } of exchanges) {
    legacySlugs.collect(one.body)
    ourSlugs.collect(other.body)
  }
  const records = recordsOf(exchanges)
  const kept = keepsIds(
    resources.flatMap((resource) => records[resource].map((record) => [resource, record] as const)),
    ourSlugs,
  )
  const ourId: ResolveId = (resource, id) => {
    const slug = legacySlugs.slugOf(resource, id)?.split('/').slice(1).join('/')
    return kept || slug === undefined ? id : (ourSlugs.idOf(resource, slug) ?? id)
  }
  const draw = (resolveId: ResolveId) => {
    const requestsOf = language === undefined ? sampleRequests : languageRequests
    return requestsOf(records, resolveId, sample - exchanges.length)
  }
  const ourRequests = draw(ourId)
  const sampled = await inParallel(
    draw((_, id) => id),
    concurrency,
    (request, index) => exchange(request, ourRequests[index] ?? request),
  )
  for (const { legacy: one, ours: other } of sampled) {
    legacySlugs.collect(one.body)
    ourSlugs.collect(other.body)
  }
  const [first] = overviews
  const sideOf = (site: 'legacy' | 'ours') => {
    const list = first && isObject(first[site].body) ? first[site].body : {}
    const shown = exchanges.flatMap(({ [site]: { body } }) => (isObject(body) ? objects(body.events) : []))
    const [root, slugs] = site === 'legacy' ? [rootOf(legacy), legacySlugs] : [rootOf(ours), ourSlugs]
    return createSide(root, slugs, { list, records: shown, mainSite: main?.[site].site })
  }
  const root = { language, legacy: sideOf('legacy'), ours: sideOf('ours'), keepsIds: kept, pairs }
  return { root, exchanges: [...exchanges, ...sampled] }
}

/** Further pages of each of the six overviews: a tenth of the sample. */
const pagesOf = (sample: number) => Math.max(1, Math.floor(sample / 60))

/** The records that lists of the legacy site showed, each once. */
function recordsOf(exchanges: readonly Exchange[]): Records {
  const records = (resource: Resource): JsonObject[] => {
    const shown = exchanges.flatMap(({ legacy: { body } }) => (isObject(body) ? objects(body[resource]) : []))
    return [...new Map(shown.map((record) => [record.id, record])).values()]
  }
  return {
    events: records('events'),
    venues: records('venues'),
    organizers: records('organizers'),
    categories: records('categories'),
    tags: records('tags'),
  }
}

function requireEvents(response: Exchange['legacy'] | undefined): void {
  if (response?.status === 200 && isObject(response.body) && Array.isArray(response.body.events)) return
  throw new Unreachable(
    `${response?.url} returns no list of events (status ${response?.status}). Give the root of the API, such as https://example.org/wp-json/tribe/events/v1.`,
  )
}

/** Results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
