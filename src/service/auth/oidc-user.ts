// Users who sign in with a token of the site's OIDC issuer.
import type { Db } from '../../engine/postgres/client.ts'
import { Role } from '../../generated/prisma/enums.ts'
import { addUser, toCanonicalLogin, toSingleLine } from './login.ts'

/** Claims of a verified OIDC token. */
export type TokenClaims = Readonly<Record<string, unknown>>

/**
 * Returns the user with the subject (`sub`) of the claims, and creates the user at the first sign-in. Login and e-mail address do
 * not identify a user, because people may choose them. If `roleClaim` is set, it determines the role at each sign-in.
 */
export async function findOrCreateUser(
  db: Db,
  claims: TokenClaims,
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

function newUserData(oidcSubject: string, claims: TokenClaims, role: Role = 'subscriber') {
  const email = toSingleLine(claims.email)
  const preferredName = toSingleLine(claims.preferred_username, 60) ?? email ?? oidcSubject
  // A login must not contain a colon, which ends the login in HTTP Basic.
  const login = toCanonicalLogin(preferredName.replaceAll(':', '-'))
  return { oidcSubject, login, email, role, name: toSingleLine(claims.name) ?? preferredName }
}

/** Roles from the most to the least powerful. */
const roles = Object.values(Role)

/**
 * Returns the most powerful role in a claim, whose value is a string or a list. `name` is the name of the claim, or a path such
 * as `realm_access.roles`.
 */
function roleOf(claims: TokenClaims, name: string): Role {
  const value = claims[name] ?? name.split('.').reduce<unknown>(readProperty, claims)
  const names = (Array.isArray(value) ? value : [value]).map((item) => String(item).toLowerCase())
  return roles.find((role) => names.includes(role)) ?? 'subscriber'
}

const readProperty = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
