// Programs of the system that a test kills and starts again, such as PgBouncer and Varnish.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { replaceAll } from './replace-all.ts'

export interface Program {
  /** Without a warning, as after a crash. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Kills it and starts it. */
  restart(): Promise<void>
  close(): Promise<void>
}

interface ProgramOptions {
  readonly command: readonly string[]
  /** Where it listens at 127.0.0.1. */
  readonly port: number
  /** Its files, which are removed at the end. */
  readonly folder: string
  /** Whether it can be used, besides that it listens. */
  readonly isReady?: () => Promise<boolean>
}

/** Starts a program. It must stay in the foreground. */
export async function startProgram({ command, port, folder, isReady }: ProgramOptions): Promise<Program> {
  const [file = '', ...args] = command
  const open = async () => {
    const child = spawn(file, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    let printed = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
    while (!(await isListening(port)) || (await isReady?.()) === false) {
      if (child.exitCode !== null) throw new Error(`${file} ended with code ${child.exitCode}: ${printed}`)
      await setTimeout(20)
    }
    return child
  }
  let child = await open()
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    // The process that serves requests for Varnish ends a little later.
    while (await isListening(port)) await setTimeout(20)
  }
  const start = async () => {
    child = await open()
  }
  return {
    kill,
    start,
    async restart() {
      await kill()
      await start()
    },
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A new folder that other users may read, with a copy of a file of docs/deployment in which texts are replaced. */
export function configure(name: string, replacements: (folder: string) => Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-program-'))
  chmodSync(folder, 0o755)
  const file = join(folder, name)
  writeFileSync(file, replaceAll(readFileSync(`docs/deployment/${name}`, 'utf8'), replacements(folder)))
  return { folder, file }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
