// Addresses and records of a site in a form that both sites share: IDs, or slugs if the import did not keep the IDs.
import { idOf, type JsonObject, type Resource, resources, toObject, toObjects, toText } from './json.ts'

export interface ComparedSite {
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
export function createComparedSite(
  root: string,
  slugs: Slugs,
  list: unknown,
  records: readonly JsonObject[],
  mainSite?: string,
): ComparedSite {
  const self = toText(toObject(list).rest_url)
  const end = self.search(/\/events\/?([?&]|$)/)
  const rest = end === -1 ? root.replace(/\/+$/, '') : self.slice(0, end)
  const isWithin = mainSite !== undefined && records.some(({ url }) => toText(url).startsWith(`${mainSite}/`))
  return { rest, site: isWithin ? mainSite : siteOf(root, records), slugs }
}

function siteOf(root: string, records: readonly JsonObject[]): string {
  for (const { url, slug } of records) {
    const match = /^(https?:\/\/.+?)\/[^/]+\/([^/]+)\/?$/.exec(toText(url))
    if (match?.[1] !== undefined && match[2] === toText(slug)) return match[1]
  }
  return new URL(root).origin
}

/** Names the addresses of a site that a text contains: `{rest}` and `{site}`. */
export function replaceAddresses(value: string, { rest, site }: ComparedSite): string {
  const host = `${site.replace(/^https?:\/\//, '')}?id=`
  if (value.startsWith(host)) return `{site}?id=${value.slice(host.length)}`
  return value.replaceAll(rest, '{rest}').replaceAll(site, '{site}').replaceAll(new URL(site).origin, '{site}')
}

const idParams =
  /([?&](?:include|exclude|venue|organizer|event|post|post_parent|parent|categories|tags)=)[\d,]+(?=&|$)/g

/** Names the IDs in links and global IDs by slugs, where the slugs are known. Parameters may have any IDs. */
export function replaceIds(value: string, { slugs }: ComparedSite): string {
  return value
    .replaceAll('%2C', ',')
    .replace(idParams, '$1{ids}')
    .replace(/\?id=(\d+)/g, (match, id) => {
      const slug = slugs.slugOf('events', Number(id))
      return slug === undefined ? match : `?id=${slug}`
    })
    .replace(/\/(events|venues|organizers|categories|tags)\/(\d+)(?=\/?$|\?)/g, (match, resource: Resource, id) => {
      const slug = slugs.slugOf(resource, Number(id))
      return slug === undefined ? match : `/${slug}`
    })
}

/** Posts share their IDs, and so do terms. */
const slugKey = (resource: Resource, id: number) =>
  `${resource === 'categories' || resource === 'tags' ? 'term' : 'post'} ${id}`

const nestedResources = { venue: 'venues', organizer: 'organizers', categories: 'categories', tags: 'tags' } as const

type Slugs = ReturnType<typeof createSlugs>

/** The slugs of the records that a site showed. */
export function createSlugs() {
  const slugs = new Map<string, string>()
  const ids = new Map<string, number>()
  const remember = (resource: Resource, items: readonly JsonObject[]) => {
    for (const { id, slug } of items) {
      const recordId = idOf(id)
      if (recordId === undefined || toText(slug) === '') continue
      const key = `${resource}/${toText(slug)}`
      slugs.set(slugKey(resource, recordId), key)
      if (!ids.has(key)) ids.set(key, recordId)
    }
  }
  return {
    /** Remembers every record of a response. */
    collect(body: unknown) {
      for (const resource of resources) {
        for (const record of toObjects(toObject(body)[resource])) {
          remember(resource, [record])
          for (const [field, nested] of Object.entries(nestedResources))
            remember(nested, toObjects([record[field]].flat()))
        }
      }
    },
    slugOf: (resource: Resource, id: number) => slugs.get(slugKey(resource, id)),
    idOf: (resource: Resource, slug: string) => ids.get(`${resource}/${slug}`),
  }
}

/** Whether the records that both sites have, by their slugs, have the same IDs on both. */
export function keepsIds(legacy: Iterable<readonly [Resource, JsonObject]>, ours: Slugs): boolean {
  let [same, other] = [0, 0]
  for (const [resource, { id, slug }] of legacy) {
    const ourId = ours.idOf(resource, toText(slug))
    if (ourId === undefined) continue
    if (ourId === idOf(id)) same += 1
    else other += 1
  }
  return same >= other
}

export type IdPairs = ReturnType<typeof createIdPairs>

/** Counts which of our IDs goes with which ID of the legacy site, for records without a slug: authors and images. */
export function createIdPairs() {
  const counts = new Map<string, Map<string, number>>()
  const count = (key: string, value: string) => {
    const values = counts.get(key) ?? new Map<string, number>()
    counts.set(key, values.set(value, (values.get(value) ?? 0) + 1))
  }
  const most = (key: string) => [...(counts.get(key) ?? [])].toSorted(([, a], [, b]) => b - a)[0]?.[0]
  return {
    add(kind: string, legacy: unknown, ours: unknown) {
      count(`legacy ${kind} ${legacy}`, String(ours))
      count(`ours ${kind} ${ours}`, String(legacy))
    },
    /** Whether the value of the legacy site mostly goes with this one, and this one with no other. */
    isRenamed: (kind: string, legacy: unknown, ours: unknown) =>
      most(`legacy ${kind} ${legacy}`) === String(ours) && most(`ours ${kind} ${ours}`) === String(legacy),
  }
}
