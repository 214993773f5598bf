import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of the folder and everything in it. */
export function inside(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
}

/** Paths that others than the owner can read, write or enter. */
export const openToOthers = (folder: string): string[] =>
  inside(folder).filter((path) => (statSync(path).mode & 0o077) !== 0)
