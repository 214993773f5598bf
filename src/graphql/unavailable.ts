import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/**
 * Answers 503 where nothing could be answered because something is away. What is there in part stays a 200: a proxy that
 * sent it again would have a mutation run twice.
 */
export const unavailableAnswers: Plugin = {
  onResultProcess({ result }) {
    if (Array.isArray(result) || !('data' in result || 'errors' in result)) return
    const { data, errors = [], extensions } = result as ExecutionResult
    const away = errors.find(({ extensions }) => extensions.code === 'UNAVAILABLE')
    if (!away || Object.values(data ?? {}).some((value) => value !== null)) return
    const headers = { 'retry-after': String(away.extensions.retryAfter ?? 1) }
    Object.assign(result, { extensions: { ...extensions, http: { status: 503, headers } } })
  },
}
