import type { FastifyInstance } from 'fastify'

/** Sends `X-Request-Id`, and `Connection: close` once the process stops. */
export function addRequestIds(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (stopping.aborted) reply.header('connection', 'close')
    done()
  })
}
