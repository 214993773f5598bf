import type { Tx } from '../../engine/postgres/client.ts'
import type { Role } from '../../generated/prisma/enums.ts'

/** Converts a login to its stored form, so that users may type a login in any case. */
export const toCanonicalLogin = (login: string): string => login.trim().normalize('NFC').toLowerCase()

/** Converts untrusted text to one line of at most `length` characters. Returns undefined for blank text and other types. */
export function toSingleLine(value: unknown, length = 200): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')
  return [...line.trim()].slice(0, length).join('').trim() || undefined
}

interface NewUser {
  readonly login: string
  readonly name: string
  readonly role: Role
  readonly email?: string | undefined
  readonly oidcSubject?: string | undefined
}

/**
 * Adds a user. If the login is taken, appends a number to it. Returns undefined if a concurrent request added a user with
 * the same OIDC subject.
 */
export async function addUser({ user }: Pick<Tx, 'user'>, { login, ...data }: NewUser) {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? login : `${login}-${number}`
    const [added] = await user.createManyAndReturn({ data: [{ ...data, login: candidate }], skipDuplicates: true })
    if (added) return added
    if (data.oidcSubject && (await user.count({ where: { oidcSubject: data.oidcSubject } })) > 0) return undefined
  }
}
