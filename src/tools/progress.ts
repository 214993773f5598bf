import { SingleBar } from 'cli-progress'

/** Creates a progress bar on stderr, if stderr is a terminal. `showRate` adds counts and the rate per second. */
export function createProgressBar({ showRate = false } = {}) {
  const stream = process.stderr
  if (!stream.isTTY) return { show: () => {}, end: () => {} }
  const counts = showRate ? '{value}/{total} {label}, {rate}/s, ' : ''
  const format = `{bar} {percentage} %, ${counts}{eta_formatted} to go`
  const bar = new SingleBar({ stream, format, clearOnComplete: true })
  let shown: string | undefined
  let startedAt = 0
  /** Shows the progress. A new `label` restarts the bar and the rate. */
  const show = (done: number, total: number, label = '') => {
    if (shown !== label) {
      if (shown !== undefined) bar.stop()
      bar.start(total, 0, { label, rate: 0 })
      shown = label
      startedAt = performance.now()
    }
    const seconds = (performance.now() - startedAt) / 1000
    bar.setTotal(total)
    bar.update(done, { label, rate: seconds > 0 ? Math.round(done / seconds) : 0 })
  }
  return { show, end: () => bar.stop() }
}
