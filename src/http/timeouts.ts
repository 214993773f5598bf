import type { FastifyInstance, FastifyReply } from 'fastify'
import { RequestTimeoutError } from '../db/unavailable.ts'
import { writesOf } from '../db/write-outcome.ts'
import type { Settings } from '../env.ts'

/** Slow senders are cut off, whatever they send slowly; after that, what takes long here is given up. */
export function timeouts({ requestTimeout }: Settings) {
  const connectionsCheckingInterval = Math.min(1000, requestTimeout)
  return {
    requestTimeout,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval },
  }
}

/**
 * Gives up what is not answered in time; who reads an answer slowly may take longer. Fastify's own `handlerTimeout` ends
 * with the body of a request, before the answer to it has begun.
 */
export function limitResponseTime(app: FastifyInstance, settings: Settings): void {
  const { requestTimeout, http } = timeouts(settings)
  const responseTimeout = requestTimeout + http.connectionsCheckingInterval + 100
  const timers = new WeakMap<FastifyReply, NodeJS.Timeout>()
  app.addHook('onRequest', (request, reply, done) => {
    const abort = () => {
      // First, so that a write that is answered as not committed never is.
      writesOf(request).giveUp()
      // Under such a load connections are better spent on others.
      reply.header('connection', 'close').send(new RequestTimeoutError('The answer took too long.'))
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
