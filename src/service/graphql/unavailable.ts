import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** HTTP statuses of errors that fail a whole request. */
export const refusalStatuses: Readonly<Record<string, number>> = {
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
}

/**
 * Sets such a status if the result has no data. Partial results keep status 200. So do mutations that were or may have been
 * committed, because clients and proxies retry after a 503.
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
