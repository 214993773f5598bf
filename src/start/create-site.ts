// Loads the sample data in a child process: loading takes several hundred megabytes, and this process would keep a part of them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Settings } from '../basics/env.ts'
import type { Db } from '../engine/postgres/client.ts'
import { databaseFolderOf, hasDatabase } from '../engine/postgres/open-database.ts'
import { queryRows } from '../engine/postgres/query.ts'

/** Whether there is no embedded database in the folder yet. */
export function needsCreation({ databaseUrl }: Settings): boolean {
  const folder = databaseFolderOf(databaseUrl)
  return folder !== undefined && !hasDatabase(folder)
}

/** Whether the database is empty and should get the sample data. Call after the migrations. */
export async function needsSample(settings: Settings, db: Db): Promise<boolean> {
  return settings.seed && (await queryRows(db, { text: selectSite, values: [], prepared: undefined })).length === 0
}

const selectSite = 'SELECT 1 FROM site'

/**
 * Creates an embedded database with the sample data, or fills the database of a server. Runs in a child process, which ends when
 * this process ends.
 */
export async function createSite(): Promise<void> {
  const execArgv = ['--import', new URL('../engine/processes/preload.js', import.meta.url).href]
  const child = fork(new URL('./creating-process.ts', import.meta.url), { execArgv })
  let reason: unknown
  child.on('message', (message) => {
    reason = message
  })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(String(reason ?? `Creating the database failed: ${signal ?? `exit code ${code}`}`))
}
