// The cookies of people who are signed in in a browser: one with the secret of the session, and one without a secret, from which
// scripts of public pages see that somebody may be signed in.
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the session cookie identifies the caller of the request. Other requests ignore the cookie. */
    readonly acceptsSession?: (request: FastifyRequest) => boolean
  }
}

type Site = Pick<Settings, 'publicUrl'>

const isSecure = ({ publicUrl }: Site) => publicUrl.startsWith('https:')

/** Browsers accept the prefix __Host- only with TLS, and then never a cookie of a subdomain under this name. */
const sessionName = (site: Site) => (isSecure(site) ? '__Host-session' : 'session')

const hintName = 'signed-in'

/** Seconds. The longest that browsers allow, because the service knows when the session expires. */
const maxAge = 400 * 24 * 60 * 60

/** Returns the secret of the session that the browser sent, whatever the route. */
export const sessionCookieOf = ({ headers }: FastifyRequest, site: Site): string | undefined =>
  headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[sessionName(site)] || undefined

/** Returns the secret of the session that identifies the caller; undefined if the route does not accept sessions. */
export const sessionOf = (request: FastifyRequest, site: Site): string | undefined =>
  request.routeOptions.config.acceptsSession?.(request) ? sessionCookieOf(request, site) : undefined

/** Stores the secret in the browser; without a secret, removes the cookies. */
export function setSessionCookies(reply: FastifyReply, site: Site, secret: string | undefined): FastifyReply {
  const options = {
    path: '/',
    sameSite: 'lax',
    secure: isSecure(site),
    maxAge: secret === undefined ? 0 : maxAge,
  } as const
  return reply.header('set-cookie', [
    stringifySetCookie({ name: sessionName(site), value: secret ?? '', ...options, httpOnly: true }),
    stringifySetCookie({ name: hintName, value: secret === undefined ? '' : '1', ...options }),
  ])
}
