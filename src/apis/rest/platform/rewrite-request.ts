// Accepts the other spellings of REST requests that legacy clients use: the path as a query parameter, the path
// below index.php, and a method in place of POST. `/ical/` below a page is its calendar.
import type { Settings } from '../../../basics/env.ts'

interface RawRequest {
  readonly url?: string | undefined
  method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Fastify's option `rewriteUrl`, so that logs, limits, cache keys and links use the path of the REST API. */
export function createRequestRewriter({
  legacyAddresses,
  languages,
  restPrefix,
}: Settings): (request: RawRequest) => string {
  if (!legacyAddresses) return ({ url = '' }) => originForm(url)
  const prefix = restPrefix.replaceAll('.', '\\.')
  const root = `((?:/(?:${languages.join('|')}))?)`
  const home = new RegExp(`^${root}(?:/(?:index\\.php/?)?)?$`)
  const belowIndex = new RegExp(`^${root}/index\\.php(${prefix}(?:/.*)?)$`)
  const rest = new RegExp(`^${root}${prefix}/`)
  const ical = new RegExp(
    `^(${root}/(?:events(?:/(?!(?:category|tag)/ical/?$).*)?|(?:event|venue|organizer|tag)/[^/]+))/ical/?$`,
  )

  const rewritten = (url: string): string => {
    const [path = '', query] = splitOnce(url, '?')
    const [, language, pathOfRest] = belowIndex.exec(path) ?? []
    if (pathOfRest !== undefined) return `${language}${pathOfRest}${query === undefined ? '' : `?${query}`}`
    const page = ical.exec(path)?.[1]
    if (page !== undefined) return `${page}/?${query === undefined ? '' : `${query}&`}ical=1`
    const atHome = query === undefined ? null : home.exec(path)
    const { route, others } = atHome ? takeRoute(query ?? '') : {}
    if (route === undefined) return url
    const target = route.replace(/^\/?/, '/').split('/').map(encodeURIComponent).join('/')
    return `${atHome?.[1]}${restPrefix}${target}${others ? `?${others}` : ''}`
  }
  return (request) => {
    const url = rewritten(originForm(request.url ?? ''))
    if (request.method === 'POST' && rest.test(url)) request.method = overridingMethod(request, url) ?? 'POST'
    return url
  }
}

/** The last parameter `rest_route` of a query, and the query without any. */
function takeRoute(query: string): { readonly route?: string; readonly others?: string } {
  const pairs = query.split('&').map((text) => ({ text, parsed: [...new URLSearchParams(text)][0] }))
  const [ours, others] = [true, false].map((own) =>
    pairs.filter(({ parsed }) => (parsed?.[0] === 'rest_route') === own),
  )
  const route = ours?.at(-1)?.parsed?.[1]
  return route === undefined ? {} : { route, others: others?.map(({ text }) => text).join('&') ?? '' }
}

const overriding: ReadonlySet<string> = new Set(['GET', 'PUT', 'PATCH', 'DELETE'])

/** The method that a POST stands for (contract a.1): the query parameter takes precedence over the header. */
function overridingMethod({ headers }: RawRequest, url: string): string | undefined {
  const parameter = new URLSearchParams(splitOnce(url, '?')[1]).getAll('_method').at(-1)
  const method = String(parameter ?? headers['x-http-method-override'] ?? '').toUpperCase()
  return overriding.has(method) ? method : undefined
}

function splitOnce(text: string, separator: string): [string, string?] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

const origin = /^https?:\/\/[^/?#]*/i

/** The path and the query of a request target. Clients of proxies may send the whole URL (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || !origin.test(target)) return target
  return target.replace(origin, '').replace(/^(?!\/)/, '/')
}
