import { fork } from 'node:child_process'
import { once } from 'node:events'
import { folderOf, hasDatabase } from '../db/open-database.ts'
import type { Settings } from '../env.ts'

export function needsCreation({ databaseUrl }: Settings): boolean {
  const folder = folderOf(databaseUrl)
  return folder !== undefined && !hasDatabase(folder)
}

/**
 * Creates an embedded database that does not exist yet, with the sample data. In a process of its own, because that takes
 * 500 MB, of which this process would keep more than 200. The process ends when this one does.
 */
export async function createEmbedded(): Promise<void> {
  const child = fork(new URL('./creating-process.ts', import.meta.url), { execArgv: [] })
  let reason: unknown
  child.on('message', (message) => {
    reason = message
  })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(String(reason ?? `Creating the database failed: ${signal ?? `exit code ${code}`}`))
}
