// Follows every link that an answer of either interface contains, and those of the answers behind them.
import type { Doors, Reply } from './app.ts'
import { kinds, ns } from './rest.ts'

const site = 'http://calendar.test'

interface Crawl {
  /** Addresses that were fetched. */
  readonly seen: ReadonlySet<string>
  /** Those that did not answer 200, with what they answered. */
  readonly broken: readonly string[]
}

const urlsOfAll = `{
  events(first: 50) { nodes { url image { url } venues { url } organizers { url } categories { url } tags { url } } }
  venues(first: 50) { nodes { url } } organizers(first: 50) { nodes { url } }
  categories(first: 50) { nodes { url } } tags(first: 50) { nodes { url } }
}`

/** From the lists and the index of every root, and from the graph. */
export async function crawl(doors: Doors, roots: readonly string[] = ['', '/fr', '/es']): Promise<Crawl> {
  const seen = new Set<string>()
  const broken: string[] = []
  const open = roots.flatMap((root) => [
    `${root}${ns}`,
    `${root}${ns}/doc`,
    ...kinds.map((kind) => `${root}${ns}/${kind}`),
  ])
  for (const root of roots) open.push(...linksIn((await doors.graphql(urlsOfAll, {}, root)).body))
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (seen.has(url)) continue
    seen.add(url)
    const reply = await doors.get(url)
    if (reply.status !== 200) broken.push(`${reply.status} ${url}`)
    open.push(...linksOf(reply))
  }
  return { seen, broken }
}

/** Of a page those of its own site in the text of it; pages are not crawled further than that they open. */
const linksOf = ({ headers, body }: Reply): string[] =>
  String(headers['content-type']).includes('json') ? linksIn(body) : []

function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(site) ? [value.slice(site.length) || '/'] : []
  if (typeof value !== 'object' || value === null) return []
  // The examples of /doc name records of the sample.
  return Object.entries(value).flatMap(([key, item]) => (key === 'example' ? [] : linksIn(item)))
}
