// Users who come with a token of the site's OIDC issuer.
import type { Db } from '../db/client.ts'
import { Role } from '../generated/prisma/enums.ts'
import { addUser, canonicalLogin, toSingleLine } from './login.ts'

export type Claims = Readonly<Record<string, unknown>>

/**
 * The user that the claims name by their subject; made when they come for the first time. Never found by login or
 * e-mail: those the issuer may let people choose. Where `roleClaim` is set, it decides the role at each sign-in.
 */
export async function findOrCreateUser(
  db: Db,
  claims: Claims,
  roleClaim: string | undefined,
): Promise<{ id: number; role: Role } | undefined> {
  const oidcSubject = toSingleLine(claims.sub)
  if (oidcSubject === undefined || oidcSubject !== claims.sub) return undefined
  const role = roleClaim === undefined ? undefined : roleOf(claims, roleClaim)
  const find = () => db.user.findUnique({ where: { oidcSubject }, select: { id: true, role: true } })
  const user = (await find()) ?? (await addUser(db, newUserData(oidcSubject, claims, role))) ?? (await find())
  if (!user || role === undefined || role === user.role) return user ?? undefined
  await db.user.updateMany({ where: { id: user.id }, data: { role } })
  return { id: user.id, role }
}

function newUserData(oidcSubject: string, claims: Claims, role: Role = 'subscriber') {
  const email = toSingleLine(claims.email)
  const preferredName = toSingleLine(claims.preferred_username, 60) ?? email ?? oidcSubject
  // A colon ends the login where people sign in with a password.
  const login = canonicalLogin(preferredName.replaceAll(':', '-'))
  return { oidcSubject, login, email, role, name: toSingleLine(claims.name) ?? preferredName }
}

/** From the highest on. */
const roles = Object.values(Role)

/** The highest role that the claim names; text or a list, found by its name or, as `realm_access.roles`, step by step. */
function roleOf(claims: Claims, name: string): Role {
  const value = claims[name] ?? name.split('.').reduce<unknown>(readProperty, claims)
  const names = (Array.isArray(value) ? value : [value]).map((item) => String(item).toLowerCase())
  return roles.find((role) => names.includes(role)) ?? 'subscriber'
}

const readProperty = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
