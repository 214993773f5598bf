// Limits the size, the complexity and the rate of GraphQL requests before their operations query the database.

import type { FastifyRequest } from 'fastify'
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { memoizeByObject } from '../../../basics/memoize.ts'
import { parseJson } from '../../../basics/parse-json.ts'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import type { Client, Environment } from '../../context.ts'
import { createRequestError } from '../request-errors.ts'
import { computeOperationCost, type OperationCost } from './cost.ts'
import { parseLimited } from './document-size.ts'
import { findVariableErrors } from './variable-errors.ts'

interface LimitedRequest {
  readonly client: Client
  readonly req: FastifyRequest
}

interface LimitedOperation extends OperationRequest {
  readonly contextValue?: unknown
}

/** Request header that asks for the cost of the operation in `extensions.cost` of the response. */
export const costHeader = 'graphql-cost'

export function createLimitsPlugin(
  { settings, rateLimits: rates }: Environment,
  schema: GraphQLSchema,
): Plugin<object, LimitedRequest> {
  const limit = settings.queryCostMax
  /** Suggestions in error messages ("Did you mean …") name parts of the schema. */
  const hideSuggestions = !settings.introspection
  /** Counts and returns the cost of the operation. Throws if the cost exceeds a limit, and throws all errors of variables. */
  const limitCost = async (args: LimitedOperation): Promise<OperationCost | undefined> => {
    const { client } = args.contextValue as LimitedRequest
    const cost = withinStack(() => computeOperationCost(schema, args, settings))
    if (!cost) {
      const errors = withinStack(() => findVariableErrors(schema, args, hideSuggestions))
      if (errors.length > 0) throw new AggregateError(errors)
      return undefined
    }
    if (cost.total > limit) throw tooCostly(cost, limit)
    await rates.read(client, cost.total)
    if (cost.writes > 0) await rates.write(client, cost.writes)
    return cost
  }
  /** Caches validation results by document. Yoga's own cache would build a key of all rule names for each request. */
  const validated = memoizeByObject((_document: DocumentNode, validate: () => readonly GraphQLError[]) => validate())
  return {
    // Replaces Yoga's parser for parameters in the URL, because Yoga responds to invalid JSON with an internal error.
    onRequestParse({ request, url }) {
      if (request.method !== 'GET') return
      for (const name of ['variables', 'extensions']) {
        const text = url.searchParams.get(name)
        if (text && parseJson(text) === undefined) throw invalidJson(name)
      }
    },
    onParse({ setParseFn }) {
      setParseFn(parseLimited)
    },
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn((schema, document, rules) =>
        validated(document, () => validateFn(schema, document, rules, { maxErrors: 10, hideSuggestions })),
      )
    },
    async onExecute({ args }) {
      const cost = await limitCost(args)
      if (!cost || (args.contextValue as unknown as LimitedRequest).req.headers[costHeader] === undefined) return
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return
          setResult({ ...result, extensions: { ...result.extensions, cost: { requested: cost.total, limit } } })
        },
      }
    },
    async onSubscribe({ args }) {
      await limitCost(args)
    },
  }
}

const invalidJson = (name: string) =>
  createRequestError('BAD_REQUEST', `The parameter ${name} is not valid JSON.`, { status: 400 })

/** graphql-js coerces variables recursively, so deeply nested values overflow the stack. That is an error of the client. */
function withinStack<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const extensions = { code: 'BAD_INPUT', http: { status: 400 } }
    throw new GraphQLError('The variables are nested too deeply.', { extensions })
  }
}

const tooCostly = ({ total }: OperationCost, limit: number) =>
  new GraphQLError(
    `This operation costs ${total}; the limit is ${limit}. Request smaller pages, fewer lists or fewer fields.`,
    { extensions: { code: 'QUERY_TOO_COSTLY', cost: total, limit, http: { status: 400 } } },
  )
