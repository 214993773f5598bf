// Reads all records of a legacy site, in all languages.
import { kinds } from '../../kinds.ts'
import type { ToolKind } from '../operations.ts'
import { deriveId, isEmptyFieldValue, readItemId } from './fields.ts'
import { findCalendarApiRoot, resourceUrl } from './find-root.ts'
import type { ImportFindings } from './findings.ts'
import { groupDates } from './group-dates.ts'
import { joinTranslations, type RootRecords } from './join-languages.ts'
import { type NestedKind, readEventState, readNestedItems } from './read-event.ts'
import { fetchJson, MissingListError, readSiteList, type SiteList } from './read-list.ts'
import type { ReadRecordContext, RecordVersion } from './read-post.ts'
import { readRecord } from './read-record.ts'
import type { SiteClient } from './site-client.ts'
import type { AnyRecord, SourceEvent, SourceId } from './source-records.ts'

export interface SiteAddress {
  readonly language: string
  readonly url: string
}

export interface ReadSiteOptions {
  /** The address of the site in each language. The first has the original language. */
  readonly addresses: readonly [SiteAddress, ...SiteAddress[]]
  readonly siteTimeZone: string
  readonly currency: ReadRecordContext['currency']
  /** Whether to request each changed event separately: lists lack some fields, such as the status. */
  readonly details: boolean
  readonly onPage?: (list: string, done: number, total: number) => void
}

export type SourceSite = Awaited<ReturnType<typeof readSite>>

/** The imported kinds, in the order of import: each kind after the kinds that its records refer to. */
export const importedKinds = ['category', 'tag', 'venue', 'organizer', 'event'] as const satisfies ToolKind[]

export async function readSite(client: SiteClient, options: ReadSiteOptions, findings: ImportFindings) {
  const { addresses, siteTimeZone, currency, details, onPage = () => {} } = options
  const languages = addresses.map(({ language }) => language)
  const roots: RootRecords[] = []
  const seen = new Map<ToolKind, Set<SourceId>>(importedKinds.map((kind) => [kind, new Set()]))
  for (const { language, url } of addresses) {
    const root = await findCalendarApiRoot(client, url)
    const terms = { category: new Map<string, number>(), tag: new Map<string, number>() }
    const context = { root, language, languages, siteTimeZone, currency, findings, terms }
    roots.push({ root, language, versions: await readRoot(client, context, seen, onPage) })
  }
  const [main] = roots
  if (!main) throw new Error('The import needs the URL of a site.')
  const records = joinTranslations(roots, findings)
  for (const { kind, id } of records) seen.get(kind)?.add(id)
  const withDetails = async (event: SourceEvent): Promise<SourceEvent> => {
    const { root } = roots.find(({ language }) => language === event.originalLanguage) ?? main
    // The site does not know an event with a negative ID from deriveId.
    const dates =
      event.dates && (await Promise.all(event.dates.map((date) => withDetails({ ...date, dates: undefined }))))
    if (dates) return { ...event, dates }
    return event.id > 0 ? addDetails(client, root, event, findings) : event
  }
  return {
    root: main.root,
    /** All records, ordered so that each comes after the records that it refers to. */
    records: groupDates(inOrder(records, findings)),
    seen,
    /** Adds the fields to an event that only its own response has. Undefined without the option `details`. */
    withDetails: details ? withDetails : undefined,
  }
}

/** Requests an event separately, and adds status and attendance mode. Throws if the site does not respond. */
async function addDetails(
  client: SiteClient,
  root: URL,
  event: SourceEvent,
  findings: ImportFindings,
): Promise<SourceEvent> {
  const url = resourceUrl(root, `events/${event.id}`)
  const { response, document } = await fetchJson(client, url)
  if (response.status >= 500 || response.status === 429) {
    throw new Error(`${url.href}: the response has status ${response.status}.`)
  }
  const item = response.status === 200 ? document?.value : undefined
  return typeof item === 'object' && item !== null ? { ...event, ...readEventState(item, findings) } : event
}

async function readRoot(
  client: SiteClient,
  context: ReadRecordContext,
  seen: Map<ToolKind, Set<SourceId>>,
  onPage: (list: string, done: number, total: number) => void,
): Promise<RecordVersion[]> {
  const { findings, root, language } = context
  const versions: RecordVersion[] = []
  const listed = new Set<string>()
  for (const kind of importedKinds) {
    const key = kinds[kind].plural
    const list = readSiteList(client, root, key, paramsOf(kind, client.hasCredentials), (done, total) =>
      onPage(`${key} (${language})`, done, total),
    )
    const { items, problem, printed }: SiteList = await list.catch((error: unknown) => {
      // Some sites have only a list of events, in which the other records are nested.
      if (!(error instanceof MissingListError) || kind === 'event') throw error
      return { items: [], problem: `there is no list of ${key}` }
    })
    if (printed) {
      findings.warn(`The site prints text around its JSON documents, such as ${JSON.stringify(printed.slice(0, 200))}.`)
    }
    if (problem) {
      findings.warn(`${root.href}: ${problem}. Records may be missing, so that --prune leaves this kind alone.`)
      seen.delete(kind)
    }
    for (const item of items) {
      const id = readItemId(item)
      if (id === undefined) continue
      listed.add(`${kind}:${id}`)
      seen.get(kind)?.add(id)
    }
    // Nested records come before the events that refer to them.
    if (kind === 'event') versions.push(...readNested(items, listed, context, seen))
    versions.push(...items.flatMap((item) => readRecord(kind, item, context) ?? []))
  }
  return versions
}

/** Returns the parameters for a list of all records: past and future, and with credentials also unpublished ones. */
function paramsOf(kind: ToolKind, hasCredentials: boolean): Record<string, string> {
  if (kind === 'category' || kind === 'tag') return { hide_empty: 'false' }
  const status: Record<string, string> = hasCredentials ? { status: 'publish,future,draft,pending,private' } : {}
  // Without these dates, sites leave out past events, and events in more than two years.
  return kind === 'event' ? { start_date: '1000-01-02', end_date: '9998-12-30', ...status } : status
}

/** Reads nested records of events that are missing in the lists, such as unpublished venues. */
function readNested(
  events: readonly unknown[],
  listed: Set<string>,
  context: ReadRecordContext,
  seen: Map<ToolKind, Set<SourceId>>,
): RecordVersion[] {
  const nested = events.flatMap((event) => Object.entries(readNestedItems(event)) as [NestedKind, readonly unknown[]][])
  return nested.flatMap(([kind, items]) =>
    items.flatMap((item) => {
      const named = readItemId(item) === undefined ? withOwnId(kind, item, context) : item
      const { id } = Object(named)
      if (id === undefined || listed.has(`${kind}:${id}`)) return []
      listed.add(`${kind}:${id}`)
      seen.get(kind)?.add(Number(id))
      return readRecord(kind, named, context) ?? []
    }),
  )
}

/** Adds an ID to a nested term without one: the ID from the list of terms, or else one derived from the slug. */
function withOwnId(kind: NestedKind, item: unknown, { terms, findings }: ReadRecordContext): unknown {
  const slug: unknown = Object(item).slug
  if ((kind === 'category' || kind === 'tag') && typeof slug === 'string' && slug !== '') {
    return { ...Object(item), id: terms[kind].get(slug) ?? deriveId(`${kind}:${slug}`) }
  }
  if (!isEmptyFieldValue(item)) findings.lossy('event', kind, item)
  return undefined
}

/** Sorts the records by kind, parents first. Removes parents that are missing or descend from the record itself. */
function inOrder(records: readonly AnyRecord[], findings: ImportFindings): AnyRecord[] {
  const byKey = new Map(records.map((record) => [`${record.kind}:${record.id}`, record]))
  const parentOf = (record: AnyRecord) =>
    'parent' in record && record.parent !== undefined ? byKey.get(`${record.kind}:${record.parent}`) : undefined
  /** The number of ancestors, including the record; infinite if it is its own ancestor. */
  const depth = (record: AnyRecord): number => {
    let count = 0
    for (let each: AnyRecord | undefined = record; each; each = parentOf(each)) {
      if (++count > byKey.size) return Number.POSITIVE_INFINITY
    }
    return count
  }
  const checked = records.map((record) => {
    if (!('parent' in record) || record.parent === undefined) return { record, depth: 1 }
    const count = depth(record)
    if (parentOf(record) && count < Number.POSITIVE_INFINITY) return { record, depth: count }
    const subject = { kind: record.kind, id: record.id, name: record.texts[record.originalLanguage]?.name ?? '' }
    findings.note(subject, `Its parent ${record.parent} is missing, and was left out.`)
    return { record: { ...record, parent: undefined }, depth: 1 }
  })
  const order = ({ kind }: AnyRecord) => importedKinds.indexOf(kind)
  return checked
    .toSorted((a, b) => order(a.record) - order(b.record) || a.depth - b.depth || a.record.id - b.record.id)
    .map(({ record }) => record)
}
