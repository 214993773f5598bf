import { existsSync, rmdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** `folder` and the folders above it that do not exist, the deepest first. */
export function missingFolders(folder: string): string[] {
  const path = resolve(folder)
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))]
}

/** Removes those that are empty. */
export function removeEmptyFolders(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmdirSync(path)
    } catch {
      // Something else is in it, or it was never made.
    }
  }
}
