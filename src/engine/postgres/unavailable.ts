// Recognizes errors of an unreachable, overloaded or slow database, and of a full disk.
import { DomainError, insufficientStorageError } from '../../basics/errors.ts'

/** Error of a response that took longer than REQUEST_TIMEOUT. */
export class RequestTimeoutError extends Error {
  readonly statusCode = 503
}

/** Error of a statement that waited too long for a free connection. */
export class BusyError extends Error {
  constructor() {
    super('All connections to the database are in use')
  }
}

/** Seconds after which clients retry. Short, because the first request after an outage succeeds. */
const retryAfter = 1

/** Converts a temporary failure to a domain error. Returns undefined for any other error. */
export function toUnavailableError(error: unknown): DomainError | undefined {
  if (!(error instanceof Error)) return undefined
  if (isDiskFull(error)) return insufficientStorageError(error)
  const failure = failureOf(error)
  if (!failure) return undefined
  const domain = new DomainError('UNAVAILABLE', messages[failure], { retryAfter })
  return Object.assign(domain, { cause: error })
}

type Failure = 'timeout' | 'busy' | 'unreachable'

const messages: Readonly<Record<Failure, string>> = {
  timeout: 'The operation took too long and was cancelled. Request less data, or retry later.',
  busy: 'The service is busy. Retry later.',
  unreachable: 'The database cannot be reached. Retry later.',
}

interface ErrorDetails {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown }
  readonly meta?: { readonly driverAdapterError?: ErrorDetails }
}

/** Prisma's error codes for no free connection in the pool, and for too many connections on the server. */
const busyCodes = new Set(['P2024', 'P2037'])
/** PostgreSQL's error code for too many connections. */
const tooManyConnections = '53300'
/** Prisma's error code for all errors of transactions. */
export const transactionFailure = 'P2028'
const unstartedTransaction = 'Unable to start a transaction in the given time'
const expiredTransaction = 'expired transaction'

/** Prisma's error codes for an unreachable server, a timeout, a closed connection, and a failed transaction. */
const unreachableCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', transactionFailure])
const unreachableKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'])
/** PostgreSQL's error codes for connection failures, and for a server that is shutting down or starting. */
const serverCodes = /^(08\w{3}|57P0[1-4])$/
const socketCodes = /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN|NOTFOUND)$/
/** Message of pg for a pool without a free connection. The error has no code. */
const noFreeConnection = 'timeout exceeded when trying to connect'
const lostConnection = /^Connection terminated( unexpectedly| due to connection timeout)?$/
/** Matches pg's messages for a statement that was not sent, because the connection was closed. */
export const closedConnection = /^Client (has encountered a connection error|was closed) and is not queryable$/

function failureOf(error: Error): Failure | undefined {
  if (isTimeout(error)) return 'timeout'
  if (isBusy(error)) return 'busy'
  return isUnreachable(error) ? 'unreachable' : undefined
}

/** Whether a response, a statement or a transaction exceeded its time limit. */
const isTimeout = (error: Error): boolean =>
  error instanceof RequestTimeoutError ||
  error.message === 'The database sent no result in time' ||
  sqlStateOf(error) === '57014' ||
  isFailedTransaction(error, expiredTransaction)

/** Whether the error means that all connections are in use. */
export const isBusy = (error: Error): boolean =>
  error instanceof BusyError ||
  error.message === noFreeConnection ||
  busyCodes.has(codeOf(error)) ||
  sqlStateOf(error) === tooManyConnections ||
  isFailedTransaction(error, unstartedTransaction)

function isUnreachable(error: Error): boolean {
  const { syscall } = error as ErrorDetails
  const code = codeOf(error)
  return (
    unreachableCodes.has(code) ||
    unreachableKinds.has(String(driverErrorOf(error)?.kind)) ||
    serverCodes.test(sqlStateOf(error)) ||
    // Socket errors. For a host with several addresses, Node combines the errors to an AggregateError.
    ((syscall !== undefined || error instanceof AggregateError) && socketCodes.test(code)) ||
    lostConnection.test(error.message) ||
    closedConnection.test(error.message)
  )
}

/** Whether a statement got no connection: the database cannot be reached, or all connections are in use. */
export const lacksConnection = (error: Error): boolean => ['busy', 'unreachable'].includes(failureOf(error) ?? '')

/** Whether the error means that the disk of the database or of the images is full. */
function isDiskFull(error: Error): boolean {
  const { code, syscall } = error as ErrorDetails
  return sqlStateOf(error) === '53100' || (syscall !== undefined && (code === 'ENOSPC' || code === 'EDQUOT'))
}

/**
 * PostgreSQL's error codes of statements that may succeed on another server: a recovery conflict or a write on a replica, and a
 * table or column that the replica lacks because a migration has not been replayed.
 */
const otherServerCodes: ReadonlySet<string> = new Set(['40001', '40P01', '25006', '42P01', '42703'])

/**
 * Classifies the error of a read that may succeed on another server: `lost` if the server cannot be reached, or is a replica that
 * cannot serve the read; `busy` if all connections to the server are in use; otherwise undefined.
 */
export function serverFailureOf(error: Error): 'lost' | 'busy' | undefined {
  if (error instanceof DomainError) return error.cause instanceof Error ? serverFailureOf(error.cause) : undefined
  const failure = failureOf(error)
  if (failure === 'busy') return 'busy'
  return failure === 'unreachable' || otherServerCodes.has(sqlStateOf(error)) ? 'lost' : undefined
}

const codeOf = (error: Error): string => String((error as ErrorDetails).code)

function driverErrorOf(error: Error): ErrorDetails['cause'] {
  const { cause, meta } = error as ErrorDetails
  return meta?.driverAdapterError?.cause ?? cause
}

/** Returns PostgreSQL's error code, or for errors of Node its code; empty without a code. */
const sqlStateOf = (error: Error): string => String(driverErrorOf(error)?.originalCode ?? codeOf(error))

const isFailedTransaction = (error: Error, message: string): boolean =>
  codeOf(error) === transactionFailure && error.message.includes(message)
