import Negotiator from 'negotiator'
import { memoize } from '../../basics/memoize.ts'

export const jsonType = 'application/json'
export const graphqlType = 'application/graphql-response+json'
export const eventStreamType = 'text/event-stream'

/** In the order of preference for clients that accept any type. Negotiator compares parameters, too. */
const offered = [jsonType, graphqlType].flatMap((type) => [type, `${type};charset=utf-8`])

/** The media type of a GraphQL response; undefined if the client accepts none of the two. */
export const acceptedType = (accept: string | undefined): string | undefined => negotiated(accept?.trim() || '*/*')

/** Whether the client accepts an event stream, for subscriptions. */
export const acceptsEventStream = (accept: string | undefined): boolean => includesEventStream(accept?.trim() || '*/*')

/** Whether the client wants the result of any operation as an event stream. */
export const prefersEventStream = (accept: string | undefined): boolean =>
  accept?.includes(eventStreamType) === true &&
  new Negotiator({ headers: { accept } }).mediaTypes([...offered, eventStreamType])[0] === eventStreamType

/** Whether the client prefers a page to a GraphQL response. */
export const prefersHtml = memoize(
  { name: 'prefersHtml', max: 200 },
  (accept: string) => new Negotiator({ headers: { accept } }).mediaTypes(['text/html', ...offered])[0] === 'text/html',
)

const includesEventStream = memoize(
  { name: 'includesEventStream', max: 200 },
  (accept: string) => new Negotiator({ headers: { accept } }).mediaTypes([eventStreamType]).length > 0,
)

const negotiated = memoize(
  { name: 'acceptedTypes', max: 200 },
  (accept: string) => new Negotiator({ headers: { accept } }).mediaTypes(offered)[0]?.split(';')[0],
)
