// Which credential of the database a request brings.

import { unauthenticated } from '../errors.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import type { CredentialKind } from '../generated/prisma/enums.ts'
import type { Attempt } from './login-throttle.ts'
import { chosenHashPrefix, hashSecret, isEqualInConstantTime, matchesChosenPassword, processDigest } from './secrets.ts'
import type { SignInEnvironment } from './sign-in.ts'

const minute = 60_000
const hour = 60 * minute
const select = {
  ...{ id: true, kind: true, hash: true, expiresAt: true, lastUsedAt: true, revokedAt: true },
  user: { select: { id: true, login: true, role: true } },
} as const

type Credential = Prisma.CredentialGetPayload<{ select: typeof select }>
type CredentialFilter = { readonly hash: string } | { readonly id: number; readonly hash: string }

/** The credential of this kind with this hash, of this login if one is said, while it is good; notes that it was used. */
export async function findCredential(
  environment: SignInEnvironment,
  kind: CredentialKind,
  where: CredentialFilter,
  login?: string,
): Promise<Credential | undefined> {
  const now = environment.now()
  const found = await environment.db.credential.findFirst({ select, where })
  if (found?.kind !== kind || !isEqualInConstantTime(found.hash, where.hash)) return undefined
  if (login !== undefined && found.user.login !== login) return undefined
  if (found.revokedAt || (found.expiresAt && found.expiresAt <= now)) return undefined
  recordUse(environment, found, now)
  return found
}

/** The application password of the login that tries: random ones by their hash, chosen ones by comparing. */
export async function findCredentialByPassword(
  environment: SignInEnvironment,
  password: string,
  attempt: Attempt,
): Promise<Credential | undefined> {
  const key = processDigest(`${attempt.login}:${password}`)
  const known = environment.signIn.verifiedPasswords.get(key)
  const remembered = known && known.until > environment.now().getTime() ? known : undefined
  const where = remembered ? { id: remembered.id, hash: remembered.hash } : { hash: hashSecret(password) }
  const found = await findCredential(environment, 'application_password', where, attempt.login)
  if (found && remembered) cacheVerified(environment, key, found)
  if (found) return found
  const chosen = await environment.db.credential.count({ where: { hash: { startsWith: chosenHashPrefix } } })
  if (chosen === 0) return undefined
  const { hashQueue: turns, loginThrottle: failures } = environment.signIn
  await failures.check(attempt)
  const recent = await failures.recentFailures(attempt.address)
  return turns.run(attempt.address, recent, () => verifyChosenPassword(environment, password, attempt, key))
}

/** Who signs in again within the hour needs no slow hash, however many others guess meanwhile. */
function cacheVerified({ signIn, now }: SignInEnvironment, key: string, { id, hash }: Credential): void {
  signIn.verifiedPasswords.set(key, { id, hash, until: now().getTime() + hour })
}

/**
 * Throws unauthenticated itself, once the failure is counted: the next in turn must know. Takes as long for a login that
 * has no such password, or that nobody has.
 */
async function verifyChosenPassword(
  environment: SignInEnvironment,
  password: string,
  attempt: Attempt,
  key: string,
): Promise<Credential | undefined> {
  const { db, signIn, now } = environment
  await signIn.loginThrottle.check(attempt)
  const stored = await db.credential.findMany({ where: { hash: { startsWith: chosenHashPrefix } }, select })
  const own = stored.find(({ user }) => user.login === attempt.login)
  const known = signIn.verifiedPasswords.get(key)
  const fresh = known && known.hash === own?.hash && known.until > now().getTime()
  const right = fresh || (await matchesChosenPassword(password, own?.hash ?? stored[0]?.hash ?? chosenHashPrefix))
  const credential =
    own && right ? await findCredential(environment, own.kind, { id: own.id, hash: own.hash }) : undefined
  if (!credential) {
    await signIn.loginThrottle.countFailure(attempt)
    throw unauthenticated()
  }
  cacheVerified(environment, key, credential)
  return credential
}

/** Once a minute is enough, and the request does not wait for it. */
function recordUse({ db }: SignInEnvironment, { id, lastUsedAt }: Credential, now: Date): void {
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < minute) return
  // Nobody's answer depends on it: the next request tries again.
  db.credential.updateMany({ where: { id }, data: { lastUsedAt: now } }).catch(() => undefined)
}
