// The commands for spreadsheets as processes: files, stdin and stdout, exit codes.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '../../../src/basics/env.ts'
import { initializeSite } from '../../../src/calendar/site/site.ts'
import { withNewDatabase } from '../../../src/tools/session.ts'
import { migratedDatabaseUrl } from '../../helpers/db.ts'
import { runCommands, startCli } from '../../helpers/process.ts'
import { makeUser } from '../../helpers/users.ts'

test('the commands export to files and stdout, and import from files and stdin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-sheets-process-'))
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'db'))
  const env = { DATABASE_URL: url, IMAGES_DIR: join(folder, 'images'), SEED: 'off' }
  const { login } = await withNewDatabase(readSettings(env), async ({ db, settings }) => {
    await initializeSite(db, settings)
    return makeUser(db, 'editor')
  })
  const rows = 'title;start;end\r\nConcert;2027-01-31T18:00;2027-01-31T20:00\r\nBall;;\r\n'
  const file = join(folder, 'events.json')
  const [imported, exported] = await runCommands(
    env,
    [
      ['import-csv', '-', '--as', login, '--continue', '--json'],
      ['export-json', '--ndjson', '--language', 'en', '--file', file],
    ],
    rows,
  )
  expect([imported?.code, imported?.err]).toEqual([1, ''])
  expect(JSON.parse(imported?.out ?? '')).toMatchObject({
    written: true,
    rows: 2,
    created: 1,
    failed: 1,
    errors: [{ row: 3 }, {}],
  })

  expect(exported).toEqual({ code: 0, out: `${file}: 1 event\n`, err: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)

  writeFileSync(file, readFileSync(file, 'utf8').replace('"Concert"', '""'))
  const [rejected, refused] = await runCommands(env, [
    ['import-json', file, '--as', login],
    ['export-csv', '--kind', 'tags', '--venue', '1'],
  ])
  expect(rejected).toEqual({
    code: 1,
    out: '0 would be created, 0 would be updated, 0 unchanged\n',
    err: expect.stringMatching(
      /^Row 1, column title:en: .*EN cannot be removed.*\n1 of 1 rows have errors\. Nothing was written\. .*--continue.*\n$/,
    ),
  })

  const { code, out, err } = await startCli(env, 'export-csv', '--delimiter', ';', '--bom', '--language', 'fr,en').done
  expect([code, err]).toEqual([0, 'stdout: 1 event\n'])
  expect(out).toMatch(/^\uFEFFid;title:fr;title:en;.*\r\n\d+;;Concert;/)

  expect(refused).toEqual({ code: 1, out: '', err: '--venue selects events. Remove it, or --kind tags.\n' })
  await drop()
  rmSync(folder, { recursive: true })
})
