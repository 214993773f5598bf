// What the service and the commands write to the audit log, and the command that exports it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { runCommands, type Service, startService } from '../helpers/process.ts'

let folder: string
let database: Awaited<ReturnType<typeof migratedDatabaseUrl>>
let service: Service | undefined
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-audit-'))
  database = await migratedDatabaseUrl(join(folder, 'data'))
  env = { DATABASE_URL: database.url, SEED: 'off', IMAGES_DIR: join(folder, 'images'), ADMIN_LOGIN: 'boss' }
  env = { ...env, ADMIN_PASSWORD: 'a long enough password', PUBLIC_URL: 'http://calendar.test' }
})
afterAll(async () => {
  service?.child.kill('SIGKILL')
  await service?.ended
  await database?.drop()
  rmSync(folder, { recursive: true })
})

/** Starts the service, runs `work`, and stops it. */
async function withService(settings: object, work: (url: string) => Promise<void> = async () => {}): Promise<void> {
  service = await startService({ ...env, ...settings })
  await service.ready()
  await work(service.url)
  service.child.kill('SIGTERM')
  await service.ended
}

const metricOf = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])

test('settings at the start, commands with their names, exports, and metrics', async () => {
  await withService({}, async (url) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    expect(metricOf(text, 'change_log_entries')).toBeGreaterThan(0)
    expect(metricOf(text, 'change_log_bytes')).toBeGreaterThan(8192)
    expect(metricOf(text, 'change_log_oldest_seconds')).toBeGreaterThan(0)
  })
  await withService({})
  await withService({ SITE_NAME: 'Other name' })
  const tags = join(folder, 'tags.csv')
  writeFileSync(tags, 'name\n=1+1\n')
  const [csv, json, empty] = ['audit.csv', 'audit.json', 'empty.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const outcomes = await runCommands(env, [
    ['user', 'create', 'ada', '--role', 'editor'],
    ['import-csv', tags, '--kind', 'tags', '--language', 'en', '--as', 'ada'],
    ['export-csv', '--kind', 'tags', '--file', join(folder, 'exported.csv')],
    ['user', 'remove', 'ada'],
    ['audit', '--file', csv],
    ['audit', '--format', 'json', '--file', json, '--user', 'boss'],
    ['audit', '--from', '2000-01-01', '--to', '2000-01-02', '--format', 'json', '--file', empty],
    ['audit', '--user', 'nobody'],
    ['audit', '--from', 'yesterday'],
  ])
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1])
  const [, , , , audit, own, , unknown, invalid] = outcomes
  const text = readFileSync(csv, 'utf8')
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  expect(audit?.out).toBe(`${csv}: ${rows.length} entries\n`)
  const seen = rows.map(({ action, kind, record, source }) => [action, kind, record, source].join(' '))
  expect(seen.slice(0, 6)).toEqual([
    'exported site  command audit',
    'deleted user  command user remove',
    'exported site  command export-csv',
    "created tag '=1+1 command import-csv",
    'created user  command user create',
    'started site  start',
  ])
  const starts = rows.filter(({ action }) => action === 'started').map(({ changes = '' }) => JSON.parse(changes))
  expect(starts.length).toBe(2)
  expect(starts[0]).toEqual([{ field: 'SITE_NAME', language: null, before: 'Event calendar', after: 'Other name' }])
  expect(starts[1]).toContainEqual({ field: 'ADMIN_LOGIN', language: null, before: null, after: 'boss' })
  expect(text).not.toMatch(/ADMIN_PASSWORD|DATABASE_URL|a long enough password/)
  expect(own?.out).toBe(`${json}: 0 entries\n`)
  expect([json, empty].map((file) => readFileSync(file, 'utf8'))).toEqual(['[\n\n]\n', '[\n\n]\n'])
  expect(unknown?.err).toContain('There is no user with the login nobody.')
  expect(invalid?.err).toContain('Give a day such as 2027-01-31')
})
