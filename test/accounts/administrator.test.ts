// The first administrator of a site.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { initializeSite } from '../../src/calendar/site/site.ts'
import type { Tx } from '../../src/engine/postgres/client.ts'
import { ensureAdministrator, needsAdministratorSetup } from '../../src/service/auth/first-administrator.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { basic, makeUser } from '../helpers/users.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(() => truncate(app.db))

async function start(adminLogin?: string, adminPassword?: string) {
  const settings = { adminLogin, adminPassword }
  const results: Awaited<ReturnType<typeof ensureAdministrator>>[] = []
  const ensure = async (tx: Tx) => void results.push(await ensureAdministrator(tx, settings))
  const isDue = await needsAdministratorSetup(app.db, settings)
  await initializeSite(app.db, app.settings, undefined, isDue ? ensure : undefined)
  return results[0]
}

async function roleOf(login: string, password: string): Promise<string | undefined> {
  const reply = await app.as({ authorization: basic(login, password) }).graphql('{ viewer { role } }')
  return reply.body.data?.viewer.role
}

const administrators = () => app.db.user.count({ where: { role: 'administrator' } })

describe('the first administrator without settings', () => {
  test('is created by the first start, which prints the password once', async () => {
    const created = await start()
    expect(created).toMatchObject({
      kind: 'created',
      login: 'admin',
      secret: expect.stringMatching(/^[a-zA-Z0-9]{43}$/),
    })
    if (created?.kind !== 'created') return
    expect(await roleOf('admin', created.secret)).toBe('ADMINISTRATOR')
    expect(JSON.stringify(await app.db.credential.findMany())).not.toContain(created.secret)
    expect(await start()).toBeUndefined()
    expect(await administrators()).toBe(1)
  })
  test('is not an existing user with the same login', async () => {
    await makeUser(app.db, 'subscriber', { login: 'admin' })
    expect(await start()).toMatchObject({ login: 'admin-2' })
    expect(await app.db.user.findUnique({ where: { login: 'admin' } })).toMatchObject({ role: 'subscriber' })
  })
  test('is created once by concurrent starts', async () => {
    const created = await Promise.all([start(), start(), start()])
    expect(created.filter(Boolean)).toHaveLength(1)
    expect(await administrators()).toBe(1)
  })
  test('is not created if there is an administrator', async () => {
    await makeUser(app.db, 'administrator')
    expect(await start()).toBeUndefined()
    expect(await app.db.user.count()).toBe(1)
  })
})

describe('the administrator of ADMIN_LOGIN and ADMIN_PASSWORD', () => {
  test('is created by the first start', async () => {
    expect(await start('Ada', ' correct horse: é ')).toBeUndefined()
    expect(await roleOf('ada', ' correct horse: é ')).toBe('ADMINISTRATOR')
    expect(await roleOf('ADA', ' correct horse: e\u0301 ')).toBe('ADMINISTRATOR')
    expect(await roleOf('ada', 'correct horse: é')).toBeUndefined()
    expect(await app.db.user.findMany()).toMatchObject([{ login: 'ada', name: 'Ada' }])
    const [credential] = await app.db.credential.findMany()
    expect(credential).toMatchObject({ name: 'ADMIN_PASSWORD', hash: expect.stringMatching(/^scrypt\$/) })
    expect(await roleOf('ada', credential?.hash ?? '')).toBeUndefined()
  })
  test('stays after a restart, and gets a changed password at once', async () => {
    await start('ada', 'first')
    const [stored] = await app.db.credential.findMany()
    await start('ada', 'first')
    expect(await app.db.credential.findMany()).toEqual([stored])
    expect(await roleOf('ada', 'first')).toBe('ADMINISTRATOR')
    await start('ada', 'second')
    expect(await roleOf('ada', 'first')).toBeUndefined()
    expect(await roleOf('ada', 'second')).toBe('ADMINISTRATOR')
    expect(await app.db.credential.count()).toBe(1)
  })
  test('keeps a revoked password revoked until the setting changes', async () => {
    await start('ada', 'first')
    expect(await roleOf('ada', 'first')).toBe('ADMINISTRATOR')
    await app.db.credential.updateMany({ data: { revokedAt: new Date() } })
    expect(await roleOf('ada', 'first')).toBeUndefined()
    await start('ada', 'first')
    expect(await roleOf('ada', 'first')).toBeUndefined()
    await start('ada', 'second')
    expect(await roleOf('ada', 'second')).toBe('ADMINISTRATOR')
  })
  test('restores access after the printed password was lost', async () => {
    await start()
    await start('admin', 'mine')
    expect(await roleOf('admin', 'mine')).toBe('ADMINISTRATOR')
    await start('ada', 'mine too')
    expect(await roleOf('ada', 'mine too')).toBe('ADMINISTRATOR')
    expect(await roleOf('admin', 'mine')).toBe('ADMINISTRATOR')
    expect(await roleOf('ada', 'mine')).toBeUndefined()
  })
  test('does not replace a user with another role, unless there is no administrator', async () => {
    await makeUser(app.db, 'editor', { login: 'ada' })
    await makeUser(app.db, 'administrator', { login: 'root' })
    expect(await start('ada', 'secret')).toEqual({ kind: 'refused', login: 'ada' })
    expect(await roleOf('ada', 'secret')).toBeUndefined()
    await app.db.user.delete({ where: { login: 'root' } })
    expect(await start('ada', 'secret')).toBeUndefined()
    expect(await roleOf('ada', 'secret')).toBe('ADMINISTRATOR')
  })
  test('a correct password is hashed once per hour', async () => {
    await start('ada', 'secret')
    // CPU time of all threads, because another thread computes the hash.
    const took = async () => {
      const before = process.cpuUsage()
      expect(await roleOf('ada', 'secret')).toBe('ADMINISTRATOR')
      return process.cpuUsage(before).user
    }
    const first = await took()
    expect(Math.min(await took(), await took())).toBeLessThan(first)
    expect(app.statements.filter((sql) => sql.includes('LIKE')).length).toBeGreaterThan(0)
    app.statements.length = 0
    await took()
    expect(app.statements.filter((sql) => sql.includes('LIKE'))).toEqual([])
    app.clock.now = new Date(app.clock.now.getTime() + 3_600_001)
    await took()
    expect(app.statements.filter((sql) => sql.includes('LIKE'))).not.toEqual([])
  })
})
