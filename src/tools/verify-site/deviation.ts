// A documented difference between the legacy contract and this service.
import type { Difference, Root } from './compare.ts'
import type { Exchange } from './request.ts'

export interface Deviation {
  /** The rule as docs/legacy-contract.md names it. */
  readonly rule: string
  readonly text: string
  explains(difference: Difference, exchange: Exchange, root: Root): boolean
}
