// How much slower requests may become with more events.
import type { BenchRequest } from './requests.ts'

export interface SizeComparison {
  readonly name: string
  /** Positions of the sizes. */
  readonly small: number
  readonly large: number
  /** Undefined for requests without a limit. */
  readonly maxOf: (request: BenchRequest) => number | undefined
}

const limits = [
  { from: 1000, to: 100_000, maxOf: ({ returnsMore }: BenchRequest) => (returnsMore ? undefined : 1.5) },
  { from: 100_000, to: 1_000_000, maxOf: ({ isEssential }: BenchRequest) => (isEssential ? 2 : undefined) },
]

/** The comparisons of these sizes for which there are limits. Of other sizes, the first and the last without limits. */
export function comparisons(sizes: readonly number[]): SizeComparison[] {
  const limited = limits.flatMap(({ from, to, maxOf }) => {
    const [small, large] = [sizes.indexOf(from), sizes.indexOf(to)]
    return small === -1 || large === -1 ? [] : [{ name: `${to}/${from}`, small, large, maxOf }]
  })
  if (limited.length > 0 || sizes.length < 2) return limited
  return [{ name: `${sizes.at(-1)}/${sizes[0]}`, small: 0, large: sizes.length - 1, maxOf: () => undefined }]
}

export const ratioTo = (times: readonly number[], { small, large }: SizeComparison): number =>
  (times[large] ?? Number.NaN) / (times[small] ?? Number.NaN)

/** A request that failed exceeds every limit. */
export function isExceeded(request: BenchRequest, ratio: number, { maxOf }: SizeComparison): boolean {
  const max = maxOf(request)
  return Number.isNaN(ratio) || (max !== undefined && ratio > max)
}
