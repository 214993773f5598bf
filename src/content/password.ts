import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Status } from '../generated/prisma/enums.ts'
import { may, mayEdit, type Owned, type Viewer } from './rights.ts'

const derive = promisify<string, Uint8Array, number, Buffer>(scrypt)

/**
 * What the password of a record is stored as. One slow hash per database (salt) and password: a request derives the key
 * of the password it brings once, and every record is compared with that by equality.
 */
export async function passwordKey(password: string, salt: Uint8Array): Promise<string> {
  return (await derive(password.normalize('NFC'), salt, 32)).toString('base64url')
}

/** What a password that is set is stored as: undefined leaves it, null or empty removes it. */
export async function storedPassword(
  password: string | null | undefined,
  { passwordSalt }: { readonly passwordSalt: Uint8Array },
): Promise<string | null | undefined> {
  if (password === undefined) return undefined
  return password === null || password === '' ? null : passwordKey(password, passwordSalt)
}

/** Columns that tell whether a record is locked. */
export const lockColumns = { passwordKey: true, authorId: true, status: true, trashedFrom: true } as const

export interface Lockable extends Owned {
  readonly passwordKey: string | null
}

interface Opener {
  readonly passwordKey: string | undefined
  readonly viewer: Viewer | undefined
  readonly forEditing: boolean
}

/** Whether a record's fields are withheld from this operation: its password was not given, nor is it read to be edited. */
export function isLocked(record: Lockable, { passwordKey: given, viewer, forEditing }: Opener): boolean {
  if (record.passwordKey === null || record.passwordKey === given) return false
  return !(forEditing && mayEdit(viewer, record))
}

/** The same as a `where`: records that may be found, counted and ordered by what a lock withholds. */
export function unlocked({ passwordKey: given, viewer, forEditing }: Opener) {
  if (forEditing && may(viewer, 'editOthers')) return {}
  const open: { passwordKey?: string | null; authorId?: number; status?: { notIn: Status[] } }[] = [
    { passwordKey: null },
  ]
  if (given !== undefined) open.push({ passwordKey: given })
  if (forEditing && may(viewer, 'publish')) open.push({ authorId: viewer?.id ?? 0 })
  else if (forEditing && may(viewer, 'write')) {
    open.push({ authorId: viewer?.id ?? 0, status: { notIn: ['publish', 'future', 'trash'] } })
  }
  return { OR: open }
}
