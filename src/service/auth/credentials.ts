// Finds the stored credential that a request authenticates with.

import { unauthenticatedError } from '../../basics/errors.ts'
import { createReads } from '../../engine/reads/reads.ts'
import type { Credential as CredentialColumns, Prisma } from '../../generated/prisma/client.ts'
import type { CredentialKind } from '../../generated/prisma/enums.ts'
import type { LoginAttempt } from './login-throttle.ts'
import { chosenHashPrefix, hashSecret, isEqualInConstantTime, matchesChosenPassword, processDigest } from './secrets.ts'
import { countFailedSignIn, type SignInEnvironment } from './sign-in.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Days after its last use for which a session is valid. */
export const sessionDays = 30

/** Returns when a credential expires: a session some time after its last use. Null if never. */
export const expiryOf = (
  credential: Pick<CredentialColumns, 'kind' | 'createdAt' | 'lastUsedAt' | 'expiresAt'>,
): Date | null =>
  credential.kind === 'session'
    ? new Date((credential.lastUsedAt ?? credential.createdAt).getTime() + sessionDays * day)
    : credential.expiresAt
const select = {
  ...{ id: true, kind: true, hash: true, createdAt: true, expiresAt: true, lastUsedAt: true, revokedAt: true },
  user: { select: { id: true, login: true, role: true } },
} as const

type Credential = Prisma.CredentialGetPayload<{ select: typeof select }>
type CredentialFilter = { readonly hash: string } | { readonly id: number; readonly hash: string }

/**
 * Finds the credential of this kind with this hash, and of this login if given, and records its use. Returns undefined if the
 * credential is revoked or has expired.
 */
export async function findCredential(
  environment: SignInEnvironment,
  kind: CredentialKind,
  where: CredentialFilter,
  login?: string,
): Promise<Credential | undefined> {
  const now = environment.now()
  const credential = await createReads(environment.db, now).credential.findFirst({ select, where })
  if (credential?.kind !== kind || !isEqualInConstantTime(credential.hash, where.hash)) return undefined
  if (login !== undefined && credential.user.login !== login) return undefined
  const expiresAt = expiryOf(credential)
  if (credential.revokedAt || (expiresAt && expiresAt <= now)) return undefined
  recordUse(environment, credential, now)
  return credential
}

/** Finds the credential of a login and a password. Generated passwords are found by hash, chosen passwords by slow hashes. */
export async function findCredentialByPassword(
  environment: SignInEnvironment,
  password: string,
  attempt: LoginAttempt,
): Promise<Credential | undefined> {
  const key = processDigest(`${attempt.login}:${password}`)
  const entry = environment.signIn.verifiedPasswords.get(key)
  const cached = entry && entry.until > environment.now().getTime() ? entry : undefined
  const where = cached ? { id: cached.id, hash: cached.hash } : { hash: hashSecret(password) }
  const credential = await findCredential(environment, 'application_password', where, attempt.login)
  if (credential && cached) cacheVerified(environment, key, credential)
  if (credential) return credential
  const chosenCount = await environment.db.credential.count({ where: { hash: { startsWith: chosenHashPrefix } } })
  if (chosenCount === 0) return undefined
  const { hashQueue, loginThrottle } = environment.signIn
  await loginThrottle.check(attempt)
  const { requestTimeout: maxWaitMs } = environment.settings
  const turn = { ...(await loginThrottle.placeOf(attempt.address)), maxWaitMs }
  return hashQueue.run(turn, () => verifyChosenPassword(environment, password, attempt, key))
}

/** Caches a verified password for an hour, so that the user needs no slow hash, and does not wait in the queue of an attack. */
function cacheVerified({ signIn, now }: SignInEnvironment, key: string, { id, hash }: Credential): void {
  signIn.verifiedPasswords.set(key, { id, hash, until: now().getTime() + hour })
}

/**
 * Verifies a chosen password. Counts a failure before throwing unauthenticated, so that the next check in the queue sees the
 * failure. Takes as long for an unknown login, or a login without a chosen password, so that attackers learn nothing.
 */
async function verifyChosenPassword(
  environment: SignInEnvironment,
  password: string,
  attempt: LoginAttempt,
  key: string,
): Promise<Credential | undefined> {
  const { db, signIn, now } = environment
  await signIn.loginThrottle.check(attempt)
  const own = await db.credential.findFirst({
    where: { hash: { startsWith: chosenHashPrefix }, revokedAt: null, user: { login: attempt.login ?? '' } },
    orderBy: { id: 'desc' },
    select,
  })
  const cached = signIn.verifiedPasswords.get(key)
  const isCached = cached && cached.hash === own?.hash && cached.until > now().getTime()
  const isValid = isCached || (await matchesChosenPassword(password, own?.hash ?? chosenHashPrefix))
  const credential =
    own && isValid ? await findCredential(environment, own.kind, { id: own.id, hash: own.hash }) : undefined
  if (!credential) {
    await countFailedSignIn(environment, attempt)
    throw unauthenticatedError()
  }
  cacheVerified(environment, key, credential)
  return credential
}

/** Updates `lastUsedAt` at most once a minute. The request does not wait for it. */
function recordUse({ db }: SignInEnvironment, { id, lastUsedAt }: Credential, now: Date): void {
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < minute) return
  // An error is ignored, because the next request tries again.
  db.credential.updateMany({ where: { id }, data: { lastUsedAt: now } }).catch(() => undefined)
}
