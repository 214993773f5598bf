import { Gauge, type Registry } from 'prom-client'
import type { Replicas } from '../../engine/postgres/replicas/replicas.ts'

/** Replicas are numbered from 1 in the order of DATABASE_REPLICA_URL. */
export function registerReplicaMetrics(replicas: Replicas, registers: Registry[]): void {
  const labelNames = ['replica']
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'How far a replica is behind the primary; missing while it does not respond.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [index, { lag }] of replicas.states().entries()) {
        if (lag !== undefined) this.set({ replica: String(index + 1) }, lag / 1000)
      }
    },
  })
  new Gauge({
    name: 'database_replica_used',
    help: '1 while queries of visitors read from the replica, 0 while it is left out.',
    labelNames,
    registers,
    collect() {
      for (const [index, { isUsed }] of replicas.states().entries()) {
        this.set({ replica: String(index + 1) }, Number(isUsed))
      }
    },
  })
}
