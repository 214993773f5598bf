// Executes a subscription once for all subscribers with the same operation, variables, language and rights.
import type { GraphQLError } from 'graphql'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import type { ExecuteOperation } from '../../../engine/execution/execution.ts'
import { lacksConnection } from '../../../engine/postgres/unavailable.ts'
import { type Context, renewContext } from '../../context.ts'
import type { ContextualRequest } from '../execute.ts'
import type { GroupListener } from './change-group.ts'
import { type EventStream, resultEvent } from './event-stream.ts'
import { retryUnreachable } from './retry.ts'
import type { Session } from './sessions.ts'
import type { ChangeBatch, ChangeEvent, RecordChange } from './watched-records.ts'

interface SharedSubscriptionOptions {
  readonly operation: OperationRequest
  readonly execute: (request: ContextualRequest) => ReturnType<ExecuteOperation>
  readonly maskError: (error: unknown) => GraphQLError
  /** Called with the number of messages that were sent. */
  readonly onSent: (messages: number) => void
}

interface Subscriber {
  readonly stream: EventStream
  /** Undefined for visitors. */
  readonly session: Session | undefined
}

export class SharedSubscription implements GroupListener {
  /** Subscribers, including those that are about to join. */
  users = 0
  hasEnded = false
  readonly #subscribers = new Set<Subscriber>()
  readonly #options: SharedSubscriptionOptions

  constructor(options: SharedSubscriptionOptions) {
    this.#options = options
  }

  /** Sends events to the stream until the returned function is called. */
  add(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  async report(changes: readonly RecordChange[], context: Context): Promise<void> {
    const results = await retryUnreachable(() => {
      const batch = createBatch(changes.flatMap(({ type, id }) => (type === 'deleted' ? [] : [id])))
      return Promise.all(changes.map((change) => this.#result({ ...change, batch }, context)))
    })
    const events = Buffer.from(results.map((result) => resultEvent(JSON.stringify(result))).join(''))
    // A session that is being checked may have lost its rights before these changes were committed.
    await Promise.all([...this.#subscribers].map(({ session }) => session?.checked()))
    for (const { stream } of this.#subscribers) stream.send(events)
    this.#options.onSent(changes.length * this.#subscribers.size)
  }

  end(error: Error): void {
    this.hasEnded = true
    for (const { stream } of this.#subscribers) stream.complete(errorEvent(error, this.#options.maskError))
  }

  async #result(rootValue: ChangeEvent, context: Context) {
    const { operation, execute, maskError } = this.#options
    const { data, errors } = await execute({ ...operation, rootValue, contextValue: renewContext(context) })
    // A message without the event would look like its last state.
    const unreachable = errors?.find(({ originalError }) => originalError && lacksConnection(originalError))
    if (unreachable) throw unreachable.originalError
    return errors ? { errors: errors.map(maskError), data } : { data }
  }
}

export const errorEvent = (error: Error, maskError: (error: unknown) => GraphQLError): string =>
  resultEvent(JSON.stringify({ errors: [maskError(error)] }))

function createBatch(ids: readonly number[]): ChangeBatch {
  const reads = new Map<string, Promise<ReadonlyMap<number, object>>>()
  return {
    async record<Node extends object>(
      key: string,
      id: number,
      read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Node>>,
    ) {
      const reading = reads.get(key) ?? read(ids)
      reads.set(key, reading)
      return ((await reading).get(id) as Node | undefined) ?? null
    },
  }
}
