// Passwords that people choose. A user has at most one that is valid.
import { badInputError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { adminPasswordName } from './first-administrator.ts'
import { chosenHashPrefix } from './secrets.ts'

const passwordLength = { min: 10, max: 200 } as const

export const isPasswordAllowed = (password: string): boolean => {
  const { length } = [...password.normalize('NFC')]
  return length >= passwordLength.min && length <= passwordLength.max
}

/** Throws badInputError for a password that is too short or too long. */
export function checkNewPassword(password: string, field: string): void {
  if (isPasswordAllowed(password)) return
  const { min, max } = passwordLength
  throw badInputError({ [field]: `${field} must have ${min} to ${max} characters.` })
}

/** Stores the hash of a new password, and ends all sessions and links of the user except `session`. */
export async function replacePassword(
  { credential }: Pick<Tx, 'credential'>,
  { userId, hash, now, session = 0 }: { userId: number; hash: string; now: Date; session?: number | undefined },
): Promise<void> {
  const former = { userId, hash: { startsWith: chosenHashPrefix } }
  const revoke = { revokedAt: now }
  await credential.deleteMany({ where: { ...former, name: { not: adminPasswordName } } })
  // Not deleted, because the next start would add it again.
  await credential.updateMany({ where: { ...former, revokedAt: null }, data: revoke })
  await credential.create({
    data: { userId, kind: 'application_password', name: 'Password', hash, createdAt: now },
  })
  const kind = { in: ['session' as const, 'sign_in_link' as const] }
  await credential.updateMany({ where: { userId, kind, id: { not: session }, revokedAt: null }, data: revoke })
}
