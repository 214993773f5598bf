// All clock changes from 2000 to 2040, found with Intl, and the expected conversions around them.
import { expect } from 'vitest'
import { toInstant, toWallClock } from '../../src/basics/time.ts'

const from = Date.UTC(2000, 0, 1)
const until = Date.UTC(2040, 0, 1)
const step = 14 * 86_400_000

/** Checks conversions in both directions around each clock change. Returns the number of changes. */
export function checkChanges(zone: string): number {
  const offsetAt = offsets(zone)
  const changes = changesOf(offsetAt)
  for (const change of changes) {
    const [before, after] = [offsetAt(change - 1000), offsetAt(change)]
    for (const seconds of around(Math.abs(after - before) / 1000)) {
      const time = change + seconds * 1000
      const shown = clock(time + offsetAt(time))
      expect(toWallClock(new Date(time), zone), `${zone} at ${new Date(time).toISOString()}`).toBe(shown)
      // Includes wall clocks that are skipped or occur twice.
      const wall = change + before + seconds * 1000
      expect(toInstant(clock(wall), zone).getTime(), `${zone}, ${clock(wall)}`).toBe(
        meant(wall, before, after, offsetAt),
      )
    }
  }
  return changes.length
}

/** Temporal's `compatible`: the earlier of two instants; skipped wall clocks move forward by the gap. */
function meant(wall: number, before: number, after: number, offsetAt: (time: number) => number): number {
  const possible = [wall - before, wall - after].filter((time) => time + offsetAt(time) === wall)
  return possible.length > 0 ? Math.min(...possible) : wall - before
}

const around = (size: number) => [
  -3600,
  -size - 1,
  -size,
  -1,
  0,
  1,
  Math.floor(size / 2),
  size - 1,
  size,
  size + 1,
  3600,
]

function changesOf(offsetAt: (time: number) => number): number[] {
  const changes: number[] = []
  for (let time = from; time < until; time += step) {
    if (offsetAt(time) === offsetAt(time + step)) continue
    let [low, high] = [time, time + step]
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000
      if (offsetAt(middle) === offsetAt(low)) low = middle
      else high = middle
    }
    changes.push(high)
  }
  return changes
}

const clock = (time: number) => new Date(time).toISOString().slice(0, 19)

function offsets(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (time) => Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - time
}
