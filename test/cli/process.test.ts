// The command line as a child process.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { exportToFile } from '../../src/tools/transfer/export.ts'
import { now, openTestApp } from '../helpers/app.ts'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { type Outcome, runCommands, type Service, startCli, startService } from '../helpers/process.ts'
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
  await makeUnusualRecords(app, await makeUser(app.db, 'editor'), 50)
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
  importing ??= migratedDatabaseUrl(join(folder, 'imported')).then(async (database) => {
    const { code, out, err } = await startCli(envOf(database.url), 'import', file, '--json').done
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ rows: { event: events }, images })
    return database
  })
  return importing
}

const store = () => join(folder, 'store')
const envOf = (DATABASE_URL: string) => ({ DATABASE_URL, IMAGES_DIR: store(), SEED: 'off' })

/** Those of the exported file. */
const [events, images] = [17, 162]

const contents = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\{"(format|site|user)"/.test(line))

test('imports a calendar, manages users and credentials, and removes unused image files, as the service does at its start', async () => {
  const env = envOf((await imported()).url)
  const documentOf = ({ code, out, err }: Outcome) => {
    expect([code, err, out.split('\n').length]).toEqual([0, '', 2])
    return JSON.parse(out)
  }
  const errorOf = ({ code, out, err }: Outcome) => {
    expect([code, out, err.split('\n').length]).toEqual([1, '', 2])
    return err
  }
  const unused = join(store(), 'a', 'b', `ab${'c'.repeat(41)}.png`)
  const createUnused = () => {
    mkdirSync(join(store(), 'a', 'b'), { recursive: true })
    writeFileSync(unused, 'x')
    utimesSync(unused, new Date(0), new Date(0))
  }
  createUnused()
  const created = await runCommands(env, [
    ['user', 'create', 'Ada', '--role', 'editor', '--json'],
    ['credential', 'create', 'ada', '--name', 'ci', '--token', '--json'],
    ['user', 'create', 'boss', '--role', 'administrator', '--json'],
    ['user', 'link', 'ada', '--json'],
    ['images', 'clean', '--json'],
    ['user', 'role', 'boss', 'editor', '--json'],
  ])
  const [user, credential, , link, cleaned] = created.slice(0, 5).map(documentOf)
  expect(user).toMatchObject({ login: 'ada', role: 'editor' })
  expect(credential).toMatchObject({ login: 'ada', kind: 'api_token', name: 'ci', expiresAt: null })
  expect(link).toMatchObject({
    login: 'ada',
    url: expect.stringMatching(/\/sign-in\/link\?token=\w{43}$/),
    mailedTo: null,
  })
  expect(cleaned).toEqual({ dryRun: false, files: [basename(unused)], bytes: 1 })
  expect(existsSync(unused)).toBe(false)
  expect(created.slice(5).map(errorOf)).toEqual([expect.stringContaining('last administrator')])

  createUnused()
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
  await expect.poll(() => existsSync(unused)).toBe(false)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)

  writeFileSync(join(store(), '.databases', 'other'), 'db.test/other')
  createUnused()
  const [listed, rejected, ...outcomes] = await runCommands(env, [
    ['credential', 'list', 'ada'],
    ['images', 'clean', '--json'],
    ['user', 'remove', 'ada', '--json'],
    ['user', 'list', '--json'],
    ['zones', 'recompute', '--dry-run', '--json'],
  ])
  expect(listed?.out).toMatch(/^id +login +kind .*\n\d+ +ada +api_token +ci /)
  expect(listed?.out).not.toContain(credential.secret)
  expect([rejected?.code, rejected?.out, rejected?.err]).toEqual([
    1,
    '',
    expect.stringMatching(/^The database db\.test\/other also stores images in .*, so nothing was removed\./),
  ])
  expect(existsSync(unused)).toBe(true)
  const [removed, users, zones] = outcomes.map(documentOf)
  expect(removed).toMatchObject({ recordsHandedOver: 0 })
  expect(users.map(({ login }: { login: string }) => login.replace(/\d+/, 'N'))).toEqual(['author-N', 'boss'])
  expect(zones).toMatchObject({ dryRun: true, events, moved: [] })
})

test('an export to stdout can be imported from stdin, including images', async () => {
  const { url } = await imported()
  const { code, out, err } = await startCli(envOf(url), 'export', '-').done
  expect([code, err]).toEqual([0, expect.stringMatching(new RegExp(`^stdout: ${events} events, .* 1 user\n$`))])

  const to = await migratedDatabaseUrl(join(folder, 'to'))
  const again = join(folder, 'again.ndjson')
  const [moved, exported, rejected] = await runCommands(
    { ...envOf(to.url), IMAGES_DIR: join(folder, 'to-images') },
    [
      ['import', '-'],
      ['export', again, '--json'],
      ['import', file],
    ],
    out,
  )
  expect(moved).toEqual({ code: 0, out: expect.stringContaining(`Imported ${events} events, `), err: '' })
  expect(JSON.parse(exported?.out ?? '')).toMatchObject({ images })
  expect(contents(again)).toEqual(contents(file))
  expect([rejected?.code, rejected?.err]).toEqual([1, expect.stringMatching(/^The database is not empty, .*\n$/)])
  await to.drop()
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

test.skipIf(inject('server'))('a command takes less than 500 MB with the embedded database', async () => {
  const printPeak = 'process.on("exit",()=>console.error(process.resourceUsage().maxRSS))'
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(printPeak)}`
  const { out, err } = await startCli({ ...envOf((await imported()).url), NODE_OPTIONS }, 'user', 'list').done
  expect(out).toMatch(/author/)
  // The threads of the process print it, too.
  expect(Math.max(...err.trim().split('\n').map(Number))).toBeLessThan(500_000)
})

const invalidCommands: readonly [args: string[], expected: RegExp][] = [
  [['user', 'create', 'ada', '--role', 'king'], /king.* administrator, editor, author, contributor, subscriber/],
  [['credential', 'create', 'ada', '--name', 'x', '--expires', 'soon'], /soon.*such as 2027-01-31T00:00:00Z/],
  [['credential', 'create', 'ada', '--name', 'x', '--expires', '2027-01-31T00:00:00Z'], /Add --token/],
  [['credential', 'revoke', 'first'], /first.*an ID from `credential list`/],
  [['export', 'out.ndjson'], /There is no database in .*nowhere\. Check DATABASE_URL/],
  [['import', 'missing/calendar.ndjson'], /The file missing\/calendar.ndjson does not exist/],
  [['import', 'package.json'], /not written by `export`/],
  [['import', '-'], /The images of this export are in a folder/],
]

test('--version prints the version of the package, and invalid commands fail with a one-line error that says what is expected', async () => {
  const nowhere = {
    DATABASE_URL: `pglite:${join(folder, 'nowhere')}`,
    IMAGES_DIR: join(folder, 'no-images'),
  }
  const commands = [['--version'], ...invalidCommands.map(([args]) => args)]
  const [version, ...outcomes] = await runCommands(nowhere, commands, readFileSync(file, 'utf8'))
  const expectedVersion = JSON.parse(readFileSync('package.json', 'utf8')).version
  expect(version).toEqual({ code: 0, out: `${expectedVersion}\n`, err: '' })
  for (const [index, [, expected]] of invalidCommands.entries()) {
    const { code, out, err = '' } = outcomes[index] ?? {}
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^.+\n$/)])
    expect(err).toMatch(expected)
  }
  expect([existsSync(join(folder, 'nowhere')), existsSync(nowhere.IMAGES_DIR)]).toEqual([false, false])
  const unknown = await startCli(nowhere, 'foo').done
  expect(unknown).toEqual({ code: 1, out: '', err: "error: unknown command 'foo'; see --help\n" })
  const closed = { DATABASE_URL: 'postgresql://nobody@localhost:1/none' }
  const { code, err } = await startCli(closed, 'user', 'list').done
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^Cannot open the database. Check DATABASE_URL: .*ECONNREFUSED.*\n$/),
  ])
})
