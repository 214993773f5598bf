// A log with many entries is read by its index, and in several windows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp, unverified } from '../helpers/app.ts'
import { waitForTransactions } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp(unverified)
})
afterAll(() => app?.close())

const document = `query ($after: String) {
  changes(after: $after, first: 100, filter: { kinds: [EVENT] }) { token hasMore changes { type databaseId } } }`

async function read(after: string | null) {
  await waitForTransactions(app.db)
  const { body } = await app.graphql(document, { after })
  expect(body.errors).toBeUndefined()
  return body.data.changes
}

/** Entries of events that do not exist. */
const addEntries = (count: number) =>
  app.db
    .$executeRaw`INSERT INTO change (kind, record_id, action) SELECT 'event', 1000000 + n, 'updated' FROM generate_series(1, ${count}::int) n`

test('a client that comes back after many changes reads all of them', async () => {
  let { token } = await read(null)
  for (const count of [6000, 6000, 11_000]) await addEntries(count)
  const id = await makeEvent(app.db, 'Last')
  const found: number[] = []
  let isBeyond = false
  for (let page = 0; !isBeyond; page += 1) {
    const { changes, hasMore, ...next } = await read(token)
    found.push(...changes.map(({ databaseId }: { databaseId: number }) => databaseId))
    isBeyond = !hasMore
    token = next.token
    expect(page).toBeLessThan(100)
  }
  expect(found).toEqual([id])
})

test('no statement reads the log from end to end', async () => {
  await addEntries(20_000)
  await app.db.$executeRaw`ANALYZE change`
  const { token } = await read(null)
  await makeEvent(app.db, 'Another')
  app.statements.length = 0
  await read(token)
  const client = await app.database.pool.connect()
  try {
    const statements = app.statements.filter((text) => /\bchange\b/.test(text))
    expect(statements.length).toBeGreaterThan(1)
    await client.query('SET plan_cache_mode = force_generic_plan')
    for (const text of statements) {
      const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      await client.query(`PREPARE changed AS ${text}`)
      const { rows } = await client.query(`EXPLAIN EXECUTE changed${count > 0 ? `(${Array(count).fill('NULL')})` : ''}`)
      await client.query('DEALLOCATE changed')
      expect(rows.map((row) => row['QUERY PLAN']).join('\n'), text).not.toMatch(/Seq Scan on change\b/)
    }
  } finally {
    await client.query('RESET plan_cache_mode')
    client.release()
  }
})
