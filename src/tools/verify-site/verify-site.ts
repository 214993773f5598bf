// Sends the same requests to a legacy site and to this service, and compares the responses.
import { mapInParallel } from '../map-in-parallel.ts'
import { compareResponses, type RootPair } from './compare.ts'
import { createIdPairCounter, createSlugIndex, haveEqualIds, toComparedSite } from './compared-site.ts'
import { type JsonObject, type Resource, resourceNames, toObject, toObjects } from './json.ts'

import { createReport } from './report.ts'
import {
  buildFurtherPages,
  buildLanguageRequests,
  buildOverviewRequests,
  buildSampleRequests,
  type LegacyRecords,
} from './requests.ts'
import { type Exchange, type SendRequest, type SiteRequest, siteRequestUrl, UnreachableError } from './send.ts'

interface Site {
  /** The root of the API, such as `https://example.org/wp-json/tribe/events/v1`. */
  readonly root: string
  readonly send: SendRequest
  readonly languages: Readonly<Record<string, string>>
}

interface VerifyOptions {
  readonly legacy: Site
  readonly ours: Site
  /** Number of requests to each site. A small number is exceeded by the requests that find records. */
  readonly sample: number
  /** Maximum number of simultaneous requests to each site. */
  readonly concurrency: number
  readonly ignore: readonly string[]
  readonly hasCredentials: boolean
  readonly onProgress: (done: number, total: number) => void
}

export async function verifySite(options: VerifyOptions) {
  const { legacy, ours, sample, ignore, concurrency, onProgress } = options
  const languages = Object.keys(legacy.languages)
  const perLanguage = Math.floor(sample / (languages.length * 2 + 2))
  const pairs = createIdPairCounter()
  let done = 0

  /** Sends the requests to both sites. `ourRequests`: the requests to this service, if its IDs differ. */
  const send = (language: string | undefined, requests: readonly SiteRequest[], ourRequests = requests) =>
    mapInParallel(requests, concurrency, async (request, index) => {
      const [fromLegacy, fromOurs] = await Promise.all([
        legacy.send(siteRequestUrl(rootOf(legacy, language), request)),
        ours.send(siteRequestUrl(rootOf(ours, language), ourRequests[index] ?? request)),
      ])
      done += 1
      onProgress(done, Math.max(done, sample))
      return { request, legacy: fromLegacy, ours: fromOurs }
    })

  const verifyRoot = async (language: string | undefined, sample: number, main?: RootPair) => {
    const overviews = await send(language, buildOverviewRequests(options.hasCredentials && language === undefined))
    const [first] = overviews
    for (const site of ['legacy', 'ours'] as const) requireEvents(first?.[site])
    const pages = overviews.flatMap(({ request, legacy: { body } }) =>
      buildFurtherPages(request, Number(toObject(body).total_pages ?? 0), pagesOf(sample)),
    )
    const listed = [...overviews, ...(await send(language, pages))]

    const slugs = { legacy: createSlugIndex(), ours: createSlugIndex() }
    const collect = (exchanges: readonly Exchange[]) => {
      for (const site of ['legacy', 'ours'] as const) for (const each of exchanges) slugs[site].collect(each[site].body)
    }
    collect(listed)
    const byResource = recordsOf(listed)
    const records = resourceNames.flatMap((resource) =>
      byResource[resource].map((record) => [resource, record] as const),
    )
    const kept = haveEqualIds(records, slugs.ours)
    const ourId: LegacyRecords['resolveId'] = (resource, id) => {
      const slug = slugs.legacy.slugOf(resource, id)?.split('/').slice(1).join('/')
      return kept || slug === undefined ? id : (slugs.ours.idOf(resource, slug) ?? id)
    }
    const requestsOf = language === undefined ? buildSampleRequests : buildLanguageRequests
    const draw = (resolveId: LegacyRecords['resolveId']) =>
      requestsOf({ byResource, resolveId }, sample - listed.length)
    const requests = draw((_, id) => id)
    const sampled = await send(language, requests, draw(ourId))
    collect(sampled)
    const sideOf = (site: 'legacy' | 'ours') => {
      const events = listed.flatMap(({ [site]: { body } }) => toObjects(toObject(body).events))
      return toComparedSite(rootOf(options[site], language), slugs[site], first?.[site].body, events, main?.[site].site)
    }
    const root = { language, legacy: sideOf('legacy'), ours: sideOf('ours'), keepsIds: kept, pairs }
    return { root, exchanges: [...listed, ...sampled] }
  }

  const main = await verifyRoot(undefined, sample - perLanguage * languages.length)
  const all = [main]
  for (const language of languages) all.push(await verifyRoot(language, perLanguage, main.root))
  const found = all.flatMap(({ root, exchanges }) =>
    exchanges.flatMap((exchange) =>
      compareResponses(exchange, root).map((difference) => ({ difference, exchange, root })),
    ),
  )
  const requests = all.reduce((total, verified) => total + verified.exchanges.length, 0)
  const ids = main.root.keepsIds ? 'kept' : 'by slug'
  return createReport({ legacy: legacy.root, ours: ours.root, requests, ids }, found, ignore)
}

const rootOf = ({ root, languages }: Site, language: string | undefined) =>
  language === undefined ? root : (languages[language] ?? root)

/** Number of further pages of each of the six lists: together a tenth of the sample. */
const pagesOf = (sample: number) => Math.max(1, Math.floor(sample / 60))

/** Returns the records in the lists of the legacy site, each once. */
function recordsOf(exchanges: readonly Exchange[]): LegacyRecords['byResource'] {
  const entries = resourceNames.map((resource) => {
    const shown = exchanges.flatMap(({ legacy: { body } }) => toObjects(toObject(body)[resource]))
    return [resource, [...new Map(shown.map((record) => [record.id, record])).values()]] as const
  })
  return Object.fromEntries(entries) as Record<Resource, JsonObject[]>
}

function requireEvents(response: Exchange['legacy'] | undefined): void {
  if (response?.status === 200 && Array.isArray(toObject(response.body).events)) return
  throw new UnreachableError(
    `${response?.url.href} returns no list of events (status ${response?.status}). Give the root of the API, such as https://example.org/wp-json/tribe/events/v1.`,
  )
}
