// Links that sign somebody in once, to choose a password: for the first administrator, new users, and forgotten passwords.
import type { Settings } from '../../basics/env.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { escapeLikePattern, queryRows } from '../../engine/postgres/query.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Role } from '../../generated/prisma/enums.ts'
import { findCredential } from './credentials.ts'
import { toCanonicalLogin } from './login.ts'
import { replacePassword } from './passwords.ts'
import { chosenHashPrefix, generateSecret, hashChosenPassword, hashSecret } from './secrets.ts'
import { actorOf, type SignInOrigin } from './sessions.ts'
import type { SignInEnvironment } from './sign-in.ts'
import { mailSignInLink, type SignInLinkName } from './sign-in-mail.ts'

const hour = 60 * 60 * 1000

/** For how many hours the links are valid, by name. */
const hoursByName: Readonly<Record<SignInLinkName, number>> = {
  'First start': 24,
  Invitation: 7 * 24,
  'New password': 1,
}

export interface SignInLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Adds a link to the credentials of the user. */
export async function addSignInLink(
  { credential }: Pick<Tx, 'credential'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { userId, name, now }: { readonly userId: number; readonly name: SignInLinkName; readonly now: Date },
): Promise<SignInLink> {
  const secret = generateSecret()
  const expiresAt = new Date(now.getTime() + hoursByName[name] * hour)
  const data = { userId, kind: 'sign_in_link', name, hash: hashSecret(secret), createdAt: now, expiresAt } as const
  await credential.create({ data })
  // In the query string, because requests are logged with their path.
  return { url: `${publicUrl}/sign-in/link?token=${secret}`, expiresAt }
}

/** Returns the user whom a link signs in; undefined if the link is unknown, has expired or was used. */
export async function findSignInLink(environment: SignInEnvironment, secret: string) {
  const link = await findCredential(environment, 'sign_in_link', { hash: hashSecret(secret) })
  return link && { id: link.id, user: link.user }
}

/** Uses up a link and stores the password. Returns the user; undefined if the link is not valid, or another request used it. */
export async function redeemSignInLink(
  environment: SignInEnvironment,
  secret: string,
  password: string,
  origin: SignInOrigin,
): Promise<{ readonly id: number; readonly role: Role } | undefined> {
  const { db, now } = environment
  const link = await findSignInLink(environment, secret)
  if (!link) return undefined
  const { id, user } = link
  const hash = await hashChosenPassword(password)
  return runInTransaction(db, actorOf(origin, user.id, id), async (tx) => {
    const { count } = await tx.credential.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now() } })
    if (count === 0) return undefined
    await replacePassword(tx, { userId: user.id, hash, now: now() })
    return user
  })
}

/** Milliseconds within which instances count as started together. */
const simultaneousStart = 60_000

/** Minutes between two mails to one user. */
const mailPause = 5

/** Mails a link to the user with this login or e-mail address. Does nothing if there is none, or more than one. */
export async function mailNewPasswordLink(
  { db, settings, now }: Pick<SignInEnvironment, 'db' | 'now'> & { readonly settings: Settings },
  text: string,
  origin: SignInOrigin,
): Promise<void> {
  const name = 'New password'
  const email = { equals: escapeLikePattern(text.trim()), mode: 'insensitive' } as const
  const users = await db.user.findMany({
    // People of the issuer have no password here.
    where: { OR: [{ login: toCanonicalLogin(text) }, { email }], email: { not: null }, oidcSubject: null },
    take: 2,
  })
  const [user] = users
  if (!user || users.length > 1) return
  const actor = actorOf(origin, user.id)
  const link = await runInTransaction(db, actor, async (tx) => {
    // Locks the user, so that several requests at once send one mail.
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${user.id} FOR UPDATE`
    const createdAt = { gt: new Date(now().getTime() - mailPause * 60_000) }
    const where = { userId: user.id, kind: 'sign_in_link', name, createdAt, revokedAt: null } as const
    if ((await tx.credential.count({ where })) > 0) return undefined
    return addSignInLink(tx, settings, { userId: user.id, name, now: now() })
  })
  if (!link) return
  const recipient = { ...user, email: user.email ?? '' }
  await mailSignInLink(settings, recipient, { url: link.url, linkName: name }).catch(async (error: unknown) => {
    // Only this link, by its time of expiry: an administrator may have given the user another one.
    const where = { userId: user.id, name, expiresAt: link.expiresAt }
    await runInTransaction(db, actor, (tx) => revokeLinks(tx, where, now()))
    throw error
  })
}

const revokeLinks = ({ credential }: Tx, where: Prisma.CredentialWhereInput, revokedAt: Date) =>
  credential.updateMany({ where: { ...where, kind: 'sign_in_link', revokedAt: null }, data: { revokedAt } })

/**
 * Creates a link for the first administrator, in place of those before, unless an administrator can sign in on a page: with a
 * password, a passkey, or at the issuer.
 */
export async function createFirstLink(
  db: Db,
  settings: Pick<Settings, 'publicUrl' | 'oidcClientId'>,
  now: Date,
): Promise<(SignInLink & { readonly login: string }) | undefined> {
  if (settings.oidcClientId) return undefined
  const [user] = await queryRows<{ id: number; login: string }>(db, {
    text: `SELECT id, login FROM "user" WHERE role = 'administrator' AND NOT EXISTS (
      SELECT FROM "user" u LEFT JOIN credential c ON u.id = c.user_id
      WHERE u.role = 'administrator' AND (u.oidc_subject IS NOT NULL OR c.hash LIKE '${chosenHashPrefix}%'
        OR c.kind = 'passkey' AND c.revoked_at IS NULL)) ORDER BY id LIMIT 1`,
    values: [],
    prepared: undefined,
  })
  if (!user) return undefined
  const actor = { user: undefined, credential: undefined, source: 'start', request: undefined }
  const first = { userId: user.id, name: 'First start' } as const
  const link = await runInTransaction(db, actor, async (tx) => {
    // The links of instances that start together stay valid until one of them is used.
    await revokeLinks(tx, { ...first, createdAt: { lt: new Date(now.getTime() - simultaneousStart) } }, now)
    return addSignInLink(tx, settings, { ...first, now })
  })
  return { ...link, login: user.login }
}
