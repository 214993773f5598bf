// Connects subscriptions to the app: they end when it stops, and are counted in its metrics.
import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { Counter } from 'prom-client'
import type { Environment } from '../../context.ts'
import { addGauge } from '../../http/metrics.ts'
import type { Operations } from '../../http/operations.ts'
import { maskError } from '../errors.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'

export function openSubscriptions(
  app: FastifyInstance,
  environment: Environment,
  schema: GraphQLSchema,
  { database, registry, stopping }: Operations,
): Subscriptions {
  const messages = new Counter({
    name: 'subscription_messages_total',
    help: 'Changes that were sent to subscribers.',
    registers: [registry],
  })
  const subscriptions = createSubscriptions(environment, {
    database,
    schema,
    maskError: (error) => maskError(error, app.log),
    onSent: (count) => messages.inc(count),
  })
  const help = 'Open subscriptions, at most SUBSCRIPTIONS_MAX.'
  addGauge(registry, 'subscriptions_open', help, () => subscriptions.open)
  stopping.addEventListener('abort', () => void subscriptions.close(), { once: true })
  app.addHook('preClose', async () => subscriptions.close())
  return subscriptions
}
