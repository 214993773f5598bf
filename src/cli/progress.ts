import { SingleBar } from 'cli-progress'
import type { OnProgress } from './import.ts'

/** A progress bar; without output if stderr is not a terminal. */
export function createProgress(): { show: OnProgress; end: () => void } {
  const stream = process.stderr
  if (!stream.isTTY) return { show: () => {}, end: () => {} }
  const bar = new SingleBar({ stream, format: '{bar} {percentage} %, {eta_formatted} to go', clearOnComplete: true })
  let started = false
  const show: OnProgress = (done, total) => {
    if (!started) bar.start(total, 0)
    started = true
    bar.update(done)
  }
  return { show, end: () => bar.stop() }
}
