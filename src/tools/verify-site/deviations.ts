// The documented differences between the legacy contract and this service: docs/legacy-contract.md.
import type { Difference, Root } from './compare.ts'
import { type Deviation, explains } from './deviation.ts'
import { listDeviations } from './list-deviations.ts'
import { recordDeviations } from './record-deviations.ts'
import type { Exchange } from './send.ts'

export const deviations: readonly Deviation[] = [...listDeviations, ...recordDeviations]

export const deviationOf = (difference: Difference, exchange: Exchange, root: Root): Deviation | undefined =>
  deviations.find((deviation) => explains(deviation, difference, exchange, root))
