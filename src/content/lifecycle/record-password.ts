import { may, mayEdit, type OwnedRecord, type Viewer } from '../../auth/permissions.ts'
import { slowHash } from '../../auth/slow-hash.ts'
import type { Withheld } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import { postKinds } from '../kinds.ts'

/** What the password of a record is stored as. All of a database have one salt: keys are compared by equality. */
export const passwordKey = (password: string, salt: Uint8Array): Promise<string> => slowHash(password, salt, {})

/** What a password that is set is stored as: undefined leaves it, null or empty removes it. */
export async function storedPassword(
  password: string | null | undefined,
  { passwordSalt }: { readonly passwordSalt: Uint8Array },
): Promise<string | null | undefined> {
  if (password === undefined) return undefined
  return password === null || password === '' ? null : passwordKey(password, passwordSalt)
}

/** Columns that tell whether a record is locked. */
export const lockColumns = { id: true, passwordKey: true, authorId: true, status: true, trashedFrom: true } as const

export interface Lockable extends OwnedRecord {
  readonly id: number
  readonly passwordKey: string | null
}

interface Opener {
  readonly passwordKey: string | undefined
  readonly viewer: Viewer | undefined
  readonly forEditing: boolean
  readonly withheld?: Withheld | undefined
}

/** Whether a record's fields are withheld from this operation: its password was not given, nor is it read to be edited. */
export function isLocked(record: Lockable, { passwordKey: given, viewer, forEditing, withheld }: Opener): boolean {
  if (record.passwordKey === null || record.passwordKey === given) return false
  if (forEditing && mayEdit(viewer, record)) return false
  withheld?.records.add(record.id)
  return true
}

/** The same as a `where`: records that may be found, counted and ordered by what a lock withholds. */
export function unlocked({ passwordKey: given, viewer, forEditing, withheld }: Opener) {
  if (forEditing && may(viewer, 'editOthers')) return {}
  if (withheld) withheld.byFilter = true
  const open: Open[] = [{ passwordKey: null }]
  if (given !== undefined) open.push({ passwordKey: given })
  // Who wrote a record may be unknown: without the first part the opposite of this would be unknown too.
  const own = { AND: [{ authorId: { not: null } }, { authorId: viewer?.id ?? 0 }] }
  if (forEditing && may(viewer, 'publish')) open.push(own)
  else if (forEditing && may(viewer, 'write')) {
    open.push({ AND: [own, { status: { notIn: ['publish', 'future', 'trash'] } }] })
  }
  return { OR: open }
}

type Open =
  | { passwordKey?: string | null; authorId?: number | { not: null }; status?: { notIn: Status[] } }
  | { AND: Open[] }

/** The opposite: records whose fields are withheld from this operation; undefined where it opens them all. */
export const lockedOut = (opener: Opener) =>
  opener.forEditing && may(opener.viewer, 'editOthers') ? undefined : { NOT: unlocked(opener) }

/** Whether protected records are among what was withheld: a filter may have left out any. */
export async function isAnyProtected(db: Db, { records, terms, byFilter }: Withheld): Promise<boolean> {
  if (records.size > 0) return true
  if (byFilter) return existsPost(db, Prisma.sql`IS NOT NULL`)
  if (terms.size === 0) return false
  const ids = [...terms]
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM event e WHERE e.password_key IS NOT NULL AND (
        EXISTS (SELECT 1 FROM event_category l WHERE l.event_id = e.id AND l.category_id = ANY(${ids}))
        OR EXISTS (SELECT 1 FROM event_tag l WHERE l.event_id = e.id AND l.tag_id = ANY(${ids}))
      )
    ) AS found`
  return row?.found ?? false
}

/** Whether this is the key of any record's password. */
export const isKeyOfAny = (db: Db, key: string): Promise<boolean> => existsPost(db, Prisma.sql`= ${key}`)

async function existsPost(db: Db, passwordKey: Prisma.Sql): Promise<boolean> {
  const exists = postKinds.map(
    (kind) => Prisma.sql`EXISTS (SELECT 1 FROM ${Prisma.raw(`"${kind}"`)} WHERE password_key ${passwordKey})`,
  )
  const [row] = await db.$queryRaw<{ found: boolean }[]>`SELECT ${Prisma.join(exists, ' OR ')} AS found`
  return row?.found ?? false
}
