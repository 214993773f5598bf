// Measures work independently of the load of the machine: CPU time of this thread, relative to a loop over text in the
// same run.
import { memoizeOnce } from '../../src/basics/memoize.ts'

const scanned = 'The quick brown fox jumps. '.repeat(40_000)

/** CPU time of this thread in microseconds, the minimum of several runs: garbage collection and other work only add. */
export function leastCpuTime(run: () => unknown, runs = 5): number {
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

const scans = 20

/** CPU time of one scan. Many are measured together: some machines count CPU time in steps of four milliseconds. */
const unit = memoizeOnce(() => {
  const scanOften = () => {
    for (let n = 0; n < scans; n += 1) scan()
  }
  return leastCpuTime(scanOften, 3) / scans
})

/** The work of `run` as a multiple of a loop over a million characters, which takes a few milliseconds. */
export function work(run: () => unknown): number {
  const scanTime = unit()
  return leastCpuTime(run, 1) / scanTime
}

/** The same for asynchronous work. Nothing else may run on this thread at the same time. */
export async function asyncWork(run: () => Promise<unknown>): Promise<number> {
  const scanTime = unit()
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / scanTime
}
