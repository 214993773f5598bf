// Finds the REST interface of a calendar. The given URL may be the site, its REST root, or the namespace of the calendar.
import { z } from 'zod'
import { isAllowedRedirect } from '../fetch-url.ts'
import { describeBlockingPage } from './describe-response.ts'
import { extractJson } from './read-json.ts'
import type { SiteClient, SiteResponse } from './site-client.ts'

/** Changes the REST path of a URL: the path itself, or the parameter `rest_route` of sites without rewritten URLs. */
function withPath(root: URL, change: (path: string) => string): URL {
  const url = new URL(root)
  const route = url.searchParams.get('rest_route')
  if (route === null) url.pathname = change(url.pathname)
  else url.searchParams.set('rest_route', change(route))
  return url
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '')

/** Returns the URL of a resource such as `events` below the root of the REST interface. */
export function resourceUrl(root: URL, name: string, params: Readonly<Record<string, string>> = {}): URL {
  const url = withPath(root, (path) => `${withoutSlash(path)}/${name}`)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}

/** Returns the namespace of the calendar, such as `https://example.org/wp-json/tribe/events/v1`. Throws if there is none. */
export async function findCalendarApiRoot(client: SiteClient, text: string): Promise<URL> {
  const siteUrl = readAddress(text)
  // Always without a final slash: this URL identifies the site in the ledger of repeated imports.
  const root = withPath(await discover(client, siteUrl), withoutSlash)
  // Credentials are sent only to the origin that the operator gave, not to another one that the site refers to.
  if (root.origin === siteUrl.origin || !client.hasCredentials) return root
  throw new Error(`The REST interface of ${siteUrl.origin} is at ${root.href}. Give this address instead.`)
}

async function discover(client: SiteClient, siteUrl: URL): Promise<URL> {
  const direct = await calendarAt(client, siteUrl)
  if (direct) return direct
  const response = await client.get(siteUrl)
  requireAccess(siteUrl, response)
  const json = extractJson(response.text)?.value
  if (json !== undefined) {
    const found = await findNamespace(client, siteUrl, json)
    if (found) return found
    const [, path] = /^(.*)\/(?:events|venues|organizers|categories|tags)\/?$/.exec(siteUrl.pathname) ?? []
    const parent = path === undefined ? undefined : withPath(siteUrl, () => path)
    const above = parent && (await calendarAt(client, parent))
    if (above) return above
    throw new Error(`${siteUrl.href} responds with JSON, but it is not the REST interface of a calendar. ${expected}`)
  }
  const tried = [siteUrl.href]
  const refused: string[] = []
  let obstacle = describeBlockingPage(response.text)
  for (const index of restRoots(siteUrl, response)) {
    if (!(await isAllowedRedirect(siteUrl, index))) {
      refused.push(`It refers to ${index.href}, whose server has no public address: give this URL if it is correct. `)
      continue
    }
    tried.push(index.href)
    const found = await client.get(index)
    obstacle ??= describeBlockingPage(found.text)
    const value = found.status === 200 ? extractJson(found.text)?.value : undefined
    const root = await findNamespace(client, index, value)
    if (root) return root
    const names = namespacesOf(value).namespaces.slice(0, 10).join(', ')
    if (names) throw new Error(`${index.href} has the namespaces ${names}, and none of them is a calendar. ${expected}`)
  }
  if (obstacle !== undefined) throw new Error(`${siteUrl.href}: ${obstacle}. ${expected}`)
  throw new Error(
    `${siteUrl.href} responds with status ${response.status}, and the site has no REST interface at ${tried.slice(1).join(', ')}. ${refused.join('')}${expected}`,
  )
}

const expected = 'Give the site, or its namespace such as https://example.org/wp-json/tribe/events/v1.'

function readAddress(text: string): URL {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`${JSON.stringify(text.slice(0, 200))} is not an http or https URL. ${expected}`)
  }
  if (url.username || url.password) throw new Error('The URL must not contain a user name or password. Use --user.')
  url.hash = ''
  return url
}

/** Returns the root, with the origin that it redirects to, if it has a list of events; otherwise undefined. */
async function calendarAt(client: SiteClient, root: URL): Promise<URL | undefined> {
  const response = await client.get(resourceUrl(root, 'events', { per_page: '1' }))
  requireAccess(root, response)
  const list = z.object({ events: z.array(z.unknown()) }).safeParse(extractJson(response.text)?.value)
  // Older sites without upcoming events respond that the first page does not exist.
  const isEmpty = codeOf(response.text) === 'event-archive-page-not-found'
  if (!isEmpty && (response.status !== 200 || !list.success)) return undefined
  const final = new URL(root)
  final.protocol = response.url.protocol
  final.host = response.url.host
  return final
}

function requireAccess(url: URL, { status, url: final, text }: SiteResponse): void {
  const obstacle = describeBlockingPage(text)
  // A firewall can block one URL and allow another URL of the site: the next candidate is tried.
  if ((status === 401 || status === 403) && obstacle === undefined) {
    // After a redirect to another origin, the request has no credentials.
    const moved = final.origin === url.origin ? '' : ` It redirects to ${final.origin}: give this address instead.`
    const advice = moved || ' Check --user and the password, which must be an application password of the site.'
    throw new Error(`${url.href} responds with status ${status} ${codeOf(text)}.${advice}`.replace(' .', '.'))
  }
  if (status < 500 && status !== 429) return
  throw new Error(`${url.href} responds with status ${status}${obstacle ? `: ${obstacle}` : ''}. Try again later.`)
}

function codeOf(text: string): string {
  return z.object({ code: z.string() }).safeParse(extractJson(text)?.value).data?.code ?? ''
}

const index = z.object({ namespaces: z.array(z.string()), routes: z.record(z.string(), z.unknown()).optional() })

const namespacesOf = (value: unknown): z.output<typeof index> => index.safeParse(value).data ?? { namespaces: [] }

/** Finds the namespace with lists of events and organizers in the index of a REST root. */
async function findNamespace(client: SiteClient, root: URL, value: unknown): Promise<URL | undefined> {
  const { namespaces, routes = {} } = namespacesOf(value)
  const candidates = namespaces.filter(
    (namespace) =>
      namespace === 'tribe/events/v1' || ['events', 'organizers'].every((list) => `/${namespace}/${list}` in routes),
  )
  for (const namespace of candidates) {
    const found = await calendarAt(client, resourceUrl(root, namespace))
    if (found) return found
  }
  return undefined
}

/** Returns possible REST roots: from the Link header and the HTML page of the site, and the usual paths. */
function restRoots(siteUrl: URL, { url, headers, text }: SiteResponse): URL[] {
  const link = /<([^<>]*)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/i.exec(headers.get('link') ?? '')?.[1]
  const tag = /<link\b[^<>]*\brel=["']https:\/\/api\.w\.org\/["'][^<>]*>/i.exec(text)?.[0] ?? ''
  const href = /\bhref=["']([^"']*)["']/i.exec(tag)?.[1]?.replaceAll('&#038;', '&').replaceAll('&amp;', '&')
  const named = [link, href].map((value) => (value === undefined ? null : URL.parse(value, url)))
  const usual = [`${withoutSlash(siteUrl.pathname)}/wp-json/`, '/wp-json/', '/?rest_route=/'].map(
    (path) => new URL(siteUrl.origin + path),
  )
  const all = [...named, ...usual].filter((each) => each !== null).filter(({ protocol }) => /^https?:$/.test(protocol))
  return [...new Map(all.map((each) => [each.href, each])).values()]
}
