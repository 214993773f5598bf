// `node test/helpers/embedded-template.ts <folder>`: a migrated embedded database in `pg`, its dump in `dump.tar`, and a database
// without tables in `unmigrated`. A process of its own, since a database never releases its memory.
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openEmbeddedDatabase } from '../../src/engine/postgres/pool.ts'

const [folder = ''] = process.argv.slice(2)
const dataDir = join(folder, 'pg')
const created = openEmbeddedDatabase(dataDir)
await created.pool.query('SELECT')
await created.close()
cpSync(dataDir, join(folder, 'unmigrated', 'pg'), { recursive: true })
const database = openEmbeddedDatabase(dataDir)
await migrate(database)
await database.close()

/** For databases that live in memory: a small cache, and a short log that is never stored. */
const settings = `
shared_buffers = 16MB
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
min_wal_size = 32MB
wal_recycle = off
wal_init_zero = off
`
const copy = join(folder, 'in-memory')
cpSync(dataDir, copy, { recursive: true })
appendFileSync(join(copy, 'postgresql.conf'), settings)
const lite = await PGlite.create({ dataDir: copy })
// Half of the files, which take half of the time to open a database.
await lite.exec('UPDATE pg_database SET datistemplate = false')
for (const template of ['template0', 'template1']) await lite.exec(`DROP DATABASE ${template}`)
const dump = await lite.dumpDataDir('none')
await lite.close()
rmSync(copy, { recursive: true })
writeFileSync(join(folder, 'dump.tar'), Buffer.from(await dump.arrayBuffer()))
