// Who can manage a site after it starts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureAdministrator, needsAdministratorSetup } from '../../src/auth/first-administrator.ts'
import { prepareSite } from '../../src/content/site.ts'
import type { Tx } from '../../src/db/client.ts'
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
  const found: Awaited<ReturnType<typeof ensureAdministrator>>[] = []
  const ensure = async (tx: Tx) => void found.push(await ensureAdministrator(tx, settings))
  const isDue = await needsAdministratorSetup(app.db, settings)
  await prepareSite(app.db, app.settings, undefined, isDue ? ensure : undefined)
  return found[0]
}

async function roleOf(login: string, password: string): Promise<string | undefined> {
  const reply = await app.as({ authorization: basic(login, password) }).graphql('{ viewer { role } }')
  return reply.body.data?.viewer.role
}

const administrators = () => app.db.user.count({ where: { role: 'administrator' } })

describe('without settings', () => {
  test('the first start makes one, and tells the password that once', async () => {
    const made = await start()
    expect(made).toMatchObject({ kind: 'created', login: 'admin', secret: expect.stringMatching(/^[a-zA-Z0-9]{43}$/) })
    if (made?.kind !== 'created') return
    expect(await roleOf('admin', made.secret)).toBe('ADMINISTRATOR')
    expect(JSON.stringify(await app.db.credential.findMany())).not.toContain(made.secret)
    expect(await start()).toBeUndefined()
    expect(await administrators()).toBe(1)
  })
  test('nobody who has the login already becomes it', async () => {
    await makeUser(app.db, 'subscriber', { login: 'admin' })
    expect(await start()).toMatchObject({ login: 'admin-2' })
    expect(await app.db.user.findUnique({ where: { login: 'admin' } })).toMatchObject({ role: 'subscriber' })
  })
  test('starts at once make one', async () => {
    const made = await Promise.all([start(), start(), start()])
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await administrators()).toBe(1)
  })
  test('none is made where there is one', async () => {
    await makeUser(app.db, 'administrator')
    expect(await start()).toBeUndefined()
    expect(await app.db.user.count()).toBe(1)
  })
})

describe('with ADMIN_LOGIN and ADMIN_PASSWORD', () => {
  test('the first start makes that one', async () => {
    expect(await start('Ada', ' correct horse: é ')).toBeUndefined()
    expect(await roleOf('ada', ' correct horse: é ')).toBe('ADMINISTRATOR')
    expect(await roleOf('ADA', ' correct horse: e\u0301 ')).toBe('ADMINISTRATOR')
    expect(await roleOf('ada', 'correct horse: é')).toBeUndefined()
    expect(await app.db.user.findMany()).toMatchObject([{ login: 'ada', name: 'Ada' }])
    const [credential] = await app.db.credential.findMany()
    expect(credential).toMatchObject({ name: 'ADMIN_PASSWORD', hash: expect.stringMatching(/^scrypt\$/) })
    expect(await roleOf('ada', credential?.hash ?? '')).toBeUndefined()
  })
  test('another start leaves it, and another password replaces it, at once', async () => {
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
  test('a revoked password stays so until there is another', async () => {
    await start('ada', 'first')
    expect(await roleOf('ada', 'first')).toBe('ADMINISTRATOR')
    await app.db.credential.updateMany({ data: { revokedAt: new Date() } })
    expect(await roleOf('ada', 'first')).toBeUndefined()
    await start('ada', 'first')
    expect(await roleOf('ada', 'first')).toBeUndefined()
    await start('ada', 'second')
    expect(await roleOf('ada', 'second')).toBe('ADMINISTRATOR')
  })
  test('they are a way back in for who lost the password that was told', async () => {
    await start()
    await start('admin', 'mine')
    expect(await roleOf('admin', 'mine')).toBe('ADMINISTRATOR')
    await start('ada', 'mine too')
    expect(await roleOf('ada', 'mine too')).toBe('ADMINISTRATOR')
    expect(await roleOf('admin', 'mine')).toBe('ADMINISTRATOR')
    expect(await roleOf('ada', 'mine')).toBeUndefined()
  })
  test('a user of another role is left alone, unless there is no administrator', async () => {
    await makeUser(app.db, 'editor', { login: 'ada' })
    await makeUser(app.db, 'administrator', { login: 'root' })
    expect(await start('ada', 'secret')).toEqual({ kind: 'refused', login: 'ada' })
    expect(await roleOf('ada', 'secret')).toBeUndefined()
    await app.db.user.delete({ where: { login: 'root' } })
    expect(await start('ada', 'secret')).toBeUndefined()
    expect(await roleOf('ada', 'secret')).toBe('ADMINISTRATOR')
  })
  test('a right password is hashed once an hour', async () => {
    await start('ada', 'secret')
    // Of all threads: the hash is made by another one.
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
