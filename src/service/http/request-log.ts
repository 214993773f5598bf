// Logs one line per request, without query strings, headers and variables, which may contain secrets and personal data.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { fullUrl } from './language-root.ts'
import { toLoggedError } from './logged-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    loggedOperation: string | undefined
  }
}

/** Fastify's options for logging and request IDs. `worker` is the number of the process, if there are several. */
export const logOptions = (level: Settings['logLevel'], worker: number | undefined) => ({
  logger: {
    level,
    serializers: { err: toLoggedError, req: () => ({}), res: () => ({}) },
    ...(worker !== undefined && { base: { pid: process.pid, hostname: hostname(), worker } }),
  },
  logController: new OneLinePerRequest({ requestIdLogLabel: 'requestId', disableRequestLogging: omitsInfo.has(level) }),
  genReqId: requestId,
})

/** Levels at which the line of a request would not be written. */
const omitsInfo: ReadonlySet<string> = new Set<Settings['logLevel']>(['warn', 'error', 'fatal', 'silent'])

/** Adds the operation name to requests, for the log. A property is faster than an entry in a WeakMap for each request. */
export function addLoggedOperation(app: FastifyInstance): void {
  app.decorateRequest('loggedOperation', undefined)
}

/** Sets the operation name for the log line of the request. */
export function setLoggedOperation(request: FastifyRequest, name: string | undefined): void {
  if (name !== undefined) request.loggedOperation = name.slice(0, 100)
}

/** The client's request ID if its characters are safe in logs and headers, otherwise a new one. */
function requestId({ headers }: IncomingMessage): string {
  const header = headers['x-request-id']
  return typeof header === 'string' && /^[\w.:/+=-]{1,100}$/.test(header) ? header : randomUUID()
}

/** Monitoring requests these every few seconds, so they are logged at debug level. */
const monitoringPath = /^\/(health\/(live|ready)|metrics)$/

class OneLinePerRequest extends LogController {
  override incomingRequest() {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply) {
    if (this.isLogDisabled(request)) return
    const path = fullUrl(request).split('?', 1)[0]?.slice(0, 500) ?? ''
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      operation: request.loggedOperation,
      ...(error ? { err: error } : {}),
    }
    if (monitoringPath.test(path)) reply.log.debug(line, 'request')
    else reply.log.info(line, 'request')
  }

  override defaultErrorLog(error: Error, _request: FastifyRequest, reply: FastifyReply) {
    if (reply.statusCode >= 500) reply.log.error({ err: error }, 'request failed')
  }

  override routeNotFound() {}

  override writeHeadError(error: Error, _request: FastifyRequest, reply: FastifyReply) {
    reply.log.warn({ err: error }, 'could not write the response headers')
  }
}
