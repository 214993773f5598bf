import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'

const statuses = { UNAVAILABLE: 503, INSUFFICIENT_STORAGE: 507 } as const

/**
 * Answers 503 where nothing could be answered because something is away, and 507 because a disk is full. What is there in part stays a 200: a proxy that
 * sent it again would have a mutation run twice.
 */
export const unavailableAnswers: Plugin = {
  onResultProcess({ result }) {
    if (Array.isArray(result) || !('data' in result || 'errors' in result)) return
    const { data, errors = [], extensions } = result as ExecutionResult
    const found = errors.find(({ extensions }) => String(extensions.code) in statuses)
    if (!found || Object.values(data ?? {}).some((value) => value !== null)) return
    const status = statuses[found.extensions.code as keyof typeof statuses]
    const headers = status === 503 ? { 'retry-after': String(found.extensions.retryAfter ?? 1) } : {}
    Object.assign(result, { extensions: { ...extensions, http: { status, headers } } })
  },
}
