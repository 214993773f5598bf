import type { Reads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import { postKinds } from '../../kinds.ts'
import { may, mayEdit, type OwnedRecord } from '../../service/auth/permissions.ts'
import { slowHash } from '../../service/auth/secrets.ts'
import type { Context, Withheld } from '../../service/context.ts'

/** Hashes a password. All hashes of a database have the same salt, so that SQL can compare them. */
export const hashRecordPassword = (password: string, salt: Uint8Array): Promise<string> => slowHash(password, salt, {})

/** Returns the value to store in the column `password_key`: undefined leaves it, null removes it. */
export async function passwordColumnValue(
  password: string | null | undefined,
  { passwordSalt }: { readonly passwordSalt: Uint8Array },
): Promise<string | null | undefined> {
  if (password === undefined) return undefined
  return password === null || password === '' ? null : hashRecordPassword(password, passwordSalt)
}

export const ownerColumns = { authorId: true, status: true, trashedFrom: true } as const

/** Columns that `isLocked` needs. */
export const lockColumns = { id: true, passwordKey: true, ...ownerColumns } as const

export interface LockableRecord extends OwnedRecord {
  readonly id: number
  readonly passwordKey: string | null
}

type Reader = Pick<Context, 'passwordKey' | 'viewer' | 'forEditing' | 'withheld'>

/** Whether the fields of the record are hidden: the operation sends no matching password, and does not read it for editing. */
export function isLocked(record: LockableRecord, { passwordKey, viewer, forEditing, withheld }: Reader): boolean {
  if (record.passwordKey === null || record.passwordKey === passwordKey) return false
  if (forEditing && mayEdit(viewer, record)) return false
  withheld?.records.add(record.id)
  return true
}

/** A `where` filter that selects unlocked records: the opposite of `isLocked`. */
export function unlockedFilter({ passwordKey, viewer, forEditing, withheld }: Reader) {
  if (forEditing && may(viewer, 'editOthers')) return {}
  if (withheld) withheld.byFilter = true
  const open: OpenFilter[] = [{ passwordKey: null }]
  if (passwordKey !== undefined) open.push({ passwordKey })
  // In SQL, NOT (NULL = 1) is NULL: the first condition keeps the negation of this filter correct for authors that are null.
  const own = { AND: [{ authorId: { not: null } }, { authorId: viewer?.id ?? 0 }] }
  if (forEditing && may(viewer, 'publish')) open.push(own)
  else if (forEditing && may(viewer, 'write')) {
    open.push({ AND: [own, { status: { notIn: ['publish', 'future', 'trash'] } }] })
  }
  return { OR: open }
}

type OpenFilter =
  | { passwordKey?: string | null; authorId?: number | { not: null }; status?: { notIn: Status[] } }
  | { AND: OpenFilter[] }

/** `isLocked` as a `where` filter; undefined if no record is locked for this reader. */
export const lockedFilter = (reader: Reader) =>
  reader.forEditing && may(reader.viewer, 'editOthers') ? undefined : { NOT: unlockedFilter(reader) }

/** Whether the operation withheld fields of protected records. A filter may have excluded any protected record. */
export async function wereFieldsWithheld(
  reads: Pick<Reads, 'rows'>,
  { records, terms, byFilter }: Withheld,
): Promise<boolean> {
  if (records.size > 0) return true
  if (byFilter) return existsPost(reads, Prisma.sql`IS NOT NULL`)
  if (terms.size === 0) return false
  const ids = [...terms]
  const [row] = await reads.rows<{ found: boolean }>(
    Prisma.sql`
    SELECT EXISTS (
      SELECT 1 FROM event e WHERE e.password_key IS NOT NULL AND (
        EXISTS (SELECT 1 FROM event_category l WHERE l.event_id = e.id AND l.category_id = ANY(${ids}))
        OR EXISTS (SELECT 1 FROM event_tag l WHERE l.event_id = e.id AND l.tag_id = ANY(${ids}))
      )
    ) AS found`,
    { prepared: true },
  )
  return row?.found ?? false
}

export const isPasswordOfAnyRecord = (reads: Pick<Reads, 'rows'>, key: string): Promise<boolean> =>
  existsPost(reads, Prisma.sql`= ${key}`)

async function existsPost(reads: Pick<Reads, 'rows'>, passwordKey: Prisma.Sql): Promise<boolean> {
  const exists = postKinds.map(
    (kind) => Prisma.sql`EXISTS (SELECT 1 FROM ${Prisma.raw(`"${kind}"`)} WHERE password_key ${passwordKey})`,
  )
  const [row] = await reads.rows<{ found: boolean }>(Prisma.sql`SELECT ${Prisma.join(exists, ' OR ')} AS found`, {
    prepared: true,
  })
  return row?.found ?? false
}
