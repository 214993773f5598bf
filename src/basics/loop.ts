// Runs work in the background: at intervals, and when it is woken.
import { setTimeout } from 'node:timers/promises'

interface LoopOptions {
  /** Milliseconds between two runs, unless the loop is woken. */
  readonly interval: number
  /** Milliseconds before each run, so that several calls of `wake` cause one run. */
  readonly delay?: number
  readonly onError: (error: unknown) => void
}

/** Runs `work` now, at intervals, and when woken: one run at a time, and once more if woken meanwhile. */
export function startLoop(
  work: (stopping: AbortSignal) => Promise<void>,
  { interval, delay = 0, onError }: LoopOptions,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  let isDue = false
  let running: Promise<void> | undefined
  const run = async () => {
    while (isDue && !signal.aborted) {
      if (delay > 0) await setTimeout(delay, undefined, { ref: false, signal }).catch(() => {})
      isDue = false
      try {
        if (!signal.aborted) await work(signal)
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
    }
    running = undefined
  }
  const wake = () => {
    isDue = true
    running ??= run()
  }
  const timer = setInterval(wake, interval).unref()
  wake()
  return {
    signal,
    wake,
    /** Wakes the loop later. */
    wakeAfter: (milliseconds: number) => void globalThis.setTimeout(wake, milliseconds).unref(),
    async close(): Promise<void> {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
