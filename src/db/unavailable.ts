// Which errors mean that the database is away, has no connection left, took too long, or that a disk is full: the one
// place that knows them.
import { DomainError, insufficientStorage } from '../errors.ts'

/** An answer that did not come in time. */
export class RequestTimeoutError extends Error {
  readonly statusCode = 503
}

/** Seconds after which a client may try again: the service finds a database that is back with the next request. */
const retryAfter = 1

/** The domain error for what can't be answered now; undefined for any other error. */
export function toUnavailableError(error: unknown): DomainError | undefined {
  if (error instanceof Error && isDiskFull(error)) return insufficientStorage(error)
  const message =
    error instanceof Error && ((isTimeout(error) && timeoutMessage) || (isUnreachable(error) && unreachableMessage))
  if (!message) return undefined
  const domain = new DomainError('UNAVAILABLE', message, { retryAfter })
  return Object.assign(domain, { cause: error })
}

const unreachableMessage = 'The database can not be reached now; try again.'
const timeoutMessage = 'This took too long and was given up. Ask for less, or try again later.'

interface ErrorDetails {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown }
  readonly meta?: { readonly driverAdapterError?: ErrorDetails }
}

/** Of Prisma: not reached, timed out, closed, none free, a transaction that could not begin or end in time. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])
const driverKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])
/** Of PostgreSQL: connection exceptions, too many connections, shut down or starting. */
const serverCodes = /^(08\w{3}|53300|57P0[1-4])$/
const socketCodes = /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN|NOTFOUND)$/
/** pg says these in words alone. */
const driverMessages = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

/** What REQUEST_TIMEOUT ended: an answer, or a statement on the server. */
function isTimeout(error: Error): boolean {
  const { code, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  return (
    error instanceof RequestTimeoutError ||
    error.message === 'Query read timeout' ||
    String(driver?.originalCode ?? code) === '57014'
  )
}

/** Of the database, or of the file system that images are stored in. */
function isDiskFull(error: Error): boolean {
  const { code, syscall, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  return (
    String(driver?.originalCode ?? code) === '53100' ||
    (syscall !== undefined && (code === 'ENOSPC' || code === 'EDQUOT'))
  )
}

function isUnreachable(error: Error): boolean {
  const { code, syscall, cause, meta } = error as ErrorDetails
  const driver = meta?.driverAdapterError?.cause ?? cause
  return (
    prismaCodes.has(String(code)) ||
    driverKinds.has(String(driver?.kind)) ||
    serverCodes.test(String(driver?.originalCode ?? code)) ||
    // Of a socket; several addresses fail as one error.
    ((syscall !== undefined || error instanceof AggregateError) && socketCodes.test(String(code))) ||
    driverMessages.has(error.message)
  )
}
