import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** As GraphQL over HTTP has it: a client of application/json gets a 200 for a request that could be read. */
const badRequest = { status: 400, spec: true }
const serverError = { status: 500 }

/**
 * Gives a request that failed before anything was resolved the status of an error: such a response has no data, which
 * application/graphql-response+json does not know together with a 200.
 */
export const requestErrors: Plugin = {
  onResultProcess({ result }) {
    if (Array.isArray(result) || !('errors' in result) || !result.errors?.length || result.data !== undefined) return
    const errors = result.errors.map((error) => {
      const { message, nodes, path, extensions } = error
      if (extensions.http !== undefined) return error
      const http = extensions.code === 'INTERNAL' ? serverError : badRequest
      return new GraphQLError(message, { nodes, path, extensions: { ...extensions, http } })
    })
    Object.assign(result, { errors })
  },
}
