// Limits the open subscriptions: of this process, and of each client.
import type { Settings } from '../../../basics/env.ts'
import { subscriptionsUnavailableError, tooManySubscriptionsError } from '../../../basics/errors.ts'
import type { Client } from '../../context.ts'
import { rateLimitKey } from '../../http/rate-limits.ts'

/** Maximum number of different subscriptions of one client. Equal subscriptions share their statements, so they cost little. */
const maxDifferent = 200

export function createSubscriptionLimiter({
  subscriptionsMax,
  subscriptionsPerClient,
}: Pick<Settings, 'subscriptionsMax' | 'subscriptionsPerClient'>) {
  /** The open subscriptions of each client. */
  const clients = new Map<string, Set<{ readonly key: string }>>()
  let open = 0
  return {
    get open() {
      return open
    },
    /**
     * Counts a subscription as open until the returned function is called. Subscriptions with the same key share their work. Throws
     * TOO_MANY_REQUESTS or UNAVAILABLE if a limit is reached.
     */
    acquire(client: Client, key: string): () => void {
      if (open >= subscriptionsMax) throw subscriptionsUnavailableError(full(subscriptionsMax))
      const name = rateLimitKey(client)
      const ofClient = clients.get(name) ?? new Set()
      if (ofClient.size >= subscriptionsPerClient) throw tooManySubscriptionsError(tooMany(subscriptionsPerClient))
      const keys = new Set([...ofClient].map((each) => each.key))
      if (!keys.has(key) && keys.size >= maxDifferent) throw tooManySubscriptionsError(tooManyDifferent)
      const subscription = { key }
      clients.set(name, ofClient.add(subscription))
      open += 1
      return () => {
        if (!ofClient.delete(subscription)) return
        open -= 1
        if (ofClient.size === 0) clients.delete(name)
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
