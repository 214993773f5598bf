// PgBouncer in transaction mode, in front of a PostgreSQL server.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './process.ts'

export interface Pooler {
  /** URL of the same database through the pooler. */
  url(direct: string): string
  kill(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts PgBouncer for all databases of the server of `direct`, with at most `size` connections for each. */
export async function startPooler(direct: string, size = 4): Promise<Pooler> {
  const { hostname, port: serverPort } = new URL(direct)
  const folder = mkdtempSync(join(tmpdir(), 'calendar-pooler-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 200
`,
  )
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
