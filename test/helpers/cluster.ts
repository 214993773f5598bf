// A separate PostgreSQL server that a test can stop and start.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './process.ts'

export interface Cluster {
  readonly url: string
  start(): void
  /** Modes of pg_ctl: `fast` closes sessions, `immediate` is like a crash. */
  stop(mode: 'fast' | 'immediate'): void
  drop(): void
}

/** Creates and starts a cluster. PostgreSQL does not run as root, so root runs it as the user postgres. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-cluster-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (program: string, ...args: string[]) => {
    const path = join(programs(), program)
    const asRoot = process.getuid?.() === 0
    const command = asRoot ? ['runuser', '-u', 'postgres', '--', path] : [path]
    execFileSync(command[0] ?? path, [...command.slice(1), ...args], { cwd: '/', stdio: 'ignore' })
  }
  mkdirSync(data)
  chmodSync(folder, 0o755)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder])
  run('initdb', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-D', data)
  const start = () =>
    run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', `-p ${port} -k ${folder}`, 'start')
  const stop = (mode: string) => run('pg_ctl', '-D', data, '-w', '-m', mode, 'stop')
  start()
  const drop = () => {
    stop('immediate')
    rmSync(folder, { recursive: true })
  }
  return { url: `postgresql://postgres@127.0.0.1:${port}/postgres`, start, stop, drop }
}

/** Folder of the newest PostgreSQL version that Debian packages installed. */
function programs(): string {
  const place = '/usr/lib/postgresql'
  const [newest] = readdirSync(place).sort((a, b) => Number(b) - Number(a))
  return join(place, newest ?? '', 'bin')
}
