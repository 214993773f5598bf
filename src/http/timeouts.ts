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
 * not cover the time from the request body to the response.
 */
export function limitResponseTime(app: FastifyInstance, settings: Settings): void {
  const { requestTimeout, http } = timeouts(settings)
  const responseTimeout = requestTimeout + http.connectionsCheckingInterval + 100
  const timers = new WeakMap<FastifyReply, NodeJS.Timeout>()
  app.addHook('onRequest', (request, reply, done) => {
    const abort = () => {
      if (reply.sent) return
      // First abort the write, so that it cannot be committed after the response says that it was not.
      writesOf(request).abort()
      // The server is overloaded: free the connection for other clients.
      reply.header('connection', 'close').send(new RequestTimeoutError('The response took too long.'))
    }
    const timer = setTimeout(abort, responseTimeout)
    timers.set(reply, timer)
    reply.raw.once('close', () => clearTimeout(timer))
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    clearTimeout(timers.get(reply))
    done(null, payload)
  })
}
