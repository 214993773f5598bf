import type { Db, Tx } from '../db/client.ts'
import { queryRows } from '../db/query.ts'
import type { Settings } from '../env.ts'
import { addUser, canonicalLogin } from './login.ts'
import { chosenHash, chosenMark, matchesChosen, newSecret, secretHash } from './secrets.ts'

type AdministratorSettings = Pick<Settings, 'adminLogin' | 'adminPassword'>

/** What whoever started the service must be told. */
export type AdministratorNews =
  /** A first administrator was made; the secret is nowhere else. */
  | { readonly kind: 'made'; readonly login: string; readonly secret: string }
  /** ADMIN_LOGIN is somebody whom the administrators gave another role. */
  | { readonly kind: 'refused'; readonly login: string }

/** Whether there is anything to see to. */
export async function isAdministratorDue(db: Db, { adminLogin }: AdministratorSettings): Promise<boolean> {
  if (adminLogin !== undefined) return true
  return (await queryRows(db, { text: anAdministrator, values: [], prepared: undefined })).length === 0
}

const anAdministrator = `SELECT 1 FROM "user" WHERE role = 'administrator' LIMIT 1`

const isOrphaned = async (tx: Tx) => (await tx.user.count({ where: { role: 'administrator' }, take: 1 })) === 0

/**
 * Sees to it that somebody can manage the site: whom ADMIN_LOGIN and ADMIN_PASSWORD name, else one that is made when
 * there is no administrator. Runs in the transaction that instances which start together wait for.
 */
export async function ensureAdministrator(
  tx: Tx,
  { adminLogin, adminPassword }: AdministratorSettings,
): Promise<AdministratorNews | undefined> {
  const orphaned = await isOrphaned(tx)
  if (adminLogin && adminPassword) return ensureNamed(tx, adminLogin, adminPassword, orphaned)
  if (!orphaned) return undefined
  const user = await addUser(tx, { login: 'admin', name: 'Administrator', role: 'administrator' })
  if (!user) throw new Error('The first administrator could not be made')
  const secret = newSecret()
  const data = { userId: user.id, kind: 'application_password', name: 'First start', hash: secretHash(secret) } as const
  await tx.credential.create({ data })
  return { kind: 'made', login: user.login, secret }
}

/** A new login becomes an administrator's even if there are others: it is the way back in for who lost theirs. */
async function ensureNamed(
  tx: Tx,
  name: string,
  password: string,
  orphaned: boolean,
): Promise<AdministratorNews | undefined> {
  const login = canonicalLogin(name)
  const found = await tx.user.findUnique({ where: { login } })
  if (found && found.role !== 'administrator' && !orphaned) return { kind: 'refused', login }
  const role = 'administrator'
  const { id } = await tx.user.upsert({ where: { login }, create: { login, name, role }, update: { role } })
  await keepPassword(tx, id, password)
  return undefined
}

/** A revoked password stays revoked until the setting is another one. */
async function keepPassword(tx: Tx, userId: number, password: string): Promise<void> {
  const stored = await tx.credential.findMany({ where: { userId, hash: { startsWith: chosenMark } } })
  for (const { hash } of stored) if (await matchesChosen(password, hash)) return
  await tx.credential.deleteMany({ where: { id: { in: stored.map(({ id }) => id) } } })
  const hash = await chosenHash(password)
  await tx.credential.create({ data: { userId, kind: 'application_password', name: 'ADMIN_PASSWORD', hash } })
}
