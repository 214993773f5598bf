// Creates users for the authors of imported records, without credentials: an administrator can add them later.
import type { Tx } from '../../engine/postgres/client.ts'
import { ImportCreateUserDocument } from '../../generated/graphql/graphql.ts'
import { toCanonicalLogin } from '../../service/auth/login.ts'
import type { Operations } from '../operations.ts'
import type { Ledger, SavedLedgerEntry } from './ledger.ts'
import type { IdChooser } from './record-ids.ts'
import type { SourceId, TargetOptions } from './source-records.ts'

/** Returns a function that finds or creates the user for an author of the site. Undefined in a dry run for a new user. */
export function createRecordAuthors(
  { execute, session: { db } }: Operations,
  ledger: Ledger,
  chooseId: IdChooser,
  { authors, dryRun }: TargetOptions,
) {
  const userIds = new Map<SourceId, number | undefined>()
  return async (author: SourceId) => {
    if (!userIds.has(author)) userIds.set(author, await findOrCreate(author, authors.get(author)))
    return userIds.get(author)
  }

  async function findOrCreate(author: SourceId, login: string | undefined): Promise<number | undefined> {
    const entry = ledger.find('user', [author])
    if (login === undefined && entry?.currentVersion != null) return entry.recordId
    const where = { login: toCanonicalLogin(login ?? '') }
    const mapped = login === undefined ? null : await db.user.findUnique({ where, select: { id: true } })
    return mapped?.id ?? (dryRun ? undefined : create(author, login))
  }

  /** Creates a user such as `author-3`, or `author-3-2` if this login exists, such as from another site. */
  async function create(author: SourceId, login: string | undefined): Promise<number> {
    const previous = ledger.find('user', [author])
    const entry = { kind: 'user', sourceId: author, sourceIds: {}, sourceModifiedAt: null, digest: '' } as const
    const recordId = await chooseId('user', author)
    for (let suffix = 1; ; suffix++) {
      const name = login ?? (suffix === 1 ? `author-${author}` : `author-${author}-${suffix}`)
      let saved: SavedLedgerEntry | undefined
      const afterWrite = async (tx: Tx, id: number) => {
        saved = await ledger.save(tx, { ...entry, recordId: id, isComplete: true, isAdopted: false }, previous)
      }
      const input = { login: name, name, role: 'CONTRIBUTOR' } as const
      const { outcome } = await execute(ImportCreateUserDocument, { input }, { importing: { recordId, afterWrite } })
      const errors = outcome?.userErrors ?? []
      if (saved && errors.length === 0) {
        ledger.applyCommitted(previous, saved.entry)
        return saved.entry.recordId
      }
      if (login === undefined && errors.some(({ code }) => code === 'CONFLICT')) continue
      const reasons = errors.map(({ message }) => message).join(' ')
      throw new Error(`The user for author ${author} of the site cannot be created: ${reasons}`)
    }
  }
}
