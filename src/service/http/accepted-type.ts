import Negotiator from 'negotiator'
import { memoize } from '../../basics/memoize.ts'

export const jsonType = 'application/json'
export const graphqlType = 'application/graphql-response+json'
export const eventStreamType = 'text/event-stream'

/** In the order of preference for clients that accept any type. Negotiator compares parameters, too. */
const offered = [jsonType, graphqlType].flatMap((type) => [type, `${type};charset=utf-8`])

/** The media type of a GraphQL response; undefined if the client accepts none of the two. */
export const acceptedGraphqlType = (accept: string | undefined): string | undefined =>
  negotiated(accept?.trim() || '*/*')

/** Whether the client accepts an event stream, for subscriptions. */
export const acceptsEventStream = (accept: string | undefined): boolean =>
  mediaTypes(accept?.trim() || '*/*', [eventStreamType]).length > 0

/** Whether the client wants the result of any operation as an event stream. */
export const prefersEventStream = (accept: string | undefined): boolean =>
  accept?.includes(eventStreamType) === true && mediaTypes(accept, [...offered, eventStreamType])[0] === eventStreamType

/** Whether the client prefers a page to a GraphQL response. */
export const prefersHtml = (accept: string): boolean => mediaTypes(accept, ['text/html', ...offered])[0] === 'text/html'

/** Those of `types` that the client accepts, in its order of preference. */
const mediaTypes = (accept: string, types: string[]) => new Negotiator({ headers: { accept } }).mediaTypes(types)

const negotiated = memoize(
  { name: 'acceptedTypes', max: 200 },
  (accept: string) => mediaTypes(accept, offered)[0]?.split(';')[0],
)
