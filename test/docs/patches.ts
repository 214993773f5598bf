// The walk-throughs of docs/contributing.md: patches, and commands that check the result.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readBlocks } from './blocks.ts'

const document = 'docs/contributing.md'

/** The patches, in the order of the page. */
export const patches: readonly string[] = globSync('docs/walk-throughs/*.patch').sort()

/** Applies a patch to the files of a folder. Throws if a file has changed where the patch changes it. */
export function applyPatch(folder: string, patch: string): void {
  execFileSync('git', ['-C', folder, 'apply', '-C1', resolve(patch)], { stdio: 'pipe' })
}

/** The files that the patches change or add. */
export const patchedFiles = (): string[] => [
  ...new Set(
    patches.flatMap((patch) =>
      [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file),
    ),
  ),
]

/** The blocks of commands. */
export const readCommands = (): string[] =>
  readBlocks(document).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))

/** Patches that the page links to, in its order. */
export const linkedPatches = (): string[] =>
  [...readFileSync(document, 'utf8').matchAll(/\]\((walk-throughs\/[^)]+)\)/g)].map(([, path]) => `docs/${path}`)
