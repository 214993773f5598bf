// Produces the response of a feed: complete and cached if it is small, otherwise as a stream.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { operationLanguage } from '../../basics/language.ts'
import { dayMs } from '../../basics/time.ts'
import { etagOf, type HttpResponse, type ResponseRecorder } from '../../engine/cache/response-cache.ts'
import {
  type EventFilter,
  type FeedEventFragment,
  FeedExtentDocument,
  type FeedExtentQueryVariables,
} from '../../generated/graphql/graphql.ts'
import type { Context, Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { type Caller, cacheControlOf } from '../../service/http/handle-request.ts'
import { invalidParamsError } from '../rest/errors.ts'
import { countFurtherPages, type FeedEventsPage, readChanges, readEventPages } from './event-pages.ts'
import type { Feed, FeedFormat, FeedSerializer } from './format.ts'
import { createFeedFilter, type FeedParams, firstDay, readFeedParams, selectsDates } from './params.ts'
import { withSeries } from './series.ts'
import { type FeedAddress, type FeedSubject, type FeedSubjectKind, findFeedSubject } from './subject.ts'

export interface FeedRequest {
  readonly environment: Environment
  readonly execute: Execute
  readonly caller: Caller
  readonly recorder: ResponseRecorder | undefined
  readonly format: FeedFormat
  readonly root: string | undefined
  readonly kind: FeedSubjectKind
  readonly address: FeedAddress
  readonly query: object
  readonly path: string
}

/** A longer response is streamed, and only its ETag is cached. */
const maxCachedBytes = 2_000_000

/** Returns the response. Throws LegacyError for invalid parameters, and the errors of the GraphQL operations. */
export async function createFeedResponse(request: FeedRequest): Promise<HttpResponse> {
  const { environment, execute, caller, recorder, format, kind, address } = request
  const { settings } = environment
  const params = readFeedParams(request.query, environment.now(), settings)
  const language = operationLanguage({ parameter: params.translation_language, root: request.root }, settings)
  const newContext = () => caller.createContext({ language, password: params.password, recorder })
  const context = await newContext()
  const subject = await findFeedSubject(kind, address, context, execute)
  if (params.sync_token !== undefined) return createChangesResponse(request, params, subject, context, newContext)
  const list = await readList(request, params, subject, context, newContext)
  const { from, until } = list
  const hasSeries = !params.expand && subject.isDate !== true
  const feed: Feed = { ...describe(subject, context, request), ...(from && { from }), until, hasSeries }
  const chunks = serialize(format.serializer(feed), list, feed)
  const headers = headersOf(request, language)
  const { start, modifiedAt, isComplete } = await collect(chunks)
  const body = Buffer.from(start)
  if (!isComplete) {
    // A random ETag, because a hash would require reading the feed to the end. It is valid until a record of the feed changes.
    const etag = caller.isPublic() ? `W/"${randomUUID()}"` : undefined
    return { status: 200, headers, body: Readable.from(continued(body, chunks)), etag }
  }
  const lastModified = modifiedAt && { 'last-modified': modifiedAt.toUTCString() }
  return { status: 200, headers: { ...headers, ...lastModified }, body, etag: etagOf(body) }
}

const headersOf = (request: FeedRequest, language: string) => ({
  'content-type': request.format.contentType,
  'content-language': language,
  'cache-control': cacheControlOf(request.caller.isPublic()),
  ...(request.format.isDownload && { 'content-disposition': `attachment; filename="${fileName(request)}"` }),
})

/** Returns a page of what changed since the token in the query. */
async function createChangesResponse(
  request: FeedRequest,
  params: FeedParams,
  subject: FeedSubject,
  context: Context,
  newContext: () => Promise<Context>,
): Promise<HttpResponse> {
  const { format, execute, environment } = request
  if (!format.hasChanges || subject.event) {
    throw invalidParamsError({ sync_token: 'sync_token is for lists of events as iCalendar or JSON Feed.' })
  }
  const filter = filterOf(
    createFeedFilter(params, context.now, environment.settings, subject.view).filter,
    subject,
    format,
  )
  const list = { after: params.sync_token || undefined, first: params.per_page, filter }
  const { changes, token, hasMore } = await readChanges(list, execute, newContext)
  const events = changes.flatMap(({ record }) => (record ? [record as FeedEventFragment] : []))
  const removed = changes.flatMap(({ formerUids, cancelledSequence }) =>
    formerUids.map((uid) => ({ uid, sequence: cancelledSequence ?? 0 })),
  )
  const url = new URL(`${environment.settings.publicUrl}${request.path}`)
  url.searchParams.delete('sync_token')
  const feed = { ...describe(subject, context, request), url: url.href }
  url.searchParams.set('sync_token', token)
  const until = new Date(Math.max(...events.map(({ endsAt }) => Number(endsAt)), Number(context.now)))
  const serializer = format.serializer({ ...feed, until, hasSeries: false })
  const tail = serializer.tail(hasMore ? url.href : undefined, { token, hasMore, removed })
  const body = Buffer.from([serializer.head(), ...events.map((event) => serializer.item(event)), tail].join(''))
  const headers = {
    ...headersOf(request, context.language),
    'sync-token': token,
    ...(hasMore && { link: `<${url.href}>; rel="next"` }),
  }
  return { status: 200, headers, body, etag: undefined }
}

// Later filters win: the record in the path overrides the same filter in the query.
const filterOf = (own: EventFilter, subject: FeedSubject, { showsLocked }: FeedFormat): EventFilter => ({
  ...{ ...own, ...subject.filter, ...(showsLocked ? {} : { locked: false }) },
})

function describe({ name, url, event }: FeedSubject, { settings, language, now }: Context, { path }: FeedRequest) {
  const home = language === settings.defaultLanguage ? settings.publicUrl : `${settings.publicUrl}/${language}`
  const { siteName, siteTimeZone } = settings
  return {
    ...{ siteName, siteTimeZone, language, now },
    title: name === undefined ? siteName : event ? name : `${name} · ${siteName}`,
    url: `${settings.publicUrl}${path}`,
    pageUrl: url ?? `${home}/`,
    isSingle: event !== undefined,
  }
}

interface ListedEvents {
  readonly pages: Iterable<FeedEventsPage> | AsyncIterable<FeedEventsPage>
  readonly from?: Date
  readonly until: Date
  isShown?(event: FeedEventFragment): boolean
}

async function readList(
  request: FeedRequest,
  params: FeedParams,
  subject: FeedSubject,
  context: Context,
  newContext: () => Promise<Context>,
): Promise<ListedEvents> {
  const { environment, execute, caller, format, recorder } = request
  const { event, view } = subject
  const { settings, rateLimits } = environment
  const isShown = isCurrent(settings.feedCancelledDays, context, recorder)
  const countReads = async (events: number) => {
    for (let page = countFurtherPages(events); page > 0; page -= 1) await rateLimits.read(caller)
  }
  const count = Math.min(params.per_page ?? format.defaultCount, settings.feedEventsMax)
  const hasRules = format.hasRules && !params.expand && !(event ? subject.isDate : selectsDates(request.query, view))
  const reader = { execute, newContext, isShown, countReads }
  if (event) {
    const page = { events: [event], hasNext: false, next: undefined }
    if (!hasRules) return { pages: [page], ...extentOf(page.events) }
    const shown = filterOf({}, subject, format)
    const dates = { ...shown, series: [event.series?.id ?? ''], mustExist: false }
    const filters = { filter: { ...dates, occurrences: 'NEXT' as const }, dates, allDates: dates }
    return toList(withSeries([page], count, { ...reader, filter: shown }), filters)
  }
  const { filter: ownFilter, expiresAt } = createFeedFilter(params, context.now, settings, view)
  recorder?.expiresAt(expiresAt)
  // A feed has no numbered pages: page 1 of a legacy URL has all events, and later pages are empty.
  if (view && view.page > 1) return { pages: [], until: context.now }
  const dates = filterOf(ownFilter, subject, format)
  const isGrouped = hasRules || (!format.hasRules && !params.expand)
  const filter = isGrouped ? { ...dates, occurrences: 'NEXT' as const } : dates
  const read = readEventPages({ filter, orderBy: format.order, after: params.after }, count, execute, newContext)
  const pages = hasRules ? withSeries(read, count, { ...reader, filter: dates }) : read
  const anyTime = createFeedFilter({ ...params, ends_after: firstDay }, context.now, settings, view).filter
  const allDates = hasRules ? filterOf(anyTime, subject, format) : filter
  return { ...(await toList(pages, { filter, dates, allDates })), isShown }

  /** Finds when the items start and end, by a query if they are on several pages. */
  async function toList(pages: AsyncGenerator<FeedEventsPage, void>, filters: FeedExtentQueryVariables) {
    const first = await pages.next()
    if (first.done) return { pages: [], until: context.now }
    if (!first.value.hasNext) return { pages: [first.value], ...extentOf(first.value.events) }
    const { events, earliest, last } = await execute(FeedExtentDocument, filters, await newContext())
    await countReads(Math.min(events.totalCount, count))
    const from = hasRules && earliest.nodes[0]?.startsAt
    return { pages: concat(first.value, pages), ...(from && { from }), until: last.nodes[0]?.endsAt ?? context.now }
  }
}

/** When the first item starts, which may be after the first on the page, and when the last one ends. */
function extentOf(events: FeedEventsPage['events']): { readonly from: Date; readonly until: Date } {
  const extents = events.map(({ repeats, ...event }) => repeats ?? event)
  return {
    from: new Date(Math.min(...extents.map(({ startsAt }) => Number(startsAt)))),
    until: new Date(Math.max(...extents.map(({ endsAt }) => Number(endsAt)))),
  }
}

async function* concat(
  first: FeedEventsPage,
  others: AsyncIterable<FeedEventsPage>,
): AsyncGenerator<FeedEventsPage, void> {
  yield first
  yield* others
}

/** Returns a test that drops cancelled events once subscribers have had enough days to see the cancellation. */
const isCurrent =
  (days: number, { now }: Context, recorder: ResponseRecorder | undefined) =>
  ({ eventStatus, modifiedAt }: FeedEventFragment): boolean => {
    if (eventStatus !== 'CANCELLED') return true
    const end = modifiedAt.getTime() + days * dayMs
    if (end <= now.getTime()) return false
    recorder?.expiresAt(end)
    return true
  }

interface Chunk {
  readonly text: string
  readonly modifiedAt?: Date | undefined
}

async function* serialize(
  serializer: FeedSerializer,
  { pages, isShown = () => true }: ListedEvents,
  { url }: Feed,
): AsyncGenerator<Chunk, void> {
  yield { text: serializer.head() }
  const nextUrl = new URL(url)
  let last: string | undefined
  for await (const { events, next } of pages) {
    last = next
    for (const event of events.filter(isShown)) yield { text: serializer.item(event), modifiedAt: event.modifiedAt }
  }
  if (last !== undefined) nextUrl.searchParams.set('after', last)
  yield { text: serializer.tail(last && nextUrl.href) }
}

/** Collects chunks until the feed ends, or until the text is too long for the response cache. */
async function collect(chunks: AsyncGenerator<Chunk, void>) {
  const texts: string[] = []
  let [bytes, latest] = [0, 0]
  for (;;) {
    const { done, value } = await chunks.next()
    if (done || !value) break
    texts.push(value.text)
    bytes += Buffer.byteLength(value.text)
    latest = Math.max(latest, value.modifiedAt?.getTime() ?? 0)
    if (bytes > maxCachedBytes) return { start: texts.join(''), modifiedAt: undefined, isComplete: false }
  }
  return { start: texts.join(''), modifiedAt: latest > 0 ? new Date(latest) : undefined, isComplete: true }
}

/** Yields the collected start, then the other chunks. A slow client delays reading the next page. */
async function* continued(start: Buffer, chunks: AsyncGenerator<Chunk, void>): AsyncGenerator<Buffer, void> {
  yield start
  for await (const { text } of chunks) yield Buffer.from(text)
}

const fileName = ({ address, format }: FeedRequest) =>
  `${
    address.slug
      .normalize('NFKD')
      .replace(/[^\w-]+/g, '')
      .slice(0, 100) || 'events'
  }.${format.extension}`
