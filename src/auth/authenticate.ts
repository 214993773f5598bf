import { unavailability } from '../db/unavailable.ts'
import { unauthenticated } from '../errors.ts'
import { type Authorization, readAuthorization } from './authorization-header.ts'
import { credentialOf, credentialOfPassword } from './credentials.ts'
import { canonicalLogin } from './login.ts'
import type { Attempt } from './login-throttle.ts'
import { userOfClaims } from './oidc-user.ts'
import type { Viewer } from './permissions.ts'
import { secretHash } from './secrets.ts'
import type { SignInEnvironment } from './sign-in.ts'

/**
 * Who sends an Authorization header; undefined without one. Throws unauthenticated for a credential that is not right,
 * tooManyFailures for who tried too many, unavailable when nobody can tell.
 */
export async function identifyViewer(
  environment: SignInEnvironment,
  authorization: string | undefined,
  address: string,
): Promise<Viewer | undefined> {
  if (authorization === undefined) return undefined
  const { failures } = environment.signIn
  const given = readAuthorization(authorization)
  const attempt: Attempt = { address, login: given?.scheme === 'basic' ? canonicalLogin(given.login) : undefined }
  // Long random secrets are not guessed: who has one gets in, whatever others try from the same address.
  const viewer = given && (await viewerOf(environment, given, attempt).catch(told))
  if (viewer) return viewer
  await failures.check(attempt)
  await failures.count(attempt)
  throw unauthenticated()
}

function told(error: unknown): never {
  throw unavailability(error) ?? error
}

async function viewerOf(
  environment: SignInEnvironment,
  given: Authorization,
  attempt: Attempt,
): Promise<Viewer | undefined> {
  const { db, settings, signIn, now } = environment
  if (given.scheme === 'jwt') {
    const claims = await signIn.issuer?.claimsOf(given.token, now())
    return claims && userOfClaims(db, claims, settings.oidcRoleClaim)
  }
  const credential =
    given.scheme === 'token'
      ? await credentialOf(environment, 'api_token', { hash: secretHash(given.token) })
      : await credentialOfPassword(environment, given.password, attempt)
  return credential && { id: credential.user.id, role: credential.user.role, until: credential.expiresAt ?? undefined }
}
