// Sessions of people, who sign in on a page. A session is a credential, whose secret a cookie holds.
import { sessionEndedError, unauthenticatedError } from '../../basics/errors.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import { findCredential, findCredentialByPassword } from './credentials.ts'
import { toCanonicalLogin } from './login.ts'
import type { LoginAttempt } from './login-throttle.ts'
import type { Viewer } from './permissions.ts'
import { generateSecret, hashSecret } from './secrets.ts'
import { countFailedSignIn, type SignInEnvironment } from './sign-in.ts'

/** Client that signs in. */
export type SignInOrigin = Pick<LoginAttempt, 'address' | 'source' | 'requestId'>

export const actorOf = ({ source = 'page', requestId }: SignInOrigin, user: number, credential?: number) =>
  ({ user, credential, source, request: requestId }) as const

/** Returns the user of a session. Throws sessionEndedError if it has ended, and tooManyFailuresError after too many invalid ones. */
export async function identifySession(
  environment: SignInEnvironment,
  secret: string,
  origin: SignInOrigin,
): Promise<Viewer> {
  const session = await findCredential(environment, 'session', { hash: hashSecret(secret) })
  if (!session) {
    const { sessionThrottle } = environment.signIn
    await sessionThrottle.check(origin)
    await sessionThrottle.countFailure(origin)
    throw sessionEndedError()
  }
  const viewer = viewerOf(session.id, session.user.id, session.user.role)
  environment.signIn.log.addSignIn(environment, viewer, origin)
  return viewer
}

/**
 * Returns the user with this login and password. Throws unauthenticated if there is none, and tooManyFailuresError after too many
 * failures. A password that expires is refused, because the session would outlast it.
 */
export async function verifyPassword(
  environment: SignInEnvironment,
  { login, password }: { readonly login: string; readonly password: string },
  origin: SignInOrigin,
): Promise<Pick<Viewer, 'id' | 'role'>> {
  const attempt = { ...origin, login: toCanonicalLogin(login) }
  const credential = await findCredentialByPassword(environment, password, attempt)
  if (credential && !credential.expiresAt) return credential.user
  await environment.signIn.loginThrottle.check(attempt)
  await countFailedSignIn(environment, attempt)
  throw unauthenticatedError()
}

/** Creates a session and returns its secret. `name` says which browser has it. */
export async function createSession(
  environment: SignInEnvironment,
  { id, role }: Pick<Viewer, 'id' | 'role'>,
  name: string,
  origin: SignInOrigin,
): Promise<string> {
  const { db, signIn, now } = environment
  const secret = generateSecret()
  const data = { userId: id, kind: 'session', name, hash: hashSecret(secret), createdAt: now() } as const
  const session = await runInTransaction(db, actorOf(origin, id), (tx) => tx.credential.create({ data }))
  signIn.log.addSignIn(environment, viewerOf(session.id, id, role), origin)
  return secret
}

const viewerOf = (session: number, id: number, role: Viewer['role']): Viewer => ({
  ...{ id, role },
  authentication: { credential: session, expiresAt: undefined },
})

/** Revokes all sessions of the user. */
export async function endSessionsOf(
  { db, now }: SignInEnvironment,
  userId: number,
  origin: SignInOrigin,
): Promise<void> {
  const where = { userId, kind: 'session', revokedAt: null } as const
  await runInTransaction(db, actorOf(origin, userId), (tx) =>
    tx.credential.updateMany({ where, data: { revokedAt: now() } }),
  )
}

/** Revokes the session with this secret, if there is one. */
export async function endSession({ db, now }: SignInEnvironment, secret: string, origin: SignInOrigin): Promise<void> {
  const where = { hash: hashSecret(secret), kind: 'session', revokedAt: null } as const
  const session = await db.credential.findFirst({ where, select: { id: true, userId: true } })
  if (!session) return
  await runInTransaction(db, actorOf(origin, session.userId, session.id), (tx) =>
    tx.credential.updateMany({ where, data: { revokedAt: now() } }),
  )
}
