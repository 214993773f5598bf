// What each kind of question costs while a calendar grows, as a table of medians:
// node bench/growth.ts [--sizes 1000,10000,100000] [--rounds 15] [<DATABASE_URL> …]
// A URL per size, each of a database that is empty or was filled by this; without URLs embedded databases are made anew.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { buildApp } from '../src/app.ts'
import { createSignIn } from '../src/auth/sign-in.ts'
import { prepareSite } from '../src/content/site.ts'
import { createClient } from '../src/db/client.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { readSettings } from '../src/env.ts'
import { disabledCache } from '../src/response-cache/response-cache.ts'
import { prepareDatabase } from './database.ts'
import { grow } from './grow.ts'
import { namedIn } from './grown.ts'
import { type Kind, kinds } from './kinds.ts'
import { temporaryFolder } from './processes.ts'
import { aligned, machine, median, short } from './report.ts'
import { site } from './write-texts.ts'

/** Nothing of it depends on the day it runs. */
const now = new Date('2026-11-21T12:00:00Z')

interface Size {
  readonly events: number
  readonly app: FastifyInstance
  readonly asked: readonly Kind[]
  close(): Promise<void>
}

async function growth(): Promise<void> {
  const { sizes, rounds, urls } = readOptions()
  const opened: Size[] = []
  for (const [index, events] of sizes.entries()) {
    const url = urls[index] ?? `pglite:${join(temporaryFolder(), 'data')}`
    const facts = await prepareDatabase(url, events, (db) => grow(db, events, { now }))
    console.log(`${machine(url.startsWith('pglite:') ? 'PGlite, PostgreSQL' : 'PostgreSQL', facts)}\n`)
    opened.push(await open(url, events))
  }
  const rows: string[][] = []
  for (const [index, { name }] of (opened[0]?.asked ?? []).entries()) {
    rows.push([name, ...(await medians(opened, index, rounds)).map(shown)])
  }
  console.log(`p50 in ms of ${rounds} requests one by one\n\n${aligned([['question', ...sizes.map(String)], ...rows])}`)
  for (const { close } of opened) await close()
}

function readOptions() {
  const { values, positionals } = parseArgs({
    options: { sizes: { type: 'string', default: '1000,10000,100000' }, rounds: { type: 'string', default: '15' } },
    allowPositionals: true,
  })
  const sizes = values.sizes.split(',').map(Number)
  if (positionals.length > 0 && positionals.length !== sizes.length) throw new Error('Give a database for each size')
  return { sizes, rounds: Number(values.rounds), urls: positionals }
}

async function open(url: string, events: number): Promise<Size> {
  const database = await openDatabase(url, 4)
  const db = createClient(database.pool)
  const settings = readSettings({
    LANGUAGES: site.languages.join(),
    DEFAULT_LANGUAGE: site.defaultLanguage,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
  })
  const stored = await prepareSite(db, settings)
  const app = buildApp(
    { db, settings, site: stored, now: () => now, signIn: createSignIn(settings), cache: disabledCache },
    { database, registry: new Registry(), stopping: new AbortController().signal },
  )
  const ask = async (query: string) => JSON.parse((await send(app, { name: query, query })) ?? '{}').data
  const asked: Kind[] = []
  for (const kind of kinds(await namedIn(db, now), now, events)) {
    asked.push(kind.prepare ? { name: kind.name, query: await kind.prepare(ask) } : kind)
  }
  const close = async () => {
    await app.close()
    await db.$disconnect()
    await database.close()
  }
  return { events, app, asked, close }
}

/** A dash for what was not answered. */
const shown = (time: number): string => (Number.isNaN(time) ? '–' : short(time))

/** What a question may take in all, in ms: slow ones are asked less often, at least once. */
const patience = 10_000

/** All sizes in turn, so that what slows the machine down for a while slows down all of them. */
async function medians(sizes: readonly Size[], index: number, rounds: number): Promise<number[]> {
  const times = sizes.map((): number[] => [])
  const spent = sizes.map(() => 0)
  for (let round = -2; round < rounds; round++) {
    for (const [place, { app, asked }] of sizes.entries()) {
      if ((spent[place] ?? 0) > patience) continue
      const start = performance.now()
      const answered = await send(app, asked[index] as Kind)
      const took = performance.now() - start
      spent[place] = (spent[place] ?? 0) + (answered ? took : patience + 1)
      // The first ones warm up.
      if (answered && (round >= 0 || (spent[place] ?? 0) > patience)) times[place]?.push(took)
    }
  }
  return times.map(median)
}

async function send(app: FastifyInstance, { name, url, query }: Kind): Promise<string | undefined> {
  const response = await (url === undefined
    ? app.inject({ method: 'POST', url: '/graphql', payload: { query } })
    : app.inject({ url }))
  if (response.statusCode === 200 && !response.payload.startsWith('{"errors"')) return response.payload
  console.error(`${name} answers ${response.statusCode}: ${response.payload.slice(0, 300)}`)
  return undefined
}

try {
  await growth()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
