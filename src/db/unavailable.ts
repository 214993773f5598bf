// Recognizes errors that mean that the database is unreachable or overloaded, took too long, or that a disk is full.
import { DomainError, insufficientStorage } from '../errors.ts'

/** The response took longer than REQUEST_TIMEOUT. */
export class RequestTimeoutError extends Error {
  readonly statusCode = 503
}

/** Seconds. A short delay, because the next request already uses a database that is back. */
const retryAfter = 1

/** The domain error for a temporary failure; undefined for any other error. */
export function toUnavailableError(error: unknown): DomainError | undefined {
  if (error instanceof Error && isDiskFull(error)) return insufficientStorage(error)
  const message =
    error instanceof Error && ((isTimeout(error) && timeoutMessage) || (isUnreachable(error) && unreachableMessage))
  if (!message) return undefined
  const domain = new DomainError('UNAVAILABLE', message, { retryAfter })
  return Object.assign(domain, { cause: error })
}

const unreachableMessage = 'The database cannot be reached. Retry later.'
const timeoutMessage = 'The operation took too long and was cancelled. Request less data, or retry later.'

interface ErrorDetails {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown }
  readonly meta?: { readonly driverAdapterError?: ErrorDetails }
}

/** Prisma's codes: unreachable, timeout, connection closed, no free connection, transaction timeout. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])
const driverKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])
/** PostgreSQL's codes: connection exceptions, too many connections, shutting down or starting. */
const serverCodes = /^(08\w{3}|53300|57P0[1-4])$/
const socketCodes = /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN|NOTFOUND)$/
/** Errors of pg that have no code. */
const driverMessages = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

/** A response or a statement exceeded REQUEST_TIMEOUT. */
function isTimeout(error: Error): boolean {
  const { code, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  return (
    error instanceof RequestTimeoutError ||
    error.message === 'Query read timeout' ||
    String(driver?.originalCode ?? code) === '57014'
  )
}

/** The disk of the database or of the images is full. */
function isDiskFull(error: Error): boolean {
  const { code, syscall, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  return (
    String(driver?.originalCode ?? code) === '53100' ||
    (syscall !== undefined && (code === 'ENOSPC' || code === 'EDQUOT'))
  )
}

/**
 * Codes of reads that fail because of the server, and may succeed on another one: a conflict with the recovery of a replica,
 * a write on a replica, and a migration that has not arrived there.
 */
const otherServerCodes: ReadonlySet<string> = new Set(['40001', '40P01', '25006', '42P01', '42703'])

/** Whether a read may succeed on another server: this one cannot be reached, or is a replica that cannot serve the read. */
export function isServerFailure(error: Error): boolean {
  if (isUnreachable(error)) return true
  const { code, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  if (error instanceof DomainError) return error.cause instanceof Error && isServerFailure(error.cause)
  return otherServerCodes.has(String(driver?.originalCode ?? code))
}

/** The database cannot be reached, or has no free connection. */
export function isUnreachable(error: Error): boolean {
  const { code, syscall, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  return (
    prismaCodes.has(String(code)) ||
    driverKinds.has(String(driver?.kind)) ||
    serverCodes.test(String(driver?.originalCode ?? code)) ||
    // Socket errors. If a host has several addresses, their errors are combined.
    ((syscall !== undefined || error instanceof AggregateError) && socketCodes.test(String(code))) ||
    driverMessages.has(error.message)
  )
}
