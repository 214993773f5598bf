// Creates the HTTP responses of operations from the responses of Yoga, or as event streams.
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, type HttpResponse } from '../../engine/cache/response-cache.ts'
import { eventStreamType, prefersEventStream } from '../http/accepted-type.ts'
import { cacheControlOf } from '../http/handle-request.ts'
import { type EventStream, singleResultEvents } from './subscriptions/event-stream.ts'

/** Converts Yoga's response, so that it is cached and sent like the responses of the other APIs. */
export async function toHttpResponse(
  request: FastifyRequest,
  response: Response,
  isPublic: boolean,
): Promise<HttpResponse> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) if (name !== 'content-length') headers[name] = value
  headers['cache-control'] = isPublic && response.status >= 300 ? 'no-store' : cacheControlOf(isPublic)
  const { buffer, byteOffset, byteLength } = await response.bytes()
  const body = Buffer.from(buffer, byteOffset, byteLength)
  const etag = request.method === 'POST' ? undefined : etagOf(body)
  return { status: response.status, headers, body, etag, operation: request.loggedOperation }
}

/** Whether the client wants the result of any operation as a stream of events. */
export const wantsEventStream = ({ method, headers }: FastifyRequest) =>
  method !== 'HEAD' && prefersEventStream(headers.accept)

/** HTTP statuses that are sent even to clients that accept only event streams. All other errors are sent as events. */
const streamedErrorStatuses: ReadonlySet<number> = new Set([401, 429, 503, 507])

const eventStreamHeaders = {
  'content-type': `${eventStreamType}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // Makes nginx send each event at once, instead of buffering events.
  'x-accel-buffering': 'no',
}

/** Converts the response of an operation to an event stream with one result. */
export function toEventStreamResponse({ status, headers, body, operation }: HttpResponse): HttpResponse {
  return {
    status: streamedErrorStatuses.has(status) ? status : 200,
    headers: { ...headers, ...eventStreamHeaders },
    body: Buffer.from(singleResultEvents(String(body))),
    etag: undefined,
    operation,
  }
}

/** Creates the response to a subscription. */
export function streamResponse(request: FastifyRequest, reply: FastifyReply, stream: EventStream): HttpResponse {
  // Without a socket timeout, because changes may be rare. Injected requests of tests have no real socket.
  if (request.raw.socket instanceof Socket) request.raw.socket.setTimeout(0)
  // The client has disconnected, so nothing will read the stream.
  if (reply.raw.destroyed) stream.destroy()
  return {
    status: 200,
    // Closes the connection after the stream, because an idle connection would delay the stop of the service.
    headers: { ...eventStreamHeaders, connection: 'close' },
    body: stream,
    etag: undefined,
    operation: request.loggedOperation,
  }
}
