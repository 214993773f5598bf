// Names the running command in the log of changes, such as `command import-ics`.
import type { Command } from 'commander'
import type { Database } from '../engine/postgres/pool.ts'

let source = 'command'

/** Returns the source of what this process writes. */
export const commandSource = (): string => source

/** Sets the source to the name of a command, with those of the commands that it belongs to. */
export function nameCommandSource(command: Command): void {
  const names: string[] = []
  for (let part = command; part.parent; part = part.parent) names.unshift(part.name())
  source = ['command', ...names].join(' ')
}

/** Makes the command the actor of all changes on new connections, also of those that no operation makes. */
export function nameActorOfConnections({ pool }: Database): void {
  const { onConnect } = pool.options
  pool.options.onConnect = async (client) => {
    await onConnect?.(client)
    await client.query(`SELECT set_config('calendar.actor', $1, false)`, [JSON.stringify({ source })])
  }
}

/** Adds an entry that the command exports something. Exports from a replica, and on a full disk, have none. */
export async function logExport(
  { database }: { readonly database: Database },
  what: Readonly<Record<string, unknown>>,
): Promise<void> {
  const fields = Object.entries(what).flatMap(([name, value]) => (value === undefined ? [] : [[name, [null, value]]]))
  const insert = `INSERT INTO change (kind, action, fields, source) VALUES ('site', 'exported', $1, $2)`
  try {
    await database.pool.query(insert, [JSON.stringify(Object.fromEntries(fields)), source])
  } catch (error) {
    // Codes for a read-only transaction and a full disk.
    if (!['25006', '53100'].includes(String((error as { code?: unknown }).code))) throw error
  }
}
