// Every command block of the documents, run in the order of the document in a copy of the repository; where the document
// shows an output, it is compared. `npm ci` is left out: see clone.ts.
import { globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { type Block, masked, readBlocks } from './blocks.ts'
import { type Clone, cloneRepository } from './clone.ts'

/** What contributing.md says is followed by walk-throughs.test.ts. */
const files = ['README.md', ...globSync('docs/**/*.md').sort()].filter((file) => file !== 'docs/contributing.md')

const isServer = inject('server')

/** Starts the service, and compares what it prints. */
async function runStart(clone: Clone, { output }: Block): Promise<void> {
  const printed = await clone.start()
  if (output !== undefined) expect(masked(printed)).toBe(masked(output))
}

async function runCommands(clone: Clone, { commands, output }: Block): Promise<void> {
  const { code, out, err } = await clone.run(commands)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  if (output !== undefined) expect(masked(out)).toBe(masked(output))
}

/** A short run of the benchmark; its numbers depend on the machine. */
async function runBenchmark(clone: Clone, { commands }: Block): Promise<void> {
  const short = commands
    .replace('postgresql://…', process.env.TEST_DATABASE_URL ?? '')
    .replace(/--seconds 2/, '--seconds 0.2 --rounds 1 --events 200 --connections 2')
  const { code, out, err } = await clone.run(short)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('REST list')
}

const needsServer = (block: Block) => block.commands.includes('postgresql://')

async function run(clone: Clone, block: Block): Promise<void> {
  if (needsServer(block)) return runBenchmark(clone, block)
  if (block.commands.includes('npm start')) return runStart(clone, block)
  // The embedded database serves one process.
  if (block.commands.includes('npm run')) await clone.stop()
  else await clone.start()
  return runCommands(clone, block)
}

describe.each(files)('%s', (file) => {
  const blocks = readBlocks(file)
  let clone: Clone
  let drop: () => Promise<void>
  beforeAll(async () => {
    const folder = await emptyDatabaseUrl('')
    drop = folder.drop
    clone = await cloneRepository(isServer ? { DATABASE_URL: folder.url, SEED: 'on' } : {})
    mkdirSync(join(clone.folder, 'data'), { recursive: true })
  })
  afterAll(async () => {
    await clone?.drop()
    await drop?.()
  })

  for (const block of blocks) {
    const name = `line ${block.line}: ${block.commands.slice(0, 60).replaceAll('\n', ' ')}`
    test.skipIf(needsServer(block) && !isServer)(name, async () => {
      await run(clone, block)
    })
  }

  test('leaves nothing that git would show', () => {
    expect(clone.changes()).not.toMatch(/^(\?\?| M)/m)
  })
})
