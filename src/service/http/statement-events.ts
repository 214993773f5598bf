import type { FastifyInstance } from 'fastify'
import type { Db } from '../../engine/postgres/client.ts'
import { onQuery } from '../../engine/postgres/query.ts'

/** Calls `listener` with the duration in milliseconds of each SQL statement, until the app is closed. */
export function onStatement(app: FastifyInstance, db: Db, listener: (milliseconds: number) => void): void {
  const stop = onQuery(db, ({ duration }) => listener(duration))
  app.addHook('onClose', async () => stop())
}
