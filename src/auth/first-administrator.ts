import type { Db, Tx } from '../db/client.ts'
import { queryRows } from '../db/query.ts'
import type { Settings } from '../env.ts'
import { addUser, canonicalLogin } from './login.ts'
import { chosenHashPrefix, generateSecret, hashChosenPassword, hashSecret, matchesChosenPassword } from './secrets.ts'

type AdministratorSettings = Pick<Settings, 'adminLogin' | 'adminPassword'>

/** What whoever started the service must be told. */
export type AdministratorNotice =
  /** A first administrator was made; the secret is nowhere else. */
  | { readonly kind: 'made'; readonly login: string; readonly secret: string }
  /** ADMIN_LOGIN is somebody whom the administrators gave another role. */
  | { readonly kind: 'refused'; readonly login: string }

/** Whether there is anything to see to. */
export async function needsAdministratorSetup(db: Db, { adminLogin }: AdministratorSettings): Promise<boolean> {
  if (adminLogin !== undefined) return true
  return (await queryRows(db, { text: findAdministrator, values: [], prepared: undefined })).length === 0
}

const findAdministrator = `SELECT 1 FROM "user" WHERE role = 'administrator' LIMIT 1`

const hasNoAdministrator = async (tx: Tx) => (await tx.user.count({ where: { role: 'administrator' }, take: 1 })) === 0

/**
 * Sees to it that somebody can manage the site: whom ADMIN_LOGIN and ADMIN_PASSWORD name, else one that is made when
 * there is no administrator. Runs in the transaction that instances which start together wait for.
 */
export async function ensureAdministrator(
  tx: Tx,
  { adminLogin, adminPassword }: AdministratorSettings,
): Promise<AdministratorNotice | undefined> {
  const hasNone = await hasNoAdministrator(tx)
  if (adminLogin && adminPassword) return ensureConfiguredAdministrator(tx, adminLogin, adminPassword, hasNone)
  if (!hasNone) return undefined
  const user = await addUser(tx, { login: 'admin', name: 'Administrator', role: 'administrator' })
  if (!user) throw new Error('The first administrator could not be made')
  const secret = generateSecret()
  const data = { userId: user.id, kind: 'application_password', name: 'First start', hash: hashSecret(secret) } as const
  await tx.credential.create({ data })
  return { kind: 'made', login: user.login, secret }
}

/** A new login becomes an administrator's even if there are others: it is the way back in for who lost theirs. */
async function ensureConfiguredAdministrator(
  tx: Tx,
  name: string,
  password: string,
  orphaned: boolean,
): Promise<AdministratorNotice | undefined> {
  const login = canonicalLogin(name)
  const found = await tx.user.findUnique({ where: { login } })
  if (found && found.role !== 'administrator' && !orphaned) return { kind: 'refused', login }
  const role = 'administrator'
  const { id } = await tx.user.upsert({ where: { login }, create: { login, name, role }, update: { role } })
  await ensurePassword(tx, id, password)
  return undefined
}

/** A revoked password stays revoked until the setting is another one. */
async function ensurePassword(tx: Tx, userId: number, password: string): Promise<void> {
  const stored = await tx.credential.findMany({ where: { userId, hash: { startsWith: chosenHashPrefix } } })
  for (const { hash } of stored) if (await matchesChosenPassword(password, hash)) return
  await tx.credential.deleteMany({ where: { id: { in: stored.map(({ id }) => id) } } })
  const hash = await hashChosenPassword(password)
  await tx.credential.create({ data: { userId, kind: 'application_password', name: 'ADMIN_PASSWORD', hash } })
}
