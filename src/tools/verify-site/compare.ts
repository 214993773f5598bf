// Compares two responses, field by field.
import type { Pairs } from './identities.ts'
import { idOf, isObject, type JsonObject, objects } from './json.ts'
import { isResource, type Resource } from './records.ts'
import type { Exchange, SiteResponse } from './request.ts'
import { nameAddresses, nameIds, type Side } from './sides.ts'

export interface Difference {
  /** Such as `event.venue.city`, `list.total`, `header.content-type`, `error.code`, `status`. */
  readonly field: string
  /**
   * missing and added: the field, on our site. items: other records in a list. order: the same records in another order.
   * id: another ID of the same author or image.
   */
  readonly what: 'value' | 'type' | 'missing' | 'added' | 'items' | 'order' | 'id'
  readonly legacy: unknown
  readonly ours: unknown
  /** The records that the field belongs to; empty objects outside of records. */
  readonly legacyRecord: JsonObject
  readonly ourRecord: JsonObject
}

export interface Root {
  /** Undefined for the main root. */
  readonly language: string | undefined
  readonly legacy: Side
  readonly ours: Side
  readonly keepsIds: boolean
  readonly pairs: Pairs
}

interface Place {
  readonly field: string
  readonly key: string
  readonly legacyRecord: JsonObject
  readonly ourRecord: JsonObject
}

type Add = (difference: Difference) => void

const kinds: Readonly<Record<Resource, string>> = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
}

/** Fields with addresses of the site itself. In other text, an address of either site counts as the same. */
const ownAddresses: ReadonlySet<string> = new Set([
  ...['url', 'rest_url', 'next_rest_url', 'previous_rest_url', 'self', 'collection', 'up', 'href'],
  ...['global_id', 'global_id_lineage'],
])

/** Compares what both sites responded to the request. */
export function compareResponses({ request, legacy, ours }: Exchange, root: Root): Difference[] {
  const found: Difference[] = []
  const add: Add = (difference) => found.push(difference)
  const [resource = ''] = request.path.split('/').slice(1)
  const at = (field: string): Place => ({ field, key: '', legacyRecord: {}, ourRecord: {} })
  if (legacy.status !== ours.status) {
    const errors = [legacy, ours].map(({ status, body }) =>
      isObject(body) && body.code ? `${status} ${body.code}` : status,
    )
    return [{ ...at('status'), what: 'value', legacy: errors[0], ours: errors[1] }]
  }
  compareHeaders(legacy, ours, root, add)
  if (legacy.status >= 400) compareValues(legacy.body, ours.body, at('error'), root, add)
  else if (request.path === '') compareIndex(legacy.body, ours.body, add)
  else if (request.path === '/doc')
    compareValues(openApiVersion(legacy.body), openApiVersion(ours.body), at('doc'), root, add)
  else if (isResource(resource)) compareRecords(resource, legacy.body, ours.body, root, add)
  else compareValues(legacy.body, ours.body, at('body'), root, add)
  return found
}

function compareRecords(resource: Resource, legacy: unknown, ours: unknown, root: Root, add: Add): void {
  const kind = kinds[resource]
  const list = { field: 'list', key: '', legacyRecord: {}, ourRecord: {} }
  if (!isObject(legacy) || !isObject(ours) || !Array.isArray(legacy[resource])) {
    compareValues(legacy, ours, { ...list, field: kind, key: resource }, root, add)
    return
  }
  const { [resource]: legacyItems, ...legacyFields } = legacy
  const { [resource]: ourItems, ...ourFields } = ours
  compareValues(legacyFields, ourFields, list, root, add)
  compareItems(legacyItems, ourItems, { ...list, field: kind, key: resource }, 'list', root, add)
}

/** Names of the headers with totals: they start with X- and a setting. */
const totals = /^x-(?:.+-)?(total|totalpages)$/

function compareHeaders(legacy: SiteResponse, ours: SiteResponse, root: Root, add: Add): void {
  const read = ({ headers }: SiteResponse) => {
    const found = [...headers].flatMap(([name, value]) => {
      const total = totals.exec(name)?.[1]
      return total === undefined ? [] : [[total, { name, value }] as const]
    })
    return new Map(found)
  }
  const [legacyTotals, ourTotals] = [read(legacy), read(ours)]
  const compare = (name: string, one: unknown, other: unknown) => {
    compareValues(one, other, { field: `header.${name}`, key: '', legacyRecord: {}, ourRecord: {} }, root, add)
  }
  compare('content-type', contentType(legacy), contentType(ours))
  for (const total of ['total', 'totalpages']) {
    const [one, other] = [legacyTotals.get(total), ourTotals.get(total)]
    compare(total, one?.value, other?.value)
    if (one && other) compare(`name of ${total}`, one.name, other.name)
  }
  for (const rel of ['next', 'prev']) compare(`link ${rel}`, linkOf(legacy, rel), linkOf(ours, rel))
}

const contentType = ({ headers }: SiteResponse) => headers.get('content-type')?.toLowerCase().replaceAll(' ', '')

function linkOf({ headers }: SiteResponse, rel: string): string | undefined {
  const links = headers.get('link')?.matchAll(/<([^>]*)>[^,]*?rel="?([^",;]+)/g) ?? []
  return [...links].find(([, , name]) => name === rel)?.[1]
}

/** The documents describe each site; only their form is compared. */
const openApiVersion = (body: unknown) => (isObject(body) ? (body.openapi ?? body.swagger) : undefined)

/** Routes by their patterns, with methods and names of parameters. */
function compareIndex(legacy: unknown, ours: unknown, add: Add): void {
  const read = (body: unknown) => {
    const { namespace, routes }: JsonObject = isObject(body) ? body : {}
    const entries = Object.entries(isObject(routes) ? routes : {}).map(([path, route]) => {
      const endpoints = objects(isObject(route) ? route.endpoints : [])
      const methods = endpoints.flatMap((endpoint) => endpoint.methods).filter((name) => typeof name === 'string')
      const args = endpoints.flatMap((endpoint) => Object.keys(isObject(endpoint.args) ? endpoint.args : {}))
      return [path.replace(`/${namespace}`, ''), { methods: new Set(methods), args: new Set(args) }] as const
    })
    return new Map(entries)
  }
  const ourRoutes = read(ours)
  const at = { legacyRecord: {}, ourRecord: {}, what: 'missing', ours: undefined } as const
  for (const [path, { methods, args }] of read(legacy)) {
    const our = ourRoutes.get(path)
    if (!our) add({ ...at, field: 'index.routes', legacy: path })
    for (const method of our ? without(methods, our.methods) : [])
      add({ ...at, field: `index.methods`, legacy: `${method} ${path}` })
    for (const arg of our ? without(args, our.args) : [])
      add({ ...at, field: 'index.args', legacy: `${arg} of ${path}` })
  }
}

/** `undefined` means that the field is absent. */
function compareValues(legacy: unknown, ours: unknown, place: Place, root: Root, add: Add): void {
  const { field } = place
  if (legacy === undefined && ours === undefined) return
  const difference = { field, legacy, ours, legacyRecord: place.legacyRecord, ourRecord: place.ourRecord }
  if (ours === undefined) add({ ...difference, what: 'missing' })
  else if (legacy === undefined) add({ ...difference, what: 'added' })
  else if (typeOf(legacy) !== typeOf(ours)) add({ ...difference, what: 'type' })
  else if (Array.isArray(legacy)) compareItems(legacy, ours, place, field, root, add)
  else if (isObject(legacy) && isObject(ours)) compareObjects(legacy, ours, place, root, add)
  else if (!isSame(legacy, ours, place.key, root)) {
    const isRenamed = place.key === 'author' || field.endsWith('image.id')
    if (isRenamed) root.pairs.add(place.key === 'author' ? 'author' : 'image', legacy, ours)
    add({ ...difference, what: isRenamed ? 'id' : 'value' })
  } else if (place.key === 'author') root.pairs.add('author', legacy, ours)
  else if (field.endsWith('image.id')) root.pairs.add('image', legacy, ours)
}

function without<Item>(items: Iterable<Item>, others: Iterable<Item>): Set<Item> {
  const excluded = new Set(others)
  return new Set([...items].filter((item) => !excluded.has(item)))
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

function compareObjects(legacy: JsonObject, ours: JsonObject, place: Place, root: Root, add: Add): void {
  const isRecord = idOf(legacy.id) !== undefined && legacy.slug !== undefined
  const records = isRecord ? { legacyRecord: legacy, ourRecord: ours } : place
  const { legacyRecord, ourRecord } = records
  for (const key of new Set([...Object.keys(legacy), ...Object.keys(ours)])) {
    const inside = { field: `${place.field}.${key}`, key, legacyRecord, ourRecord }
    compareValues(legacy[key], ours[key], inside, root, add)
  }
}

/** Compares lists of records by their identity, and other lists by position. `field` is that of the list. */
function compareItems(legacy: unknown, ours: unknown, place: Place, field: string, root: Root, add: Add): void {
  const difference = { field, legacy, ours, legacyRecord: place.legacyRecord, ourRecord: place.ourRecord }
  if (!Array.isArray(legacy) || !Array.isArray(ours)) {
    add({ ...difference, what: 'type' })
    return
  }
  const legacyKeys = keysOf(legacy, place.key, root.legacy, root)
  const ourKeys = keysOf(ours, place.key, root.ours, root)
  if (!legacyKeys || !ourKeys) {
    if (legacy.length !== ours.length) add({ ...difference, what: 'items' })
    else for (const [index, item] of legacy.entries()) compareValues(item, ours[index], place, root, add)
    return
  }
  const [missing, extra] = [without(legacyKeys, ourKeys), without(ourKeys, legacyKeys)]
  if (missing.size > 0 || extra.size > 0 || legacyKeys.length !== ourKeys.length) {
    const legacyOnly = legacy.filter((_, index) => missing.has(legacyKeys[index] ?? ''))
    const oursOnly = ours.filter((_, index) => extra.has(ourKeys[index] ?? ''))
    add({ ...difference, what: 'items', legacy: legacyOnly, ours: oursOnly })
  } else if (legacyKeys.join() !== ourKeys.join()) {
    add({ ...difference, what: 'order', legacy: legacyKeys, ours: ourKeys })
  }
  for (const [index, item] of legacy.entries()) {
    const other = ours[ourKeys.indexOf(legacyKeys[index] ?? '')]
    if (other !== undefined) compareValues(item, other, place, root, add)
  }
}

/** What identifies the items: IDs, or slugs. Undefined if they are no records. */
function keysOf(items: readonly unknown[], key: string, { slugs }: Side, { keepsIds }: Root): string[] | undefined {
  const keys = items.flatMap((item) => {
    const id = isObject(item) ? idOf(item.id) : undefined
    if (id === undefined) return []
    const resource = isResource(key) ? key : key === 'venue' ? 'venues' : 'organizers'
    return [(keepsIds ? undefined : slugs.slugOf(resource, id)) ?? String(id)]
  })
  return keys.length === items.length ? keys : undefined
}

function isSame(legacy: unknown, ours: unknown, key: string, root: Root): boolean {
  if (!root.keepsIds && (key === 'id' || key === 'parent')) return true
  if (typeof legacy !== 'string' || typeof ours !== 'string') return legacy === ours
  if (!ownAddresses.has(key)) return legacy === ours || bothNamed(legacy, root) === bothNamed(ours, root)
  const [one, other] = [nameAddresses(legacy, root.legacy), nameAddresses(ours, root.ours)]
  return one === other || (!root.keepsIds && nameIds(one, root.legacy) === nameIds(other, root.ours))
}

const bothNamed = (value: string, { legacy, ours }: Root) => nameAddresses(nameAddresses(value, legacy), ours)
