// Sends browsers to the OIDC issuer of the site, and signs in those who come back.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError, unauthenticatedError } from '../../basics/errors.ts'
import { parseJson } from '../../basics/parse-json.ts'
import { findOrCreateUser } from '../auth/oidc-user.ts'
import { countFailedSignIn } from '../auth/sign-in.ts'
import type { Environment } from '../context.ts'
import { queryOf } from './query-of.ts'
import { oidcCookieOf, setOidcCookie } from './session-cookies.ts'
import { originOf, startSession } from './sessions.ts'

/** Path below PUBLIC_URL to which the issuer sends the browser back. */
export const oidcCallbackPath = '/sign-in/oidc/callback'

const Stored = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), next: z.string() })

/** Returns the URL of the issuer. Keeps in a cookie what is needed when the browser comes back, and the path to go to then. */
export async function beginOidc(environment: Environment, reply: FastifyReply, next: string): Promise<string> {
  const { signIn, settings } = environment
  if (!signIn.oidcClient) throw unauthenticatedError()
  const { url, attempt } = await signIn.oidcClient.begin(settings.publicUrl + oidcCallbackPath)
  setOidcCookie(reply, settings, JSON.stringify({ ...attempt, next }))
  return url
}

/**
 * Signs in the person whom the issuer has sent back, and returns the path to go to, as the browser kept it. Throws unauthenticated,
 * tooManyFailuresError, and UNAVAILABLE.
 */
export async function finishOidc(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { db, signIn, settings } = environment
  const stored = Stored.safeParse(parseJson(oidcCookieOf(request, settings) ?? ''))
  if (!signIn.oidcClient || !stored.success) throw unauthenticatedError()
  const { next, ...attempt } = stored.data
  const url = new URL(settings.publicUrl + oidcCallbackPath)
  for (const [name, value] of Object.entries(queryOf(request))) url.searchParams.set(name, String(value))
  const origin = originOf(request)
  await signIn.loginThrottle.check(origin)
  const claims = await signIn.oidcClient.finish(url, attempt).catch(async (error: unknown) => {
    if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') await countFailedSignIn(environment, origin)
    throw error
  })
  const user = await findOrCreateUser(db, claims, settings.oidcRoleClaim)
  if (!user) throw unauthenticatedError()
  await startSession(environment, request, reply, user)
  setOidcCookie(reply, settings, undefined)
  return next
}
