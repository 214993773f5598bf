import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/client.ts'
import { onSent } from '../db/read.ts'

type Listener = (milliseconds: number) => void

const listeners = new WeakMap<Db, Set<Listener>>()

/** Tells how long each SQL statement took, until the app is closed; Prisma itself never stops telling. */
export function onStatement(app: FastifyInstance, db: Db, listener: Listener): void {
  const all = listeners.get(db) ?? new Set()
  if (!listeners.has(db)) {
    listeners.set(db, all)
    const tellAll = ({ duration }: { duration: number }) => {
      for (const tell of all) tell(duration)
    }
    db.$on('query', tellAll)
    onSent(db, tellAll)
  }
  all.add(listener)
  app.addHook('onClose', async () => {
    all.delete(listener)
  })
}
