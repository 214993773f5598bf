// Rules of accounts that several mutations share.

import { canonicalLogin, toSingleLine } from '../../auth/login.ts'
import type { Tx } from '../../db/client.ts'
import { badInput, conflict, notFound } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { postKinds } from '../kinds.ts'

interface AccountInput {
  readonly login?: string | null | undefined
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** What is given, as it is stored; a null is as good as nothing, but for the e-mail address. Throws badInput. */
export function accountFields({ login, name, email }: AccountInput) {
  const fields = {
    ...(login == null ? {} : { login: canonicalLogin(toSingleLine(login, Number.POSITIVE_INFINITY) ?? '') }),
    ...(name == null ? {} : { name: toSingleLine(name, Number.POSITIVE_INFINITY) ?? '' }),
    ...(email === undefined ? {} : { email: email === null ? null : email.trim() }),
  }
  const wrong: Record<string, string> = {}
  if (fields.login !== undefined && !/^[^:]{1,100}$/u.test(fields.login)) {
    wrong.login = 'login has 1 to 100 characters, and no colon.'
  }
  if (fields.name !== undefined && !/^.{1,200}$/u.test(fields.name)) wrong.name = 'name has 1 to 200 characters.'
  if (fields.email != null && !/^(?=.{3,254}$)[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(fields.email)) {
    wrong.email = 'email is an address such as ada@example.org.'
  }
  if (Object.keys(wrong).length > 0) throw badInput(wrong)
  return fields
}

/** Throws conflict where the database refuses the login as another user's. */
export async function unlessTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const taken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
    const message = 'Another user has this login.'
    throw taken ? conflict(message, { fields: { login: message } }, [{ path: ['login'], message }]) : error
  }
}

/** Throws conflict if the site would be left without administrator; who demotes or deletes them takes turns here. */
export async function keepAnAdministrator(tx: Tx, without: number): Promise<void> {
  const administrators = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM "user" WHERE role = 'administrator' ORDER BY id FOR NO KEY UPDATE`
  if (administrators.length === 1 && administrators[0]?.id === without) {
    throw conflict('This is the last administrator: make another one first.')
  }
}

/** Gives all that a user wrote to another, and answers how many records that were. */
export async function handOver(tx: Tx, from: number, to: number | undefined): Promise<number> {
  if (from === to) throw badInput({ contentTo: 'contentTo is another user.' })
  // Nobody writes in their name meanwhile.
  const users = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM "user" WHERE id IN (${from}, ${to ?? from}) ORDER BY id FOR UPDATE`
  const there = users.map(({ id }) => id)
  if (!there.includes(from)) throw notFound('user', 'id')
  if (to !== undefined && !there.includes(to)) throw badInput({ contentTo: 'contentTo is a user who exists.' })
  const change = { where: { authorId: from }, data: { authorId: to ?? null } }
  let records = 0
  for (const kind of [...postKinds, 'image' as const]) {
    const model = tx[kind] as { updateMany(args: typeof change): Promise<{ count: number }> }
    records += (await model.updateMany(change)).count
  }
  if (to !== undefined || records === 0) return records
  throw badInput({ contentTo: `contentTo is who gets the ${records} records that this user wrote.` })
}
