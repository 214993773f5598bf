// Puts questions to an instance that keeps its answers and to one that keeps none, and compares.
import type { InjectOptions } from 'fastify'
import type { TestApp } from './app.ts'

export interface Question {
  /** Says in a failure what was asked. */
  readonly name: string
  readonly request: InjectOptions
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Whether the answer was kept, and everything of it that does not name the request. */
export async function ask({ app }: TestApp, { request }: Question): Promise<{ isHit: boolean; answer: Answer }> {
  const { statusCode, headers, payload } = await app.inject(request)
  const { 'cache-status': kept, 'x-request-id': _id, date: _date, 'server-timing': _timing, ...others } = headers
  return { isHit: kept === 'calendar; hit', answer: { status: statusCode, headers: others, body: payload } }
}

/** Some at a time: the database and this process may then work at once. */
export async function together<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += 8) {
    results.push(...(await Promise.all(items.slice(from, from + 8).map(act))))
  }
  return results
}
