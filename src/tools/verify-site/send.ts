import { findRoot, resourceUrl } from '../import-site/find-root.ts'
import { readJson } from '../import-site/read-json.ts'
import type { SiteClient } from '../import-site/site-client.ts'

export type Query = Readonly<Record<string, string>>

export interface SiteRequest {
  /** Below the root of the API, with a leading slash; empty for the root. */
  readonly path: string
  readonly query: Query
}

export type SiteResponse = Awaited<ReturnType<Send>>
export type Send = ReturnType<typeof createSend>

export interface Exchange {
  readonly request: SiteRequest
  readonly legacy: SiteResponse
  readonly ours: SiteResponse
}

/** There is no response, or it is not that of an API with events. */
export class UnreachableError extends Error {}

const asUnreachable = (error: unknown): never => {
  throw new UnreachableError(error instanceof Error ? error.message : String(error))
}

/** The response with its JSON document, or without a body. Throws `UnreachableError`. */
export const createSend = (client: SiteClient) => async (address: string) => {
  const { text, ...response } = await client.get(new URL(address)).catch(asUnreachable)
  return { ...response, body: readJson(text)?.value }
}

/** The root of the API of a site, of which the URL of any part is given. */
export const findApiRoot = async (client: SiteClient, url: string): Promise<string> =>
  (await findRoot(client, url).catch(asUnreachable)).href

export function requestUrl(root: string, { path, query }: SiteRequest): string {
  if (path !== '') return resourceUrl(new URL(root), path.slice(1), query).href
  const url = new URL(root)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** A request as text, for reports: `/events?page=2`. */
export function requestText({ path, query }: SiteRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `${path || '/'}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}
