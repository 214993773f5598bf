// Limits the open subscriptions: of this process, and of each client.

import type { Settings } from '../../../basics/env.ts'
import { subscriptionsUnavailable, tooManySubscriptions } from '../../../basics/errors.ts'
import type { Client } from '../../context.ts'
import { clientKey } from '../../http/rate-limits.ts'

/** Different subscriptions of one client. Equal ones share their statements, so that only different ones cost much. */
const maxDifferent = 200

interface ClientSubscriptions {
  open: number
  /** Open subscriptions by key. */
  readonly keys: Map<string, number>
}

export function createSubscriptionLimiter({
  subscriptionsMax,
  subscriptionsPerClient,
}: Pick<Settings, 'subscriptionsMax' | 'subscriptionsPerClient'>) {
  const clients = new Map<string, ClientSubscriptions>()
  let open = 0
  return {
    get open() {
      return open
    },
    /**
     * Counts a subscription until the returned function is called. Subscriptions with one key share their work. Throws
     * TOO_MANY_REQUESTS or UNAVAILABLE.
     */
    acquire(client: Client, key: string): () => void {
      if (open >= subscriptionsMax) throw subscriptionsUnavailable(full(subscriptionsMax))
      const name = clientKey(client)
      const subscriptions = clients.get(name) ?? { open: 0, keys: new Map<string, number>() }
      if (subscriptions.open >= subscriptionsPerClient) throw tooManySubscriptions(tooMany(subscriptionsPerClient))
      const ofKey = subscriptions.keys.get(key) ?? 0
      if (ofKey === 0 && subscriptions.keys.size >= maxDifferent) throw tooManySubscriptions(tooManyDifferent)
      clients.set(name, subscriptions)
      subscriptions.keys.set(key, ofKey + 1)
      subscriptions.open += 1
      open += 1
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        open -= 1
        subscriptions.open -= 1
        const left = (subscriptions.keys.get(key) ?? 1) - 1
        if (left > 0) subscriptions.keys.set(key, left)
        else subscriptions.keys.delete(key)
        if (subscriptions.open === 0) clients.delete(name)
      }
    },
  }
}

const full = (max: number) =>
  max === 0
    ? 'This site has switched subscriptions off.'
    : `This service has ${max} open subscriptions, the most that it allows. Retry in 5 seconds.`
const tooMany = (max: number) =>
  `You have ${max} open subscriptions, the most that one client may have. Close one before you open another.`
const tooManyDifferent = `You have ${maxDifferent} different subscriptions, the most that one client may have. Close one before you open another, or use the same operation and variables again.`
