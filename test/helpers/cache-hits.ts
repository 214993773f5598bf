// Requests that are repeated until the response comes from the cache.
import { expect } from 'vitest'
import type { Reply, TestApp } from './app.ts'

export type Ask = () => Promise<Reply>

export const cacheStatus = ({ headers }: Reply) => headers['cache-status']

export const asker = (app: () => TestApp) => ({
  rest:
    (path: string): Ask =>
    () =>
      app().get(`/cal/events/v1${path}`),
  graph:
    (query: string, variables = {}): Ask =>
    () =>
      app().graphql(query, variables),
  /** The same request, without the cache. */
  async again(ask: Ask): Promise<Reply> {
    await app().db.$executeRaw`NOTIFY calendar_changes, 'anything'`
    const reply = await ask()
    expect(cacheStatus(reply)).toBe('calendar; fwd=miss')
    return reply
  },
})

let counter = 0

/** A name that no other record has. */
export function unique(name: string): string {
  counter += 1
  return `${name} ${counter}`
}
