import type { FastifyInstance } from 'fastify'
import type { Settings } from '../env.ts'

/** Slow senders are cut off, whatever they send slowly; after that, what takes long here is given up. */
export function timeouts({ requestTimeout }: Settings) {
  const connectionsCheckingInterval = Math.min(1000, requestTimeout)
  return {
    requestTimeout,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval },
  }
}

/** An answer that did not come in time. */
export class TookTooLong extends Error {
  readonly statusCode = 503
}

/** Fastify's own `handlerTimeout` ends with the body of a request, before the answer to it has begun. */
export function limitAnswers(app: FastifyInstance, settings: Settings): void {
  const { requestTimeout, http } = timeouts(settings)
  const patience = requestTimeout + http.connectionsCheckingInterval + 100
  app.addHook('onRequest', (_request, reply, done) => {
    const timer = setTimeout(() => {
      // What began is not whole, and can't be an error any more.
      if (reply.raw.headersSent) reply.raw.destroy()
      else if (!reply.sent) reply.send(new TookTooLong('The answer took too long.'))
    }, patience)
    reply.raw.once('close', () => clearTimeout(timer))
    done()
  })
}
