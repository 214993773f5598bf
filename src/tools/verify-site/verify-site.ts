// Sends the same requests to a legacy site and to this service, and compares the responses.
import { inParallel } from '../in-parallel.ts'
import { compareResponses, type Root } from './compare.ts'
import { createPairs, createSlugs, keepsIds, type Pairs } from './identities.ts'
import { isObject, type JsonObject, objects, type Resource, resources } from './json.ts'
import type { Records } from './records.ts'
import { createReport, type VerifyReport } from './report.ts'
import { furtherPages, languageRequests, overviewRequests, sampleRequests } from './requests.ts'
import { type Exchange, requestUrl, type Send, type SiteRequest, Unreachable } from './send.ts'
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

interface Verified {
  readonly root: Root
  readonly exchanges: readonly Exchange[]
}

export async function verifySite(options: VerifyOptions): Promise<VerifyReport> {
  const { legacy, ours, sample, ignore } = options
  const languages = Object.keys(legacy.languages)
  const perLanguage = Math.floor(sample / (languages.length * 2 + 2))
  const run = { options, pairs: createPairs(), done: 0 }
  const main = await verifyRoot(run, undefined, sample - perLanguage * languages.length)
  const all = [main]
  for (const language of languages) all.push(await verifyRoot(run, language, perLanguage, main.root))
  const found = all.flatMap(({ root, exchanges }) =>
    exchanges.flatMap((exchange) =>
      compareResponses(exchange, root).map((difference) => ({ difference, exchange, root })),
    ),
  )
  const exchanges = all.reduce((total, verified) => total + verified.exchanges.length, 0)
  const ids = main.root.keepsIds ? 'kept' : 'by slug'
  return createReport({ legacy: legacy.root, ours: ours.root, found, exchanges, ignore, ids })
}

interface Run {
  readonly options: VerifyOptions
  readonly pairs: Pairs
  done: number
}

async function verifyRoot(run: Run, language: string | undefined, sample: number, main?: Root): Promise<Verified> {
  const { options, pairs } = run
  const rootOf = (site: Site) => (language === undefined ? site.root : (site.languages[language] ?? site.root))
  const roots = { legacy: rootOf(options.legacy), ours: rootOf(options.ours) }
  const ask = (requests: readonly SiteRequest[], ours = requests) => askBoth(run, roots, requests, ours)

  const overviews = await ask(overviewRequests(options.hasCredentials && language === undefined))
  const [first] = overviews
  for (const site of ['legacy', 'ours'] as const) requireEvents(first?.[site])
  const pages = overviews.flatMap(({ request, legacy: { body } }) =>
    isObject(body) && typeof body.total_pages === 'number'
      ? furtherPages(request, body.total_pages, pagesOf(sample))
      : [],
  )
  const listed = [...overviews, ...(await ask(pages))]

  const slugs = { legacy: createSlugs(), ours: createSlugs() }
  const collect = (exchanges: readonly Exchange[]) => {
    for (const site of ['legacy', 'ours'] as const) for (const each of exchanges) slugs[site].collect(each[site].body)
  }
  collect(listed)
  const byResource = recordsOf(listed)
  const kept = keepsIds(
    resources.flatMap((resource) => byResource[resource].map((record) => [resource, record] as const)),
    slugs.ours,
  )
  const ourId: Records['resolveId'] = (resource, id) => {
    const slug = slugs.legacy.slugOf(resource, id)?.split('/').slice(1).join('/')
    return kept || slug === undefined ? id : (slugs.ours.idOf(resource, slug) ?? id)
  }
  const requestsOf = language === undefined ? sampleRequests : languageRequests
  const draw = (resolveId: Records['resolveId']) => requestsOf({ byResource, resolveId }, sample - listed.length)
  const sampled = await ask(
    draw((_, id) => id),
    draw(ourId),
  )
  collect(sampled)
  const sideOf = (site: 'legacy' | 'ours') => {
    const list = first && isObject(first[site].body) ? first[site].body : {}
    const records = listed.flatMap(({ [site]: { body } }) => (isObject(body) ? objects(body.events) : []))
    return createSide(roots[site], slugs[site], { list, records, mainSite: main?.[site].site })
  }
  const root = { language, legacy: sideOf('legacy'), ours: sideOf('ours'), keepsIds: kept, pairs }
  return { root, exchanges: [...listed, ...sampled] }
}

/** Sends the requests to both sites. The requests to ours may have other IDs. */
function askBoth(
  run: Run,
  roots: { readonly legacy: string; readonly ours: string },
  requests: readonly SiteRequest[],
  ourRequests: readonly SiteRequest[],
): Promise<Exchange[]> {
  const { legacy, ours, sample, concurrency, onProgress } = run.options
  return inParallel(requests, concurrency, async (request, index) => {
    const [fromLegacy, fromOurs] = await Promise.all([
      legacy.send(requestUrl(roots.legacy, request)),
      ours.send(requestUrl(roots.ours, ourRequests[index] ?? request)),
    ])
    run.done += 1
    onProgress(run.done, Math.max(run.done, sample))
    return { request, legacy: fromLegacy, ours: fromOurs }
  })
}

/** Further pages of each of the six overviews: a tenth of the sample. */
const pagesOf = (sample: number) => Math.max(1, Math.floor(sample / 60))

/** The records that lists of the legacy site showed, each once. */
function recordsOf(exchanges: readonly Exchange[]): Records['byResource'] {
  const entries = resources.map((resource) => {
    const shown = exchanges.flatMap(({ legacy: { body } }) => (isObject(body) ? objects(body[resource]) : []))
    return [resource, [...new Map(shown.map((record) => [record.id, record])).values()]] as const
  })
  return Object.fromEntries(entries) as Record<Resource, JsonObject[]>
}

function requireEvents(response: Exchange['legacy'] | undefined): void {
  if (response?.status === 200 && isObject(response.body) && Array.isArray(response.body.events)) return
  throw new Unreachable(
    `${response?.url} returns no list of events (status ${response?.status}). Give the root of the API, such as https://example.org/wp-json/tribe/events/v1.`,
  )
}
