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

const readCookie = ({ headers }: FastifyRequest, name: string): string | undefined =>
  headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name] || undefined

/** Returns the secret of the session that the browser sent, whatever the route. */
export const sessionCookieOf = (request: FastifyRequest, site: Site): string | undefined =>
  readCookie(request, sessionName(site))

/** Returns the secret of the session that identifies the caller; undefined if the route does not accept sessions. */
export const sessionOf = (request: FastifyRequest, site: Site): string | undefined =>
  request.routeOptions.config.acceptsSession?.(request) ? sessionCookieOf(request, site) : undefined

const oidcName = (site: Site) => (isSecure(site) ? '__Host-oidc' : 'oidc')

/** Seconds in which somebody has to sign in at the issuer. */
const oidcAge = 600

/** Adds a cookie to the response; without a value, removes the cookie. */
const setCookie = (
  reply: FastifyReply,
  site: Site,
  { name, value = '', ...options }: { name: string; value: string | undefined; maxAge: number; httpOnly: boolean },
): FastifyReply => {
  const common = { path: '/', sameSite: 'lax', secure: isSecure(site) } as const
  const maxAge = value === '' ? 0 : options.maxAge
  return reply.header('set-cookie', stringifySetCookie({ name, value, ...common, ...options, maxAge }))
}

/** Stores the secret in the browser; without a secret, removes the cookies. */
export function setSessionCookies(reply: FastifyReply, site: Site, secret: string | undefined): void {
  setCookie(reply, site, { name: sessionName(site), value: secret, maxAge, httpOnly: true })
  setCookie(reply, site, { name: hintName, value: secret && '1', maxAge, httpOnly: false })
}

/** Stores what is needed when the issuer sends the browser back; without a value, removes it. */
export function setOidcCookie(reply: FastifyReply, site: Site, value: string | undefined): void {
  setCookie(reply, site, { name: oidcName(site), value, maxAge: oidcAge, httpOnly: true })
}

export const oidcCookieOf = (request: FastifyRequest, site: Site): string | undefined =>
  readCookie(request, oidcName(site))
