// What identifies a record on both sites: its ID, or its slug if the import did not keep the IDs.
import { idOf, isObject, isResource, type JsonObject, type Resource, text } from './json.ts'

/** Records of these groups share their IDs. */
type Space = 'post' | 'term'

const spaceOf = (resource: Resource): Space => (resource === 'categories' || resource === 'tags' ? 'term' : 'post')

/** The slugs of the records that a site showed. */
export interface Slugs {
  /** Remembers every record of a response. */
  collect(body: unknown): void
  slugOf(resource: Resource, id: number): string | undefined
  idOf(resource: Resource, slug: string): number | undefined
  readonly size: number
}

const nestedResources: Readonly<Record<string, Resource>> = {
  venue: 'venues',
  organizer: 'organizers',
  categories: 'categories',
  tags: 'tags',
}

export function createSlugs(): Slugs {
  const slugs = new Map<string, string>()
  const ids = new Map<string, number>()
  const remember = (resource: Resource, { id, slug }: JsonObject) => {
    const recordId = idOf(id)
    if (recordId === undefined || text(slug) === '') return
    slugs.set(`${spaceOf(resource)} ${recordId}`, `${resource}/${text(slug)}`)
    const key = `${resource}/${text(slug)}`
    if (!ids.has(key)) ids.set(key, recordId)
  }
  const collectRecord = (resource: Resource, record: JsonObject) => {
    remember(resource, record)
    for (const [field, nested] of Object.entries(nestedResources)) {
      for (const item of [record[field]].flat()) if (isObject(item)) remember(nested, item)
    }
  }
  return {
    collect(body) {
      if (!isObject(body)) return
      for (const [name, items] of Object.entries(body)) {
        if (isResource(name) && Array.isArray(items))
          for (const item of items) if (isObject(item)) collectRecord(name, item)
      }
    },
    slugOf: (resource, id) => slugs.get(`${spaceOf(resource)} ${id}`),
    idOf: (resource, slug) => ids.get(`${resource}/${slug}`),
    get size() {
      return slugs.size
    },
  }
}

/** Whether the records that both sites have, by their slugs, have the same IDs on both. */
export function keepsIds(legacy: Iterable<readonly [Resource, JsonObject]>, ours: Slugs): boolean {
  let [same, other] = [0, 0]
  for (const [resource, { id, slug }] of legacy) {
    const ourId = ours.idOf(resource, text(slug))
    if (ourId === undefined) continue
    if (ourId === idOf(id)) same += 1
    else other += 1
  }
  return same >= other
}

export interface Pairs {
  add(kind: string, legacy: unknown, ours: unknown): void
  /** Whether the value of the legacy site mostly goes with this one, and this one with no other. */
  isRenamed(kind: string, legacy: unknown, ours: unknown): boolean
}

/** Counts which of our IDs goes with which ID of the legacy site, for records without a slug: authors and images. */
export function createPairs(): Pairs {
  const counts = new Map<string, Map<string, number>>()
  const count = (key: string, value: string) => {
    const values = counts.get(key) ?? new Map<string, number>()
    counts.set(key, values.set(value, (values.get(value) ?? 0) + 1))
  }
  const most = (key: string) => [...(counts.get(key) ?? [])].toSorted(([, a], [, b]) => b - a)[0]?.[0]
  return {
    add(kind, legacy, ours) {
      count(`legacy ${kind} ${legacy}`, String(ours))
      count(`ours ${kind} ${ours}`, String(legacy))
    },
    isRenamed: (kind, legacy, ours) =>
      most(`legacy ${kind} ${legacy}`) === String(ours) && most(`ours ${kind} ${ours}`) === String(legacy),
  }
}
