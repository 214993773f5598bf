// Plugins of Yoga that execute operations in their context, and open subscriptions.
import type { FastifyRequest } from 'fastify'
import { type ExecutionArgs, type GraphQLSchema, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { operationLanguage } from '../../basics/language.ts'
import type { Recorder } from '../../engine/cache/response-cache.ts'
import { type OperationRequest, operationTypeOf } from '../../engine/execution/analyze-operation.ts'
import type { ExecuteOperation } from '../../engine/execution/execution.ts'
import type { Context, Environment } from '../context.ts'
import { eventStreamType } from '../http/accepted-type.ts'
import type { Caller } from '../http/handle-request.ts'
import { queryOf } from '../http/query-of.ts'
import { setLoggedOperation } from '../http/request-log.ts'
import type { createRun } from './execute.ts'
import { executeOnce } from './idempotency.ts'
import { readInContext } from './in-context.ts'
import { requestError } from './request-errors.ts'
import { EventStream } from './subscriptions/event-stream.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'

/** What the HTTP request of an operation adds to Yoga's context. */
export interface Transport {
  readonly req: FastifyRequest
  readonly client: Caller
  /** Whether to include the cost in the response. */
  readonly includeCost: boolean
  /** Language in the path, as in `/fr/graphql`. */
  readonly root: string | undefined
  readonly recorder: Recorder | undefined
  /** Whether the client accepts a stream of events. */
  readonly acceptsEvents: boolean
  readonly opened: OpenedStream
}

/** Takes the stream of a subscription past Yoga, which would copy each event. */
export interface OpenedStream {
  stream?: EventStream
}

/** Builds the context of an operation before it executes, because the context depends on the directive @inContext. */
export function inContext(
  environment: Environment,
  schema: GraphQLSchema,
  run: ReturnType<typeof createRun>,
): Plugin<object, Transport> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      setExecuteFn(async (executionArgs) => {
        const { req, client } = args.contextValue as unknown as Transport
        const contextValue = await operationContext(environment, schema, args)
        const request = { ...executionArgs, contextValue }
        const execute = async () => run(request, executeFn as ExecuteOperation)
        return isMutation(args) ? executeOnce(environment, req, client.viewer, args, execute) : execute()
      })
    },
  }
}

const isMutation = (args: OperationRequest) => operationTypeOf(args) === 'mutation'

function operationContext(environment: Environment, schema: GraphQLSchema, args: ExecutionArgs): Promise<Context> {
  const { req, client, root, recorder } = args.contextValue as Transport
  const { language, password, forEditing } = readInContext(schema, args)
  const sources = { parameter: queryOf(req).translation_language, directive: language, root }
  setLoggedOperation(req, getOperationAST(args.document, args.operationName)?.name?.value)
  return client.createContext({
    language: operationLanguage(sources, environment.settings),
    password,
    forEditing: forEditing ?? isMutation(args),
    recorder,
  })
}

/** Opens subscriptions. */
export function subscribing(
  environment: Environment,
  schema: GraphQLSchema,
  subscriptions: Subscriptions,
): Plugin<object, Transport> {
  return {
    onSubscribe({ args, setSubscribeFn }) {
      setSubscribeFn(async () => {
        const { client, acceptsEvents, opened, recorder } = args.contextValue as unknown as Transport
        recorder?.preventCaching()
        if (!acceptsEvents) throw streamNotAccepted()
        const { document, operationName, variableValues } = args
        const context = await operationContext(environment, schema, args)
        const result = await subscriptions.subscribe({ document, operationName, variableValues }, client, {
          ...context,
          recorder: undefined,
          // Notifications come from the primary, before replicas have the changes.
          chooseSource: undefined,
        })
        if (!(result instanceof EventStream)) return result
        opened.stream = result
        return { data: null }
      })
    },
  }
}

const streamNotAccepted = () =>
  requestError('NOT_ACCEPTABLE', `A subscription is a stream of events: accept ${eventStreamType}.`, { status: 406 })
