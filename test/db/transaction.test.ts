// Transactions: what they store, and what their errors say about the commit.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tx } from '../../src/engine/postgres/client.ts'
import { CommitUnknownError, runInTransaction, type WriteProgress } from '../../src/engine/postgres/transaction.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { openTestDatabase, type TestDatabase, truncate } from '../helpers/db.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
beforeEach(() => truncate(database.db))

const addTag = (tx: Tx) => tx.tag.create({ data: { originalLanguage: 'en' } })
const addTagBySql = (tx: Tx) => tx.$executeRaw`INSERT INTO tag (original_language) VALUES ('en')`

const actor = { user: undefined, credential: undefined, source: 'test', request: undefined }

const open = (signal: AbortSignal = new AbortController().signal): WriteProgress => ({ signal, state: 'open' })

/** What runInTransaction throws. */
async function errorOf(result: Promise<unknown>): Promise<unknown> {
  const [settled] = await Promise.allSettled([result])
  return settled.status === 'rejected' ? settled.reason : undefined
}

test('model calls and SQL run in one transaction, which is committed when the callback returns', async () => {
  const progress = open()
  const states: string[] = []
  const count = await runInTransaction(
    database.db,
    actor,
    async (tx) => {
      await addTag(tx)
      await addTagBySql(tx)
      states.push(progress.state)
      return tx.tag.count()
    },
    progress,
  )
  expect([count, await database.db.tag.count()]).toEqual([2, 2])
  expect([...states, progress.state]).toEqual(['open', 'committed'])
})

test('a callback that throws is rolled back, and the transaction accepts no more statements', async () => {
  const progress = open()
  let ended: Tx | undefined
  const failed = runInTransaction(
    database.db,
    actor,
    async (tx) => {
      ended = tx
      await addTag(tx)
      await addTagBySql(tx)
      throw new Error('taken back')
    },
    progress,
  )
  await expect(failed).rejects.toThrow('taken back')
  expect([progress.state, await database.db.tag.count()]).toEqual(['open', 0])
  await expect(ended && addTagBySql(ended)).rejects.toThrow(/closed|Transaction/)
  expect(await database.db.tag.count()).toBe(0)
})

test('a write that was aborted before its commit is rolled back', async () => {
  const controller = new AbortController()
  const progress = open(controller.signal)
  const failed = runInTransaction(
    database.db,
    actor,
    async (tx) => {
      await addTag(tx)
      controller.abort(new Error('given up'))
    },
    progress,
  )
  await expect(failed).rejects.toThrow('given up')
  expect([progress.state, await database.db.tag.count()]).toEqual(['open', 0])
})

test('a transaction that exceeded Prisma’s timeout counts as rolled back', async () => {
  const impatient = createClient(database.database.pool, { transactionOptions: { maxWait: 60_000, timeout: 50 } })
  const progress = open()
  const error = await errorOf(
    runInTransaction(
      impatient,
      actor,
      async (tx) => {
        await addTag(tx)
        await setTimeout(200)
      },
      progress,
    ),
  )
  expect(error).toMatchObject({ code: 'P2028' })
  expect([progress.state, await database.db.tag.count()]).toEqual(['open', 0])
})

test('a transaction whose commit the server rejected counts as rolled back', async () => {
  const { db } = database
  await db.$executeRaw`
    CREATE TABLE chained (id int PRIMARY KEY, next int REFERENCES chained (id) DEFERRABLE INITIALLY DEFERRED)`
  const progress = open()
  try {
    const error = await errorOf(
      runInTransaction(
        db,
        actor,
        async (tx) => {
          await addTag(tx)
          await tx.$executeRaw`INSERT INTO chained VALUES (1, 2)`
        },
        progress,
      ),
    )
    expect(error).not.toBeInstanceOf(CommitUnknownError)
    expect(error).toMatchObject({ cause: { originalCode: '23503' } })
    expect([progress.state, await db.tag.count()]).toEqual(['open', 0])
  } finally {
    await db.$executeRaw`DROP TABLE chained`
  }
})
