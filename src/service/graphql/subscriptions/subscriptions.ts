// Opens subscriptions. They end when the client closes the connection, when the user loses rights, when changes were missed,
// and when the service stops.
import {
  createSourceEventStream,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  validateSubscriptionArgs,
} from 'graphql'
import { badInput, changesMissed, subscriptionsUnavailable } from '../../../basics/errors.ts'
import { objectNumber } from '../../../basics/memoize.ts'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import type { Database } from '../../../engine/postgres/pool.ts'
import type { Viewer } from '../../auth/permissions.ts'
import { type Client, type Context, type Environment, nothingWithheld } from '../../context.ts'
import { createRun } from '../execute.ts'
import { executions } from '../record-resolver.ts'
import { createChangeHub, groupKey } from './change-hub.ts'
import { EventStream } from './event-stream.ts'
import { createSessions } from './sessions.ts'
import { errorEvent, SharedSubscription } from './shared-subscription.ts'
import { createSubscriptionLimiter } from './subscription-limiter.ts'
import { WatchedRecords } from './watched-records.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

interface SubscriptionsOptions {
  readonly database: Database
  readonly schema: GraphQLSchema
  readonly maskError: (error: unknown) => GraphQLError
  /** Called with the number of messages that were sent. */
  readonly onSent: (messages: number) => void
}

/** Characters of the variables as JSON, which a subscription keeps in memory. */
const maxVariablesLength = 20_000

export function createSubscriptions(
  environment: Environment,
  { database, schema, maskError, onSent }: SubscriptionsOptions,
) {
  const { settings, cache, shortage } = environment
  const limiter = createSubscriptionLimiter(settings)
  const sessions = createSessions(environment)
  const hub = createChangeHub({ database, onUsersChanged: (ids) => sessions.check(ids) })
  const streams = new Set<EventStream>()
  const shared = new Map<string, SharedSubscription>()
  const run = createRun(schema, cache, shortage)
  const executeFields = executions[settings.execution]
  let isClosed = false

  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.sendHeartbeat()
  }, settings.subscriptionHeartbeat).unref()
  const expiry = setInterval(() => sessions.endExpired(), 1000).unref()

  const endStream = (stream: EventStream, error: Error) => stream.complete(errorEvent(error, maskError))

  const sharedSubscription = (key: string, operation: OperationRequest) => {
    const existing = shared.get(key)
    if (existing && !existing.hasEnded) return existing
    const execute = (request: Parameters<typeof run>[0]) => run(request, executeFields)
    const created = new SharedSubscription({ operation, execute, maskError, onSent })
    shared.set(key, created)
    return created
  }

  /** Joins the changes, and returns a function that leaves them. */
  const joinShared = async (key: string, operation: OperationRequest, source: WatchedRecords, context: Context) => {
    const subscription = sharedSubscription(key, operation)
    subscription.users += 1
    let leaveGroup = () => {}
    const leave = () => {
      leaveGroup()
      subscription.users -= 1
      if (subscription.users === 0 && shared.get(key) === subscription) shared.delete(key)
    }
    try {
      leaveGroup = await hub.join(source, context, subscription)
      if (subscription.hasEnded) throw changesMissed()
    } catch (error) {
      leave()
      throw error
    }
    return { subscription, leave }
  }

  const openStream = async (operation: OperationRequest, source: WatchedRecords, client: Client, context: Context) => {
    const key = `${groupKey(source, context)} ${operationKey(operation)}`
    const stream = new EventStream()
    const cleanUps = [limiter.acquire(client, key)]
    const cleanUp = () => {
      for (const each of cleanUps.splice(0)) each()
    }
    try {
      const session = joinSession(client.viewer, stream)
      if (session) cleanUps.push(session.leave)
      const { subscription, leave } = await joinShared(key, operation, source, context)
      cleanUps.push(leave, subscription.add({ stream, session }))
      if (isClosed) endStream(stream, stopping())
    } catch (error) {
      cleanUp()
      throw error
    }
    streams.add(stream)
    stream.once('close', () => {
      streams.delete(stream)
      cleanUp()
    })
    return stream
  }

  const joinSession = (viewer: Viewer | undefined, stream: EventStream) =>
    viewer && sessions.join(viewer, (error) => endStream(stream, error))

  return {
    /** Open subscriptions of this process. */
    get open() {
      return limiter.open
    },
    /** Opens the stream of a subscription, or returns the errors of its arguments. Throws if it is refused. */
    async subscribe(
      operation: OperationRequest,
      client: Client,
      requestContext: Context,
    ): Promise<EventStream | ExecutionResult> {
      if (isClosed) throw stopping()
      checkSize(operation)
      const context = await withPasswordKey(requestContext)
      const validated = validateSubscriptionArgs({ ...operation, schema, contextValue: context })
      if (!('schema' in validated)) return { errors: validated }
      const source = await createSourceEventStream(validated)
      if (!(source instanceof WatchedRecords)) return source as ExecutionResult
      return openStream(operation, source, client, context)
    },
    /** Ends all subscriptions, and refuses new ones. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(heartbeat)
      clearInterval(expiry)
      for (const stream of streams) endStream(stream, stopping())
      await hub.close()
    },
  }
}

/** Operations with one key have equal results for readers with equal rights. */
function operationKey({ document, operationName, variableValues }: OperationRequest): string {
  const operation = getOperationAST(document, operationName)
  return `${operation ? objectNumber(operation) : ''} ${JSON.stringify(variableValues ?? {})}`
}

function checkSize({ variableValues }: OperationRequest): void {
  if (JSON.stringify(variableValues ?? {}).length <= maxVariablesLength) return
  throw badInput({
    variables: `The variables of a subscription can have at most ${maxVariablesLength.toLocaleString('en')} characters as JSON.`,
  })
}

/** A subscription keeps the key of its password, which it could not check later. */
async function withPasswordKey(context: Context): Promise<Context> {
  const key = await context.password?.check(context, { ...nothingWithheld(), byFilter: true })
  return { ...context, password: undefined, passwordKey: key }
}

const stopping = () => subscriptionsUnavailable('This instance of the service is stopping. Subscribe again.')
