// Child processes and temporary folders, which are removed when the benchmark exits.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
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
  /** Seconds from the start of the process to the first response other than 503. */
  readonly seconds: number
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

interface Start {
  /** Checkout that contains the file; this one by default. */
  readonly checkout?: string | undefined
  readonly args?: readonly string[]
  readonly environment?: Environment
  /** Path to request until the server responds. */
  readonly path?: string
}

/** Starts a TypeScript file of this repository and waits until the port responds. Throws if the process exits first. */
export async function startServer(file: string, port: number, start: Start = {}): Promise<Server> {
  const { args = [], environment = {}, path = '/', checkout } = start
  const startedAt = performance.now()
  const child = spawnFile(file, args, environment, checkout)
  const root = `http://127.0.0.1:${port}`
  const timeout = AbortSignal.timeout(300_000)
  while (!(await isReady(root + path))) {
    if (!children.has(child)) throw new Error(`${file} exited with ${child.exitCode ?? child.signalCode}`)
    if (timeout.aborted) throw new Error(`${file} does not respond on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { root, pid: child.pid ?? 0, seconds, stop: () => stop(child) }
}

/** Runs a TypeScript file of this repository. Throws if it exits with another code than 0. */
export async function runFile(file: string, args: readonly string[], environment: Environment): Promise<void> {
  const child = spawnFile(file, args, environment)
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} exited with ${code ?? signal}`)
}

const thisCheckout = join(import.meta.dirname, '..')

function spawnFile(
  file: string,
  args: readonly string[],
  environment: Environment,
  checkout = thisCheckout,
): ChildProcess {
  // As `npm start` does. Earlier versions have the module in another folder, or not at all.
  const folders = ['src/engine/processes', 'src/process']
  const preload = folders.map((folder) => join(checkout, folder, 'preload.js')).find(existsSync)
  const flags = ['--max-semi-space-size=8', ...(preload ? ['--import', preload] : [])]
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

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    // The service listens before it is ready, and returns 503 until then.
    return response.status !== 503
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
