// PgBouncer in transaction mode, in front of a PostgreSQL server.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './process.ts'
import { replaceAll } from './replace-all.ts'

export interface Pooler {
  /** URL of the same database through the pooler. */
  url(direct: string): string
  kill(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts PgBouncer with the documented configuration for all databases of the server of `direct`, with at most `size` connections for each. */
export async function startPooler(direct: string, size = 4): Promise<Pooler> {
  const { hostname, port: serverPort } = new URL(direct)
  const folder = mkdtempSync(join(tmpdir(), 'calendar-pooler-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const replacements: Readonly<Record<string, string>> = {
    'calendar = host=127.0.0.1 port=5432 dbname=calendar': `* = host=${hostname} port=${serverPort}`,
    'listen_port = 6432': `listen_port = ${port}\nunix_socket_dir =`,
    'auth_type = scram-sha-256': 'auth_type = trust',
    '/etc/pgbouncer/userlist.txt': join(folder, 'users.txt'),
    'default_pool_size = 40': `default_pool_size = ${size}`,
  }
  writeFileSync(file, replaceAll(readFileSync('docs/deployment/pgbouncer.ini', 'utf8'), replacements))
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
  chmodSync(folder, 0o755)
  // PgBouncer does not run as root.
  const asRoot = process.getuid?.() === 0
  const [command = '', ...args] = [
    ...(asRoot ? ['setpriv', '--reuid=postgres', '--clear-groups'] : []),
    'pgbouncer',
    '-q',
    file,
  ]
  const start = async () => {
    const child = spawn(command, args, { cwd: '/', stdio: 'ignore' })
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`)
      await setTimeout(20)
    }
    return child
  }
  let child = await start()
  const kill = async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return {
    url(target) {
      const url = new URL(target)
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    kill,
    async restart() {
      await kill()
      child = await start()
    },
    async close() {
      await kill()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Whether PgBouncer is installed. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0

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
