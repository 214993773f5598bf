import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { schemaEngine } from '../prisma/schema-engine.ts'
import { migrate } from '../src/engine/postgres/migrate.ts'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { migratedDatabaseUrl, openTestDatabase, unmigratedDatabaseUrl } from './helpers/db.ts'
import { administer } from './helpers/global-setup.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-db-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const migrationNames = () =>
  readdirSync('prisma/migrations', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

function migrations(broken: boolean): URL {
  const place = join(folder, 'migrations')
  cpSync('prisma/migrations', place, { recursive: true })
  mkdirSync(join(place, '20990101000000_next'), { recursive: true })
  const sql = `BEGIN;\nCREATE TABLE half (id int);\n${broken ? 'SELECT 1 FROM nowhere;\n' : ''}COMMIT;\n`
  writeFileSync(join(place, '20990101000000_next', 'migration.sql'), sql)
  return pathToFileURL(`${place}/`)
}

// In order: the next migration fails, is fixed, and was left unfinished.
describe('migrations of one database', { shuffle: false }, () => {
  let url: string
  let drop: () => Promise<void>
  beforeAll(async () => {
    const migrated = await migratedDatabaseUrl(join(folder, 'next'))
    url = migrated.url
    drop = migrated.drop
  })
  afterAll(() => drop())

  test('a failed migration, such as one without a transaction, reports its name and cause, and changes nothing', async () => {
    const database = await openDatabase(url, 4)
    const withoutTransaction = migrations(false)
    writeFileSync(new URL('20990101000000_next/migration.sql', withoutTransaction), 'CREATE TABLE half (id int);\n')
    await expect(migrate(database, withoutTransaction)).rejects.toThrow(
      /20990101000000_next failed: .* "BEGIN;" to "COMMIT;"/,
    )
    await expect(migrate(database, migrations(true))).rejects.toThrow(/20990101000000_next[\s\S]*nowhere/)
    const half = await database.pool.query("select to_regclass('half') as name, to_regclass('event') as event")
    expect(half.rows).toEqual([{ name: null, event: 'event' }])
    await database.close()
  })

  test('after the migration is fixed, a CLI command applies it and exits', () => {
    const script = `
      import { migrate } from './src/engine/postgres/migrate.ts'
      import { openDatabase } from './src/engine/postgres/open-database.ts'
      const database = await openDatabase(${JSON.stringify(url)}, 1)
      const applied = await migrate(database, new URL(${JSON.stringify(migrations(false).href)}))
      await database.close()
      console.log(applied, process.getActiveResourcesInfo().filter((name) => name === 'Timeout'))`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(
      "[ '20990101000000_next' ] []\n",
    )
  })

  test('a migration that a killed process of version 0.1 left unfinished is applied again', async () => {
    const database = await openDatabase(url, 4)
    await database.pool.query(`DROP TABLE IF EXISTS half`)
    await database.pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '20990101000000_next'`)
    await database.pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '20990101000000_next')`,
    )
    expect(await migrate(database, migrations(false))).toEqual(['20990101000000_next'])
    const { rows } = await database.pool.query(
      `SELECT finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS "rolledBack" FROM _prisma_migrations
       WHERE migration_name = '20990101000000_next' ORDER BY started_at`,
    )
    expect(rows).toEqual([
      { finished: false, rolledBack: true },
      { finished: true, rolledBack: false },
    ])
    expect(await migrate(database, migrations(false))).toEqual([])
    await database.close()
  })
})

describe('migrations of other databases', () => {
  test.runIf(inject('server'))('a lost connection fails the migration that ran and not the process', async () => {
    const { url, drop } = await migratedDatabaseUrl(join(folder, 'lost'))
    const database = await openDatabase(url, 4)
    const place = migrations(false)
    writeFileSync(new URL('20990101000000_next/migration.sql', place), 'BEGIN;\nSELECT pg_sleep(60);\nCOMMIT;\n')
    const outcome = expect(migrate(database, place)).rejects.toThrow(
      /20990101000000_next failed: terminating connection/,
    )
    const terminateSleeping = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()`
    await expect.poll(async () => (await database.pool.query(terminateSleeping)).rowCount).toBe(1)
    await outcome
    expect(await migrate(database, migrations(false))).toEqual(['20990101000000_next'])
    await database.close()
    await drop()
  })

  test.runIf(inject('server'))('the user and the database of the documentation are enough', async () => {
    const name = `calendar_test_${randomUUID()}`
    const [, documented = ''] = /```sql\n(CREATE USER[^`]*)```/.exec(readFileSync('docs/deployment.md', 'utf8')) ?? []
    const server = new URL('/postgres', inject('template'))
    for (const statement of documented.replaceAll('calendar', `"${name}"`).split(';\n')) {
      await administer(server.href, statement)
    }
    const url = new URL(`/${name}`, server)
    url.username = name
    const database = await openDatabase(url.href, 1)
    expect(await migrate(database)).toEqual(migrationNames())
    await database.close()
    for (const kind of ['DATABASE', 'USER']) await administer(server.href, `DROP ${kind} "${name}"`)
  })

  test('a database with other tables is rejected and not changed; without, processes that start together apply each migration once, and Prisma shares the history', async () => {
    const { url, drop } = await unmigratedDatabaseUrl(join(folder, 'empty'))
    const database = await openDatabase(url, 4)
    await database.pool.query('CREATE TABLE invoice (id int)')
    await expect(migrate(database)).rejects.toThrow(/"invoice".*empty database/)
    const { rows } = await database.pool.query("SELECT to_regclass('_prisma_migrations') AS history")
    expect(rows).toEqual([{ history: null }])
    await database.pool.query('DROP TABLE invoice')

    const opened = [database]
    // Only one process can open an embedded database.
    if (!database.isEmbedded) opened.push(await openDatabase(url, 4), await openDatabase(url, 1))
    const applied = await Promise.all(opened.map((database) => migrate(database)))
    expect(applied.flat()).toEqual(migrationNames())

    const engine = await schemaEngine(database.pool, readFileSync('prisma/schema.prisma', 'utf8'))
    const migrationDirectories = migrationNames().map((path) => {
      const value = readFileSync(`prisma/migrations/${path}/migration.sql`, 'utf8')
      return { path, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } }
    })
    const lockfile = { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' }
    const diagnosis = await engine.diagnoseMigrationHistory({
      migrationsList: { baseDir: 'prisma/migrations', lockfile, shadowDbInitScript: '', migrationDirectories },
      optInToShadowDatabase: false,
      filters: { externalTables: [], externalEnums: [] },
    })
    expect(diagnosis).toMatchObject({
      hasMigrationsTable: true,
      history: null,
      editedMigrationNames: [],
      failedMigrationNames: [],
    })
    for (const each of opened) await each.close()
    await drop()
  })

  test('the Prisma schema equals the schema of the database', async () => {
    const { db, close } = await openTestDatabase()
    const models = Object.values(db).filter((model) => typeof model === 'object' && model && 'findFirst' in model)
    expect(models.length).toBeGreaterThan(20)
    for (const model of models as { findFirst(): Promise<unknown> }[]) await model.findFirst()
    await close()
  })
})

describe('time in the database', () => {
  test('an instant is stored correctly in any time zone of the process', async () => {
    const { db, database, close } = await openTestDatabase()
    const createdAt = new Date('2026-07-01T15:00:00Z')
    await db.user.create({ data: { login: 'a', name: 'A', role: 'editor', createdAt } })
    const { rows } = await database.pool.query(`select created_at::text as text from "user"`)
    expect(rows).toEqual([{ text: '2026-07-01 15:00:00+00' }])
    await close()
  })
})
