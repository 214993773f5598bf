// Measures the lag of replicas: the time since the primary first reached a WAL position that the replica has not replayed.
import { hasReached, type LogPosition } from './position.ts'

interface Sample {
  readonly position: LogPosition
  readonly time: number
}

const maxSamples = 500

/**
 * Creates a meter that keeps samples of the primary's position for at least twice `maxLag`, the longest allowed lag in
 * milliseconds. A longer lag is reported as the age of the oldest sample.
 */
export function createLagMeter(maxLag: number) {
  const interval = maxLag / 200
  let samples: Sample[] = []
  return {
    /** Adds the position of the primary at `time`, in milliseconds of a monotonic clock. */
    add(position: LogPosition, time: number): void {
      const last = samples.at(-1)
      if (last?.position === position) return
      // A lower position means that another server has become the primary.
      if (last && position < last.position) samples = []
      // Merges samples within an interval: keeps the latest position, with the time of the first sample.
      const [before] = samples.slice(-2)
      if (last && before && last.time - before.time < interval) samples.splice(-2, 2, { ...last, time: before.time })
      samples = [...samples.slice(1 - maxSamples), { position, time }]
    },
    /**
     * Returns the lag in milliseconds of a replica that has replayed the WAL up to `replayed`; 0 if it has everything that the
     * primary is known to have. While the primary does not respond, `time` is the time of its last response.
     */
    lag(replayed: LogPosition, time: number): number {
      const missing = samples.find(({ position }) => !hasReached(replayed, position))
      return missing ? Math.max(0, time - missing.time) : 0
    },
  }
}
