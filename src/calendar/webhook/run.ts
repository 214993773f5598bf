// Reads the log of changes for all webhooks and sends their messages, in the background of each instance of the service.
import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { startLoop } from '../../basics/loop.ts'
import { addGauge, shareReading } from '../../basics/metrics.ts'
import { listenForNotifications } from '../../engine/postgres/notifications.ts'
import type { Database } from '../../engine/postgres/pool.ts'
import { findDueWebhooks, leaseMessage, readQueue, releaseAll, releaseMessage, storeOutcome } from './delivery-queue.ts'
import { type Follower, findBehind, followChanges } from './follow.ts'
import { disableWebhook } from './log.ts'
import { sendMessage } from './send.ts'

export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>

interface WebhooksOptions extends Follower {
  readonly database: Database
  readonly registry: Registry
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Milliseconds between polls, and from a notification to the next poll, which join the notifications of a burst. */
const [interval, delay] = [5000, 100]

/** Maximum of messages that this process sends to one endpoint at once, so that a slow endpoint delays no other. */
const maxParallel = 4

export async function startWebhooks(options: WebhooksOptions) {
  const { db, database, log } = options
  const count = createMetrics(options)
  /** The running senders of each webhook. */
  const senders = new Map<number, Set<Promise<void>>>()

  const onError = (err: unknown) => {
    if (!loop.signal.aborted) log.warn({ err }, 'could not process webhooks, they are tried again in 5 seconds')
  }

  const poll = async () => {
    let isBehind = false
    for (const id of await findBehind(options)) {
      if (loop.signal.aborted) return
      isBehind = true
      await followChanges(id, options).catch(onError)
      addSender(id)
    }
    for (const id of await findDueWebhooks(db)) addSender(id)
    // A transaction that ran meanwhile may have hidden changes that were committed.
    if (isBehind) loop.wakeAfter(1000)
  }

  /** Starts to send messages of a webhook. Each sender that finds a message adds another. */
  const addSender = (id: number) => {
    const own = senders.get(id) ?? new Set()
    if (own.size >= maxParallel || loop.signal.aborted) return
    senders.set(id, own)
    const sender = send(id)
      .catch(onError)
      .finally(() => own.delete(sender))
    own.add(sender)
  }

  const send = async (id: number) => {
    while (!loop.signal.aborted) {
      const message = await leaseMessage(db, id)
      if (!message) return
      addSender(id)
      try {
        const outcome = await sendMessage(message, options.settings, loop.signal)
        const result = await storeOutcome(db, message, outcome)
        if (result) count(result)
        if (outcome.status === 410) await disableWebhook(db, id, 'The endpoint responded with status 410: it is gone.')
      } catch (error) {
        await releaseMessage(db, message)
        throw error
      }
    }
  }

  if (database.isEmbedded) await releaseAll(db)
  const loop = startLoop(poll, { interval, delay, onError })
  const listener = await listenForNotifications(database, { invalidate: loop.wake, invalidateAll: loop.wake })
  return {
    /** Stops sending. Interrupted messages are sent again by another instance or after the next start. */
    async close() {
      await Promise.all([loop.close(), listener.close()])
      await Promise.all([...senders.values()].flatMap((own) => [...own]))
    },
  }
}

/** Adds the metrics of webhooks, and returns the function that counts tries. */
function createMetrics({ db, registry }: Pick<WebhooksOptions, 'db' | 'registry'>) {
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Messages that were sent to webhooks: delivered, retried later, failed after the last try, or replaced by a later message.',
    labelNames: ['result'],
    registers: [registry],
  })
  const read = shareReading(() => readQueue(db))
  const add = (name: string, help: string, key: 'pending' | 'oldest') =>
    addGauge(registry, name, help, async () => (await read())?.[key], { aggregator: 'max' })
  add('webhook_deliveries_pending', 'Messages to webhooks that wait to be sent, or to be sent again.', 'pending')
  const oldestHelp = 'Time since the oldest message that was not accepted yet, 0 without one.'
  add('webhook_oldest_pending_seconds', oldestHelp, 'oldest')
  return (result: string) => deliveries.inc({ result })
}
