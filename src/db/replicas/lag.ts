// Measures the lag of replicas by the clock of this process: when did the primary first have what a replica lacks?
import { hasReached, type LogPosition } from './position.ts'

export interface LagMeter {
  /** Adds the position of the primary at `time`, in milliseconds of a monotonic clock. */
  add(position: LogPosition, time: number): void
  /**
   * Milliseconds by which a replica that has replayed up to `replayed` is behind at `time`: 0 if it has everything that the
   * primary is known to have. While the primary does not respond, `time` is that of its last response.
   */
  lag(replayed: LogPosition, time: number): number
}

interface Sample {
  readonly position: LogPosition
  readonly time: number
}

/** A longer lag is reported as that of the oldest sample. */
const maxSamples = 500

export function createLagMeter(): LagMeter {
  let samples: Sample[] = []
  return {
    add(position, time) {
      const last = samples.at(-1)
      if (last?.position === position) return
      // Another server has become the primary.
      if (last && position < last.position) samples = []
      samples.push({ position, time })
      if (samples.length > maxSamples) samples.shift()
    },
    lag(replayed, time) {
      const missing = samples.find(({ position }) => !hasReached(replayed, position))
      return missing ? Math.max(0, time - missing.time) : 0
    },
  }
}
