// Produces the response of a feed: complete and cached if it is small, otherwise as a stream.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { operationLanguage } from '../../basics/language.ts'
import { dayLength } from '../../basics/time.ts'
import { etagOf, type HttpResponse, type Recorder } from '../../engine/cache/response-cache.ts'
import type { FeedEventFragment } from '../../generated/graphql/graphql.ts'
import type { Context, Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { type Caller, cacheControl } from '../../service/http/handle-request.ts'
import { type EventPage, eventPages, furtherPages, readExtent } from './event-pages.ts'
import type { Feed, FeedFormat, FeedSerializer } from './format.ts'
import { type FeedParams, feedFilter, readFeedParams } from './params.ts'
import { type FeedAddress, findSubject, type Subject, type SubjectKind } from './subject.ts'

export interface FeedRequest {
  readonly environment: Environment
  readonly execute: Execute
  readonly caller: Caller
  readonly recorder: Recorder | undefined
  readonly format: FeedFormat
  /** Language in the path, if there is one. */
  readonly root: string | undefined
  readonly kind: SubjectKind
  readonly address: FeedAddress
  readonly query: object
  /** Path and query of the request. */
  readonly path: string
}

/** A longer response is streamed, and only its ETag is cached. */
const maxCachedBytes = 2_000_000

/** Throws LegacyError for invalid parameters, and like the GraphQL operations. */
export async function feedResponse(request: FeedRequest): Promise<HttpResponse> {
  const { environment, execute, caller, recorder, format, kind, address } = request
  const { settings } = environment
  const params = readFeedParams(request.query, environment.now(), settings)
  const language = operationLanguage({ parameter: params.translation_language, root: request.root }, settings)
  const newContext = (used: Recorder | undefined) =>
    caller.createContext({ language, password: params.password, recorder: used })
  const context = await newContext(recorder)
  const subject = await findSubject(kind, address, context, execute)
  const list = await readList(request, params, subject, context, newContext)
  const feed: Feed = { ...describe(subject, context, request), until: list.until }
  const chunks = serialize(format.serializer(feed), list.pages, (cursor) => pageUrlAfter(feed.url, cursor))
  const headers = {
    'content-type': format.contentType,
    'content-language': language,
    'cache-control': cacheControl(caller.isPublic()),
    ...(format.isDownload && { 'content-disposition': `attachment; filename="${fileName(request)}"` }),
  }
  const { start, modifiedAt, isComplete } = await collect(chunks)
  const body = Buffer.from(start)
  if (!isComplete) {
    // It names the content without reading it to the end: it is valid until a record of the feed changes.
    const etag = caller.isPublic() ? `W/"${randomUUID()}"` : undefined
    return { status: 200, headers, body: Readable.from(continued(body, chunks)), etag }
  }
  const lastModified = modifiedAt && { 'last-modified': modifiedAt.toUTCString() }
  return { status: 200, headers: { ...headers, ...lastModified }, body, etag: etagOf(body) }
}

function describe({ name, url, event }: Subject, { settings, language, now }: Context, { path }: FeedRequest) {
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
  readonly pages: AsyncIterable<EventPage>
  readonly until: Date
}

async function readList(
  { environment, execute, caller, format, recorder }: FeedRequest,
  params: FeedParams,
  { event, filter: subjectFilter, view }: Subject,
  context: Context,
  newContext: (recorder: Recorder | undefined) => Promise<Context>,
): Promise<ListedEvents> {
  if (event) return { pages: toAsync([{ events: [event], hasNext: false, next: undefined }]), until: event.endsAt }
  const { settings, rateLimits } = environment
  const { filter: ownFilter, expiresAt } = feedFilter(params, context.now, settings, view)
  recorder?.expiresAt(expiresAt)
  // The first page has all events.
  if (view && view.page > 1) return { pages: toAsync([]), until: context.now }
  // Criteria of the address come first; `include` keeps the same events in the filter of the query.
  const filter = { ...ownFilter, ...subjectFilter, ...(format.showsLocked ? {} : { locked: false }) }
  const count = Math.min(params.per_page ?? format.defaultCount, settings.feedEventsMax)
  const list = { filter, order: format.order, after: params.after, count }
  const pages = eventPages({ ...list, execute, newContext: () => newContext(recorder) })
  const first = await pages.next()
  if (first.done) return { pages: toAsync([]), until: context.now }
  const lastEnd = (events: readonly FeedEventFragment[]) =>
    new Date(Math.max(...events.map((each) => Number(each.endsAt))))
  const shown = withoutOldCancelled(concat(first.value, pages), settings.feedCancelledDays, context.now, recorder)
  if (!first.value.hasNext) return { pages: shown, until: lastEnd(first.value.events) }
  const { total, until } = await readExtent(filter, await newContext(recorder), execute)
  for (let page = furtherPages(Math.min(total, count)); page > 0; page -= 1) await rateLimits.read(caller)
  return { pages: shown, until: until ?? context.now }
}

/** Cancelled events are left out when their last change is this many days ago: by then, subscribers have seen it. */
async function* withoutOldCancelled(
  pages: AsyncIterable<EventPage>,
  days: number,
  now: Date,
  recorder: Recorder | undefined,
): AsyncGenerator<EventPage, void> {
  for await (const page of pages) {
    const events = page.events.filter(({ eventStatus, modifiedAt }) => {
      if (eventStatus !== 'CANCELLED') return true
      const end = modifiedAt.getTime() + days * dayLength
      const isShown = end > now.getTime()
      if (isShown) recorder?.expiresAt(end)
      return isShown
    })
    yield { ...page, events }
  }
}

async function* concat(first: EventPage, others: AsyncIterable<EventPage>): AsyncGenerator<EventPage, void> {
  yield first
  yield* others
}

async function* toAsync(pages: readonly EventPage[]): AsyncGenerator<EventPage, void> {
  yield* pages
}

interface Chunk {
  readonly text: string
  readonly modifiedAt?: Date | undefined
}

async function* serialize(
  serializer: FeedSerializer,
  pages: AsyncIterable<EventPage>,
  urlAfter: (cursor: string) => string,
): AsyncGenerator<Chunk, void> {
  yield { text: serializer.head() }
  let last: string | undefined
  for await (const { events, next } of pages) {
    last = next
    for (const event of events) yield { text: serializer.item(event), modifiedAt: event.modifiedAt }
  }
  yield { text: serializer.tail(last === undefined ? undefined : urlAfter(last)) }
}

function pageUrlAfter(url: string, cursor: string): string {
  const next = new URL(url)
  next.searchParams.set('after', cursor)
  return next.href
}

/** Reads until the end, or until the text is too long to be cached. */
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

/** The socket takes each chunk when it can, so the next page is read only then. */
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
