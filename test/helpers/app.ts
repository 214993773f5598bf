import type { FastifyInstance, InjectOptions } from 'fastify'
import { parse } from 'graphql'
import { Registry } from 'prom-client'
import { buildApp } from '../../src/app.ts'
import { createSignIn } from '../../src/auth/sign-in.ts'
import { prepareSite } from '../../src/content/site.ts'
import type { Site } from '../../src/context.ts'
import { readSettings, type Settings } from '../../src/env.ts'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { createResponseCache, type ResponseCache } from '../../src/response-cache/response-cache.ts'
import { openTestDatabase, type TestDatabase } from './db.ts'
import { expectDocumented } from './documented.ts'
import { makeUser, type TestUser } from './users.ts'

/** The clock of the tests: a Saturday. */
export const now = new Date('2026-11-21T12:00:00Z')

export interface Reply<Body = any> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Body
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Doors {
  get(url: string, options?: InjectOptions): Promise<Reply>
  /** A payload that is an object goes as JSON, one that is text as a form, unless the headers say otherwise. */
  send(method: Method, url: string, payload?: object | string, headers?: Record<string, string>): Promise<Reply>
  /** GraphQL over HTTP; `root` is a language root such as `/fr`. */
  graphql(
    query: string,
    variables?: Record<string, unknown>,
    root?: string,
    headers?: Record<string, string>,
  ): Promise<Reply>
}

export interface TestApp extends TestDatabase, Doors {
  readonly app: FastifyInstance
  readonly cache: ResponseCache
  readonly settings: Settings
  readonly site: Site
  /** The clock; tests may set it. */
  readonly clock: { now: Date }
  /** The same doors for whoever has this Authorization header. */
  as(user: Pick<TestUser, 'authorization'>): Doors
  /** Tells the service that its process is to stop. */
  stop(): void
  /** A new user of this role, and the doors as that user. */
  signIn(role: Role): Promise<TestUser & Doors>
}

type Env = Readonly<Record<string, string>>

/** A request of a test has as much time as a busy machine takes, unless the test is about that. */
const usual: Env = {
  PUBLIC_URL: 'http://calendar.test',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '0',
  REQUEST_TIMEOUT: '600000',
  EXECUTION: process.env.EXECUTION ?? 'compiled',
}

/** The whole service on a database of its own; `env` as in the environment of a process. */
export async function openTestApp(env: Env = {}): Promise<TestApp> {
  return serve(await openTestDatabase(), env)
}

/** Another instance of the service, with other settings, on a database that is there. */
export async function serve(database: TestDatabase, env: Env = {}): Promise<TestApp> {
  const settings = readSettings({ ...usual, ...env })
  const site = await prepareSite(database.db, settings)
  const clock = { now }
  const stop = new AbortController()
  const cache = createResponseCache(database.database, database.db, settings.cacheBytes)
  await cache.open()
  const app = buildApp(
    { db: database.db, settings, site, now: () => clock.now, signIn: createSignIn(settings), cache },
    { database: database.database, registry: new Registry(), stopping: stop.signal },
  )
  const doors = doorsOf(app, cache, {})
  const as = ({ authorization }: Pick<TestUser, 'authorization'>) => doorsOf(app, cache, { authorization })
  const signIn = async (role: Role) => {
    const user = await makeUser(database.db, role)
    return { ...user, ...as(user) }
  }
  const close = async () => {
    await app.close()
    await cache.close()
    await database.close()
  }
  return { ...database, app, cache, settings, site, clock, ...doors, as, signIn, stop: () => stop.abort(), close }
}

function doorsOf(app: FastifyInstance, cache: ResponseCache, sent: Readonly<Record<string, string>>): Doors {
  // Tests write to the database past the service, and expect to see it at once.
  const inject = async (options: InjectOptions) => {
    await cache.waitForChanges()
    return app.inject(options)
  }
  return {
    get: async (url, options = {}) => {
      const reply = toReply(await inject({ url, ...options, headers: { ...sent, ...options.headers } }))
      expectDocumented(options.method ?? 'GET', url, reply.status, reply.body)
      return reply
    },
    send: async (method, url, payload, headers = {}) => {
      const type = typeof payload === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const reply = toReply(await inject({ method, url, payload, headers: { ...sent, ...type, ...headers } }))
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
        headers: { accept, ...sent, ...headers },
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
