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
    // Node closes connections without progress for this time: clients that do not read their responses.
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

/** When the response to a request has to begin. */
interface Deadline {
  timer: NodeJS.Timeout | undefined
  readonly reply: FastifyReply
  isOver: boolean
  /** Rejects what the handler waits for. */
  abandon: (error: Error) => void
  /** The work of the request, which may hold database connections. */
  work: ClientWork | undefined
}

/**
 * Makes `withResponseDeadline` reject when a response does not begin in time. Clients may take longer to read it. Fastify's own
 * `handlerTimeout` sends a response, and the handler another one later.
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
  // Responses from the cache pass no hook before they are sent.
  app.addHook('onResponse', ({ deadline }, _reply, done) => {
    clearTimeout(deadline?.timer)
    done()
  })
}

function abandon(deadline: Deadline): void {
  const { reply, work } = deadline
  const error = tookTooLong()
  deadline.isOver = true
  // First abort the write, so that it cannot be committed after the response says that it was not.
  const writes = writesOfRequest(reply.request)
  writes.abort()
  // A write goes on, to store its outcome.
  if (work && writes.all.length === 0) work.abandoned = error
  // The server is overloaded: free the connection for other clients.
  reply.header('connection', 'close')
  deadline.abandon(error)
}

const tookTooLong = () => new RequestTimeoutError('The response took too long.')

/**
 * Returns the result of `run`, or rejects with RequestTimeoutError at the deadline: so a handler sends one response, whatever `run`
 * does later. `run` gets the share of connections of the client.
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
