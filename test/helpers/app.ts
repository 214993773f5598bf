import type { FastifyInstance, InjectOptions } from 'fastify'
import { parse } from 'graphql'
import { Registry } from 'prom-client'
import { buildApp } from '../../src/app.ts'
import { readSettings, type Settings } from '../../src/basics/env.ts'
import { initializeSite } from '../../src/calendar/site/site.ts'
import { createResponseCache, type ResponseCache } from '../../src/engine/cache/response-cache.ts'
import { createSharedCounters } from '../../src/engine/postgres/rate-limit-counters.ts'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { createSignIn } from '../../src/service/auth/sign-in.ts'
import type { Site } from '../../src/service/context.ts'
import { openTestDatabase, type TestDatabase } from './db.ts'
import { expectDocumented } from './openapi-responses.ts'
import { makeUser, type TestUser } from './users.ts'

/** The current time in tests: a Saturday. */
export const now = new Date('2026-11-21T12:00:00Z')

export interface Reply<Body = any> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Body
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiClient {
  get(url: string, options?: InjectOptions): Promise<Reply>
  /** Sends an object as JSON and a text as a form, unless the headers set another type. */
  send(method: Method, url: string, payload?: object | string, headers?: Record<string, string>): Promise<Reply>
  /** GraphQL over HTTP; `root` is a language root such as `/fr`. */
  graphql(
    query: string,
    variables?: Record<string, unknown>,
    root?: string,
    headers?: Record<string, string>,
  ): Promise<Reply>
}

export interface TestApp extends TestDatabase, ApiClient {
  readonly app: FastifyInstance
  readonly cache: ResponseCache
  readonly settings: Settings
  readonly site: Site
  /** The clock; tests may set it. */
  readonly clock: { now: Date }
  /** A client that sends the Authorization header of the user. */
  as(user: Pick<TestUser, 'authorization'>): ApiClient
  /** Signals the service that its process stops. */
  stop(): void
  /** Creates a user with the role, and returns a client for it. */
  signIn(role: Role): Promise<TestUser & ApiClient>
}

export type Env = Readonly<Record<string, string>>

/** Settings for tests. A long request timeout keeps tests independent of the speed of the machine. */
const testEnv: Env = {
  PUBLIC_URL: 'http://calendar.test',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '0',
  REQUEST_TIMEOUT: '600000',
  READ_ENGINE: process.env.READ_ENGINE ?? 'sample',
  EXECUTION: process.env.EXECUTION ?? 'sample',
}

/** Opens the service with its own database. `env` is the environment of its process. */
export async function openTestApp(env: Env = {}): Promise<TestApp> {
  const { readEngine } = readSettings({ ...testEnv, ...env })
  return serve(await openTestDatabase(readEngine), env)
}

/** For tests of the work of the database: no read is compared with Prisma or graphql-js. */
export const unverified = { READ_ENGINE: 'on', EXECUTION: 'compiled' } as const

/** For tests that compare every result with one of their own: Prisma and graphql-js are compared only in the runs of them. */
export const compared: Env = {
  READ_ENGINE: process.env.READ_ENGINE ?? 'on',
  EXECUTION: process.env.EXECUTION ?? 'compiled',
}

/** Opens another instance of the service on an existing database. */
export async function serve(database: TestDatabase, env: Env = {}): Promise<TestApp> {
  const settings = readSettings({ ...testEnv, ...env })
  const site = await initializeSite(database.db, settings)
  const clock = { now }
  const stop = new AbortController()
  const cache = createResponseCache(database.database, database.db, settings.cacheBytes)
  await cache.open()
  const app = buildApp(
    {
      db: database.db,
      settings,
      site,
      now: () => clock.now,
      signIn: createSignIn(settings, createSharedCounters(settings, database.db)),
      cache,
    },
    { database: database.database, registry: new Registry(), stopping: stop.signal },
  )
  // A test that closes only the app leaves no connection that listens for changes.
  app.addHook('onClose', () => cache.close())
  const client = createClient(app, cache, {})
  const as = ({ authorization }: Pick<TestUser, 'authorization'>) => createClient(app, cache, { authorization })
  const signIn = async (role: Role) => {
    const user = await makeUser(database.db, role)
    return { ...user, ...as(user) }
  }
  const close = async () => {
    await app.close()
    await database.close()
  }
  return { ...database, app, cache, settings, site, clock, ...client, as, signIn, stop: () => stop.abort(), close }
}

function createClient(
  app: FastifyInstance,
  cache: ResponseCache,
  defaultHeaders: Readonly<Record<string, string>>,
): ApiClient {
  // Tests also write directly to the database, and expect the cache to notice at once.
  const inject = async (options: InjectOptions) => {
    await cache.waitForChanges()
    return app.inject(options)
  }
  return {
    get: async (url, options = {}) => {
      const reply = toReply(await inject({ url, ...options, headers: { ...defaultHeaders, ...options.headers } }))
      expectDocumented(options.method ?? 'GET', url, reply.status, reply.body)
      return reply
    },
    send: async (method, url, payload, headers = {}) => {
      const type = typeof payload === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const reply = toReply(await inject({ method, url, payload, headers: { ...defaultHeaders, ...type, ...headers } }))
      expectDocumented(method, url, reply.status, reply.body)
      return reply
    },
    graphql: async (query, variables = {}, root = '', headers = {}) => {
      parse(query)
      const accept = 'application/graphql-response+json'
      const payload = { query, variables }
      const request = {
        method: 'POST',
        url: `${root}/graphql`,
        headers: { accept, ...defaultHeaders, ...headers },
        payload,
      } as const
      return toReply(await inject(request))
    },
  }
}

function toReply(response: Awaited<ReturnType<FastifyInstance['inject']>>): Reply {
  const headers = response.headers as Record<string, string | undefined>
  const json = String(headers['content-type']).includes('json') && response.payload !== ''
  return { status: response.statusCode, headers, body: json ? response.json() : response.payload }
}
