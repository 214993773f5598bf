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

/** With more samples than these, older ones are thinned out. */
const maxSamples = 500

/** Samples that are kept as they are, and older ones. */
const [maxRecent, maxOlder] = [250, 200]

/**
 * `maxLag` is the longest lag that a replica may have, in milliseconds. The samples reach back at least twice as long, however
 * often positions are added. A longer lag is reported as that of the oldest sample.
 */
export function createLagMeter(maxLag: number): LagMeter {
  let samples: Sample[] = []
  return {
    add(position, time) {
      const last = samples.at(-1)
      if (last?.position === position) return
      // Another server has become the primary.
      if (last && position < last.position) samples = []
      samples.push({ position, time })
      if (samples.length > maxSamples) samples = thinOut(samples, (2 * maxLag) / maxOlder)
    },
    lag(replayed, time) {
      const missing = samples.find(({ position }) => !hasReached(replayed, position))
      return missing ? Math.max(0, time - missing.time) : 0
    },
  }
}

/** Merges older samples within `interval` milliseconds: they count as if they all had the time of the first. */
function thinOut(samples: readonly Sample[], interval: number): Sample[] {
  const older: Sample[] = []
  for (const { position, time } of samples.slice(0, -maxRecent)) {
    const last = older.at(-1)
    if (last && time - last.time < interval) older[older.length - 1] = { position, time: last.time }
    else older.push({ position, time })
  }
  return [...older.slice(-maxOlder), ...samples.slice(-maxRecent)]
}
