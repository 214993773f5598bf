// Prints the SQL that leads from a committed schema.prisma to the one in the work tree: the start of a new migration.
// npm run -s migration -- [revision, HEAD by default; "empty" for all of it]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { openEmbeddedDatabase } from '../src/engine/postgres/pool.ts'
import { schemaEngine } from './schema-engine.ts'

const revision = process.argv[2] ?? 'HEAD'
const current = readFileSync(new URL('schema.prisma', import.meta.url), 'utf8')
const schema = (content: string) => ({
  tag: 'schemaDatamodel' as const,
  files: [{ path: 'schema.prisma', content }],
})
const before = () => execFileSync('git', ['show', `${revision}:prisma/schema.prisma`], { encoding: 'utf8' })

const database = openEmbeddedDatabase(undefined)
const engine = await schemaEngine(database.pool, current)
const { stdout } = await engine.diff({
  from: revision === 'empty' ? { tag: 'empty' } : schema(before()),
  to: schema(current),
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
})
process.stdout.write(stdout ?? '')
await database.close()
