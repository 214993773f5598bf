// How much slower requests may become with more events.
import type { BenchRequest } from './bench-request.ts'

/** A request at one size. */
export interface Measured {
  /** Milliseconds; NaN if the request failed. */
  readonly time: number
  /** Of the first request. */
  readonly firstTime: number
  /** Length of the response. */
  readonly bytes: number
}

export interface SizeComparison {
  readonly name: string
  /** Positions of the sizes. */
  readonly small: number
  readonly large: number
  /** Undefined for requests without a limit. `growth` is the ratio of the bytes. */
  readonly maxOf: (request: BenchRequest, growth: number) => number | undefined
}

/** Responses with as many records differ by less: by the length of texts, and in what events are linked to. */
const returnsMore = (growth: number) => growth > 1.5

const limits = [
  {
    from: 1000,
    to: 100_000,
    maxOf: ({ maxMs }: BenchRequest, growth: number) =>
      maxMs === undefined ? 1.5 * (returnsMore(growth) ? growth : 1) : undefined,
  },
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

export interface Verdict {
  /** Of the times. */
  readonly ratio: number
  readonly max: number | undefined
  /** A request that failed exceeds every limit. */
  readonly isExceeded: boolean
}

export function judge(request: BenchRequest, measured: readonly Measured[], comparison: SizeComparison): Verdict {
  const ratioOf = (property: keyof Measured) => {
    const [small, large] = [measured[comparison.small], measured[comparison.large]]
    return (large?.[property] ?? Number.NaN) / (small?.[property] ?? Number.NaN)
  }
  const ratio = ratioOf('time')
  const max = comparison.maxOf(request, ratioOf('bytes'))
  return { ratio, max, isExceeded: Number.isNaN(ratio) || (max !== undefined && ratio > max) }
}

/** Whether a request with such a limit took too long at any size, the first time or in general. */
export const isTooSlow = ({ maxMs = Number.POSITIVE_INFINITY }: BenchRequest, measured: readonly Measured[]): boolean =>
  measured.some(({ time, firstTime }) => Math.max(time, firstTime) > maxMs)
