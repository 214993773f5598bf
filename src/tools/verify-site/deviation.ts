// Type of the documented differences between the legacy contract and this service.
import type { Difference, RootPair } from './compare.ts'
import type { Exchange } from './send.ts'

/** A pattern of differences: all properties that are set must match. */
interface Pattern {
  readonly field?: RegExp
  /** The last part of the path of the field. */
  readonly key?: RegExp
  readonly what?: Difference['what']
  readonly path?: RegExp
  readonly asks?: readonly string[]
  when?(difference: Difference, exchange: Exchange, root: RootPair): boolean
}

export interface Deviation extends Pattern {
  /** The rule as docs/legacy-contract.md names it. */
  readonly rule: string
  readonly text: string
}

/** Documents a difference between both sites. `text` describes the difference. */
export const deviation = (rule: string, text: string, pattern: Pattern): Deviation => ({ rule, text, ...pattern })
