import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** `spec`: as GraphQL over HTTP requires, clients that accept application/json get status 200 instead. */
const badRequest = { status: 400, spec: true }
const serverError = { status: 500 }

/**
 * Sets an error status if a request failed before execution: with application/graphql-response+json, a response without
 * `data` cannot have status 200.
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
