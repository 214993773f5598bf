// Separate PostgreSQL servers that a test can stop, start and replicate.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './process.ts'
import { replaceAll } from './replace-all.ts'

export interface Cluster {
  readonly url: string
  start(): void
  /** Modes of pg_ctl: `fast` closes sessions, `immediate` is like a crash. */
  stop(mode: 'fast' | 'immediate'): void
  drop(): void
  /** Adds the documented settings of a primary, so that a write waits for a replica of the name `one` or `two`. */
  requireReplica(): void
  /** Creates and starts a streaming replica with the documented settings, which calls itself `name` at its primary. */
  replicate(name: string): Promise<Cluster>
  /** Makes a replica a primary. */
  promote(): void
}

/** Creates and starts a cluster. `options` are settings such as `synchronous_commit=off`. */
export const startCluster = (options: readonly string[] = []): Promise<Cluster> =>
  openCluster(options, (data) =>
    run('initdb', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-D', data),
  )

async function openCluster(options: readonly string[], create: (data: string) => void): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-cluster-'))
  const data = join(folder, 'data')
  const port = await freePort()
  mkdirSync(data, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder])
  create(data)
  const settings = options.map((option) => ` -c ${option}`).join('')
  const start = () =>
    run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', `-p ${port} -k ${folder}${settings}`, 'start')
  const stop = (mode: string) => run('pg_ctl', '-D', data, '-w', '-m', mode, 'stop')
  start()
  const drop = () => {
    try {
      stop('immediate')
    } catch {
      // The test has stopped it.
    }
    rmSync(folder, { recursive: true })
  }
  const replicate = (name: string) =>
    openCluster(options, (copy) => {
      const primary = `host=127.0.0.1 port=${port} user=postgres`
      run('pg_basebackup', '-d', primary, '-D', copy, '-X', 'stream', '-c', 'fast', '-C', '-S', name)
      writeFileSync(join(copy, 'standby.signal'), '')
      addSettings(copy, 'postgresql-replica.conf', {
        'host=primary port=5432 user=replicator application_name=one': `${primary} application_name=${name}`,
        "primary_slot_name = 'one'": `primary_slot_name = '${name}'`,
      })
    })
  const requireReplica = () => {
    addSettings(data, 'postgresql-primary.conf', { '#synchronous_standby_names': 'synchronous_standby_names' })
    run('pg_ctl', '-D', data, 'reload')
  }
  const promote = () => run('pg_ctl', '-D', data, '-w', 'promote')
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    drop,
    requireReplica,
    replicate,
    promote,
  }
}

/** Adds a file of docs/deployment to the settings of a cluster. */
function addSettings(data: string, name: string, replacements: Readonly<Record<string, string>> = {}): void {
  const settings = readFileSync(`docs/deployment/${name}`, 'utf8')
  appendFileSync(join(data, 'postgresql.conf'), replaceAll(settings, replacements))
}

/** Runs a program of PostgreSQL. It does not run as root, so root runs it as the user postgres. */
function run(program: string, ...args: string[]): void {
  const path = join(programs(), program)
  const asRoot = process.getuid?.() === 0
  const command = asRoot ? ['runuser', '-u', 'postgres', '--', path] : [path]
  execFileSync(command[0] ?? path, [...command.slice(1), ...args], { cwd: '/', stdio: 'ignore' })
}

/** Folder of the newest PostgreSQL version that Debian packages installed. */
export function programs(): string {
  const place = '/usr/lib/postgresql'
  const [newest] = readdirSync(place).sort((a, b) => Number(b) - Number(a))
  return join(place, newest ?? '', 'bin')
}
