import { SingleBar } from 'cli-progress'
import type { OnProgress } from './import.ts'

/** A bar on a terminal, and nothing elsewhere. */
export function createProgress(): { show: OnProgress; end: () => void } {
  const stream = process.stderr
  if (!stream.isTTY) return { show: () => {}, end: () => {} }
  const bar = new SingleBar({ stream, format: '{bar} {percentage} %, {eta_formatted} to go', clearOnComplete: true })
  let begun = false
  const show: OnProgress = (done, total) => {
    if (!begun) bar.start(total, 0)
    begun = true
    bar.update(done)
  }
  return { show, end: () => bar.stop() }
}
