import Negotiator from 'negotiator'
import { memoize } from '../../basics/memoize.ts'

export const jsonType = 'application/json'
export const graphqlType = 'application/graphql-response+json'
export const eventStreamType = 'text/event-stream'

/** Media types of GraphQL responses, the preferred type first. With charset, because Negotiator compares parameters, too. */
const offered = [jsonType, graphqlType].flatMap((type) => [type, `${type};charset=utf-8`])

/** Returns the media type for a GraphQL response; undefined if the client accepts neither of the two types. */
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

/** Returns the items of `types` that the client accepts, in the client's order of preference. */
const mediaTypes = (accept: string, types: string[]) => new Negotiator({ headers: { accept } }).mediaTypes(types)

const negotiated = memoize(
  { name: 'acceptedTypes', max: 200 },
  (accept: string) => mediaTypes(accept, offered)[0]?.split(';')[0],
)
