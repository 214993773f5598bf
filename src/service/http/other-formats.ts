// URLs at which clients expect another format than HTML, such as JSON or a feed: they get an error in this format, never a page
// with status 200.
import type { FastifyReply } from 'fastify'

type OtherFormat = 'rest' | 'feed'

/** Query parameters that request another format at the address of a page. */
const parameters: Readonly<Record<string, OtherFormat>> = {
  rest_route: 'rest',
  feed: 'feed',
  ical: 'feed',
  'outlook-ical': 'feed',
}

const restPath = /^(?:\/index\.php)?(?:\/[a-z-]+)?\/wp-json(?:\/|$)/
/** Matches paths of feeds, but not `/event/feed/`, the page of an event with the slug `feed`. */
const feedPath =
  /(?<!\/(?:event|venue|organizer|tag|category))\/feed(?:\/(?:rss2?|rdf|atom|json))?\/?$|\.(?:ics|rss|atom|rdf|xml)$/

/** Returns the format that clients expect at this URL; undefined if they expect a page. */
export function findOtherFormat(url: string): OtherFormat | undefined {
  const [path = '', query] = url.split('?', 2)
  if (restPath.test(path)) return 'rest'
  if (feedPath.test(path)) return 'feed'
  const requested = query === undefined ? [] : [...new URLSearchParams(query).keys()]
  return requested.map((name) => (Object.hasOwn(parameters, name) ? parameters[name] : undefined)).find(Boolean)
}

/** Responds 404, with a JSON error like the REST API, or with plain text. */
export function sendNoSuchFormat(reply: FastifyReply, format: OtherFormat): FastifyReply {
  reply.code(404).header('cache-control', 'no-store')
  if (format === 'feed') return reply.type('text/plain; charset=utf-8').send('There is no feed at this URL.\n')
  const data = { status: 404 }
  return reply.send({ code: 'rest_no_route', message: 'There is no REST API at this URL.', data })
}
