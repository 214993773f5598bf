// Runs the migrations once. Every test file starts with a copy of the result.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { baseline } from './process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the suite runs on a PostgreSQL server. */
    server: boolean
    /** File with a dump of the migrated embedded database, or the URL of a migrated database to copy. */
    template: string
  }
}

export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return project.config.provide.server ? serverTemplate(project) : liteTemplate(project)
}

const cache = resolve('node_modules/.cache/test-database')
/** Everything that the migrated database depends on. */
const templateInputs = [
  'prisma/migrations/**/*.sql',
  'src/engine/postgres/**/*.ts',
  'test/helpers/embedded-template.ts',
  'node_modules/@electric-sql/pglite/package.json',
]

/** Making the template takes longer than most test files, so later runs use the same one. */
async function liteTemplate(project: TestProject) {
  const hash = createHash('sha256')
  for (const file of globSync(templateInputs).sort()) hash.update(file).update(readFileSync(file))
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  if (!existsSync(folder)) await makeTemplate(folder)
  project.provide('template', join(folder, 'dump.tar'))
  return async () => {}
}

async function makeTemplate(folder: string): Promise<void> {
  const unfinished = `${folder}-${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  await promisify(execFile)(process.execPath, [baseline, 'test/helpers/embedded-template.ts', unfinished])
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    // Another run may have made it in the meantime.
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

async function serverTemplate(project: TestProject) {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (!serverUrl) throw new Error('Set TEST_DATABASE_URL to a PostgreSQL server on which databases may be created.')
  const url = new URL(serverUrl)
  url.pathname = `/calendar_template_${process.pid}`
  await administer(serverUrl, `CREATE DATABASE "${url.pathname.slice(1)}"`)
  const database = openServerDatabase(url.href, 2)
  await migrate(database)
  await database.close()
  project.provide('template', url.href)
  return () => administer(serverUrl, `DROP DATABASE "${url.pathname.slice(1)}" WITH (FORCE)`)
}

export async function administer(url: string, sql: string): Promise<void> {
  const server = openServerDatabase(url, 1)
  await server.pool.query(sql)
  await server.close()
}
