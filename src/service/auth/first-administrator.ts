import type { Settings } from '../../basics/env.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { queryRows } from '../../engine/postgres/query.ts'
import { addUser, toCanonicalLogin } from './login.ts'
import { chosenHashPrefix, generateSecret, hashChosenPassword, hashSecret, matchesChosenPassword } from './secrets.ts'

/** Name of the credential for ADMIN_PASSWORD. */
export const adminPasswordName = 'ADMIN_PASSWORD'

type AdministratorSettings = Pick<Settings, 'adminLogin' | 'adminPassword'>

/** A message for the person who starts the service. */
export type AdministratorNotice =
  /** The first administrator was created. The secret is not stored in plain text, so it is shown only now. */
  | { readonly kind: 'created'; readonly login: string; readonly secret: string }
  /** ADMIN_LOGIN is a user to whom an administrator gave another role. */
  | { readonly kind: 'refused'; readonly login: string }

/** Whether ensureAdministrator has to run. */
export async function needsAdministratorSetup(db: Db, { adminLogin }: AdministratorSettings): Promise<boolean> {
  if (adminLogin !== undefined) return true
  return (await queryRows(db, { text: findAdministrator, values: [], prepared: undefined })).length === 0
}

const findAdministrator = `SELECT 1 FROM "user" WHERE role = 'administrator' LIMIT 1`

const hasNoAdministrator = async (tx: Tx) => (await tx.user.count({ where: { role: 'administrator' }, take: 1 })) === 0

/**
 * Ensures that the site has an administrator: the user of ADMIN_LOGIN and ADMIN_PASSWORD, or a new one if there is none.
 * The caller's transaction holds a lock, so that instances which start together create only one.
 */
export async function ensureAdministrator(
  tx: Tx,
  { adminLogin, adminPassword }: AdministratorSettings,
): Promise<AdministratorNotice | undefined> {
  const hasNone = await hasNoAdministrator(tx)
  if (adminLogin && adminPassword) return ensureConfiguredAdministrator(tx, adminLogin, adminPassword, hasNone)
  if (!hasNone) return undefined
  const user = await addUser(tx, { login: 'admin', name: 'Administrator', role: 'administrator' })
  if (!user) throw new Error('The first administrator could not be created.')
  const secret = generateSecret()
  const data = { userId: user.id, kind: 'application_password', name: 'First start', hash: hashSecret(secret) } as const
  await tx.credential.create({ data })
  return { kind: 'created', login: user.login, secret }
}

/** Ensures that the user of ADMIN_LOGIN exists, even if there are other administrators, to restore access to the site. */
async function ensureConfiguredAdministrator(
  tx: Tx,
  name: string,
  password: string,
  orphaned: boolean,
): Promise<AdministratorNotice | undefined> {
  const login = toCanonicalLogin(name)
  const existing = await tx.user.findUnique({ where: { login } })
  if (existing && existing.role !== 'administrator' && !orphaned) return { kind: 'refused', login }
  const role = 'administrator'
  const { id } = await tx.user.upsert({ where: { login }, create: { login, name, role }, update: { role } })
  await ensurePassword(tx, id, password)
  return undefined
}

/** Adds the password of ADMIN_PASSWORD to the user. If that password was revoked, it stays revoked. */
async function ensurePassword(tx: Tx, userId: number, password: string): Promise<void> {
  const stored = await tx.credential.findMany({ where: { userId, hash: { startsWith: chosenHashPrefix } } })
  for (const { hash } of stored) if (await matchesChosenPassword(password, hash)) return
  await tx.credential.deleteMany({ where: { id: { in: stored.map(({ id }) => id) } } })
  const hash = await hashChosenPassword(password)
  await tx.credential.create({ data: { userId, kind: 'application_password', name: adminPasswordName, hash } })
}
