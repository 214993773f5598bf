import type { FastifyInstance, FastifyReply } from 'fastify'
import { createProbe } from '../db/probe.ts'
import { type Operations, replaced } from './operations.ts'

/** `/health/live`: the process responds. `/health/ready`: the instance can take requests. */
export function healthRoutes(app: FastifyInstance, { database, stopping }: Operations): void {
  const probe = createProbe(database)
  app.addHook('onClose', () => probe.close())
  app.get('/health/live', async (_request, reply) => sendStatus(reply, 200, 'live'))
  app.get('/health/ready', async (_request, reply) => {
    if (stopping.aborted && stopping.reason !== replaced) return sendStatus(reply, 503, 'stopping')
    if (!(await probe.isAvailable())) return sendStatus(reply, 503, 'the database cannot be reached')
    const shortage = database.shortage?.()
    return shortage === undefined ? sendStatus(reply, 200, 'ready') : sendStatus(reply, 503, shortage)
  })
}

function sendStatus(reply: FastifyReply, code: 200 | 503, status: string): FastifyReply {
  if (code === 503) reply.header('retry-after', '1')
  return reply.code(code).header('cache-control', 'no-store').send({ status })
}
