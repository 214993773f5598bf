import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder and everything in it. */
export function inside(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
}

/** What is there for others than its owner to read, write or enter. */
export const openToOthers = (folder: string): string[] =>
  inside(folder).filter((path) => (statSync(path).mode & 0o077) !== 0)
