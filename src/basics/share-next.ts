/** Returns a function that runs `work`. Calls during a run share one next run, which starts when the current run ends. */
export function shareNextRun<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> | undefined
  let next: Promise<Result> | undefined
  const start = () => {
    next = undefined
    const result = work()
    running = result
    const finish = () => {
      if (running === result) running = undefined
    }
    result.then(finish, finish)
    return result
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start, start)
    return next
  }
}
