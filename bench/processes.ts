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

/** Starts a TypeScript file of this repository and waits until its port answers. Throws when it ends before that. */
export async function startServer(
  file: string,
  port: number,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const path = join(import.meta.dirname, '..', file)
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const patience = AbortSignal.timeout(60_000)
  while (!(await answers(port))) {
    if (!children.has(child)) throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}`)
    if (patience.aborted) throw new Error(`${file} does not answer on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function stopServers(): Promise<void> {
  await Promise.all(
    [...children].map((child) => {
      child.kill('SIGTERM')
      return once(child, 'exit')
    }),
  )
}

async function answers(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`)
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
