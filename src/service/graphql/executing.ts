// The Yoga plugin that executes operations in the context of their request, and opens subscriptions.
import type { FastifyRequest } from 'fastify'
import { type ExecutionArgs, type GraphQLSchema, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { operationLanguage } from '../../basics/language.ts'
import type { ResponseRecorder } from '../../engine/cache/response-cache.ts'
import { type OperationRequest, operationTypeOf } from '../../engine/execution/analyze-operation.ts'
import type { Context, Environment } from '../context.ts'
import { eventStreamType } from '../http/accepted-type.ts'
import type { Caller } from '../http/handle-request.ts'
import { languageOfRoot } from '../http/language-root.ts'
import { queryOf } from '../http/query-of.ts'
import { setLoggedOperation } from '../http/request-log.ts'
import { createOperationRunner } from './execute.ts'
import { executeOnce } from './idempotency.ts'
import { readInContextDirective } from './in-context.ts'
import { createRequestError } from './request-errors.ts'
import { EventStream } from './subscriptions/event-stream.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'

/** What the HTTP request of an operation adds to Yoga's context. */
export interface Transport {
  readonly req: FastifyRequest
  readonly client: Caller
  readonly recorder: ResponseRecorder | undefined
  /** Whether the client accepts a stream of events. */
  readonly acceptsEvents: boolean
  /** Receives the stream of a subscription, which is sent without Yoga, because Yoga would copy each event. */
  readonly opened: { stream?: EventStream }
}

export function createExecutionPlugin(
  environment: Environment,
  schema: GraphQLSchema,
  subscriptions: Subscriptions,
): Plugin<object, Transport> {
  const run = createOperationRunner(schema, environment)
  /** Creates the context of an operation, which depends on its directive @inContext. */
  const contextOf = (args: ExecutionArgs): Promise<Context> => {
    const { req, client, recorder } = args.contextValue as Transport
    const { language, password, forEditing = isMutation(args) } = readInContextDirective(schema, args)
    const sources = { parameter: queryOf(req).translation_language, directive: language, root: languageOfRoot(req) }
    setLoggedOperation(req, getOperationAST(args.document, args.operationName)?.name?.value)
    return client.createContext({
      language: operationLanguage(sources, environment.settings),
      password,
      forEditing,
      recorder,
    })
  }
  return {
    onExecute({ args, setExecuteFn }) {
      setExecuteFn(async (executionArgs) => {
        const { req, client } = args.contextValue as unknown as Transport
        const request = { ...executionArgs, contextValue: await contextOf(args) }
        const execute = () => run(request)
        return isMutation(args) ? executeOnce(environment, req, client.viewer, args, execute) : execute()
      })
    },
    onSubscribe({ args, setSubscribeFn }) {
      setSubscribeFn(async () => {
        const { client, acceptsEvents, opened, recorder } = args.contextValue as unknown as Transport
        recorder?.preventCaching()
        if (!acceptsEvents) throw streamNotAccepted()
        const { document, operationName, variableValues } = args
        const result = await subscriptions.subscribe({ document, operationName, variableValues }, client, {
          ...(await contextOf(args)),
          recorder: undefined,
          // Subscriptions read from the primary, because its notifications arrive before replicas have the changes.
          chooseSource: undefined,
        })
        if (!(result instanceof EventStream)) return result
        opened.stream = result
        return { data: null }
      })
    },
  }
}

const isMutation = (args: OperationRequest) => operationTypeOf(args) === 'mutation'

const streamNotAccepted = () =>
  createRequestError('NOT_ACCEPTABLE', `A subscription is a stream of events: accept ${eventStreamType}.`, {
    status: 406,
  })
