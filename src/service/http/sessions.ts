// Starts and ends the session of a browser.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthenticatedError } from '../../basics/errors.ts'
import { toCanonicalLogin } from '../auth/login.ts'
import { isPasswordAllowed } from '../auth/passwords.ts'
import type { Viewer } from '../auth/permissions.ts'
import { createSession, endSession, endSessionsOf, type SignInOrigin, verifyPassword } from '../auth/sessions.ts'
import { countFailedSignIn } from '../auth/sign-in.ts'
import { findSignInLink, mailNewPasswordLink, redeemSignInLink } from '../auth/sign-in-links.ts'
import type { Environment } from '../context.ts'
import { findUserOfPasskey } from './passkeys.ts'
import { sessionCookieOf, setSessionCookies } from './session-cookies.ts'

export const originOf = (request: FastifyRequest): SignInOrigin => ({
  address: request.ip,
  source: 'page',
  requestId: request.id,
})

/** Browsers and systems by what their User-Agent contains. The first that matches, because most name others, too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns which browser and system a person uses, such as `Firefox on Windows`. */
export function deviceOf({ headers: { 'user-agent': agent = '' } }: FastifyRequest): string {
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1]
  const [browser = 'Browser', system] = [nameIn(browsers), nameIn(systems)]
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Signs in with a password and sets the cookies. Throws unauthenticated for a wrong login or password, and tooManyFailuresError. */
export async function signInByPassword(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  password: { readonly login: string; readonly password: string },
): Promise<void> {
  const user = await verifyPassword(environment, password, originOf(request))
  await startSession(environment, request, reply, user)
}

/** Signs in with a passkey and sets the cookies. Throws unauthenticated for an invalid response, and tooManyFailuresError. */
export async function signInByPasskey(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<void> {
  const origin = originOf(request)
  await environment.signIn.loginThrottle.check(origin)
  const user = await findUserOfPasskey(environment, json)
  if (user) return startSession(environment, request, reply, user)
  await countFailedSignIn(environment, origin)
  throw unauthenticatedError()
}

/** Returns the login of the user whom a sign-in link is for; undefined if the link is not valid. */
export const findLoginOfLink = async (environment: Environment, token: string): Promise<string | undefined> =>
  (await findSignInLink(environment, token))?.user.login

/** Uses up a sign-in link: stores the password and starts a session. */
export async function signInByLink(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<'signedIn' | 'badPassword' | 'invalid'> {
  if (!isPasswordAllowed(password)) return 'badPassword'
  const user = await redeemSignInLink(environment, token, password, originOf(request))
  if (!user) return 'invalid'
  await startSession(environment, request, reply, user)
  return 'signedIn'
}

/**
 * Mails a link to the user with this login or e-mail address, if there is one. Does not wait for it, so that the time of the
 * response says nothing about users. Requests count like failed sign-ins. Throws tooManyFailuresError.
 */
export async function requestSignInLink(
  environment: Environment,
  request: FastifyRequest,
  text: string,
): Promise<void> {
  const attempt = { address: request.ip, login: toCanonicalLogin(text) }
  const { loginThrottle } = environment.signIn
  await loginThrottle.check(attempt)
  await loginThrottle.countFailure(attempt)
  mailNewPasswordLink(environment, text, originOf(request)).catch((err: unknown) =>
    request.log.error({ err }, 'could not mail a sign-in link'),
  )
}

/** Starts a session and sets the cookies. Ends the browser's previous session to prevent session fixation. */
export async function startSession(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  user: Pick<Viewer, 'id' | 'role'>,
) {
  const { settings } = environment
  const former = sessionCookieOf(request, settings)
  if (former !== undefined) await endSession(environment, former, originOf(request))
  const secret = await createSession(environment, user, deviceOf(request), originOf(request))
  setSessionCookies(reply, settings, secret)
}

/** Ends the session of the browser and removes its cookies. */
export async function signOut(environment: Environment, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const secret = sessionCookieOf(request, environment.settings)
  if (secret !== undefined) await endSession(environment, secret, originOf(request))
  setSessionCookies(reply, environment.settings, undefined)
}

/** Ends all sessions of the user, and removes the cookies of this browser. */
export async function signOutEverywhere(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  await endSessionsOf(environment, userId, originOf(request))
  setSessionCookies(reply, environment.settings, undefined)
}
