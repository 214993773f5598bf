import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, Buffer>(scrypt)

/**
 * What the password of a record is stored as. One slow hash per database (salt) and password: a request derives the key
 * of the password it brings once, and every record is compared with that by equality.
 */
export async function passwordKey(password: string, salt: Uint8Array): Promise<string> {
  return (await derive(password.normalize('NFC'), salt, 32)).toString('base64url')
}

/** Whether a record's fields are withheld from this operation. */
export const isLocked = (
  record: { passwordKey: string | null },
  context: { passwordKey: string | undefined },
): boolean => record.passwordKey !== null && record.passwordKey !== context.passwordKey

/** The same as a `where`: records that may be found, counted and ordered by what a lock withholds. */
export const unlocked = (context: { passwordKey: string | undefined }) =>
  context.passwordKey === undefined
    ? { passwordKey: null }
    : { OR: [{ passwordKey: null }, { passwordKey: context.passwordKey }] }
