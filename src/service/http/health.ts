import type { FastifyInstance, FastifyReply } from 'fastify'
import { createDatabaseProbe } from '../../engine/postgres/probe.ts'
import type { Replicas } from '../../engine/postgres/replicas/replicas.ts'
import { replacedByNewWorker } from '../../engine/processes/messages.ts'
import type { MonitoringOptions } from './metrics.ts'

/** Registers `/health/live`, which says that the process responds, and `/health/ready`, whether it can take requests. */
export function registerHealthRoutes(
  app: FastifyInstance,
  { database, stopping }: MonitoringOptions,
  replicas?: Replicas,
): void {
  const probe = createDatabaseProbe(database)
  app.addHook('onClose', () => probe.close())
  app.get('/health/live', async (_request, reply) => sendStatus(reply, 200, 'live'))
  app.get('/health/ready', async (_request, reply) => {
    if (stopping.aborted && stopping.reason !== replacedByNewWorker) return sendStatus(reply, 503, 'stopping')
    const states = replicas
      ?.states()
      .map(({ lag, isUsed }) => ({ lag: lag === undefined ? null : Math.round(lag), used: isUsed }))
    const state = await probe.check()
    if (state === 'busy') return sendStatus(reply, 503, 'the database is busy')
    if (state === 'unreachable') {
      // Status 200, because visitors can still read from replicas.
      const status = 'the primary database cannot be reached'
      if (states?.some(({ used }) => used)) return sendStatus(reply, 200, status, states)
      return sendStatus(reply, 503, 'the database cannot be reached', states)
    }
    const shortage = database.shortage?.()
    return shortage === undefined ? sendStatus(reply, 200, 'ready', states) : sendStatus(reply, 503, shortage)
  })
}

/** `replicas` are left out if there are none. */
function sendStatus(reply: FastifyReply, code: 200 | 503, status: string, replicas?: readonly object[]): FastifyReply {
  if (code === 503) reply.header('retry-after', '1')
  return reply
    .code(code)
    .header('cache-control', 'no-store')
    .send({ status, ...(replicas && { replicas }) })
}
