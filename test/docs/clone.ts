// A copy of the repository to follow its documents in, as somebody who cloned it has it. `npm ci` is not run again: the
// packages are those of this repository, and so is the code that it generates.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { copyRepository } from '../helpers/copy-repository.ts'
import { freePort } from '../helpers/process.ts'

export interface Clone {
  readonly folder: string
  /** Runs `npm start` until the service responds. Returns its output. */
  start(): Promise<string>
  /** Nothing happens where it does not run. */
  stop(): Promise<void>
  /** Runs commands as a shell does that ends with the first that fails. */
  run(commands: string): Promise<{ code: number | null; out: string; err: string }>
  /** Files that git would show as new or changed. */
  changes(): string
  drop(): Promise<void>
}

/** The documents show a service that was first started at this time. */
const firstStart = '2026-11-21T12:00:00Z'

/**
 * A server on a busy machine may take several attempts to connect to, each of which is a line. The first start on a server
 * does less than what the documents show, and says so.
 */
const withoutWaiting = (printed: string) =>
  printed.replace(/^(Waiting for the database, |Loading sample events).*\n/gm, '')

const setup = (offset: number) => `const Real = Date
globalThis.Date = class extends Real {
  constructor(...values) { values.length > 0 ? super(...values) : super(Real.now() + ${offset}) }
  static now() { return Real.now() + ${offset} }
}`

export async function cloneRepository(env: Readonly<Record<string, string>>): Promise<Clone> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-docs-'))
  copyRepository(folder)
  const port = await freePort()
  const offset = Date.parse(firstStart) - Date.now()
  const { PATH = '', HOME = folder } = process.env
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(setup(offset))}`
  const variables = { PATH, HOME, NODE_OPTIONS, PORT: String(port), NO_UPDATE_NOTIFIER: '1', ...env }
  const here = (text: string) =>
    text.replaceAll('localhost:4000', `localhost:${port}`).replaceAll('/tmp/', `${folder}/data/`)
  const there = (text: string) =>
    text.replaceAll(`localhost:${port}`, 'localhost:4000').replaceAll(`${folder}/data/`, '/tmp/')
  let password = ''

  const launch = () => {
    // A group of processes: npm, its shell, and the service.
    const child = spawn('npm', ['start'], { cwd: folder, env: variables, detached: true })
    child.stdin.end()
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
    const state = { isOver: false }
    const ended = once(child, 'close').then(() => {
      state.isOver = true
    })
    return { child, ended, state, output: () => printed }
  }
  let service: ReturnType<typeof launch> | undefined

  const stop = async () => {
    const running = service
    service = undefined
    if (!running || running.state.isOver) return
    process.kill(-(running.child.pid ?? 0), 'SIGTERM')
    await running.ended
  }

  const isReady = () =>
    fetch(`http://localhost:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )

  return {
    folder,
    start: async () => {
      service ??= launch()
      const { state, output } = service
      while (!(await isReady())) {
        if (state.isOver) throw new Error(`The service ended: ${output()}`)
        await setTimeout(50)
      }
      password ||= /password +(\S+)/.exec(output())?.[1] ?? ''
      // Without what npm says of the script, and without the log.
      return withoutWaiting(there(output()))
        .split('\n')
        .filter((line) => !/^([>{]|$)/.test(line))
        .join('\n')
    },
    stop,
    run: async (commands) => {
      const options = { cwd: folder, env: { ...variables, PASSWORD: password } }
      const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', here(commands)], options)
      child.stdin.end()
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { code, out: there(out), err: withoutWaiting(there(err)) }
    },
    changes: () => execFileSync('git', ['-C', folder, 'status', '--short'], { encoding: 'utf8' }),
    drop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
