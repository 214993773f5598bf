import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { type ClientWork, startClientWork } from '../../engine/postgres/connection-shares.ts'
import { RequestTimeoutError } from '../../engine/postgres/unavailable.ts'
import { writesOfRequest } from '../../engine/postgres/write-outcome.ts'
import { networkOf } from '../auth/login-throttle.ts'

/** Options of Fastify and of Node's HTTP server that limit how long a request may take to arrive. */
export function timeoutOptions({ requestTimeout }: Settings) {
  const connectionsCheckingInterval = Math.min(1000, requestTimeout)
  return {
    requestTimeout,
    // Node closes a connection that makes no progress for this time, because the client does not read its response.
    connectionTimeout: responseTimeoutOf(requestTimeout) + 1000,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval },
  }
}

/** Milliseconds that a request may take until its response begins. */
const responseTimeoutOf = (requestTimeout: number): number => requestTimeout + Math.min(1000, requestTimeout) + 100

declare module 'fastify' {
  interface FastifyRequest {
    deadline: Deadline | undefined
  }
}

/** The deadline by which the response to a request has to begin. */
interface Deadline {
  timer: NodeJS.Timeout | undefined
  readonly reply: FastifyReply
  isOver: boolean
  /** Rejects the promise of `withResponseDeadline`, for which the handler waits. */
  abandon: (error: Error) => void
  /** The work of the request, which may hold database connections. */
  work: ClientWork | undefined
}

/**
 * Makes `withResponseDeadline` reject when a response does not begin in time. Clients may take longer to read the response. With
 * Fastify's own `handlerTimeout`, the handler would send a second response later.
 */
export function limitResponseTime(app: FastifyInstance, settings: Settings): void {
  const responseTimeout = responseTimeoutOf(settings.requestTimeout)
  app.decorateRequest('deadline', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const deadline: Deadline = { timer: undefined, reply, isOver: false, abandon: () => {}, work: undefined }
    deadline.timer = setTimeout(abandon, responseTimeout, deadline).unref()
    request.deadline = deadline
    done()
  })
  app.addHook('onSend', ({ deadline }, _reply, payload, done) => {
    clearTimeout(deadline?.timer)
    done(null, payload)
  })
  // `onResponse`, because responses from the cache skip the hooks before sending.
  app.addHook('onResponse', ({ deadline }, _reply, done) => {
    clearTimeout(deadline?.timer)
    done()
  })
}

function abandon(deadline: Deadline): void {
  const { reply, work } = deadline
  const error = tookTooLong()
  deadline.isOver = true
  // Aborts writes first: a write must not be committed after the response says that it was not.
  const writes = writesOfRequest(reply.request)
  writes.abort()
  // A request with a write continues, to store the outcome of the write.
  if (work && writes.all.length === 0) work.abandoned = error
  // The server is overloaded, so closing the connection makes room for other clients.
  reply.header('connection', 'close')
  deadline.abandon(error)
}

const tookTooLong = () => new RequestTimeoutError('The response took too long.')

/**
 * Returns the result of `run`, or rejects with RequestTimeoutError at the deadline. The result of `run` after the deadline is ignored,
 * so a handler sends only one response. `run` uses the client's share of the database connections.
 */
export const withResponseDeadline = <Result>(request: FastifyRequest, run: () => Promise<Result>): Promise<Result> =>
  startClientWork(networkOf(request.ip), (work) => {
    const { deadline } = request
    if (!deadline) return run()
    deadline.work = work
    return new Promise((resolve, reject) => {
      deadline.abandon = reject
      run().then(resolve, reject)
      if (deadline.isOver) reject(tookTooLong())
    })
  })
