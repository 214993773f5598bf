// Limits the open subscriptions: of this process, and of each client.
import type { Client } from '../../context.ts'
import type { Settings } from '../../env.ts'
import { subscriptionsUnavailable, tooManySubscriptions } from '../../errors.ts'
import { clientKey } from '../../http/rate-limits.ts'

/** Different subscriptions of one client. Equal ones share their statements, so that only different ones cost much. */
const maxDifferent = 200

interface ClientSlots {
  open: number
  /** Open subscriptions by key. */
  readonly keys: Map<string, number>
}

export interface Slots {
  readonly open: number
  /**
   * Takes a slot until the returned function is called. Subscriptions with one key share their work. Throws
   * TOO_MANY_REQUESTS or UNAVAILABLE.
   */
  take(client: Client, key: string): () => void
}

export function createSlots({
  subscriptionsMax,
  subscriptionsPerClient,
}: Pick<Settings, 'subscriptionsMax' | 'subscriptionsPerClient'>): Slots {
  const clients = new Map<string, ClientSlots>()
  let open = 0
  return {
    get open() {
      return open
    },
    take(client, key) {
      if (open >= subscriptionsMax) throw subscriptionsUnavailable(full(subscriptionsMax))
      const name = clientKey(client)
      const slots = clients.get(name) ?? { open: 0, keys: new Map<string, number>() }
      if (slots.open >= subscriptionsPerClient) throw tooManySubscriptions(tooMany(subscriptionsPerClient))
      const ofKey = slots.keys.get(key) ?? 0
      if (ofKey === 0 && slots.keys.size >= maxDifferent) throw tooManySubscriptions(tooManyDifferent)
      clients.set(name, slots)
      slots.keys.set(key, ofKey + 1)
      slots.open += 1
      open += 1
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        open -= 1
        slots.open -= 1
        const left = (slots.keys.get(key) ?? 1) - 1
        if (left > 0) slots.keys.set(key, left)
        else slots.keys.delete(key)
        if (slots.open === 0) clients.delete(name)
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
