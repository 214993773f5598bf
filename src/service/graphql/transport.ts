import type { FastifyRequest } from 'fastify'
import type { Recorder } from '../../engine/cache/response-cache.ts'
import type { Caller } from '../http/handle-request.ts'
import type { EventStream } from './subscriptions/event-stream.ts'

/** What the HTTP request of an operation adds to Yoga's context. */
export interface Transport {
  readonly req: FastifyRequest
  readonly client: Caller
  /** Whether to include the cost in the response. */
  readonly includeCost: boolean
  /** Language in the path, as in `/fr/graphql`. */
  readonly root: string | undefined
  readonly recorder: Recorder | undefined
  /** Whether the client accepts a stream of events. */
  readonly acceptsEvents: boolean
  readonly opened: OpenedStream
}

/** Takes the stream of a subscription past Yoga, which would copy each event. */
export interface OpenedStream {
  stream?: EventStream
}
