import type { FastifyInstance } from 'fastify'

/** Adds the header `X-Request-Id`, and `Connection: close` while the process is stopping. */
export function addRequestIds(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (stopping.aborted) reply.header('connection', 'close')
    done()
  })
  // Requests that began before would otherwise keep their connections open, and the next request on them would be lost.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
}
