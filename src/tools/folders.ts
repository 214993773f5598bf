import { existsSync, rmdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** `folder` and its parents that do not exist, deepest first. */
export function missingFolders(folder: string): string[] {
  const path = resolve(folder)
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))]
}

/** Removes the folders that are empty. */
export function removeEmptyFolders(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmdirSync(path)
    } catch {
      // Not empty, or it does not exist.
    }
  }
}
