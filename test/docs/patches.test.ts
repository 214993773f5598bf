// Whether the patches of docs/contributing.md fit the code. The test of the walk-throughs also runs the result, which takes longer.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { applyPatch, linkedPatches, patchedFiles, patches } from './patches.ts'

test('the page links to every patch, in order', () => {
  expect(linkedPatches()).toEqual(patches)
})

test('each patch fits the files as the earlier ones have left them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-patches-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of patchedFiles()) if (existsSync(file)) cpSync(file, join(folder, file))
  for (const patch of patches) applyPatch(folder, patch)
  expect(patchedFiles().filter((file) => !existsSync(join(folder, file)))).toEqual([])
})
