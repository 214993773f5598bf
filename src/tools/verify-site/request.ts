// Requests to a site, and its responses.

export type Query = Readonly<Record<string, string>>

export interface SiteRequest {
  /** Below the root of the API, with a leading slash; empty for the root. */
  readonly path: string
  readonly query: Query
}

export interface SiteResponse {
  readonly url: string
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Undefined if it is no JSON. */
  readonly body: unknown
}

/** Throws `Unreachable`. */
export type Send = (url: string) => Promise<SiteResponse>

/** One request, and the responses of both sites. */
export interface Exchange {
  readonly request: SiteRequest
  readonly language: string | undefined
  readonly legacy: SiteResponse
  readonly ours: SiteResponse
}

/** The URL of a request. The root may have the form `/?rest_route=/tribe/events/v1`. */
export function requestUrl(root: string, { path, query }: SiteRequest): string {
  const url = new URL(root)
  const route = url.searchParams.get('rest_route')
  if (route === null) url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  else url.searchParams.set('rest_route', `${route.replace(/\/+$/, '')}${decodeURI(path)}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url.href
}

/** A request as text, for reports: `/events?page=2`. */
export function requestText({ path, query }: SiteRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `${path || '/'}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}
