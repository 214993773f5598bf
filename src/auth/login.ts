import type { Tx } from '../db/client.ts'
import type { Role } from '../generated/prisma/enums.ts'

/** The one spelling of a login: its case does not matter to whoever signs in. */
export const canonicalLogin = (login: string): string => login.trim().normalize('NFC').toLowerCase()

/** Text on one line from what others wrote, cut to what is sensible to keep; undefined when nothing is left. */
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
 * Adds a user under the login wanted, or with a number after it when others have that. Answers undefined when the
 * subject came meanwhile by another request.
 */
export async function addUser({ user }: Pick<Tx, 'user'>, { login, ...data }: NewUser) {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? login : `${login}-${number}`
    const [added] = await user.createManyAndReturn({ data: [{ ...data, login: candidate }], skipDuplicates: true })
    if (added) return added
    if (data.oidcSubject && (await user.count({ where: { oidcSubject: data.oidcSubject } })) > 0) return undefined
  }
}
