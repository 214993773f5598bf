// Finds the changes for a group: all subscribers with the same criteria, language and rights. Executes each operation once for
// all subscribers that sent the same operation.
import { setTimeout } from 'node:timers/promises'
import type { ExecutionResult, GraphQLError } from 'graphql'
import { changesMissedError, DomainError } from '../../../basics/errors.ts'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import { runWithoutClient } from '../../../engine/postgres/connection-shares.ts'
import { lacksConnection } from '../../../engine/postgres/unavailable.ts'
import { type Context, withCurrentTime } from '../../context.ts'
import type { ContextualRequest } from '../execute.ts'
import { type EventStream, resultEvent } from './event-stream.ts'
import type { SubscriptionSession } from './sessions.ts'
import type { ChangeEvent, RecordChange, WatchedRecords } from './watched-records.ts'

/** An open subscription. */
export interface Subscriber {
  readonly stream: EventStream
  /** Session of the signed-in user; undefined for visitors. */
  readonly session: SubscriptionSession | undefined
  readonly operation: OperationRequest
  /** Operations with one key have equal results for readers with equal rights. */
  readonly operationKey: string
}

export interface SubscriberGroupOptions {
  readonly execute: (request: ContextualRequest) => Promise<ExecutionResult>
  readonly maskError: (error: unknown) => GraphQLError
  /** Called with the number of messages that were sent. */
  readonly onSent: (messages: number) => void
}

/** Maximum number of changed records that one statement checks. */
const batchSize = 25

/** Number of waiting changed records above which the group ends, because this process cannot keep up. */
const maxPending = 10_000

export type SubscriberGroup = ReturnType<typeof createSubscriberGroup>

/**
 * Creates a group. `receivePending` resolves when all changes that were committed before its call were added to the group. `onEnd`
 * is called when the group ends, at the latest when its last subscriber leaves.
 */
export function createSubscriberGroup(
  { watched }: WatchedRecords,
  context: Context,
  { execute, maskError, onSent }: SubscriberGroupOptions,
  receivePending: () => Promise<void>,
  onEnd: () => void,
) {
  /** For each subscriber, whether the subscriber already gets changes. */
  const subscribers = new Map<Subscriber, boolean>()
  const pending = new Set<number>()
  const matching = new IdSet()
  /** For locked records that match, by ID: a value that changes whenever the fields that subscribers see change. */
  const lockedVersions = new Map<number, string>()
  let isOpen = false
  let hasEnded = false
  /** Resolves when the current batch of changes is reported. */
  let running: Promise<void> | undefined

  /** Finds the records that match the criteria now. Throws an error if the criteria are invalid. */
  const open = async () => {
    // The set of matching records must contain everything that was committed before the subscription.
    await receivePending()
    const { ids, locked } = await retryUnreachable(() => {
      pending.clear()
      return watched.matching(withCurrentTime(context), undefined)
    })
    for (const id of ids) matching.toggle(id, true)
    for (const [id, version] of locked) lockedVersions.set(id, version)
    isOpen = true
    run()
  }

  const run = () => {
    if (running || !isOpen || pending.size === 0 || hasEnded) return
    running = runWithoutClient(reportNext).finally(() => {
      running = undefined
      run()
    })
  }

  /** Resolves when all changes that were added before the call are reported. */
  const settled = async () => {
    const added = [...pending]
    do {
      run()
      await running
    } while (added.some((id) => pending.has(id)))
    await running
  }

  const end = (error: Error) => {
    if (hasEnded) return
    hasEnded = true
    pending.clear()
    onEnd()
    for (const [{ stream }, isListening] of subscribers) if (isListening) stream.fail(maskError(error))
  }

  const leave = (subscriber: Subscriber) => {
    subscribers.delete(subscriber)
    if (subscribers.size === 0) end(changesMissedError())
  }

  const reportNext = async () => {
    const ids = [...pending].slice(0, batchSize)
    for (const id of ids) pending.delete(id)
    try {
      const { reader, found } = await retryUnreachable(async () => {
        const renewed = withCurrentTime(context)
        return { reader: renewed, found: await watched.matching(renewed, ids) }
      })
      const foundIds = new Set(found.ids)
      const changes = ids.flatMap((id) => changeOf(id, foundIds.has(id), found.locked.get(id)))
      if (changes.length > 0) await report(changes, reader)
    } catch (error) {
      // BAD_INPUT says what is wrong with the criteria. After any other error, changes may have been missed.
      end(error instanceof DomainError && error.code === 'BAD_INPUT' ? error : changesMissedError())
    }
  }

  /** Returns the change of a record; nothing if it was and is hidden from subscribers, or if only withheld fields changed. */
  const changeOf = (id: number, matches: boolean, locked: string | undefined): RecordChange[] => {
    const matched = matching.has(id)
    if (!matched && !matches) return []
    matching.toggle(id, matches)
    const looksSame = locked !== undefined && locked === lockedVersions.get(id)
    if (locked === undefined) lockedVersions.delete(id)
    else lockedVersions.set(id, locked)
    if (!matched) return [{ type: 'created', id }]
    if (!matches) return [{ type: 'deleted', id }]
    return looksSame ? [] : [{ type: 'updated', id }]
  }

  const report = async (changes: readonly RecordChange[], reader: Context) => {
    const ids = changes.flatMap(({ type, id }) => (type === 'deleted' ? [] : [id]))
    const listening = [...subscribers].flatMap(([subscriber, isListening]) => (isListening ? [subscriber] : []))
    const reports = [...Map.groupBy(listening, ({ operationKey }) => operationKey).values()].map(async (equal) => {
      const [{ operation }] = equal as [Subscriber]
      const results = await retryUnreachable(() => {
        const batch = { ids, reads: new Map() }
        return Promise.all(changes.map((change) => resultOf(operation, { ...change, batch }, reader)))
      })
      const events = Buffer.from(results.map((result) => resultEvent(JSON.stringify(result))).join(''))
      // Waits for running checks of sessions, because a user may have lost rights before these changes were committed.
      await Promise.all(equal.map(({ session }) => session?.checking))
      for (const { stream } of equal) stream.send(events)
      onSent(changes.length * equal.length)
    })
    await Promise.all(reports)
  }

  const resultOf = async (operation: OperationRequest, rootValue: ChangeEvent, reader: Context) => {
    const { data, errors } = await execute({ ...operation, rootValue, contextValue: withCurrentTime(reader) })
    // A message in which the event is null would look as if the event was deleted.
    const unreachable = errors?.find(({ originalError }) => originalError && lacksConnection(originalError))
    if (unreachable) throw unreachable.originalError
    return errors ? { errors: errors.map(maskError), data } : { data }
  }

  const opened = open()
  return {
    kind: watched.kind,
    run,
    end,
    /** Adds changed records; call `run` to report them. */
    add(ids: readonly number[]): void {
      for (const id of ids) pending.add(id)
      if (pending.size > maxPending) end(changesMissedError())
    },
    /**
     * Sends the subscriber all changes that are committed after the promise resolves, until the returned function is called. Throws
     * CHANGES_MISSED if changes were missed meanwhile, and BAD_INPUT if the criteria are invalid.
     */
    async join(subscriber: Subscriber): Promise<() => void> {
      subscribers.set(subscriber, false)
      try {
        await opened
        await receivePending()
        await settled()
        if (hasEnded) throw changesMissedError()
      } catch (error) {
        leave(subscriber)
        throw error
      }
      subscribers.set(subscriber, true)
      return () => leave(subscriber)
    },
  }
}

/** A set of IDs, 32 in each entry of a map: 100,000 consecutive IDs take about 0.1 MB. */
class IdSet {
  readonly #words = new Map<number, number>()

  has(id: number): boolean {
    // Shifts ignore all but the last five bits of the ID.
    return ((this.#words.get(id >>> 5) ?? 0) & (1 << id)) !== 0
  }

  toggle(id: number, isMember: boolean): void {
    const word = this.#words.get(id >>> 5) ?? 0
    this.#words.set(id >>> 5, isMember ? word | (1 << id) : word & ~(1 << id))
  }
}

/** Maximum number of attempts of a read, each of which fails after three seconds without a free connection. */
const attempts = 4

/** Milliseconds between two attempts. */
const pause = 500

/** Calls `read` again if no connection was available, so that a moment of overload does not end subscriptions. */
async function retryUnreachable<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (attempt === attempts || !(error instanceof Error && lacksConnection(error))) throw error
      await setTimeout(pause)
    }
  }
}
