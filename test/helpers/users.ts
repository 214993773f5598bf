import type { Db } from '../../src/engine/postgres/client.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { CredentialKind, Role } from '../../src/generated/prisma/enums.ts'
import { generateSecret, hashSecret } from '../../src/service/auth/secrets.ts'

export interface TestUser {
  readonly id: number
  readonly login: string
  /** The Authorization header. */
  readonly authorization: string
}

let userCount = 0

/** Creates a user with an API token. */
export async function makeUser(
  db: Db,
  role: Role,
  columns: Partial<Prisma.UserUncheckedCreateInput> = {},
): Promise<TestUser> {
  userCount += 1
  const login = `${role}${userCount}`
  const user = await db.user.create({ data: { login, name: `The ${role}`, role, ...columns } })
  const secret = await createCredential(db, user.id, 'api_token')
  return { id: user.id, login: user.login, authorization: bearer(secret) }
}

/** Creates a credential and returns its secret. */
export async function createCredential(
  db: Db,
  userId: number,
  kind: CredentialKind,
  columns: Partial<Prisma.CredentialUncheckedCreateInput> = {},
): Promise<string> {
  const secret = generateSecret()
  await db.credential.create({ data: { userId, kind, name: 'test', hash: hashSecret(secret), ...columns } })
  return secret
}

export const bearer = (token: string) => `Bearer ${token}`

export const basic = (login: string, password: string) =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
