// Finds the changes for a group: all subscribers with the same criteria, language and rights. Executes each operation once for
// all subscribers that sent the same operation.
import { setTimeout } from 'node:timers/promises'
import type { ExecutionResult, GraphQLError } from 'graphql'
import { changesMissed, DomainError } from '../../../basics/errors.ts'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import { withoutClient } from '../../../engine/postgres/connection-shares.ts'
import { lacksConnection } from '../../../engine/postgres/unavailable.ts'
import { type Context, withCurrentTime } from '../../context.ts'
import type { ContextualRequest } from '../execute.ts'
import { type EventStream, resultEvent } from './event-stream.ts'
import type { Session } from './sessions.ts'
import type { ChangeEvent, RecordChange, WatchedRecords } from './watched-records.ts'

/** An open subscription. */
export interface Subscriber {
  readonly stream: EventStream
  /** Session of the signed-in user; undefined for visitors. */
  readonly session: Session | undefined
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
 * `receivePending` resolves when the changes of everything committed before its call were added. `onEnd` is called when the
 * group ends, at the latest when its last subscriber leaves.
 */
export function createSubscriberGroup(
  { watched }: WatchedRecords,
  context: Context,
  { execute, maskError, onSent }: SubscriberGroupOptions,
  receivePending: () => Promise<void>,
  onEnd: () => void,
) {
  /** Subscribers, and whether each gets changes already. */
  const subscribers = new Map<Subscriber, boolean>()
  const pending = new Set<number>()
  const matching = new IdSet()
  /** For locked records that match, by ID: a value that changes with what subscribers see of the record. */
  const lockedVersions = new Map<number, string>()
  let isOpen = false
  let hasEnded = false
  /** The batch that is being reported. */
  let running: Promise<void> | undefined

  /** Finds the records that match now. Throws the errors of the criteria. */
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
    running = withoutClient(reportNext).finally(() => {
      running = undefined
      run()
    })
  }

  /** Resolves when the changes that were added so far are reported. */
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
    if (subscribers.size === 0) end(changesMissed())
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
      // Clients get an error of their criteria. After any other error, some changes are unknown.
      end(error instanceof DomainError && error.code === 'BAD_INPUT' ? error : changesMissed())
    }
  }

  /** Returns no change if subscribers saw the record neither before nor now, or if only withheld fields changed. */
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
      // A session that is being checked may have lost its rights before these changes were committed.
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
      if (pending.size > maxPending) end(changesMissed())
    },
    /**
     * Reports all changes that are committed after the promise resolves, until the returned function is called. Throws
     * CHANGES_MISSED if some were missed meanwhile, and the errors of the criteria.
     */
    async join(subscriber: Subscriber): Promise<() => void> {
      subscribers.set(subscriber, false)
      try {
        await opened
        await receivePending()
        await settled()
        if (hasEnded) throw changesMissed()
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
