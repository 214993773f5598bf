// Instances of the service that listen, and proxies that change their responses.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { serve, type TestApp } from './app.ts'
import type { TestDatabase } from './db.ts'

/** Settings with which this service has the addresses of a legacy site. */
export const legacyEnv = {
  PUBLIC_URL: 'http://legacy.test',
  REST_PREFIX: '/wp-json',
  REST_NAMESPACE: 'tribe/events/v1',
  REST_HEADER_PREFIX: 'X-TEC',
  REST_CATEGORY_TAXONOMY: 'tribe_events_cat',
} as const

/** A term, venue or event of a response. */
export interface ProxiedRecord {
  id: number | string
  slug: string
  title: string
  description: string
  author: string | number
  categories: ProxiedRecord[]
  tags: ProxiedRecord[]
  venue: ProxiedRecord | []
  count: number
  [field: string]: unknown
}

/** A list, an event or an error. */
interface ProxiedBody extends Partial<ProxiedRecord> {
  events?: ProxiedRecord[]
  total?: number | string
  code?: string
  data?: { params?: unknown }
}

export interface Proxied {
  status: number
  headers: Record<string, string>
  body: ProxiedBody
}

/** Changes a response. `path` is that of the request, with its query. */
export type Change = (response: Proxied, path: string) => void

export interface Site {
  readonly url: string
  /** Paths of the requests, in order. */
  readonly requests: string[]
  /** Replaces what changes the responses. */
  change(change: Change | undefined): void
  close(): Promise<void>
}

/** A PNG image of one pixel, at every path below /uploads. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Serves an instance at a port of its own. Responses may be changed on the way. */
export async function listen(app: Pick<FastifyInstance, 'inject'>): Promise<Site> {
  let change: Change | undefined
  const requests: string[] = []
  const server = createServer(async (request, reply) => {
    const path = request.url ?? '/'
    requests.push(path)
    if (path.startsWith('/uploads/')) return reply.writeHead(200, { 'content-type': 'image/png' }).end(pixel)
    const { authorization } = request.headers
    const headers = authorization === undefined ? {} : { authorization }
    const response = await app.inject({ method: 'GET', url: path, headers })
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = response.headers
    const sent = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)]))
    if (!change) return reply.writeHead(response.statusCode, sent).end(response.payload)
    const proxied: Proxied = { status: response.statusCode, headers: sent, body: response.json() }
    change(proxied, path)
    return reply.writeHead(proxied.status, proxied.headers).end(JSON.stringify(proxied.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    change: (next) => {
      change = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A second instance on the database of another, with other settings. Closing it leaves the database open. */
export const serveBeside = (
  { db, database, statements }: TestDatabase,
  env: Readonly<Record<string, string>>,
): Promise<TestApp> => serve({ db, database, statements, close: async () => {} }, env)
