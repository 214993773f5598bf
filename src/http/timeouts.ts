import type { FastifyInstance, FastifyReply } from 'fastify'
import { RequestTimeoutError } from '../db/unavailable.ts'
import { writesOf } from '../db/write-outcome.ts'
import type { Settings } from '../env.ts'

/** Options of Fastify and of Node's HTTP server that limit how long a request may take to arrive. */
export function timeouts({ requestTimeout }: Settings) {
  const connectionsCheckingInterval = Math.min(1000, requestTimeout)
  return {
    requestTimeout,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval },
  }
}

/**
 * Responds 503 if a response does not begin in time. Clients may take longer to read it. Fastify's own `handlerTimeout` does
 * not cover the time from the request body to the response. One timer serves all requests, which is faster than one for each.
 */
export function limitResponseTime(app: FastifyInstance, settings: Settings): void {
  const { requestTimeout, http } = timeouts(settings)
  const responseTimeout = requestTimeout + http.connectionsCheckingInterval + 100
  /** Deadlines of responses that have not begun, the earliest first. */
  const pending = new Map<FastifyReply, number>()
  let isArmed = false
  const arm = (milliseconds: number) => {
    isArmed = true
    setTimeout(abortLate, milliseconds).unref()
  }
  const abortLate = () => {
    isArmed = false
    const now = performance.now()
    for (const [reply, due] of pending) {
      if (due > now) return arm(Math.ceil(due - now))
      pending.delete(reply)
      if (!reply.sent && !reply.raw.closed) abort(reply)
    }
  }
  app.addHook('onRequest', (_request, reply, done) => {
    pending.set(reply, performance.now() + responseTimeout)
    if (!isArmed) arm(responseTimeout)
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    pending.delete(reply)
    done(null, payload)
  })
  // Responses from the cache pass no hook before they are sent.
  app.addHook('onResponse', (_request, reply, done) => {
    pending.delete(reply)
    done()
  })
}

function abort(reply: FastifyReply): void {
  // First abort the write, so that it cannot be committed after the response says that it was not.
  writesOf(reply.request).abort()
  // The server is overloaded: free the connection for other clients.
  reply.header('connection', 'close').send(new RequestTimeoutError('The response took too long.'))
}
