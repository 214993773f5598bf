// Measures the lag of replicas by the clock of this process: when did the primary first have what a replica lacks?
import { hasReached, type LogPosition } from './position.ts'

interface Sample {
  readonly position: LogPosition
  readonly time: number
}

const maxSamples = 500

/**
 * `maxLag` is the longest lag that a replica may have, in milliseconds. The samples reach back at least twice as long, however
 * often positions are added. A longer lag is reported as that of the oldest sample.
 */
export function createLagMeter(maxLag: number) {
  const interval = maxLag / 200
  let samples: Sample[] = []
  return {
    /** Adds the position of the primary at `time`, in milliseconds of a monotonic clock. */
    add(position: LogPosition, time: number): void {
      const last = samples.at(-1)
      if (last?.position === position) return
      // Another server has become the primary.
      if (last && position < last.position) samples = []
      // Positions within an interval count as if they all had the time of the first. The latest one is exact.
      const [before] = samples.slice(-2)
      if (last && before && last.time - before.time < interval) samples.splice(-2, 2, { ...last, time: before.time })
      samples = [...samples.slice(1 - maxSamples), { position, time }]
    },
    /**
     * Milliseconds by which a replica that has replayed up to `replayed` is behind at `time`: 0 if it has everything that the
     * primary is known to have. While the primary does not respond, `time` is that of its last response.
     */
    lag(replayed: LogPosition, time: number): number {
      const missing = samples.find(({ position }) => !hasReached(replayed, position))
      return missing ? Math.max(0, time - missing.time) : 0
    },
  }
}
