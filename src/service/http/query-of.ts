import type { FastifyRequest } from 'fastify'
import qs from 'qs'
import { memoizeByObject } from '../../basics/memoize.ts'

interface UnparsedQuery {
  readonly text: string
}

/** Fastify's option `querystringParser`. It keeps the text, because a cached response is found without its parameters. */
export const keepQueryText = (text: string): { text: string } => ({ text })

/** Returns the parsed query parameters of a request. */
export const queryOf = memoizeByObject(
  ({ query }: FastifyRequest): Readonly<Record<string, unknown>> =>
    qs.parse((query as UnparsedQuery).text, { duplicates: 'last', parameterLimit: 2000, arrayLimit: 1000 }),
)
