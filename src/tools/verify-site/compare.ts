// Compares the responses of both sites to the same request, field by field.
import { kindByPlural } from '../../kinds.ts'
import { type ComparedSite, type IdPairCounter, replaceAddresses, replaceIds } from './compared-site.ts'
import { isObject, isResource, type JsonObject, toObject, toObjects, toRecordId } from './json.ts'
import type { Exchange, SiteResponse } from './send.ts'

interface Place {
  /** The path of the field, such as `event.venue.city`, `list.total`, `header.content-type`, `error.code` or `status`. */
  readonly field: string
  readonly key: string
  /** The record that contains the field, on both sites; empty objects outside of records. */
  readonly legacyRecord: JsonObject
  readonly ourRecord: JsonObject
}

export interface Difference extends Place {
  /**
   * missing, added: this service lacks the field, or has it in addition. items: a list has other records. order: the same
   * records in another order. id: an author or image has another ID.
   */
  readonly what: 'value' | 'type' | 'missing' | 'added' | 'items' | 'order' | 'id'
  readonly legacy: unknown
  readonly ours: unknown
}

/** The API roots of one language on both sites. */
export interface RootPair {
  /** Undefined for the root of the default language. */
  readonly language: string | undefined
  readonly legacy: ComparedSite
  readonly ours: ComparedSite
  readonly keepsIds: boolean
  readonly pairs: IdPairCounter
}

const at = (field: string, key = ''): Place => ({ field, key, legacyRecord: {}, ourRecord: {} })

/** Fields with URLs that each site must build with its own origin. In other fields, URLs of both sites count as equal. */
const ownAddresses = /^(url|(next_|previous_)?rest_url|self|collection|up|href|global_id(_lineage)?)$/

export function compareResponses({ request, legacy, ours }: Exchange, root: RootPair): Difference[] {
  if (legacy.status !== ours.status) {
    const [one, other] = [legacy, ours].map(({ status, body }) => {
      const { code } = toObject(body)
      return code ? `${status} ${code}` : status
    })
    return [differenceAt(at('status'), 'value', one, other)]
  }
  const headers = compareValues(headersOf(legacy), headersOf(ours), at('header'), root)
  return [...headers, ...compareBodies(request.path, legacy, ours, root)]
}

function compareBodies(
  path: string,
  { status, body: legacy }: SiteResponse,
  { body: ours }: SiteResponse,
  root: RootPair,
) {
  const [resource = ''] = path.split('/').slice(1)
  if (status >= 400) return compareValues(legacy, ours, at('error'), root)
  if (path === '') return compareIndex(legacy, ours)
  // Each OpenAPI document describes its own site, so only the versions of OpenAPI are compared.
  if (path === '/doc') return compareValues(openApiVersion(legacy), openApiVersion(ours), at('doc'), root)
  if (!isResource(resource)) return compareValues(legacy, ours, at('body'), root)
  const record = at(kindByPlural[resource], resource)
  if (!isObject(legacy) || !isObject(ours) || !Array.isArray(legacy[resource])) {
    return compareValues(legacy, ours, record, root)
  }
  const { [resource]: legacyItems, ...legacyFields } = legacy
  const { [resource]: ourItems, ...ourFields } = ours
  return [
    ...compareValues(legacyFields, ourFields, at('list'), root),
    ...compareItems(legacyItems, ourItems, record, 'list', root),
  ]
}

/** Returns the headers of the contract. The names of headers with totals depend on the site: they are normalized. */
function headersOf({ headers }: SiteResponse): JsonObject {
  const totals = [...headers].flatMap(([name, value]) => {
    const total = /^x-(?:.+-)?(total|totalpages)$/.exec(name)?.[1]
    return total === undefined ? [] : [[total, value] as const, [`name of ${total}`, name] as const]
  })
  const links = headers.get('link')?.matchAll(/<([^>]*)>[^,]*?rel="?(next|prev)\b/g) ?? []
  return {
    'content-type': headers.get('content-type')?.toLowerCase().replaceAll(' ', ''),
    ...Object.fromEntries(totals),
    ...Object.fromEntries(Array.from(links, ([, url, rel]) => [`link ${rel}`, url])),
  }
}

const openApiVersion = (body: unknown) => toObject(body).openapi ?? toObject(body).swagger

/** Returns the routes, methods and parameters of the legacy index that the index of this service lacks. */
function compareIndex(legacy: unknown, ours: unknown): Difference[] {
  const ourRoutes = routesOf(ours)
  return [...routesOf(legacy)].flatMap(([path, { methods, args }]) => {
    const our = ourRoutes.get(path)
    const missing = (field: string, name: string) => differenceAt(at(`index.${field}`), 'missing', name, undefined)
    if (!our) return [missing('routes', path)]
    return [
      ...methods.filter((name) => !our.methods.includes(name)).map((name) => missing('methods', `${name} ${path}`)),
      ...args.filter((name) => !our.args.includes(name)).map((name) => missing('args', `${name} of ${path}`)),
    ]
  })
}

function routesOf(body: unknown) {
  const { namespace, routes } = toObject(body)
  const entries = Object.entries(toObject(routes)).map(([path, route]) => {
    const endpoints = toObjects(toObject(route).endpoints)
    const methods = endpoints.flatMap((endpoint) => endpoint.methods).filter((name) => typeof name === 'string')
    const args = endpoints.flatMap((endpoint) => Object.keys(toObject(endpoint.args)))
    return [path.replace(`/${namespace}`, ''), { methods: [...new Set(methods)], args: [...new Set(args)] }] as const
  })
  return new Map(entries)
}

const differenceAt = (place: Place, what: Difference['what'], legacy: unknown, ours: unknown): Difference => {
  const key = place.field.slice(place.field.lastIndexOf('.') + 1)
  return { ...place, key, what, legacy, ours }
}

/** Compares two values of a field. `undefined`: the field is missing. */
function compareValues(legacy: unknown, ours: unknown, place: Place, root: RootPair): Difference[] {
  const different = (what: Difference['what']) => [differenceAt(place, what, legacy, ours)]
  if (legacy === undefined && ours === undefined) return []
  if (ours === undefined) return different('missing')
  if (legacy === undefined) return different('added')
  if (typeOf(legacy) !== typeOf(ours)) return different('type')
  if (Array.isArray(legacy)) return compareItems(legacy, ours, place, place.field, root)
  if (isObject(legacy) && isObject(ours)) return compareObjects(legacy, ours, place, root)
  const renamed = place.key === 'author' ? 'author' : place.field.endsWith('image.id') ? 'image' : undefined
  if (renamed) root.pairs.add(renamed, legacy, ours)
  return isSame(legacy, ours, place.key, root) ? [] : different(renamed ? 'id' : 'value')
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

function compareObjects(legacy: JsonObject, ours: JsonObject, place: Place, root: RootPair): Difference[] {
  const isRecord = toRecordId(legacy.id) !== undefined && legacy.slug !== undefined
  const { legacyRecord, ourRecord } = isRecord ? { legacyRecord: legacy, ourRecord: ours } : place
  return [...new Set([...Object.keys(legacy), ...Object.keys(ours)])].flatMap((key) => {
    const inside = { field: `${place.field}.${key}`, key, legacyRecord, ourRecord }
    return compareValues(legacy[key], ours[key], inside, root)
  })
}

/** Compares lists of records by IDs or slugs, and other lists by position. `field`: the path of the list. */
function compareItems(legacy: unknown, ours: unknown, place: Place, field: string, root: RootPair): Difference[] {
  const difference = (what: Difference['what'], one: unknown, other: unknown) =>
    differenceAt({ ...place, field }, what, one, other)
  if (!Array.isArray(legacy) || !Array.isArray(ours)) return [difference('type', legacy, ours)]
  const [legacyKeys, ourKeys] = [keysOf(legacy, place.key, root.legacy, root), keysOf(ours, place.key, root.ours, root)]
  if (!legacyKeys || !ourKeys) {
    if (legacy.length !== ours.length) return [difference('items', legacy, ours)]
    return legacy.flatMap((item, index) => compareValues(item, ours[index], place, root))
  }
  const inBoth = legacy.flatMap((item, index) => {
    const other = ours[ourKeys.indexOf(legacyKeys[index] ?? '')]
    return other === undefined ? [] : compareValues(item, other, place, root)
  })
  const legacyOnly = legacy.filter((_, index) => !ourKeys.includes(legacyKeys[index] ?? ''))
  const oursOnly = ours.filter((_, index) => !legacyKeys.includes(ourKeys[index] ?? ''))
  if (legacyOnly.length + oursOnly.length > 0 || legacyKeys.length !== ourKeys.length) {
    return [difference('items', legacyOnly, oursOnly), ...inBoth]
  }
  const hasOrder = legacyKeys.join() === ourKeys.join()
  return hasOrder ? inBoth : [difference('order', legacyKeys, ourKeys), ...inBoth]
}

/** Returns the IDs of records, or their slugs if the IDs differ between the sites. Undefined if the items are no records. */
function keysOf(
  items: readonly unknown[],
  key: string,
  { slugs }: ComparedSite,
  { keepsIds }: RootPair,
): string[] | undefined {
  const keys = items.flatMap((item) => {
    const id = toRecordId(toObject(item).id)
    if (id === undefined) return []
    const resource = isResource(key) ? key : key === 'venue' ? 'venues' : 'organizers'
    return [(keepsIds ? undefined : slugs.slugOf(resource, id)) ?? String(id)]
  })
  return keys.length === items.length ? keys : undefined
}

function isSame(legacy: unknown, ours: unknown, key: string, root: RootPair): boolean {
  if (!root.keepsIds && (key === 'id' || key === 'parent')) return true
  if (typeof legacy !== 'string' || typeof ours !== 'string') return legacy === ours
  if (!ownAddresses.test(key)) return legacy === ours || bothNamed(legacy, root) === bothNamed(ours, root)
  const [one, other] = [replaceAddresses(legacy, root.legacy), replaceAddresses(ours, root.ours)]
  return one === other || (!root.keepsIds && replaceIds(one, root.legacy) === replaceIds(other, root.ours))
}

const bothNamed = (value: string, { legacy, ours }: RootPair) => replaceAddresses(replaceAddresses(value, legacy), ours)
