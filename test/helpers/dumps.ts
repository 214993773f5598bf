// Runs the commands that docs/operations.md has for backups, and compares databases.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { readBlocks } from '../docs/blocks.ts'
import { programs } from './cluster.ts'
import { replaceAll } from './replace-all.ts'

const blocks = readBlocks('docs/operations.md').filter(({ language }) => language === 'console')

/** The commands of the block that contains `part`. */
export function documented(part: string): string {
  const [block, ...others] = blocks.filter(({ text }) => text.includes(part))
  if (!block || others.length > 0) throw new Error(`Not exactly one block of docs/operations.md contains: ${part}`)
  return block.text
}

/** Runs commands in `folder`, on the server of `url`, and returns what they print. Stops at the first that fails. */
export async function runCommands(
  commands: string,
  { url, folder, replacements = {} }: { url: string; folder: string; replacements?: Readonly<Record<string, string>> },
): Promise<string> {
  const { hostname, port, username } = new URL(url)
  const env = { PATH: `${programs()}:${process.env.PATH}`, PGHOST: hostname, PGPORT: port, PGUSER: username }
  const script = ['-euo', 'pipefail', '-c', replaceAll(commands, replacements)]
  const { stdout } = await promisify(execFile)('bash', script, { cwd: folder, env, maxBuffer: 2 ** 26 })
  return stdout
}

/** URL of another database of the same server. */
export const databaseOf = (url: string, name: string): string => new URL(`/${name}`, url).href

export interface Contents {
  /** The number of rows and a digest of them, by table. */
  readonly tables: Readonly<Record<string, string>>
  readonly sequences: Readonly<Record<string, string>>
}

/** Reads all rows of all tables, with their generated columns, and the sequences. */
export async function readContents(url: string): Promise<Contents> {
  const database = openServerDatabase(url, 1)
  const read = async (select: string) => (await database.pool.query<{ name: string; value: string }>(select)).rows
  const relations = (kind: string) =>
    read(`SELECT quote_ident(relname) AS name, relkind AS value FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = '${kind}' ORDER BY relname COLLATE "C"`)
  const values = async (kind: string, value: string) => {
    const all: Record<string, string> = {}
    for (const { name } of await relations(kind)) {
      all[name] = (await read(`SELECT '' AS name, ${value} AS value FROM ${name} AS r`))[0]?.value ?? ''
    }
    return all
  }
  try {
    const digest = `md5(string_agg(r::text, E'\\n' ORDER BY r::text COLLATE "C"))`
    return {
      tables: await values('r', `concat_ws(' ', count(*), 'rows', ${digest})`),
      sequences: await values('S', `concat_ws(' ', last_value, is_called)`),
    }
  } finally {
    await database.close()
  }
}

/** What pg_dump writes of tables, functions, triggers, indexes and constraints. */
export async function readSchema(name: string, server: { url: string; folder: string }): Promise<string> {
  const sql = await runCommands(`pg_dump --schema-only ${name}`, server)
  // Lines with a random key, and parentheses that PostgreSQL leaves out when it reads them again.
  return sql.replace(/^\\(un)?restrict .*$/gm, '').replace(/[()]/g, '')
}
