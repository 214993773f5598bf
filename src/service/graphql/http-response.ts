// The HTTP responses of operations: Yoga's own, and streams of events.
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, type HttpResponse } from '../../engine/cache/response-cache.ts'
import { eventStreamType, prefersEventStream } from '../http/accepted-type.ts'
import { cacheControl } from '../http/handle-request.ts'
import { type EventStream, singleResultEvents } from './subscriptions/event-stream.ts'

/** Converts Yoga's response, so that it is cached and sent like the responses of the other APIs. */
export async function toHttpResponse(
  request: FastifyRequest,
  response: Response,
  isPublic: boolean,
): Promise<HttpResponse> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) if (name !== 'content-length') headers[name] = value
  headers['cache-control'] = isPublic && response.status >= 300 ? 'no-store' : cacheControl(isPublic)
  const { buffer, byteOffset, byteLength } = await response.bytes()
  const body = Buffer.from(buffer, byteOffset, byteLength)
  const etag = request.method === 'POST' ? undefined : etagOf(body)
  return { status: response.status, headers, body, etag, operation: request.loggedOperation }
}

/** Whether the client wants the result of any operation as a stream of events. */
export const wantsEvents = ({ method, headers }: FastifyRequest) =>
  method !== 'HEAD' && prefersEventStream(headers.accept)

/** Statuses that a client has to see even if it accepts only event streams. All other errors are events. */
const streamedErrorStatuses: ReadonlySet<number> = new Set([401, 429, 503, 507])

const eventStreamHeaders = {
  'content-type': `${eventStreamType}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // Otherwise nginx collects events before it sends them.
  'x-accel-buffering': 'no',
}

/** The result of an operation as a stream with one event. */
export function asEventStream({ status, headers, body, operation }: HttpResponse): HttpResponse {
  return {
    status: streamedErrorStatuses.has(status) ? status : 200,
    headers: { ...headers, ...eventStreamHeaders },
    body: Buffer.from(singleResultEvents(String(body))),
    etag: undefined,
    operation,
  }
}

export function streamResponse(request: FastifyRequest, reply: FastifyReply, stream: EventStream): HttpResponse {
  // Changes may be rare. Injected requests have no real socket.
  if (request.raw.socket instanceof Socket) request.raw.socket.setTimeout(0)
  // The client is gone: nothing will read the stream.
  if (reply.raw.destroyed) stream.destroy()
  return {
    status: 200,
    // A connection that became idle while the service stops would delay its end.
    headers: { ...eventStreamHeaders, connection: 'close' },
    body: stream,
    etag: undefined,
    operation: request.loggedOperation,
  }
}
