// Old entries are deleted, revisions of content later than others, and never the newest one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteOldRows } from '../../src/calendar/audit/retention.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate, waitForTransactions } from '../helpers/db.ts'
import { makeSeries, makeVenue } from '../helpers/make.ts'
import type { TestUser } from '../helpers/users.ts'

let app: TestApp
let administrator: TestUser & ApiClient

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  administrator = await app.signIn('administrator')
})

const settings = { changeLogDays: 90, revisionDays: 730, proposalContactDays: 90 }
const now = () => new Date()

/** Makes all entries older. */
const age = (days: number) =>
  app.database.pool.query(`UPDATE change SET created_at = created_at - interval '1 day' * $1`, [days])

async function kinds(): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ kind: string }>('SELECT kind FROM change ORDER BY kind')
  return rows.map(({ kind }) => kind)
}

test('content stays for REVISION_DAYS, everything else for CHANGE_LOG_DAYS', async () => {
  await makeVenue(app.db, 'Hall')
  await age(1)
  await makeSeries(app.db, 'Course')
  await makeVenue(app.db, 'Theatre')
  const all = await kinds()
  const content = ['venue', 'series', 'event']
  expect([...new Set(all)].toSorted()).toEqual(['user', ...content].toSorted())
  await age(88)
  await deleteOldRows(app.db, settings, now())
  expect(await kinds()).toEqual(all)
  await age(3)
  await deleteOldRows(app.db, settings, now())
  expect(await kinds()).toEqual(all.filter((kind) => content.includes(kind)))
  await age(730)
  await deleteOldRows(app.db, settings, now())
  await deleteOldRows(app.db, settings, now())
  expect(await kinds()).toEqual(['venue'])
})

test('more than a batch is deleted, by several instances at the same time', async () => {
  await app.database.pool.query(`
    INSERT INTO change (kind, action, created_at) SELECT 'user', 'signed_in', now() - interval '91 days' FROM generate_series(1, 2500)`)
  await Promise.all([1, 2, 3].map(() => deleteOldRows(app.db, settings, now())))
  await deleteOldRows(app.db, settings, now())
  expect((await kinds()).length).toBe(3)
})

test('messages of webhooks stay for 30 days', async () => {
  const webhook = { url: 'https://example.org', language: 'en', secrets: [], token: '' }
  const messages = [29, 31].map((days) => ({
    ...({ type: 'ping', kind: '', recordId: days, data: {}, state: 'delivered' } as const),
    createdAt: new Date(Date.now() - days * 24 * 60 * 60 * 1000),
  }))
  await app.db.webhook.create({ data: { ...webhook, deliveries: { create: messages } } })
  await deleteOldRows(app.db, settings, now())
  expect(await app.db.webhookDelivery.findMany({ select: { recordId: true } })).toEqual([{ recordId: 29 }])
})

test('idempotency keys stay for a day, and counts of rate limits until they expire', async () => {
  const ages = [23, 25].map((hours) => new Date(Date.now() - hours * 60 * 60 * 1000))
  const keys = ages.map((createdAt, index) => ({
    userId: administrator.id,
    key: `${index}`,
    fingerprint: '',
    createdAt,
  }))
  await app.db.idempotencyKey.createMany({ data: keys })
  const counts = [-1000, 60_000].map((left) => ({ key: `${left}`, points: 1, expire: BigInt(Date.now() + left) }))
  await app.db.rateLimit.createMany({ data: counts })
  await deleteOldRows(app.db, settings, now())
  expect(await app.db.idempotencyKey.findMany({ select: { key: true } })).toEqual([{ key: '0' }])
  expect(await app.db.rateLimit.findMany({ select: { key: true } })).toEqual([{ key: '60000' }])
})

test('a token that is older than CHANGE_LOG_DAYS has expired, a younger one has not, also if its last entry is older', async () => {
  app.clock.now = new Date()
  await makeVenue(app.db, 'Hall')
  await age(200)
  const follow = async (after?: string) => {
    await waitForTransactions(app.db)
    return administrator.graphql(
      'query ($after: String) { changes(after: $after, filter: { kinds: [VENUE] }) { token changes { databaseId } } }',
      { after },
    )
  }
  const { token } = (await follow()).body.data.changes
  const added = await makeVenue(app.db, 'Theatre')
  await deleteOldRows(app.db, settings, now())
  const day = 24 * 60 * 60 * 1000
  app.clock.now = new Date(Date.now() + 89 * day)
  expect((await follow(token)).body.data.changes.changes).toEqual([{ databaseId: added }])
  app.clock.now = new Date(Date.now() + 91 * day)
  expect((await follow(token)).body.errors[0].extensions.code).toBe('SYNC_TOKEN_EXPIRED')
})
