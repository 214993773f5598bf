// Measures work independently of the load of the machine: CPU time of this thread, relative to a loop over text in the
// same run.

const scanned = 'The quick brown fox jumps. '.repeat(40_000)

/** CPU time of this thread in microseconds, the minimum of several runs. */
function cpuOf(run: () => unknown, runs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < runs; n += 1) {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

function scan(): number {
  let sum = 0
  for (let index = 0; index < scanned.length; index += 1) sum = (sum * 31 + scanned.charCodeAt(index)) | 0
  return sum
}

let unit: number | undefined

/** The work of `run` as a multiple of a loop over a million characters, which takes one or two milliseconds. */
export function work(run: () => unknown): number {
  unit ??= cpuOf(scan, 30)
  return cpuOf(run, 1) / unit
}

/** The same for asynchronous work. Nothing else may run on this thread at the same time. */
export async function asyncWork(run: () => Promise<unknown>): Promise<number> {
  unit ??= cpuOf(scan, 30)
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / unit
}
