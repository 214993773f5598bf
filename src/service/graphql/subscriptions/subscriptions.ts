// Opens subscriptions. They end when the client closes the connection, when the user loses rights, when changes were missed,
// and when the service stops.
import type { FastifyInstance } from 'fastify'
import {
  createSourceEventStream,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  validateSubscriptionArgs,
} from 'graphql'
import { Counter } from 'prom-client'
import { badInputError, subscriptionsUnavailableError } from '../../../basics/errors.ts'
import { objectNumber } from '../../../basics/memoize.ts'
import { addGauge } from '../../../basics/metrics.ts'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import { type Client, type Context, type Environment, nothingWithheld } from '../../context.ts'
import type { MonitoringOptions } from '../../http/metrics.ts'
import { maskError } from '../errors.ts'
import { createOperationRunner } from '../execute.ts'
import { createChangeHub, groupKey } from './change-hub.ts'
import { EventStream } from './event-stream.ts'
import { createSessions } from './sessions.ts'
import { createSubscriptionLimiter } from './subscription-limiter.ts'
import { WatchedRecords } from './watched-records.ts'

export type Subscriptions = ReturnType<typeof openSubscriptions>

/** Characters of the variables as JSON, which a subscription keeps in memory. */
const maxVariablesLength = 20_000

/** Returns functions that open subscriptions, which are counted in the metrics and end when the app stops. */
export function openSubscriptions(
  app: FastifyInstance,
  environment: Environment,
  schema: GraphQLSchema,
  { database, registry, stopping }: MonitoringOptions,
) {
  const { settings } = environment
  const messages = new Counter({
    name: 'subscription_messages_total',
    help: 'Changes that were sent to subscribers.',
    registers: [registry],
  })
  const limiter = createSubscriptionLimiter(settings)
  const openHelp = 'Open subscriptions, at most SUBSCRIPTIONS_MAX.'
  addGauge(registry, 'subscriptions_open', openHelp, () => limiter.open)
  const mask = (error: unknown) => maskError(error, app.log)
  const endStream = (stream: EventStream, error: Error) => stream.fail(mask(error))
  const sessions = createSessions(environment, endStream)
  const hub = createChangeHub(environment, database, sessions.check, {
    execute: createOperationRunner(schema, environment),
    maskError: mask,
    onSent: (count) => messages.inc(count),
  })
  const streams = new Set<EventStream>()
  let isClosed = false

  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.sendHeartbeat()
  }, settings.subscriptionHeartbeat).unref()
  const expiry = setInterval(() => sessions.endExpired(), 1000).unref()

  /** Ends all subscriptions, and refuses new ones. */
  const close = async () => {
    isClosed = true
    clearInterval(heartbeat)
    clearInterval(expiry)
    for (const stream of streams) endStream(stream, isStopping())
    await hub.close()
  }
  stopping.addEventListener('abort', () => void close(), { once: true })
  app.addHook('preClose', close)

  const openStream = async (operation: OperationRequest, source: WatchedRecords, client: Client, context: Context) => {
    const operationKey = keyOf(operation)
    const stream = new EventStream()
    const cleanUps = [limiter.acquire(client, `${groupKey(source, context)} ${operationKey}`)]
    const cleanUp = () => {
      for (const each of cleanUps) each()
    }
    try {
      const session = client.viewer && sessions.join(client.viewer, stream)
      if (session) cleanUps.push(() => sessions.leave(session, stream))
      cleanUps.push(await hub.join(source, context, { stream, session, operation, operationKey }))
    } catch (error) {
      cleanUp()
      throw error
    }
    if (isClosed) endStream(stream, isStopping())
    streams.add(stream)
    stream.once('close', () => {
      streams.delete(stream)
      cleanUp()
    })
    return stream
  }

  /** Opens the stream of a subscription, or returns the errors of its arguments. Throws if it is refused. */
  const subscribe = async (
    operation: OperationRequest,
    client: Client,
    requestContext: Context,
  ): Promise<EventStream | ExecutionResult> => {
    if (isClosed) throw isStopping()
    checkSize(operation)
    const context = await withPasswordKey(requestContext)
    const validated = validateSubscriptionArgs({ ...operation, schema, contextValue: context })
    if (!('schema' in validated)) return { errors: validated }
    const source = await createSourceEventStream(validated)
    if (!(source instanceof WatchedRecords)) return source as ExecutionResult
    return openStream(operation, source, client, context)
  }
  return { subscribe }
}

/** Returns a key of the operation. Operations with equal keys have equal results for users with equal rights. */
function keyOf({ document, operationName, variableValues }: OperationRequest): string {
  const operation = getOperationAST(document, operationName)
  return `${operation ? objectNumber(operation) : ''} ${JSON.stringify(variableValues ?? {})}`
}

function checkSize({ variableValues }: OperationRequest): void {
  if (JSON.stringify(variableValues ?? {}).length <= maxVariablesLength) return
  throw badInputError({
    variables: `The variables of a subscription can have at most ${maxVariablesLength.toLocaleString('en')} characters as JSON.`,
  })
}

/** Returns a context with the key of the password, because the subscription cannot check the password later. */
async function withPasswordKey(context: Context): Promise<Context> {
  const key = await context.password?.check(context, { ...nothingWithheld(), byFilter: true })
  return { ...context, password: undefined, passwordKey: key }
}

const isStopping = () => subscriptionsUnavailableError('This instance of the service is stopping. Subscribe again.')
