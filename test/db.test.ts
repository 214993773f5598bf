import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { migratedDatabaseUrl, openTestDatabase } from './helpers/db.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-db-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function migrations(broken: boolean): URL {
  const place = join(folder, 'migrations')
  cpSync('prisma/migrations', place, { recursive: true })
  mkdirSync(join(place, '20990101000000_next'), { recursive: true })
  const sql = `BEGIN;\nCREATE TABLE half (id int);\n${broken ? 'SELECT 1 FROM nowhere;\n' : ''}COMMIT;\n`
  writeFileSync(join(place, '20990101000000_next', 'migration.sql'), sql)
  return pathToFileURL(`${place}/`)
}

describe('migrations', () => {
  test('a failed one says its name and cause, leaves nothing, and is applied once it is mended', async () => {
    const { url, drop } = await migratedDatabaseUrl(join(folder, 'failing'))
    const first = await openDatabase(url, 4)
    await expect(migrate(first, migrations(true))).rejects.toThrow(/nowhere[\s\S]*20990101000000_next/)
    await first.close()

    const second = await openDatabase(url, 4)
    const half = await second.pool.query("select to_regclass('half') as name, to_regclass('event') as event")
    expect(half.rows).toEqual([{ name: null, event: 'event' }])
    expect(await migrate(second, migrations(false))).toEqual(['20990101000000_next'])
    expect(await migrate(second, migrations(false))).toEqual([])
    await second.close()
    await drop()
  })

  test('a command that applied them ends when it is done', async () => {
    const { url, drop } = await migratedDatabaseUrl(join(folder, 'ending'))
    const script = `
      import { migrate } from './src/db/migrate.ts'
      import { openDatabase } from './src/db/open-database.ts'
      const database = await openDatabase(${JSON.stringify(url)}, 1)
      const applied = await migrate(database, new URL(${JSON.stringify(migrations(false).href)}))
      await database.close()
      console.log(applied, process.getActiveResourcesInfo().filter((name) => name === 'Timeout'))`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(
      "[ '20990101000000_next' ] []\n",
    )
    await drop()
  })

  test('the schema of the client is that of the database', async () => {
    const { db, close } = await openTestDatabase()
    const models = Object.values(db).filter((model) => typeof model === 'object' && model && 'findFirst' in model)
    expect(models.length).toBeGreaterThan(20)
    for (const model of models as { findFirst(): Promise<unknown> }[]) await model.findFirst()
    await close()
  })
})

describe('time in the database', () => {
  test('an instant is stored as that instant whatever the zone of the process', async () => {
    const { db, database, close } = await openTestDatabase()
    const createdAt = new Date('2026-07-01T15:00:00Z')
    await db.user.create({ data: { login: 'a', name: 'A', role: 'editor', createdAt } })
    const { rows } = await database.pool.query(`select created_at::text as text from "user"`)
    expect(rows).toEqual([{ text: '2026-07-01 15:00:00+00' }])
    await close()
  })
})
