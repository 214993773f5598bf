import type { Settings } from '../env.ts'

/** Slow senders are cut off, whatever they send slowly; after that, what takes long here is given up. */
export function timeouts({ requestTimeout }: Settings) {
  const connectionsCheckingInterval = Math.min(1000, requestTimeout)
  return {
    requestTimeout,
    handlerTimeout: requestTimeout + connectionsCheckingInterval + 100,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval },
  }
}
