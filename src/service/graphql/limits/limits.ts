// Limits the size, the complexity and the rate of GraphQL requests, all before they query the database.
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { DomainError } from '../../../basics/errors.ts'
import { memoizeByObject } from '../../../basics/memoize.ts'
import type { OperationRequest } from '../../../engine/execution/analyze-operation.ts'
import type { Client, Environment } from '../../context.ts'
import { refusal, requestError } from '../request-errors.ts'
import { type Cost, costOf } from './cost.ts'
import { parseLimited } from './document-size.ts'
import { variableErrors } from './variable-errors.ts'

interface LimitedRequest {
  readonly client: Client
  /** Whether to include the cost in the response. */
  readonly includeCost: boolean
}

interface LimitedOperation extends OperationRequest {
  readonly contextValue?: unknown
}

/** A request with this header gets its cost in `extensions.cost`. */
export const costHeader = 'graphql-cost'

export function limits(
  { settings, rateLimits: rates }: Environment,
  schema: GraphQLSchema,
): Plugin<object, LimitedRequest> {
  const limit = settings.queryCostMax
  /** Suggestions name parts of the schema. */
  const hideSuggestions = !settings.introspection
  /** Counts the cost of the operation, and returns it; the errors of invalid variables. Throws if it exceeds a limit. */
  const limitCost = async (args: LimitedOperation): Promise<Cost | readonly GraphQLError[] | undefined> => {
    const { client } = args.contextValue as LimitedRequest
    const cost = costOf(schema, args, settings)
    if (!cost) return undefined
    if (!('total' in cost)) return variableErrors(schema, args, cost, hideSuggestions)
    if (cost.total > limit) throw tooCostly(cost, limit)
    await withRateLimitStatus(async () => {
      await rates.read(client, cost.total)
      if (cost.writes > 0) await rates.write(client, cost.writes)
    })
    return cost
  }
  /** The rules are always the same. Yoga's own cache joins their names to a key for each request. */
  const validated = memoizeByObject((_document: DocumentNode, validate: () => readonly GraphQLError[]) => validate())
  return {
    // For invalid JSON, Yoga would respond with an internal error.
    onRequestParse({ request, url }) {
      if (request.method !== 'GET') return
      for (const name of ['variables', 'extensions']) {
        const text = url.searchParams.get(name)
        if (text && !isJson(text)) throw invalidJson(name)
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
    onResultProcess({ result }) {
      if (!('errors' in result) || result.errors?.[0]?.extensions.code !== 'DOCUMENT_TOO_LARGE') return
      // Yoga treats it as a syntax error, for which clients that accept application/json get status 200.
      Object.assign(result, { extensions: { http: { status: 400 } } })
    },
    async onExecute({ args, setResultAndStopExecution }) {
      const cost = await limitCost(args)
      if (!cost) return
      if (!('total' in cost)) return setResultAndStopExecution({ errors: cost })
      if (!(args.contextValue as unknown as LimitedRequest).includeCost) return
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return
          setResult({ ...result, extensions: { ...result.extensions, cost: { requested: cost.total, limit } } })
        },
      }
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const cost = await limitCost(args)
      if (cost && !('total' in cost)) setResultAndStopExecution({ errors: cost })
    },
  }
}

/** Sets status 429 if `work` throws TOO_MANY_REQUESTS, because the error applies to the whole operation. */
export async function withRateLimitStatus<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'TOO_MANY_REQUESTS') throw error
    throw refusal(error, 429)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const invalidJson = (name: string) =>
  requestError('BAD_REQUEST', `The parameter ${name} is not valid JSON.`, { status: 400 })

const tooCostly = ({ total }: Cost, limit: number) =>
  new GraphQLError(
    `This operation costs ${total}; the limit is ${limit}. Request smaller pages, fewer lists or fewer fields.`,
    { extensions: { code: 'QUERY_TOO_COSTLY', cost: total, limit, http: { status: 400 } } },
  )
