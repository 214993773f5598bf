// Reads the log of changes for all webhooks and sends their messages, in the background of each instance of the service.
import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { listenForNotifications } from '../../engine/postgres/notifications.ts'
import type { Database } from '../../engine/postgres/pool.ts'
import {
  deleteOldMessages,
  findDueWebhooks,
  leaseMessage,
  readQueue,
  releaseAll,
  releaseMessage,
  storeOutcome,
} from './delivery-queue.ts'
import { type Follower, findBehind, followChanges } from './follow.ts'
import { disableWebhook } from './log.ts'
import { sendMessage } from './send.ts'

export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>

interface WebhooksOptions extends Follower {
  readonly database: Database
  readonly registry: Registry
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Milliseconds between polls, from a notification to the next poll, and between deletions of old messages. */
const [pollInterval, wakeDelay, cleaningInterval] = [5000, 100, 3_600_000]

/** Maximum of messages that this process sends to one endpoint at once, so that a slow endpoint delays no other. */
const maxParallel = 4

export async function startWebhooks(options: WebhooksOptions) {
  const { db, database, log } = options
  const count = createMetrics(options)
  const stop = new AbortController()
  /** The running senders of each webhook. */
  const senders = new Map<number, Set<Promise<void>>>()
  let [isDue, cleanedAt] = [false, Number.NEGATIVE_INFINITY]
  let polling: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const logFailure = (err: unknown) => {
    if (!stop.signal.aborted) log.warn({ err }, 'could not process webhooks, they are tried again in 5 seconds')
  }

  /** Polls after a delay, which joins the notifications of a burst. */
  const wake = (delay = wakeDelay) => {
    isDue = true
    if (stop.signal.aborted || polling) return
    timer ??= setTimeout(() => {
      timer = undefined
      polling = poll()
        .catch(logFailure)
        .finally(() => {
          polling = undefined
          if (isDue) wake()
        })
    }, delay).unref()
  }

  const poll = async () => {
    isDue = false
    let isBehind = false
    for (const id of await findBehind(options)) {
      if (stop.signal.aborted) return
      isBehind = true
      await followChanges(id, options).catch(logFailure)
      addSender(id)
    }
    await sendDue()
    if (performance.now() - cleanedAt > cleaningInterval)
      cleanedAt = (await deleteOldMessages(db)) ? cleanedAt : performance.now()
    // A transaction that ran meanwhile may have hidden changes that were committed.
    if (isBehind) setTimeout(wake, 1000).unref()
  }

  const sendDue = async () => {
    for (const id of await findDueWebhooks(db)) addSender(id)
  }

  /** Starts to send messages of a webhook. Each sender that finds a message adds another. */
  const addSender = (id: number) => {
    const own = senders.get(id) ?? new Set()
    if (own.size >= maxParallel || stop.signal.aborted) return
    senders.set(id, own)
    const sender = send(id)
      .catch(logFailure)
      .finally(() => own.delete(sender))
    own.add(sender)
  }

  const send = async (id: number) => {
    while (!stop.signal.aborted) {
      const message = await leaseMessage(db, id)
      if (!message) return
      addSender(id)
      try {
        const outcome = await sendMessage(message, options.settings, stop.signal)
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
  const listener = await listenForNotifications(database, { invalidate: () => wake(), invalidateAll: () => wake() })
  const interval = setInterval(wake, pollInterval).unref()
  wake()
  return {
    /** Stops sending. Interrupted messages are sent again by another instance or after the next start. */
    async close() {
      stop.abort()
      clearInterval(interval)
      clearTimeout(timer)
      await listener.close()
      await polling
      await Promise.all([...senders.values()].flatMap((own) => [...own]))
    },
  }
}

/** Adds the metrics of webhooks, and returns the function that counts tries. */
function createMetrics({ db, registry }: Pick<WebhooksOptions, 'db' | 'registry'>) {
  const registers = [registry]
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Messages that were sent to webhooks: delivered, retried later, failed after the last try, or replaced by a later message.',
    labelNames: ['result'],
    registers,
  })
  const gauge = (name: string, help: string, key: 'pending' | 'oldest') =>
    new Gauge({
      // The maximum, because all workers report the same table.
      ...{ name, help, aggregator: 'max' as const, registers },
      async collect() {
        // Errors are ignored, so that other metrics are reported while the database does not respond.
        const queue = await readQueue(db).catch(() => undefined)
        if (queue) this.set(queue[key])
      },
    })
  gauge('webhook_deliveries_pending', 'Messages to webhooks that wait to be sent, or to be sent again.', 'pending')
  gauge(
    'webhook_oldest_pending_seconds',
    'Time since the oldest message that was not accepted yet, 0 without one.',
    'oldest',
  )
  return (result: string) => deliveries.inc({ result })
}
