import { PothosError } from '@pothos/core'
import { GraphQLError } from 'graphql'
import { DomainError, type ErrorCode } from '../../basics/errors.ts'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'

interface Log {
  error(details: object, message: string): void
}

/** Errors of the service, which are logged because the request is not at fault. */
const loggedCodes: ReadonlySet<ErrorCode> = new Set([
  'UNAVAILABLE',
  'INSUFFICIENT_STORAGE',
  'COMMITTED_UNREADABLE',
  'OUTCOME_UNKNOWN',
] as const)

/**
 * The error that a client sees: domain errors with code and data, errors of graphql-js unchanged, and a generic message for
 * all others, which are logged. Sets no HTTP status, because that would apply to the whole response.
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
  return new GraphQLError('Unexpected error.', { ...location, extensions: { code: 'INTERNAL' } })
}

/** Errors of graphql-js in a field have no code: an argument, such as a variable in it, is invalid. */
function withCode(error: GraphQLError): GraphQLError {
  if (error.path === undefined || error.extensions.code !== undefined) return error
  const { message, nodes, path, extensions } = error
  return new GraphQLError(message, { nodes, path, extensions: { ...extensions, code: 'BAD_INPUT' } })
}

/**
 * The domain error that caused an error of execution; undefined for any other error. GraphQLError wraps what resolvers
 * throw, sometimes more than once.
 */
export function domainErrorOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (error instanceof GraphQLError && error.originalError) return domainErrorOf(error.originalError)
  return toUnavailableError(error)
}
