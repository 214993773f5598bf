// Registers which databases use an image folder. While several do, no files are removed: a file that one database does
// not use may belong to another.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { privateFile, privateFolder } from '../../../engine/postgres/pglite/data-folder.ts'

/**
 * Registers the database as a user of the folder. Returns whether it was registered already, or the folder is new, and the
 * registration files of other databases, with the names of these databases.
 */
export async function registerDatabaseOfFolder(folder: string, databaseUrl: string) {
  const users = join(folder, '.databases')
  const isNew = (await mkdir(folder, { recursive: true, mode: privateFolder })) !== undefined
  await mkdir(users, { recursive: true, mode: privateFolder })
  const name = databaseName(databaseUrl)
  const own = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const registered = await readdir(users)
  if (!registered.includes(own)) await writeFile(join(users, own), name, { mode: privateFile })
  const others = registered.filter((file) => file !== own).map((file) => join(users, file))
  const othersWithNames = await Promise.all(others.map(async (path) => ({ path, name: await readFile(path, 'utf8') })))
  return { isKnown: isNew || registered.includes(own), others: othersWithNames }
}

/** The name of a database without user name and password. */
function databaseName(databaseUrl: string): string {
  const url = databaseUrl.startsWith('pglite:') ? undefined : URL.parse(databaseUrl)
  return url ? `${url.host}${url.pathname}` : resolve(databaseUrl.replace(/^pglite:/, ''))
}
