import { PothosError } from '@pothos/core'
import { GraphQLError } from 'graphql'
import { DomainError, type ErrorCode } from '../../basics/errors.ts'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'

interface Log {
  error(details: object, message: string): void
}

/** Codes of errors that are logged, because the service caused them, not the request. */
const loggedCodes: ReadonlySet<ErrorCode> = new Set([
  'UNAVAILABLE',
  'INSUFFICIENT_STORAGE',
  'COMMITTED_UNREADABLE',
  'OUTCOME_UNKNOWN',
] as const)

/**
 * Returns the error that a client sees: domain errors with code and data, errors of graphql-js unchanged, and a generic message
 * for unexpected errors, which are logged. Sets no HTTP status, which would apply to the whole response.
 */
export function maskError(error: unknown, log: Log): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined
  const location = { nodes: located?.nodes, path: located?.path }
  const domain = domainErrorOf(error)
  if (domain && loggedCodes.has(domain.code))
    log.error({ err: domain, path: located?.path }, 'an operation failed because of the service')
  if (domain)
    return new GraphQLError(domain.message, { ...location, extensions: { code: domain.code, ...domain.data } })
  if (located?.originalError instanceof PothosError) {
    return new GraphQLError(located.originalError.message, { ...location, extensions: { code: 'BAD_INPUT' } })
  }
  if (located && (!located.originalError || located.originalError instanceof GraphQLError)) return withCode(located)
  log.error({ err: located?.originalError ?? error, path: located?.path }, 'unexpected error in an operation')
  return new GraphQLError('Internal error. The server has logged it.', {
    ...location,
    extensions: { code: 'INTERNAL' },
  })
}

/** Adds the code BAD_INPUT to an error of graphql-js for an invalid argument of a field, which has no code. */
function withCode(error: GraphQLError): GraphQLError {
  if (error.path === undefined || error.extensions.code !== undefined) return error
  const { message, nodes, path, extensions } = error
  return new GraphQLError(message, { nodes, path, extensions: { ...extensions, code: 'BAD_INPUT' } })
}

/**
 * Returns the domain error that caused an error of execution; undefined for any other error. GraphQLError wraps the errors of
 * resolvers, sometimes more than once.
 */
export function domainErrorOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (error instanceof GraphQLError && error.originalError) return domainErrorOf(error.originalError)
  return toUnavailableError(error)
}
