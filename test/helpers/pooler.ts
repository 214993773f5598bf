// PgBouncer in transaction mode, in front of a PostgreSQL server.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { freePort } from './process.ts'
import { configure, type Program, startProgram } from './program.ts'

export interface Pooler extends Program {
  /** URL of the same database through the pooler. */
  url(direct: string): string
}

/** Starts PgBouncer with the documented configuration for all databases of the server of `direct`, with at most `size` connections for each. */
export async function startPooler(direct: string, size = 4): Promise<Pooler> {
  const { hostname, port: serverPort } = new URL(direct)
  const port = await freePort()
  const { folder, file } = configure('pgbouncer.ini', (own) => ({
    'calendar = host=127.0.0.1 port=5432 dbname=calendar': `* = host=${hostname} port=${serverPort}`,
    'listen_port = 6432': `listen_port = ${port}\nunix_socket_dir =`,
    'auth_type = scram-sha-256': 'auth_type = trust',
    '/etc/pgbouncer/userlist.txt': `${own}/users.txt`,
    'default_pool_size = 40': `default_pool_size = ${size}`,
  }))
  writeFileSync(`${folder}/users.txt`, '"postgres" ""\n')
  // PgBouncer does not run as root.
  const asRoot = process.getuid?.() === 0
  const user = asRoot ? ['setpriv', '--reuid=postgres', '--clear-groups'] : []
  const program = await startProgram({ command: [...user, 'pgbouncer', '-q', file], port, folder })
  return {
    ...program,
    url(target) {
      const url = new URL(target)
      url.host = `127.0.0.1:${port}`
      return url.href
    },
  }
}

/** Whether PgBouncer is installed. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0
