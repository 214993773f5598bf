// The client of examples/mirror, which is killed again and again, as is the service that it reads and others write to.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migratedDatabaseUrl, waitForTransactionsSql } from '../helpers/db.ts'
import { administer } from '../helpers/global-setup.ts'
import { authorization, killAll, type Service, startInstances } from '../helpers/process.ts'
import { runs } from '../helpers/runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'calendar-mirror-'))
let database: Awaited<ReturnType<typeof migratedDatabaseUrl>>
let service: Service

const start = async () => {
  const [started] = await startInstances(1, { DATABASE_URL: database.url, PUBLIC_URL: 'http://calendar.test' })
  service = started as Service
}

beforeAll(async () => {
  database = await migratedDatabaseUrl(join(folder, 'db'))
  await start()
})
afterAll(async () => {
  if (service) await killAll([service])
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the client for the file; it stops after one copy unless it gets a pause in seconds. */
function startMirror(file: string, ...pause: string[]): ChildProcess {
  const url = `${service.url}/graphql`
  const args = ['examples/mirror/mirror.ts', url, join(folder, file), ...pause]
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

async function mirrorOnce(file: string): Promise<void> {
  const child = startMirror(file)
  let err = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => (err += text))
  expect([await once(child, 'close'), err]).toEqual([[0, null], ''])
}

function open<Result>(file: string, use: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(join(folder, file))
  try {
    return use(db)
  } finally {
    db.close()
  }
}

const copyIn = (file: string) =>
  open(file, (db) => db.prepare('SELECT kind, id, json FROM record ORDER BY kind, id').all())

async function graphql(query: string) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  const body = await response.json()
  if (body.errors) throw new Error(body.errors[0].message)
  return body as { data: Record<string, { nodes: { databaseId: number; title: string }[] }> }
}

/** Writes that the service has answered. */
let written = 0

async function mutation(field: string, input: string): Promise<void> {
  await graphql(`mutation { ${field}(input: { ${input} }) { userErrors { message } } }`)
  written += 1
}

/** Writes until the service is killed: new events, and changes to earlier ones and to what they show. */
async function write(writer: number): Promise<void> {
  const dates = 'startsAt: "2030-05-01T10:00:00Z", endsAt: "2030-05-01T12:00:00Z"'
  for (let n = 0; ; n += 1) {
    const id = 1 + ((n * 7 + writer) % 20)
    try {
      await mutation(
        'createEvent',
        `title: "Event ${writer} ${n}", ${dates}, venues: [{ id: ${1 + (id % 10)} }], tags: [{ nameOrSlug: "tag ${n % 5}" }]`,
      )
      await mutation('updateVenue', `id: ${1 + (id % 10)}, name: "House ${writer} ${n}"`)
      await mutation(['trashEvent', 'updateEvent', 'restoreEvent', 'deleteEvent'][(n + writer) % 4] ?? '', `id: ${id}`)
      await mutation('updateEvent', `id: ${id + 1}, title: "Renamed ${writer} ${n}"`)
    } catch (error) {
      // No response, because the service was killed.
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

test('its copy is that of a fresh read after kills at any time', async () => {
  const venues = Array.from(
    { length: 10 },
    (_, n) => `v${n}: createVenue(input: { name: "Hall ${n}" }) { record: venue { id } }`,
  )
  await graphql(`mutation { ${venues.join(' ')} }`)
  const rounds = runs(3)
  for (let round = 0; round < rounds; round += 1) {
    const writing = Promise.all([0, 1, 2].map(write))
    const enough = written + 40
    for (let isOver = false; !isOver; ) {
      const mirror = startMirror('copy.db', '0.01')
      await Promise.race([setTimeout(150 + Math.random() * 300), writing])
      isOver = written > enough
      if (isOver) await killAll([service])
      mirror.kill('SIGKILL')
      await once(mirror, 'close')
    }
    await writing
    await start()
  }
  if (inject('server')) await administer(database.url, waitForTransactionsSql)
  await mirrorOnce('copy.db')
  await mirrorOnce('fresh.db')
  const copy = copyIn('copy.db')
  expect(copy).toEqual(copyIn('fresh.db'))
  const { data } = await graphql('{ events(first: 100) { nodes { databaseId title } } }')
  const listed = data.events?.nodes ?? []
  expect(listed.length).toBeGreaterThan(3)
  const copied = copy.filter(({ kind }) => kind === 'EVENT')
  const titles = new Map(copied.map(({ id, json }) => [id, JSON.parse(String(json)).title]))
  expect(listed.filter(({ databaseId, title }) => titles.get(databaseId) !== title)).toEqual([])
})

test('it starts again when its token has expired, and removes what is gone', async () => {
  open('copy.db', (db) => {
    db.exec(`UPDATE state SET token = 'expired'; INSERT INTO record SELECT 'EVENT', 99999, copy, '{}' FROM state`)
  })
  await mirrorOnce('copy.db')
  expect(copyIn('copy.db')).toEqual(copyIn('fresh.db'))
})
