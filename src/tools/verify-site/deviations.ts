// All documented differences between the legacy contract and this service (docs/legacy-contract.md).
import type { Difference, RootPair } from './compare.ts'
import { listDeviations } from './list-deviations.ts'
import { recordDeviations } from './record-deviations.ts'
import type { Exchange } from './send.ts'

export const documentedDeviations = [...listDeviations, ...recordDeviations]

/** Returns the documented deviation that explains a difference; undefined if there is none. */
export const findDocumentedDeviation = (difference: Difference, exchange: Exchange, root: RootPair) =>
  documentedDeviations.find(
    ({ field, key, what, path, asks = [], when }) =>
      (!field || field.test(difference.field)) &&
      (!key || key.test(difference.key)) &&
      (!what || what === difference.what) &&
      (!path || path.test(exchange.request.path)) &&
      asks.every((name) => name in exchange.request.query) &&
      (!when || when(difference, exchange, root)),
  )
