// Crawls all links in responses of both APIs.
import type { ApiClient, Reply } from './app.ts'
import { kinds, ns } from './rest.ts'

const site = 'http://calendar.test'

interface Crawl {
  /** URLs that were requested. */
  readonly seen: ReadonlySet<string>
  /** URLs with another status than 200, after the status. */
  readonly broken: readonly string[]
}

const urlsOfAll = `{
  events(first: 50) { nodes { url image { url } venues { url } organizers { url } categories { url } tags { url } } }
  venues(first: 50) { nodes { url } } organizers(first: 50) { nodes { url } }
  categories(first: 50) { nodes { url } } tags(first: 50) { nodes { url } }
}`

/** Starts from the lists and the index of every language root, and from GraphQL. Follows links to the roots only. */
export async function crawl(client: ApiClient, roots: readonly string[] = ['', '/fr', '/es']): Promise<Crawl> {
  const seen = new Set<string>()
  const broken: string[] = []
  const open = roots.flatMap((root) => [
    `${root}${ns}`,
    `${root}${ns}/doc`,
    ...kinds.map((kind) => `${root}${ns}/${kind}`),
  ])
  for (const root of roots) open.push(...linksIn((await client.graphql(urlsOfAll, {}, root)).body))
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (seen.has(url) || !roots.some((root) => url.startsWith(`${root}/`))) continue
    seen.add(url)
    const reply = await client.get(url)
    if (reply.status !== 200) broken.push(`${reply.status} ${url}`)
    open.push(...linksOf(reply))
  }
  return { seen, broken }
}

/** Links of JSON responses. Links of HTML pages are not followed. */
const linksOf = ({ headers, body }: Reply): string[] =>
  String(headers['content-type']).includes('json') ? linksIn(body) : []

function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(site) ? [value.slice(site.length) || '/'] : []
  if (typeof value !== 'object' || value === null) return []
  // The examples of /doc contain IDs of the sample data.
  return Object.entries(value).flatMap(([key, item]) => (key === 'example' ? [] : linksIn(item)))
}
