// Limits the memory of responses that clients read slowly or not at all. The time limit of sockets closes connections that make no
// progress (timeouts.ts).
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../basics/env.ts'

/** Milliseconds between two checks. */
const checkInterval = 1000

/** Number of bytes of a response that triggers a check at once. */
const largePayload = 65_536

/** While more than UNSENT_BYTES wait in memory, closes the connections of the oldest requests with such bytes. */
export function limitUnsentBytes(app: FastifyInstance, { unsentBytes }: Settings): void {
  /** Responses that are not sent completely, in the order of their requests. */
  const responses = new Set<ServerResponse>()
  const check = () => {
    let total = 0
    for (const { writableLength } of responses) total += writableLength
    if (total <= unsentBytes) return
    app.log.warn('closed connections of slow clients: more than UNSENT_BYTES were waiting to be sent')
    for (const response of responses) {
      const { writableLength } = response
      if (writableLength === 0) continue
      response.destroy()
      total -= writableLength
      if (total <= unsentBytes) return
    }
  }
  const timer = setInterval(check, checkInterval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', (_request, { raw }, done) => {
    responses.add(raw)
    done()
  })
  app.addHook('onSend', (_request, _reply, payload, done) => {
    const { length = 0 } = (payload ?? {}) as { length?: number }
    if (length > largePayload) setImmediate(check)
    done(null, payload)
  })
  app.addHook('onResponse', (_request, { raw }, done) => {
    responses.delete(raw)
    done()
  })
}
