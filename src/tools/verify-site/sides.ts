// Addresses and IDs of a site in a form that both sites share.
import type { Slugs } from './identities.ts'
import { isResource, type JsonObject, text, toObject } from './json.ts'

/** One site, in one language. */
export interface Side {
  /** Root of the API, as the site is asked. */
  readonly root: string
  /** What the site's links to its API start with. */
  readonly rest: string
  /** What the URLs of its pages start with. */
  readonly site: string
  readonly slugs: Slugs
}

/**
 * `list` is the first list of events, and `records` have URLs that tell the address of the pages. That of a language usually
 * starts with the address of the pages of the main root.
 */
export function createSide(
  root: string,
  slugs: Slugs,
  list: unknown,
  records: readonly JsonObject[],
  mainSite?: string,
): Side {
  const self = text(toObject(list).rest_url)
  const end = self.search(/\/events\/?([?&]|$)/)
  const rest = end === -1 ? root.replace(/\/+$/, '') : self.slice(0, end)
  const isWithin = mainSite !== undefined && records.some(({ url }) => text(url).startsWith(`${mainSite}/`))
  return { root, rest, site: isWithin ? mainSite : siteOf(root, records), slugs }
}

function siteOf(root: string, records: readonly JsonObject[]): string {
  for (const { url, slug } of records) {
    const match = /^(https?:\/\/.+?)\/[^/]+\/([^/]+)\/?$/.exec(text(url))
    if (match?.[1] !== undefined && match[2] === text(slug)) return match[1]
  }
  return new URL(root).origin
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, '')

/** Names the addresses of a site that a text contains: `{rest}` and `{site}`. */
export function nameAddresses(value: string, { rest, site }: Side): string {
  const host = `${withoutScheme(site)}?id=`
  if (value.startsWith(host)) return `{site}?id=${value.slice(host.length)}`
  return value.replaceAll(rest, '{rest}').replaceAll(site, '{site}').replaceAll(new URL(site).origin, '{site}')
}

const idParams =
  /([?&](?:include|exclude|venue|organizer|event|post|post_parent|parent|categories|tags)=)[\d,]+(?=&|$)/g

/** Names the IDs in links and global IDs by slugs, where the slugs are known. Parameters may have any IDs. */
export function nameIds(value: string, { slugs }: Side): string {
  return value
    .replaceAll('%2C', ',')
    .replace(idParams, '$1{ids}')
    .replace(/\?id=(\d+)/g, (match, id) => {
      const slug = slugs.slugOf('events', Number(id))
      return slug === undefined ? match : `?id=${slug}`
    })
    .replace(/\/(events|venues|organizers|categories|tags)\/(\d+)(?=\/?$|\?)/g, (match, resource, id) => {
      const slug = isResource(resource) ? slugs.slugOf(resource, Number(id)) : undefined
      return slug === undefined ? match : `/${slug}`
    })
}
