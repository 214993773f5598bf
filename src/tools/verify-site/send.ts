import { findCalendarApiRoot, resourceUrl } from '../import-site/find-root.ts'
import { extractJson } from '../import-site/read-json.ts'
import type { SiteClient } from '../import-site/site-client.ts'

type RequestQuery = Readonly<Record<string, string>>

export interface SiteRequest {
  /** The path below the root of the API, with a leading slash; empty for the root. */
  readonly path: string
  readonly query: RequestQuery
}

export type SiteResponse = Awaited<ReturnType<SendRequest>>
export type SendRequest = ReturnType<typeof createSendRequest>

/** A request with the responses of both sites. */
export interface Exchange {
  readonly request: SiteRequest
  readonly legacy: SiteResponse
  readonly ours: SiteResponse
}

/** A site does not respond, or its response is not from an API with events. */
export class UnreachableError extends Error {}

const asUnreachable = (error: unknown): never => {
  throw new UnreachableError(error instanceof Error ? error.message : String(error))
}

/** Returns a function that requests a JSON document. It throws UnreachableError. */
export const createSendRequest = (client: SiteClient) => async (address: string) => {
  const { text, ...response } = await client.get(new URL(address)).catch(asUnreachable)
  return { ...response, body: extractJson(text)?.value }
}

/** Returns the root of the API of a site. The URL may be the site, its REST root, or the root of the API. */
export const findApiRoot = async (client: SiteClient, url: string): Promise<string> =>
  (await findCalendarApiRoot(client, url).catch(asUnreachable)).href

export function siteRequestUrl(root: string, { path, query }: SiteRequest): string {
  if (path !== '') return resourceUrl(new URL(root), path.slice(1), query).href
  const url = new URL(root)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** Formats a request for reports, such as `/events?page=2`. */
export function formatSiteRequest({ path, query }: SiteRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `${path || '/'}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}
