// The documented differences between the legacy contract and this service: docs/legacy-contract.md.
import type { Difference, Root } from './compare.ts'
import { listDeviations } from './list-deviations.ts'
import { recordDeviations } from './record-deviations.ts'
import type { Exchange } from './send.ts'

export const deviations = [...listDeviations, ...recordDeviations]

export const deviationOf = (difference: Difference, exchange: Exchange, root: Root) =>
  deviations.find(
    ({ field, key, what, path, asks = [], when }) =>
      (!field || field.test(difference.field)) &&
      (!key || key.test(difference.key)) &&
      (!what || what === difference.what) &&
      (!path || path.test(exchange.request.path)) &&
      asks.every((name) => name in exchange.request.query) &&
      (!when || when(difference, exchange, root)),
  )
