// Records when the worker thread of PGlite began its current work. The times are in memory that both threads share, because
// the worker thread answers no messages while it works.

/** Start time of the current work of each kind, from `process.hrtime`; 0 if no work of this kind is running. */
export type WorkTimes = BigInt64Array<SharedArrayBuffer>

/** A kind of work of the worker thread. */
export type WorkKind = 'statement' | 'maintenance'

const places: Readonly<Record<WorkKind, number>> = { statement: 0, maintenance: 1 }

export const createWorkTimes = (): WorkTimes =>
  new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT))

/** Runs `run`, and records when this work began until it ends. */
export async function recordWorkTime(times: WorkTimes, work: WorkKind, run: () => Promise<unknown>): Promise<void> {
  Atomics.store(times, places[work], process.hrtime.bigint())
  await run()
  Atomics.store(times, places[work], 0n)
}

/** Returns when the current work of this kind began; undefined if none runs. */
export const workBeganAt = (times: WorkTimes, work: WorkKind): bigint | undefined =>
  Atomics.load(times, places[work]) || undefined

export const msSince = (begun: bigint): number => Number(process.hrtime.bigint() - begun) / 1e6
