// Child processes and temporary folders, none of which outlives the benchmark.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const folders = new Set<string>()

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => process.exit(code))

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-bench-'))
  folders.add(folder)
  return folder
}

export interface Server {
  readonly root: string
  readonly pid: number
  /** Seconds from the start of the process to the first answer that was no refusal. */
  readonly seconds: number
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

interface Start {
  /** The checkout that the file is of; this one unless given. */
  readonly checkout?: string | undefined
  readonly args?: readonly string[]
  readonly environment?: Environment
  /** What is asked for until it is answered. */
  readonly path?: string
}

/** Starts a TypeScript file of this repository and waits until `port` answers. Throws when it ends before that. */
export async function startServer(file: string, port: number, start: Start = {}): Promise<Server> {
  const { args = [], environment = {}, path = '/', checkout } = start
  const begun = performance.now()
  const child = spawnFile(file, args, environment, checkout)
  const root = `http://127.0.0.1:${port}`
  const patience = AbortSignal.timeout(60_000)
  while (!(await answers(root + path))) {
    if (!children.has(child)) throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}`)
    if (patience.aborted) throw new Error(`${file} does not answer on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - begun) / 1000
  return { root, pid: child.pid ?? 0, seconds, stop: () => stop(child) }
}

/** Runs a TypeScript file of this repository to its end. Throws unless it ends with 0. */
export async function runFile(file: string, args: readonly string[], environment: Environment): Promise<void> {
  const child = spawnFile(file, args, environment)
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code ?? signal}`)
}

const thisCheckout = join(import.meta.dirname, '..')

function spawnFile(
  file: string,
  args: readonly string[],
  environment: Environment,
  checkout = thisCheckout,
): ChildProcess {
  // As npm start has it.
  const flags = ['--max-semi-space-size=8']
  const child = spawn(process.execPath, [...flags, join(checkout, file), ...args], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (!children.has(child)) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export async function stopServers(): Promise<void> {
  await Promise.all([...children].map(stop))
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    // The service listens before it is ready.
    return answer.status !== 503
  } catch {
    return false
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
