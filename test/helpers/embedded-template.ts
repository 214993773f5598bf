// `node test/helpers/embedded-template.ts <folder>`: a migrated embedded database in `pg`, and its dump in `dump.tar`. A process
// of its own, since the memory of a database is never given back.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../../src/db/migrate.ts'
import { openEmbedded } from '../../src/db/pool.ts'

const [folder = ''] = process.argv.slice(2)
const dataDir = join(folder, 'pg')
const database = openEmbedded(dataDir)
await migrate(database)
await database.close()
const lite = await PGlite.create({ dataDir })
const dump = await lite.dumpDataDir('none')
await lite.close()
writeFileSync(join(folder, 'dump.tar'), Buffer.from(await dump.arrayBuffer()))
