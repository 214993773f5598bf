import type { FastifyInstance, InjectOptions } from 'fastify'
import { parse } from 'graphql'
import { buildApp } from '../../src/app.ts'
import { prepareSite, type Site } from '../../src/content/site.ts'
import { readSettings, type Settings } from '../../src/env.ts'
import { openTestDatabase, type TestDatabase } from './db.ts'

/** The clock of the tests: a Saturday. */
export const now = new Date('2026-11-21T12:00:00Z')

export interface Reply<Body = any> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Body
}

export interface TestApp extends TestDatabase {
  readonly app: FastifyInstance
  readonly settings: Settings
  readonly site: Site
  /** The clock; tests may set it. */
  readonly clock: { now: Date }
  get(url: string, options?: InjectOptions): Promise<Reply>
  /** GraphQL over HTTP; `root` is a language root such as `/fr`. */
  graphql(query: string, variables?: Record<string, unknown>, root?: string): Promise<Reply>
}

type Env = Readonly<Record<string, string>>

/** The whole service on a database of its own; `env` as in the environment of a process. */
export async function openTestApp(env: Env = {}): Promise<TestApp> {
  return serve(await openTestDatabase(), env)
}

/** Another instance of the service, with other settings, on a database that is there. */
export async function serve(database: TestDatabase, env: Env = {}): Promise<TestApp> {
  const settings = readSettings({ PUBLIC_URL: 'http://calendar.test', LOG_LEVEL: 'silent', ...env })
  const site = await prepareSite(database.db, settings)
  const clock = { now }
  const app = buildApp({ db: database.db, settings, site, now: () => clock.now })
  const get = async (url: string, options: InjectOptions = {}) => toReply(await app.inject({ url, ...options }))
  const graphql = async (query: string, variables: Record<string, unknown> = {}, root = '') => {
    parse(query)
    const headers = { accept: 'application/graphql-response+json' }
    const payload = { query, variables }
    return toReply(await app.inject({ method: 'POST', url: `${root}/graphql`, headers, payload }))
  }
  const close = async () => {
    await app.close()
    await database.close()
  }
  return { ...database, app, settings, site, clock, get, graphql, close }
}

function toReply(response: Awaited<ReturnType<FastifyInstance['inject']>>): Reply {
  const headers = response.headers as Record<string, string | undefined>
  const json = String(headers['content-type']).includes('json') && response.payload !== ''
  return { status: response.statusCode, headers, body: json ? response.json() : response.payload }
}
