// Rules for user accounts that several mutations share.

import { isEmail } from '../../basics/contact-links.ts'
import {
  badInputError,
  forbiddenFieldError,
  lastAdministratorError,
  loginTakenError,
  notFoundError,
} from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Role } from '../../generated/prisma/enums.ts'
import { postKinds } from '../../kinds.ts'
import { toCanonicalLogin, toSingleLine } from '../../service/auth/login.ts'
import type { Viewer } from '../../service/auth/permissions.ts'
import type { ImportedValues } from '../lifecycle/modified-at.ts'

interface AccountInput {
  readonly login?: string | null | undefined
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/**
 * Checks an input and returns the columns to write. Null removes the e-mail address and is ignored for other fields. Throws badInputError, and
 * loginTakenError if another user than `id` has the login.
 */
export async function checkAccount(tx: Tx, input: AccountInput, id?: number) {
  const login = input.login == null ? undefined : storedLogin(input.login)
  const name = input.name == null ? undefined : (toSingleLine(input.name, Number.POSITIVE_INFINITY) ?? '')
  const email = input.email?.trim() ?? input.email
  const require = (isValid: boolean, field: keyof AccountInput, expected: string) => {
    if (!isValid) throw badInputError({ [field]: `${field} must ${expected}` })
  }
  await checkAll({
    login: () =>
      require(login === undefined || /^[^:]{1,100}$/u.test(login), 'login', 'have 1 to 100 characters and no colon.'),
    name: () => require(name === undefined || /^.{1,200}$/u.test(name), 'name', 'have 1 to 200 characters.'),
    email: () => require(email == null || isEmail(email), 'email', 'be an address such as ada@example.org.'),
    isFree: async () => {
      const owner = login === undefined ? null : await tx.user.findUnique({ where: { login }, select: { id: true } })
      if (owner && owner.id !== id) throw loginTakenError(owner.id)
    },
  })
  return { login, name, email }
}

/**
 * Throws forbiddenFieldError if a credential that expires sets what leads to a lasting one: an e-mail address, which receives links
 * for a new password, or the role administrator.
 */
export function checkLastingAccess(
  { authentication }: Viewer,
  { email, role }: Pick<AccountInput, 'email'> & { readonly role?: Role | null | undefined },
): void {
  if (!authentication?.expiresAt) return
  const outlasts = 'outlasts a credential that expires. Use a session, or a credential that does not expire.'
  if (email != null)
    throw forbiddenFieldError('email', `An e-mail address receives links for passwords, so it ${outlasts}`)
  if (role === 'administrator') throw forbiddenFieldError('role', `A new administrator ${outlasts}`)
}

const storedLogin = (login: string) => toCanonicalLogin(toSingleLine(login, Number.POSITIVE_INFINITY) ?? '')

export async function createUser(
  tx: Tx,
  { role, ...account }: AccountInput & { readonly role: Role },
  { recordId }: ImportedValues = {},
): Promise<{ readonly id: number }> {
  const { login = '', name = '', email } = await checkAccount(tx, account)
  return throwIfLoginTaken(tx.user.create({ data: { id: recordId, login, name, email, role }, select: { id: true } }))
}

/** Throws loginTakenError if a concurrent request has given the login to another user. */
export async function throwIfLoginTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
    throw isTaken ? loginTakenError() : error
  }
}

/**
 * Throws lastAdministratorError if the user is the only administrator; `field` is the input field that the error names. Locks
 * all administrators, against concurrent changes.
 */
export async function checkAnotherAdministrator(tx: Tx, userId: number, field: 'id' | 'role'): Promise<void> {
  const administrators = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM "user" WHERE role = 'administrator' ORDER BY id FOR NO KEY UPDATE`
  if (administrators.length === 1 && administrators[0]?.id === userId) throw lastAdministratorError(field)
}

/**
 * Makes another user the author of all records of a user, and returns the number of records. Throws badInputError if there are
 * records and `to` is undefined.
 */
export async function reassignRecords(tx: Tx, from: number, to: number | undefined): Promise<number> {
  if (from === to) throw badInputError({ contentTo: 'contentTo must be another user.' })
  // The row locks prevent that concurrent requests add records of the deleted user.
  const users = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM "user" WHERE id IN (${from}, ${to ?? from}) ORDER BY id FOR UPDATE`
  const existing = users.map(({ id }) => id)
  if (!existing.includes(from)) throw notFoundError('user', 'id')
  if (to !== undefined && !existing.includes(to))
    throw badInputError({ contentTo: 'contentTo must be the ID of an existing user.' })
  const change = { where: { authorId: from }, data: { authorId: to ?? null } }
  let records = 0
  for (const kind of [...postKinds, 'image' as const]) {
    const model = tx[kind] as unknown as { updateMany(args: typeof change): Promise<{ count: number }> }
    records += (await model.updateMany(change)).count
  }
  if (to !== undefined || records === 0) return records
  throw badInputError({
    contentTo: `The user is the author of ${records} records. Set contentTo to the user who becomes their author.`,
  })
}
