import { unauthenticatedError } from '../../basics/errors.ts'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'
import { findCredential, findCredentialByPassword } from './credentials.ts'
import { toCanonicalLogin } from './login.ts'
import type { LoginAttempt } from './login-throttle.ts'
import { findOrCreateUser } from './oidc-user.ts'
import type { Viewer } from './permissions.ts'
import { hashSecret } from './secrets.ts'
import { identifySession, type SignInOrigin } from './sessions.ts'
import { countFailedSignIn, type SignInEnvironment } from './sign-in.ts'

/** What a request signs in with: an Authorization header, or the secret of a session. */
interface Credentials {
  readonly authorization: string | undefined
  readonly session: string | undefined
}

/**
 * Returns the user that the credentials identify; undefined without any. Throws unauthenticated for an invalid credential,
 * tooManyFailuresError after too many invalid credentials, and UNAVAILABLE when the credential cannot be verified.
 */
export async function identifyViewer(
  environment: SignInEnvironment,
  { authorization, session }: Credentials,
  origin: SignInOrigin,
): Promise<Viewer | undefined> {
  if (authorization === undefined)
    return session === undefined ? undefined : identifySession(environment, session, origin)
  const { loginThrottle, log } = environment.signIn
  const credentials = readAuthorization(authorization)
  const attempt: LoginAttempt = {
    ...origin,
    login: credentials?.scheme === 'basic' ? toCanonicalLogin(credentials.login) : undefined,
  }
  // Verifies the credential before the throttle applies, so that other users at the same address cannot lock out a valid user.
  const viewer =
    credentials &&
    (await findViewer(environment, credentials, attempt).catch((error) => {
      throw toUnavailableError(error) ?? error
    }))
  if (viewer) {
    log.addSignIn(environment, viewer, attempt)
    return viewer
  }
  await loginThrottle.check(attempt)
  await countFailedSignIn(environment, attempt)
  throw unauthenticatedError()
}

async function findViewer(
  environment: SignInEnvironment,
  credentials: Authorization,
  attempt: LoginAttempt,
): Promise<Viewer | undefined> {
  const { db, settings, signIn, now } = environment
  if (credentials.scheme === 'jwt') {
    const claims = await signIn.issuer?.verifyToken(credentials.token, now())
    const user = claims && (await findOrCreateUser(db, claims, settings.oidcRoleClaim))
    const expiresAt = claims?.exp === undefined ? undefined : new Date(claims.exp * 1000)
    return user && { ...user, authentication: { credential: undefined, expiresAt } }
  }
  const credential =
    credentials.scheme === 'token'
      ? await findCredential(environment, 'api_token', { hash: hashSecret(credentials.token) })
      : await findCredentialByPassword(environment, credentials.password, attempt)
  if (!credential) return undefined
  const { user, expiresAt } = credential
  const until = expiresAt ?? undefined
  return { id: user.id, role: user.role, until, authentication: { credential: credential.id, expiresAt: until } }
}

/** `changed`: the user has another role. `ended`: the credential has expired or was revoked, or the user was deleted. */
type SignInState = 'valid' | 'changed' | 'ended'

/** Returns whether a user who signed in earlier still has the same rights. Never counts as a failed sign-in. */
export async function readSignInState(
  { db, now }: Pick<SignInEnvironment, 'db' | 'now'>,
  { id, role, authentication }: Viewer,
): Promise<SignInState> {
  const { credential, expiresAt } = authentication ?? {}
  if (expiresAt && expiresAt <= now()) return 'ended'
  const user = await db.user.findUnique({ where: { id }, select: { role: true } })
  if (!user) return 'ended'
  if (credential !== undefined) {
    const stored = await db.credential.findUnique({
      where: { id: credential },
      select: { userId: true, revokedAt: true, expiresAt: true },
    })
    if (stored?.userId !== id || stored.revokedAt) return 'ended'
    if (stored.expiresAt && stored.expiresAt <= now()) return 'ended'
  }
  return user.role === role ? 'valid' : 'changed'
}

/** A parsed Authorization header. */
type Authorization =
  | { readonly scheme: 'basic'; readonly login: string; readonly password: string }
  | { readonly scheme: 'token'; readonly token: string }
  | { readonly scheme: 'jwt'; readonly token: string }

/** Parses an Authorization header. Returns undefined for a malformed header, and for schemes other than Basic and Bearer. */
function readAuthorization(header: string): Authorization | undefined {
  const [, scheme, value] = /^([a-z]+) +([\w.~+/-]+=*) *$/i.exec(header) ?? []
  if (scheme === undefined || value === undefined) return undefined
  if (scheme.toLowerCase() === 'basic') return readBasic(value)
  if (scheme.toLowerCase() !== 'bearer') return undefined
  return { scheme: value.includes('.') ? 'jwt' : 'token', token: value }
}

/** Parses Basic credentials. The first colon ends the login, because the password may contain colons. */
function readBasic(value: string): Authorization | undefined {
  const [, login = '', password = ''] = /^([^:]*):(.*)$/s.exec(decode(value) ?? '') ?? []
  return login === '' || password === '' ? undefined : { scheme: 'basic', login, password }
}

function decode(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}
