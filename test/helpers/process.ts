import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'

/**
 * PostgreSQL is compiled without optimization: a process of a test ends before that pays. One function alone takes a second
 * and 600 MB to optimize.
 */
export const baseline = '--liftoff-only'

/** As in `npm start`: with other flags, V8 refuses the compiled modules that other processes have cached. */
const startArguments = [
  '--max-semi-space-size=8',
  '--import',
  resolve('src/engine/processes/preload.js'),
  resolve('src/server.ts'),
]

export interface Service {
  readonly url: string
  readonly child: ChildProcess
  /** What the process printed so far, on both streams. */
  output(): string
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string | null>
  /** Resolves once it responds; rejects if it ends first. */
  ready(): Promise<void>
}

/**
 * The service as a process of its own, as `npm start` starts it, with these settings and no others; `within` is a command
 * that it is an argument of, and that it replaces.
 */
export async function startService(
  env: Readonly<Record<string, string>>,
  within: readonly string[] = [],
): Promise<Service> {
  const port = await freePort()
  const { PATH = '' } = process.env
  const [command = process.execPath, ...args] = [...within, process.execPath, ...startArguments]
  const child = spawn(command, args, {
    env: { PATH, PORT: String(port), LOG_LEVEL: 'warn', RATE_LIMIT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const url = `http://127.0.0.1:${port}`
  const ready = async () => {
    let over = false
    ended.then(() => (over = true))
    while (!(await isReady(`${url}/cal/events/v1/tags`))) {
      if (over) throw new Error(`The service ended: ${printed}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return { url, child, output: () => printed, ended, ready }
}

/** Credentials of the administrator that `startInstances` creates. */
export const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`

/** Starts instances with these settings and an administrator, and waits until all of them respond. */
export async function startInstances(count: number, env: Readonly<Record<string, string>>): Promise<Service[]> {
  const administrator = { ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
  const services = await Promise.all(
    Array.from({ length: count }, () => startService({ SEED: 'off', ...administrator, ...env })),
  )
  await Promise.all(services.map(({ ready }) => ready()))
  return services
}

export async function killAll(services: readonly Service[]): Promise<void> {
  for (const { child } of services) child.kill('SIGKILL')
  await Promise.all(services.map(({ ended }) => ended))
}

export interface Outcome {
  readonly code: number | string | null
  readonly out: string
  readonly err: string
}

export interface Command {
  readonly child: ChildProcess
  readonly done: Promise<Outcome>
}

/** The command line as a process of its own, with these settings and no others, and nothing on stdin. */
export const startCli = (env: Readonly<Record<string, string>>, ...args: string[]): Command => runCli(env, args, '')

/** The same with `stdin` to read. */
export function runCli(env: Readonly<Record<string, string>>, args: readonly string[], stdin: string): Command {
  return run(env, ['src/tools/main.ts', ...args], stdin)
}

/**
 * The outcomes of commands that one process runs one after another. To start a process for each would take twice as long.
 * `stdin` is for the first of them that reads it.
 */
export async function runCommands(
  env: Readonly<Record<string, string>>,
  commands: readonly (readonly string[])[],
  stdin = '',
): Promise<Outcome[]> {
  const { code, out, err } = await run(env, ['test/helpers/run-commands.ts', JSON.stringify(commands)], stdin).done
  if (code !== 0) throw new Error(`The process of the commands ended with ${code}: ${err}`)
  return JSON.parse(out)
}

function run(env: Readonly<Record<string, string>>, args: readonly string[], stdin: string): Command {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, {
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that is refused does not read all of it.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
  const done = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, out, err }))
  return { child, done }
}

const isReady = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
