// Accepts the other spellings of REST requests that legacy clients use: the path as a query parameter, the path
// below index.php, and a method in place of POST. `/ical/` below a page is its calendar.
import type { Settings } from '../../../basics/env.ts'

interface RawRequest {
  readonly url?: string | undefined
  method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Creates Fastify's option `rewriteUrl`: the rewritten path counts for logs, limits, cache keys and links. */
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

/** Returns the last parameter `rest_route`, and the query string without parameters of this name. */
function takeRoute(query: string): { readonly route?: string; readonly others?: string } {
  const pairs = query.split('&').map((text) => ({ text, parsed: [...new URLSearchParams(text)][0] }))
  const [ours, others] = [true, false].map((own) =>
    pairs.filter(({ parsed }) => (parsed?.[0] === 'rest_route') === own),
  )
  const route = ours?.at(-1)?.parsed?.[1]
  return route === undefined ? {} : { route, others: others?.map(({ text }) => text).join('&') ?? '' }
}

const overriding: ReadonlySet<string> = new Set(['GET', 'PUT', 'PATCH', 'DELETE'])

/** Returns the method that overrides POST (contract a.1): from the query parameter `_method`, or else from a header. */
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

/** Removes scheme and host from a request target in absolute form (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || !origin.test(target)) return target
  return target.replace(origin, '').replace(/^(?!\/)/, '/')
}
