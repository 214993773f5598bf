// The command line as a child process.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { exportToFile } from '../../src/tools/transfer/export.ts'
import { now, openTestApp } from '../helpers/app.ts'
import { emptyDatabaseUrl, migratedDatabaseUrl, unmigratedDatabaseUrl } from '../helpers/db.ts'
import { type Outcome, runCli, runCommands, type Service, startCli, startService } from '../helpers/process.ts'
import { bearer, makeUser } from '../helpers/users.ts'
import { makeUnusualRecords } from './unusual-records.ts'

let folder: string
let file: string
let running: Service | undefined
let importing: Promise<Prepared> | undefined

type Prepared = Awaited<ReturnType<typeof migratedDatabaseUrl>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-cli-process-'))
  const app = await openTestApp({ IMAGES_DIR: join(folder, 'images') })
  await makeUnusualRecords(app, await makeUser(app.db, 'editor'), 10)
  file = join(folder, 'calendar.ndjson')
  await exportToFile(file, { ...app, now: () => now }, { accounts: false })
  await app.close()
})
afterAll(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  await (await importing)?.drop()
  rmSync(folder, { recursive: true })
})

/** A new database with the content of the exported file, for tests that do not change it, besides users. */
const imported = () => {
  importing ??= unmigratedDatabaseUrl(join(folder, 'imported')).then(async (database) => {
    const { code, out, err } = await startCli(envOf(database.url), 'import', file, '--json').done
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ rows: { event: events }, images: 162 })
    return database
  })
  return importing
}

const envOf = (DATABASE_URL: string) => ({ DATABASE_URL, IMAGES_DIR: join(folder, 'store'), SEED: 'off' })

/** Those of the exported file. */
const events = 49

const contents = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\{"(format|site|user)"/.test(line))

test('imports a calendar, manages users and credentials, and exports it again', async () => {
  const env = envOf((await imported()).url)
  const documentOf = ({ code, out, err }: Outcome) => {
    expect([code, err, out.split('\n').length]).toEqual([0, '', 2])
    return JSON.parse(out)
  }
  const errorOf = ({ code, out, err }: Outcome) => {
    expect([code, out, err.split('\n').length]).toEqual([1, '', 2])
    return err
  }
  const created = await runCommands(env, [
    ['user', 'create', 'Ada', '--role', 'editor', '--json'],
    ['credential', 'create', 'ada', '--name', 'ci', '--token', '--json'],
    ['user', 'create', 'boss', '--role', 'administrator', '--json'],
    ['user', 'link', 'ada', '--json'],
    ['user', 'role', 'boss', 'editor', '--json'],
  ])
  const [user, credential, , link] = created.slice(0, 4).map(documentOf)
  expect(user).toMatchObject({ login: 'ada', role: 'editor' })
  expect(credential).toMatchObject({ login: 'ada', kind: 'api_token', name: 'ci', expiresAt: null })
  expect(link).toMatchObject({
    login: 'ada',
    url: expect.stringMatching(/\/sign-in\/link\?token=\w{43}$/),
    mailedTo: null,
  })
  expect(created.slice(4).map(errorOf)).toEqual([expect.stringContaining('last administrator')])

  running = await startService(env)
  await running.ready()
  const viewer = async () => {
    const options = { headers: { authorization: bearer(credential.secret) } }
    const response = await fetch(`${running?.url}/graphql?query={viewer{login,role}}`, options)
    return [response.status, ((await response.json()) as { data?: { viewer: unknown } }).data?.viewer]
  }
  expect(await viewer()).toEqual([200, { login: 'ada', role: 'EDITOR' }])
  const { id } = credential
  const revoked = await startCli(env, 'credential', 'revoke', String(id), '--json').done
  if (inject('server')) {
    expect(documentOf(revoked)).toMatchObject({ id, name: 'ci' })
    expect(await viewer()).toEqual([401, undefined])
  } else {
    expect(errorOf(revoked)).toMatch(
      /^Another process uses the database folder .*imported: stop it, or .* GraphQL API\.\n$/,
    )
  }
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)

  const next = join(folder, 'next.ndjson')
  const [listed, ...outcomes] = await runCommands(env, [
    ['credential', 'list', 'ada'],
    ['user', 'remove', 'ada', '--json'],
    ['user', 'list', '--json'],
    ['zones', 'recompute', '--dry-run', '--json'],
    ['export', next, '--json'],
  ])
  expect(listed?.out).toMatch(/^id +login +kind .*\n\d+ +ada +api_token +ci /)
  expect(listed?.out).not.toContain(credential.secret)
  const [removed, users, zones] = outcomes.map(documentOf)
  expect(removed).toMatchObject({ recordsHandedOver: 0 })
  expect(users.map(({ login }: { login: string }) => login.replace(/\d+/, 'N'))).toEqual(['author-N', 'boss'])
  expect(zones).toMatchObject({ dryRun: true, events, moved: [] })
  expect(contents(next)).toEqual(contents(file))
})

test('an export to stdout can be imported from stdin, including images, also after an import that was killed', async () => {
  const { url } = await imported()
  const { code, out, err } = await startCli(envOf(url), 'export', '-').done
  expect([code, err]).toEqual([0, expect.stringMatching(new RegExp(`^stdout: ${events} events, .* 1 user\n$`))])

  const to = await migratedDatabaseUrl(join(folder, 'to'))
  const env = { ...envOf(to.url), IMAGES_DIR: join(folder, 'to-images') }
  // It is killed within its transaction, in which it stores images.
  const killed = runCli(env, ['import', '-'], out)
  while (!existsSync(env.IMAGES_DIR) && killed.child.exitCode === null) await setTimeout(5)
  killed.child.kill('SIGKILL')
  await killed.done
  const moved = await runCli(env, ['import', '-'], out).done
  // On a busy machine the import may be complete before the kill.
  const complete = new RegExp(`The database is not empty, it contains .*\\b${events} events\\b`)
  expect([moved.code, moved.out, moved.err]).toEqual(
    moved.code === 0
      ? [0, expect.stringContaining(`Imported ${events} events, `), '']
      : [1, '', expect.stringMatching(complete)],
  )
  const again = join(folder, 'again.ndjson')
  const [exported, rejected] = await runCommands(
    env,
    [
      ['export', again, '--json'],
      ['import', '-'],
    ],
    out,
  )
  expect(JSON.parse(exported?.out ?? '')).toMatchObject({ images: 162 })
  expect(contents(again)).toEqual(contents(file))
  expect([rejected?.code, rejected?.err]).toEqual([1, expect.stringMatching(/^The database is not empty, .*\n$/)])
  await to.drop()
})

test('an import of a truncated file leaves no database and no images', async () => {
  const { url, drop } = await emptyDatabaseUrl(join(folder, 'cut'))
  const env = { ...envOf(url), IMAGES_DIR: join(folder, 'cut-images') }
  const { code, out, err } = await runCli(env, ['import', '-'], readFileSync(file, 'utf8').slice(0, -10_000)).done
  expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^.+\n$/)])
  expect([existsSync(join(folder, 'cut')), existsSync(env.IMAGES_DIR)]).toEqual([false, false])
  await drop()
})

test('an export to a closed pipe fails with a one-line error', async () => {
  const { url } = await imported()
  const { child, done } = startCli(envOf(url), 'export', '-')
  child.stdout?.once('data', () => child.stdout?.destroy())
  expect(await done).toMatchObject({
    code: 1,
    err: 'The process that reads stdout closed it before the export was complete.\n',
  })
})

const invalidCommands: readonly [args: string[], expected: RegExp][] = [
  [['user', 'create', 'ada', '--role', 'king'], /king.* administrator, editor, author, contributor, subscriber/],
  [['credential', 'create', 'ada', '--name', 'x', '--expires', 'soon'], /soon.*such as 2027-01-31T00:00:00Z/],
  [['credential', 'create', 'ada', '--name', 'x', '--expires', '2027-01-31T00:00:00Z'], /Add --token/],
  [['credential', 'revoke', 'first'], /first.*an ID from `credential list`/],
  [['export', 'out.ndjson'], /There is no database in .*nowhere\. Check DATABASE_URL/],
  [['import', 'missing/calendar.ndjson'], /The file missing\/calendar.ndjson does not exist/],
  [['import', 'package.json'], /not written by `export`/],
  [['import', '-'], /not written by `export`/],
]

test('--version prints the version of the package, and invalid commands fail with a one-line error that says what is expected', async () => {
  const nowhere = { DATABASE_URL: `pglite:${join(folder, 'nowhere')}` }
  const [version, ...outcomes] = await runCommands(nowhere, [['--version'], ...invalidCommands.map(([args]) => args)])
  const expectedVersion = JSON.parse(readFileSync('package.json', 'utf8')).version
  expect(version).toEqual({ code: 0, out: `${expectedVersion}\n`, err: '' })
  for (const [index, [, expected]] of invalidCommands.entries()) {
    const { code, out, err = '' } = outcomes[index] ?? {}
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^.+\n$/)])
    expect(err).toMatch(expected)
  }
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  const unknown = await startCli(nowhere, 'foo').done
  expect(unknown).toEqual({ code: 1, out: '', err: "error: unknown command 'foo'; see --help\n" })
  const closed = { DATABASE_URL: 'postgresql://nobody@localhost:1/none' }
  const { code, err } = await startCli(closed, 'user', 'list').done
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^Cannot open the database. Check DATABASE_URL: .*ECONNREFUSED.*\n$/),
  ])
})

test('unused image files are removed by the command and at startup, unless another database uses the folder', async () => {
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'cleaned'))
  const env = { ...envOf(url), IMAGES_DIR: join(folder, 'cleaned-images') }
  const orphan = join(env.IMAGES_DIR, 'a', 'b', `ab${'c'.repeat(41)}.png`)
  const createOrphan = () => {
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
  createOrphan()
  expect(JSON.parse((await clean()).out)).toEqual({ dryRun: false, files: [basename(orphan)], bytes: 1 })
  expect(existsSync(orphan)).toBe(false)

  createOrphan()
  await serve()
  while (existsSync(orphan)) await setTimeout(50)
  await stop()

  writeFileSync(join(env.IMAGES_DIR, '.databases', 'other'), 'db.test/other')
  createOrphan()
  const rejected = await clean()
  expect([rejected.code, rejected.out]).toEqual([1, ''])
  expect(rejected.err).toMatch(/^The database db\.test\/other also stores images in .*, so nothing was removed\./)
  expect(existsSync(orphan)).toBe(true)
  await drop()
})
