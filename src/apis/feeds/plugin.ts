// Routes of the feeds: lists of events and single events in other formats than HTML and the REST API.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type ErrorCode, notFoundError } from '../../basics/errors.ts'
import { toWallClock } from '../../basics/time.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { readCalendarAddress } from '../../service/http/calendar-view.ts'
import { handleRead } from '../../service/http/handle-read.ts'
import { fullUrl, languageOfRoot } from '../../service/http/language-root.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { toRequestError } from '../../service/http/write-errors.ts'
import { legacyRecordPagePaths, readRecordPath, recordPagePaths } from '../pages/record-pages.ts'
import { internalError, LegacyError, sendLegacyError, toLegacyError } from '../rest/errors.ts'
import type { FeedFormat } from './format.ts'
import { icalendarFormat } from './icalendar/calendar.ts'
import { jsonFeedFormat } from './json-feed.ts'
import { createFeedResponse } from './respond.ts'
import { rssFormat } from './rss.ts'
import type { FeedAddress, FeedSubjectKind } from './subject.ts'

const formats: readonly FeedFormat[] = [icalendarFormat, rssFormat, jsonFeedFormat]

/** Paths of pages, with what their feed shows if the query has a parameter such as `ical=1`. */
const pagePaths: Readonly<Record<string, FeedSubjectKind>> = { '/': 'events', '/events': 'events', ...recordPagePaths }

/** The same for paths of legacy sites. */
const legacyPaths: Readonly<Record<string, FeedSubjectKind>> = { '/events/*': 'events', ...legacyRecordPagePaths }

const constraint = 'feed'

interface FeedRoute {
  readonly environment: Environment
  readonly execute: Execute
  readonly format: FeedFormat
  readonly kind: FeedSubjectKind
}

export function feedsPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { legacyAddresses } = environment.settings
  app.addConstraintStrategy(byParameter(constraint))
  for (const format of formats) {
    const add = (url: string, kind: FeedSubjectKind, constraints: { [constraint]?: string }) =>
      app.route({
        method: 'GET',
        url,
        config: { hasLanguageRoots: true },
        constraints,
        errorHandler: sendError,
        handler: (request, reply) => handle(request, reply, { environment, execute, format, kind }),
      })
    add(`/events.${format.extension}`, 'events', {})
    for (const [url, kind] of Object.entries({ ...pagePaths, ...(legacyAddresses && legacyPaths) })) {
      add(url, kind, { [constraint]: format.extension })
      const hasSegment = format.lastSegment !== undefined && kind !== 'event' && !url.endsWith('*')
      if (hasSegment) add(`${url.replace(/\/$/, '')}/${format.lastSegment}`, kind, {})
    }
  }
}

/** Route constraint by the format that a query parameter such as `ical=1` requests; undefined for an HTML page. */
const byParameter = (name: string) => ({
  name,
  storage() {
    const handlers = new Map<string, unknown>()
    return {
      get: (extension: string) => (handlers.get(extension) ?? null) as never,
      set: (extension: string, handler: unknown) => void handlers.set(extension, handler),
    }
  },
  validate() {},
  deriveConstraint: ({ url = '' }: Pick<IncomingMessage, 'url'>) =>
    formats.find((format) => isFeed(url, format))?.extension,
})

const isFeed = (url: string, { parameters, lastSegment }: FeedFormat): boolean =>
  parameters.some((parameter) => isSet(url, parameter)) || (lastSegment !== undefined && isFeedPath(url, lastSegment))

const slugOfTerm = /\/events\/(?:category|tag)\/[^/]*$/

/** Whether the path ends with the segment of a feed. The router cannot match a segment after a wildcard, as in `/events/category/*`. */
function isFeedPath(url: string, lastSegment: string): boolean {
  if (!url.includes('/events/')) return false
  const path = (url.split('?', 1)[0] ?? '').replace(/\/$/, '')
  return path.endsWith(`/${lastSegment}`) && !slugOfTerm.test(path)
}

const isOn = /^(?:=(?:1|true|on|yes)?)?(?:&|$)/i

/** Whether the query has the parameter without a value, or with a value such as 1. */
function isSet(url: string, parameter: string): boolean {
  for (let mark = url.indexOf('?'); mark !== -1; mark = url.indexOf('&', mark + 1)) {
    // The cheap comparison comes first: every request of the server passes here.
    if (url.startsWith(parameter, mark + 1) && isOn.test(url.slice(mark + 1 + parameter.length))) return true
  }
  return false
}

function handle(request: FastifyRequest, reply: FastifyReply, route: FeedRoute) {
  const path = fullUrl(request)
  return handleRead(route.environment, request, reply, 'feed', (caller, recorder) => {
    const address = addressOf(request, route)
    return createFeedResponse({
      ...route,
      root: languageOfRoot(request),
      caller,
      recorder,
      path,
      address,
      query: queryOf(request),
    })
  })
}

function addressOf(request: FastifyRequest, { kind, format, environment }: FeedRoute): FeedAddress {
  const { slug, ...date } = readRecordPath(request.params)
  const { '*': path = date.day ?? '' } = request.params as { '*'?: string }
  const { legacyAddresses, siteTimeZone, restCategoryTaxonomy } = environment.settings
  const isCategory = kind === 'category'
  const rest = path.split('/').filter((segment) => segment !== '')
  if (rest.length > 1 && rest.at(-1) === format.lastSegment) rest.pop()
  const [parent = '', own = ''] = isCategory ? ['', ...rest].slice(-2) : ['', slug]
  if (!legacyAddresses) return { slug: own, ...date }
  const today = toWallClock(environment.now(), siteTimeZone).slice(0, 10)
  const read = (segments: readonly string[], kept: number) =>
    readCalendarAddress(segments.join('/'), queryOf(request), { today, categoryTaxonomy: restCategoryTaxonomy, kept })
  const { segments, view } = read(rest, isCategory ? 1 : 0)
  const last = segments.at(-1)
  if (!isCategory && last !== undefined) throw notFoundError(kind === 'events' ? 'event' : kind, 'slug')
  if (!isCategory || last === undefined) return { slug: own, view, ...date }
  const { view: ownView } = read([], 0)
  if (last === own) return { slug: own, view: ownView }
  return { slug: last, view, child: { slug: own, parent, view: ownView } }
}

/** Sends an error as JSON like the REST API, also to browsers: the URL of a feed never responds with HTML. */
function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const cause = toRequestError(thrown, request, false)
  const error = missingRecord(cause) ?? toLegacyError(cause, 'events') ?? internalError()
  return sendLegacyError(error, reply.header('cache-control', 'no-store'), thrown)
}

const statuses: Partial<Record<ErrorCode, number>> = {
  NOT_FOUND: 404,
  WRONG_KIND: 404,
  NOT_ACCESSIBLE: 403,
  TRASHED: 410,
}

/** Returns the error for a record in the URL that the caller cannot read, with the same status as the record's page. */
function missingRecord(error: unknown): LegacyError | undefined {
  const status = error instanceof DomainError ? statuses[error.code] : undefined
  if (status === undefined || !(error instanceof DomainError)) return undefined
  return new LegacyError(status, error.code.toLowerCase(), error.message)
}
