// Sends requests to the sites.
import { findRoot } from '../import-site/find-root.ts'
import { readJson } from '../import-site/read-json.ts'
import type { SiteClient } from '../import-site/site-client.ts'
import type { Send } from './request.ts'

/** There is no response, or it is not that of an API with events. */
export class Unreachable extends Error {}

const unreachable = (error: unknown) => new Unreachable(error instanceof Error ? error.message : String(error))

export const createSend =
  (client: SiteClient): Send =>
  async (address) => {
    const response = await client.get(new URL(address)).catch((error: unknown) => {
      throw unreachable(error)
    })
    const { url, status, headers, text } = response
    return { url: url.href, status, headers: new Map(headers), body: readJson(text)?.value }
  }

/** The root of the API of a site, of which the URL of any part is given. */
export const rootOf = async (client: SiteClient, url: string): Promise<string> =>
  findRoot(client, url).then(
    (root) => root.href,
    (error: unknown) => {
      throw unreachable(error)
    },
  )
