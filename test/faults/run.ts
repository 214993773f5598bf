// Measures whether the tests notice faults: puts each fault of this folder into a copy of the repository and runs the tests
// that are expected to fail.
//
//   node test/faults/run.ts [--only TEXT]… [--whole] [--types]
//
// --only   faults whose title or area contains TEXT, or one of several
// --whole  runs all tests where the expected ones notice nothing
// --types  only checks that the faults compile
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyRepository } from '../helpers/copy-repository.ts'
import type { Fault } from './fault.ts'

/** The part of all faults that the tests must notice. */
const goal = 0.95

type Outcome = 'noticed' | 'missed' | 'invalid' | 'skipped'

interface Result {
  readonly outcome: Outcome
  readonly detail: string
}

/** What Vitest writes about its run. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    whole: { type: 'boolean' },
    types: { type: 'boolean' },
  },
})

async function readFaults() {
  const areas = globSync('test/faults/*.ts').sort()
  const modules = areas
    .map((file) => basename(file, '.ts'))
    .filter((area) => area !== 'run' && area !== 'fault')
    .map(async (area) => {
      const { faults }: { faults: readonly Fault[] } = await import(`./${area}.ts`)
      return faults.map((fault) => ({ area, ...fault }))
    })
  const only = options.only.map((text) => text.toLowerCase())
  return (await Promise.all(modules))
    .flat()
    .filter(({ area, title }) => [area, title].some((text) => only.some((part) => text.toLowerCase().includes(part))))
}

const folder = mkdtempSync(join(tmpdir(), 'calendar-faults-'))

async function run(command: string, args: readonly string[]) {
  const child = spawn(join('node_modules/.bin', command), args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Runs tests until the first fails. */
async function runTests(files: readonly string[]): Promise<Result> {
  const reportFile = join(folder, 'data/report.json')
  rmSync(reportFile, { force: true })
  const reporter = ['--reporter=json', `--outputFile=${reportFile}`]
  const workers = files.length > 0 ? ['--maxWorkers=1'] : []
  const { code, output } = await run('vitest', ['run', '--bail', '1', ...workers, ...reporter, ...files])
  if (code === 0) return { outcome: 'missed', detail: '' }
  if (!existsSync(reportFile)) return { outcome: 'invalid', detail: output.trim() }

  const { testResults }: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const failed = testResults.filter(({ status }) => status === 'failed')
  for (const { name, assertionResults } of failed) {
    const test = assertionResults.find(({ status }) => status === 'failed')
    if (test) return { outcome: 'noticed', detail: `${name.slice(folder.length + 1)}: ${test.fullName}` }
  }
  const prepared = failed.find(({ assertionResults }) => assertionResults.length > 0)
  if (prepared) return { outcome: 'noticed', detail: `${prepared.name.slice(folder.length + 1)}, before its tests` }
  // A file that cannot be loaded says nothing about its tests.
  return { outcome: 'invalid', detail: failed[0]?.message ?? output.trim() }
}

/** Returns the file with the fault, or how often it has the text to replace instead of once. */
function insertFault(source: string, { find, replace }: Fault): string | number {
  const parts = source.split(find)
  return parts.length === 2 ? parts.join(replace) : parts.length - 1
}

async function measure(fault: Fault): Promise<Result> {
  const path = join(folder, fault.file)
  const original = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const faulty = insertFault(original, fault)
  if (typeof faulty === 'number')
    return { outcome: 'skipped', detail: `${fault.file} has the text ${faulty} times. Update the fault.` }
  writeFileSync(path, faulty)
  try {
    const expected = await runTests(fault.tests)
    if (expected.outcome !== 'missed' || !options.whole) return expected
    const all = await runTests([])
    return { ...all, detail: `not by the expected tests. ${all.detail}` }
  } finally {
    writeFileSync(path, original)
  }
}

async function measureAll(faults: readonly (Fault & { readonly area: string })[]): Promise<boolean> {
  const secondsSince = (time: number) => `${Math.round((Date.now() - time) / 1000)} s`
  const counts: Record<Outcome, number> = { noticed: 0, missed: 0, invalid: 0, skipped: 0 }
  const started = Date.now()
  for (const fault of faults) {
    const start = Date.now()
    const { outcome, detail } = await measure(fault)
    counts[outcome]++
    console.log(`${outcome.padEnd(7)}  ${fault.area}: ${fault.title} (${secondsSince(start)}) ${detail}`.trimEnd())
  }
  const summary = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
  console.log(`${faults.length} faults: ${summary.join(', ')}. ${secondsSince(started)}`)
  return faults.length > 0 && counts.noticed >= goal * faults.length
}

/** Checks the types of all faults at once, because each check takes as long as a test file. */
async function checkTypes(faults: readonly Fault[]): Promise<boolean> {
  for (const fault of faults) {
    const path = join(folder, fault.file)
    const faulty = insertFault(readFileSync(path, 'utf8'), fault)
    if (typeof faulty === 'number') console.log(`skipped  ${fault.title}: ${fault.file} has the text ${faulty} times.`)
    else writeFileSync(path, faulty)
  }
  const { code, output } = await run('tsc', ['--noEmit', '--checkers', '1'])
  console.log(code === 0 ? 'The faults compile.' : output.trim())
  return code === 0
}

try {
  copyRepository(folder)
  const faults = await readFaults()
  process.exitCode = (await (options.types ? checkTypes(faults) : measureAll(faults))) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
