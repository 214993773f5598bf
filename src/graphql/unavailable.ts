import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** HTTP statuses of errors that keep a whole request from being run. */
export const refusalStatuses: Readonly<Record<string, number>> = {
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
}

/**
 * Answers with such a status where nothing could be answered. What is there in part stays a 200, as does a mutation that was,
 * or may have been, committed: clients and proxies send a 503 again.
 */
export const unavailableStatuses: Plugin = {
  onResultProcess({ result }) {
    if (Array.isArray(result) || !('data' in result || 'errors' in result)) return
    const { data, errors = [], extensions } = result as ExecutionResult
    const refusal = errors.find(({ extensions }) => refusalStatuses[String(extensions.code)] !== undefined)
    if (!refusal || Object.values(data ?? {}).some((value) => value !== null)) return
    if (errors.some(({ extensions: { committed } }) => committed === true || committed === null)) return
    const { code, retryAfter } = refusal.extensions
    const status = refusalStatuses[String(code)]
    const headers = retryAfter === undefined && status !== 503 ? {} : { 'retry-after': String(retryAfter ?? 1) }
    Object.assign(result, { extensions: { ...extensions, http: { status, headers } } })
  },
}
