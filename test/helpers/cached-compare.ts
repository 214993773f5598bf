// Sends requests to an instance with a response cache and to one without, and compares the responses.
import type { InjectOptions } from 'fastify'
import type { TestApp } from './app.ts'

export interface NamedRequest {
  /** Describes the request in errors. */
  readonly name: string
  readonly request: InjectOptions
}

interface ComparedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Whether the response came from the cache, and its content without request IDs. */
export async function ask(
  { app }: TestApp,
  { request }: NamedRequest,
): Promise<{ isHit: boolean; response: ComparedResponse }> {
  const { statusCode, headers, payload } = await app.inject(request)
  const { 'cache-status': cacheStatus, 'x-request-id': _id, date: _date, 'server-timing': _timing, ...others } = headers
  return { isHit: cacheStatus === 'calendar; hit', response: { status: statusCode, headers: others, body: payload } }
}

/** Runs several at a time, so that database and process work in parallel. */
export async function together<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += 8) {
    results.push(...(await Promise.all(items.slice(from, from + 8).map(act))))
  }
  return results
}
