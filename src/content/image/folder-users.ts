// Which databases keep their images in a folder. Files that one of them does not name may be those of another: nobody
// removes any while there are several.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { privateFile, privateFolder } from '../../db/pglite/data-folder.ts'

export interface FolderUsers {
  /** Whether this database was among them already, or the folder is new. */
  readonly isKnown: boolean
  /** Files that stand for the others, with what they are called. */
  readonly others: readonly { readonly path: string; readonly name: string }[]
}

/** Notes that this database uses the folder, and answers who else does. */
export async function noteFolderUser(folder: string, databaseUrl: string): Promise<FolderUsers> {
  const users = join(folder, '.databases')
  const isNew = (await mkdir(folder, { recursive: true, mode: privateFolder })) !== undefined
  await mkdir(users, { recursive: true, mode: privateFolder })
  const name = nameOf(databaseUrl)
  const own = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const known = await readdir(users)
  if (!known.includes(own)) await writeFile(join(users, own), name, { mode: privateFile })
  const others = known.filter((file) => file !== own).map((file) => join(users, file))
  const named = await Promise.all(others.map(async (path) => ({ path, name: await readFile(path, 'utf8') })))
  return { isKnown: isNew || known.includes(own), others: named }
}

/** Without the login of a server. */
function nameOf(databaseUrl: string): string {
  const url = databaseUrl.startsWith('pglite:') ? undefined : URL.parse(databaseUrl)
  return url ? `${url.host}${url.pathname}` : resolve(databaseUrl.replace(/^pglite:/, ''))
}
