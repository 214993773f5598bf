import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Settings, secretKeys } from '../../../basics/env.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Settings that instances of one service may have different values of. */
const ownKeys: ReadonlySet<string> = new Set<keyof Settings>(['host', 'port'])

/** Changes with whatever may change all responses: the code, its dependencies and the settings. */
export function fingerprintOf(settings: Settings): string {
  const hash = createHash('sha256')
  const files = globSync(['src/**/*.*', 'package-lock.json'], { cwd: root }).sort()
  for (const file of files) hash.update(file).update(readFileSync(`${root}/${file}`))
  const shown = Object.entries(settings).filter(([key]) => !secretKeys.has(key) && !ownKeys.has(key))
  return hash.update(JSON.stringify(shown.sort(([a], [b]) => (a < b ? -1 : 1)))).digest('base64url')
}
