// Runs the migrations once. Every test file starts with a copy of the result.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

async function liteTemplate(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-test-'))
  await promisify(execFile)(process.execPath, [baseline, 'test/helpers/embedded-template.ts', folder])
  project.provide('template', join(folder, 'dump.tar'))
  return async () => rmSync(folder, { recursive: true })
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
