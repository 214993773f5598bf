import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of the folder and everything in it. */
export function inside(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
}

/**
 * The folder and what is directly in it, as far as others than the owner can read, write or enter it. What is in a folder that
 * they cannot enter is closed, whatever its mode.
 */
export const openToOthers = (folder: string): string[] =>
  [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(
    (path) => (statSync(path).mode & 0o077) !== 0,
  )
