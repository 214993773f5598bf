// The command line as people and scripts call it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { exportTo } from '../../src/cli/export.ts'
import { now, openTestApp } from '../helpers/app.ts'
import { emptyDatabaseUrl, migratedDatabaseUrl } from '../helpers/db.ts'
import { runCli, type Service, startCli, startService } from '../helpers/process.ts'
import { bearer, makeUser } from '../helpers/users.ts'
import { makeOddities } from './oddities.ts'

let folder: string
let file: string
let running: Service | undefined
let importing: Promise<Prepared> | undefined

type Prepared = Awaited<ReturnType<typeof migratedDatabaseUrl>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-cli-process-'))
  const app = await openTestApp({ IMAGES_DIR: join(folder, 'images') })
  await makeOddities(app, await makeUser(app.db, 'editor'))
  file = join(folder, 'calendar.ndjson')
  await exportTo(file, { ...app, now: () => now }, { accounts: false })
  await app.close()
})
afterAll(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  await (await importing)?.drop()
  rmSync(folder, { recursive: true })
})

/** A database that holds what the file does, for tests that only read it. */
const imported = () => {
  importing ??= migratedDatabaseUrl(join(folder, 'imported')).then(async (database) => {
    await startCli(envOf(database.url), 'import', file).done
    return database
  })
  return importing
}

const envOf = (DATABASE_URL: string) => ({ DATABASE_URL, IMAGES_DIR: join(folder, 'store'), SEED: 'off' })

const contents = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\{"(format|site|user)"/.test(line))

test('a calendar moves in, gets users with credentials, and moves on', async () => {
  const { url, drop } = await emptyDatabaseUrl(join(folder, 'moved'))
  const env = envOf(url)
  const cli = (...args: string[]) => startCli(env, ...args).done
  const json = async (...args: string[]) => {
    const { code, out, err } = await cli(...args, '--json')
    expect([code, err, out.split('\n').length]).toEqual([0, '', 2])
    return JSON.parse(out)
  }
  const refusal = async (...args: string[]) => {
    const { code, out, err } = await cli(...args, '--json')
    expect([code, out, err.split('\n').length]).toEqual([1, '', 2])
    return err
  }
  expect(await json('import', file)).toMatchObject({ rows: { event: 408 }, images: 1 })
  expect(await json('user', 'create', 'Ada', '--role', 'editor')).toMatchObject({ login: 'ada', role: 'editor' })
  const made = await json('credential', 'create', 'ada', '--name', 'ci', '--token')
  expect(made).toMatchObject({ login: 'ada', kind: 'api_token', name: 'ci', expiresAt: null })
  await json('user', 'create', 'boss', '--role', 'administrator')
  expect(await refusal('user', 'role', 'boss', 'editor')).toContain('last administrator')

  running = await startService(env)
  await running.ready()
  const viewer = async () => {
    const options = { headers: { authorization: bearer(made.secret) } }
    const answer = await fetch(`${running?.url}/graphql?query={viewer{login,role}}`, options)
    return [answer.status, ((await answer.json()) as { data?: { viewer: unknown } }).data?.viewer]
  }
  expect(await viewer()).toEqual([200, { login: 'ada', role: 'EDITOR' }])
  const { id } = made
  if (inject('server')) {
    expect(await json('credential', 'revoke', String(id))).toMatchObject({ id, name: 'ci' })
    expect(await viewer()).toEqual([401, undefined])
  } else {
    expect(await refusal('credential', 'revoke', String(id))).toMatch(
      /^A running process holds the database folder .*moved: stop it first, or .* by GraphQL\.\n$/,
    )
  }
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)

  const listed = await cli('credential', 'list', 'ada')
  expect(listed.out).toMatch(/^id +login +kind .*\n\d+ +ada +api_token +ci /)
  expect(listed.out).not.toContain(made.secret)
  expect(await json('user', 'remove', 'ada')).toMatchObject({ recordsHandedOver: 0 })
  const users: { login: string }[] = await json('user', 'list')
  expect(users.map(({ login }) => login.replace(/\d+/, 'N'))).toEqual(['author-N', 'boss'])
  expect(await json('zones', 'recompute', '--dry-run')).toMatchObject({ dryRun: true, events: 408, moved: [] })
  const next = join(folder, 'next.ndjson')
  await json('export', next)
  expect(contents(next)).toEqual(contents(file))
  await drop()
})

test('an export to stdout is imported from stdin, with its images', async () => {
  const { url } = await imported()
  const { code, out, err } = await startCli(envOf(url), 'export', '-').done
  expect([code, err]).toEqual([0, expect.stringMatching(/^stdout: 408 events, .* 1 user\n$/)])

  const to = await migratedDatabaseUrl(join(folder, 'to'))
  const env = { ...envOf(to.url), IMAGES_DIR: join(folder, 'to-images') }
  const moved = await runCli(env, ['import', '-', '--json'], out).done
  expect([moved.code, moved.err]).toEqual([0, ''])
  expect(JSON.parse(moved.out)).toMatchObject({ rows: { event: 408 }, images: 1 })
  const again = join(folder, 'again.ndjson')
  expect(JSON.parse((await startCli(env, 'export', again, '--json').done).out)).toMatchObject({ images: 1 })
  expect(contents(again)).toEqual(contents(file))

  const refused = await runCli(env, ['import', '-'], out).done
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^The database is not empty, .*\n$/)])
  await to.drop()
})

test('an import that is cut off leaves nothing behind', async () => {
  const { url, drop } = await emptyDatabaseUrl(join(folder, 'cut'))
  const env = { ...envOf(url), IMAGES_DIR: join(folder, 'cut-images') }
  const { code, out, err } = await runCli(env, ['import', '-'], readFileSync(file, 'utf8').slice(0, -10_000)).done
  expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^.+\n$/)])
  expect([existsSync(join(folder, 'cut')), existsSync(env.IMAGES_DIR)]).toEqual([false, false])
  await drop()
})

test('an export to a reader that ends early is an error in one line', async () => {
  const { url } = await imported()
  const { child, done } = startCli(envOf(url), 'export', '-')
  child.stdout?.once('data', () => child.stdout?.destroy())
  expect(await done).toMatchObject({ code: 1, err: 'The reader of stdout ended before the export was complete.\n' })
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await startCli({}, '--version').done).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

test('of an import that is killed there is nothing, or everything', async () => {
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'killed'))
  const env = envOf(url)
  for (const milliseconds of [700, 1400]) {
    const { child, done } = startCli(env, 'import', file)
    await setTimeout(milliseconds)
    child.kill('SIGKILL')
    await done
  }
  const { code, out, err } = await startCli(env, 'import', file).done
  // A kill comes too late on a fast machine.
  const whole = /The database is not empty, it holds .*\b408 events\b/
  expect([code, out, err]).toEqual(
    code === 0 ? [0, expect.stringContaining('Imported 408 events, '), ''] : [1, '', expect.stringMatching(whole)],
  )
  await drop()
})

const wrong: readonly [args: string[], says: RegExp][] = [
  [['foo'], /unknown command 'foo'/],
  [['user', 'create', 'ada', '--role', 'king'], /king.* administrator, editor, author, contributor, subscriber/],
  [['credential', 'create', 'ada', '--name', 'x', '--expires', 'soon'], /soon.*like 2027-01-31T00:00:00Z/],
  [['credential', 'create', 'ada', '--name', 'x', '--expires', '2027-01-31T00:00:00Z'], /give --token/],
  [['credential', 'revoke', 'first'], /first.*a number from `credential list`/],
  [['export', 'out.ndjson'], /There is no database in .*nowhere: check DATABASE_URL/],
  [['import', 'missing/calendar.ndjson'], /There is no file missing\/calendar.ndjson/],
  [['import', 'package.json'], /not a file that `export` wrote/],
  [['import', '-'], /not a file that `export` wrote/],
]

test('what is wrong is told in one line, with what would be right', async () => {
  for (const [args, says] of wrong) {
    const { code, out, err } = await startCli({ DATABASE_URL: `pglite:${join(folder, 'nowhere')}` }, ...args).done
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^.+\n$/)])
    expect(err).toMatch(says)
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  }
  const closed = { DATABASE_URL: 'postgresql://nobody@localhost:1/none' }
  const { code, err } = await startCli(closed, 'user', 'list').done
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^The database can not be opened, check DATABASE_URL: .*ECONNREFUSED.*\n$/),
  ])
})

test('image files that no image has are removed by the command and at the start, while one database keeps images there', async () => {
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'cleaned'))
  const env = { ...envOf(url), IMAGES_DIR: join(folder, 'cleaned-images') }
  const orphan = join(env.IMAGES_DIR, 'a', 'b', `ab${'c'.repeat(41)}.png`)
  const plant = () => {
    mkdirSync(join(env.IMAGES_DIR, 'a', 'b'), { recursive: true })
    writeFileSync(orphan, 'x')
    utimesSync(orphan, new Date(0), new Date(0))
  }
  const serve = async () => {
    running = await startService(env)
    await running.ready()
  }
  const stop = async () => {
    running?.child.kill('SIGTERM')
    await running?.ended
  }
  const clean = () => startCli(env, 'images', 'clean', '--json').done
  await serve()
  await stop()
  plant()
  expect(JSON.parse((await clean()).out)).toEqual({ dryRun: false, files: [basename(orphan)], bytes: 1 })
  expect(existsSync(orphan)).toBe(false)

  plant()
  await serve()
  while (existsSync(orphan)) await setTimeout(50)
  await stop()

  writeFileSync(join(env.IMAGES_DIR, '.databases', 'other'), 'db.test/other')
  plant()
  const refused = await clean()
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(/^The database db\.test\/other keeps images in .*, too: nothing was removed\./)
  expect(existsSync(orphan)).toBe(true)
  await drop()
})
