// Sign-ins in the audit log: few entries, however many requests there are.
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { basic, createCredential, makeUser } from '../helpers/users.ts'

let app: TestApp

beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app?.close())

interface Entry {
  readonly name: string | null
  readonly credentialId: number | null
  readonly source: string | null
}

async function entriesOf(action: string): Promise<readonly Entry[]> {
  const administrator = await app.signIn('administrator')
  const document = `query ($action: AuditAction!) { auditLog(first: 100, filter: { actions: [$action] }) {
    nodes { databaseId name userId credentialId source requestId createdAt changes { field before after } } } }`
  const { body } = await administrator.graphql(document, { action })
  return body.data.auditLog.nodes.filter(({ name }: Entry) => name !== 'The administrator')
}

/** Waits until the entries are as expected, because requests do not wait for them. */
async function untilEntries(action: string, expected: readonly object[]): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const entries = await entriesOf(action)
    if (tries === 99 || entries.length === expected.length) {
      try {
        return expect(entries).toMatchObject(expected)
      } catch (error) {
        if (tries === 99) throw error
      }
    }
    await setTimeout(20)
  }
}

test('a sign-in is logged once per credential and hour', async () => {
  const editor = await app.signIn('editor')
  const password = await createCredential(app.db, editor.id, 'application_password')
  const other = app.as({ authorization: basic(editor.login, password) })
  const entry = (credentialId: unknown) => ({
    ...{ databaseId: editor.id, userId: editor.id, name: 'The editor', credentialId, changes: [] },
    requestId: expect.any(String),
  })
  for (let request = 0; request < 5; request += 1) {
    await editor.graphql('{ viewer { name } }')
    await other.get('/cal/events/v1/events')
  }
  const [token, own] = (await app.db.credential.findMany({ where: { userId: editor.id }, orderBy: { id: 'asc' } })).map(
    ({ id }) => id,
  )
  await untilEntries('SIGNED_IN', [entry(expect.any(Number)), entry(expect.any(Number))])
  const sources = new Map((await entriesOf('SIGNED_IN')).map(({ credentialId, source }) => [credentialId, source]))
  expect(sources).toEqual(
    new Map([
      [token, 'graphql'],
      [own, 'rest'],
    ]),
  )
  app.clock.now = new Date(now.getTime() + 61 * 60_000)
  await editor.graphql('{ viewer { name } }')
  await untilEntries('SIGNED_IN', [entry(token), {}, {}])
})

test('failed sign-ins of an address are one entry per minute, with the users who exist', async () => {
  const user = await makeUser(app.db, 'editor', { name: 'Ada' })
  const attempt = (login: string, remoteAddress = '192.0.2.1') =>
    app.get('/cal/events/v1/events', { headers: { authorization: basic(login, 'wrong') }, remoteAddress })
  const statuses = []
  for (const login of [user.login, 'my password', user.login, 'nobody']) statuses.push((await attempt(login)).status)
  expect(statuses).toEqual([401, 401, 401, 401])
  const changes = (address: string | null, failures: number, users: number[]) => [
    { field: 'users', before: null, after: users },
    { field: 'address', before: null, after: address },
    { field: 'failures', before: null, after: failures },
  ]
  const first = {
    databaseId: user.id,
    name: 'Ada',
    userId: null,
    source: 'rest',
    changes: changes('192.0.2.1', 4, [user.id]),
  }
  await untilEntries('SIGN_IN_FAILED', [first])
  app.clock.now = new Date(now.getTime() + 60_000)
  await attempt('nobody', '2001:db8::1')
  await attempt('nobody', '2001:db8::2')
  await untilEntries('SIGN_IN_FAILED', [{ databaseId: null, changes: changes('2001:db8:0:0::/64', 2, []) }, first])
  const { rows } = await app.database.pool.query('SELECT fields::text FROM change')
  expect(JSON.stringify(rows)).not.toMatch(/my password|nobody|wrong/)
})

test('many addresses share an entry', async () => {
  for (let host = 1; host <= 40; host += 1) {
    const headers = { authorization: basic('nobody', 'wrong') }
    await app.get('/cal/events/v1/events', { headers, remoteAddress: `192.0.2.${host}` })
  }
  const shared = {
    changes: [
      { field: 'users', after: [] },
      { field: 'failures', after: 30 },
    ],
  }
  await untilEntries('SIGN_IN_FAILED', [shared, ...Array(10).fill({})])
})
