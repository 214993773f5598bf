// Replaces the URLs of a site, and IDs if the import did not keep them, by placeholders and slugs that both sites share.
import { dayOfUrl } from '../import-site/read-event.ts'
import { type JsonObject, type Resource, resourceNames, toObject, toObjects, toRecordId, toText } from './json.ts'

/** One of the two compared sites, with what its URLs start with and the slugs of its records. */
export interface ComparedSite {
  /** The start of links to the API, such as `https://example.org/wp-json/tribe/events/v1`. */
  readonly rest: string
  /** The start of the URLs of HTML pages, such as `https://example.org`. */
  readonly site: string
  readonly slugs: Slugs
}

/**
 * `list`: the first list of events, whose `rest_url` has the API root. `records`: records whose `url` shows where HTML pages
 * are. `mainSite`: the start of page URLs in the default language, which is preferred if the URLs of `records` start with it.
 */
export function toComparedSite(
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

/** Returns the URL of the event; that of a date of a recurring event ends with its day. */
export const withoutDay = (url: string) => url.replace(dayOfUrl, '')

/** The slug of a record. All dates of a recurring event have one slug: their day is added. */
const slugOf = ({ slug, url }: JsonObject) => toText(slug) && toText(slug) + (dayOfUrl.exec(toText(url))?.[0] ?? '')

function siteOf(root: string, records: readonly JsonObject[]): string {
  for (const { url, slug } of records) {
    const match = /^(https?:\/\/.+?)\/[^/]+\/([^/]+)\/?$/.exec(withoutDay(toText(url)))
    if (match?.[1] !== undefined && match[2] === toText(slug)) return match[1]
  }
  return new URL(root).origin
}

/** Replaces the URLs of a site in a text by `{rest}` and `{site}`. */
export function replaceAddresses(value: string, { rest, site }: ComparedSite): string {
  const host = `${site.replace(/^https?:\/\//, '')}?id=`
  if (value.startsWith(host)) return `{site}?id=${value.slice(host.length)}`
  return value.replaceAll(rest, '{rest}').replaceAll(site, '{site}').replaceAll(new URL(site).origin, '{site}')
}

const idParams =
  /([?&](?:include|exclude|venue|organizer|event|post|post_parent|parent|categories|tags)=)[\d,]+(?=&|$)/g

/** Replaces the IDs in links and global IDs by slugs, if the slugs are known, and the IDs in parameters by `{ids}`. */
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

/** A key for the slug of a record: events, venues and organizers share one ID space, and categories and tags another. */
const slugKey = (resource: Resource, id: number) =>
  `${resource === 'categories' || resource === 'tags' ? 'term' : 'post'} ${id}`

const nestedResources = { venue: 'venues', organizer: 'organizers', categories: 'categories', tags: 'tags' } as const

type Slugs = ReturnType<typeof createSlugIndex>

/** Collects the slugs and IDs of the records in the responses of a site. */
export function createSlugIndex() {
  const slugs = new Map<string, string>()
  const ids = new Map<string, number>()
  const remember = (resource: Resource, items: readonly JsonObject[]) => {
    for (const record of items) {
      const [recordId, slug] = [toRecordId(record.id), slugOf(record)]
      if (recordId === undefined || slug === '') continue
      const key = `${resource}/${slug}`
      slugs.set(slugKey(resource, recordId), key)
      if (!ids.has(key)) ids.set(key, recordId)
    }
  }
  return {
    /** Collects all records of a response body. */
    collect(body: unknown) {
      for (const resource of resourceNames) {
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

/** Whether most records with the same slug have the same ID on both sites. */
export function haveEqualIds(legacy: Iterable<readonly [Resource, JsonObject]>, ours: Slugs): boolean {
  let [same, other] = [0, 0]
  for (const [resource, record] of legacy) {
    const ourId = ours.idOf(resource, slugOf(record))
    if (ourId === undefined) continue
    if (ourId === toRecordId(record.id)) same += 1
    else other += 1
  }
  return same >= other
}

export type IdPairCounter = ReturnType<typeof createIdPairCounter>

/** Counts pairs of IDs in equal positions of both responses, to match authors and images, which have no slug. */
export function createIdPairCounter() {
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
    /** Whether both IDs belong to the same author or image: each occurs most often together with the other. */
    isRenamed: (kind: string, legacy: unknown, ours: unknown) =>
      most(`legacy ${kind} ${legacy}`) === String(ours) && most(`ours ${kind} ${ours}`) === String(legacy),
  }
}
