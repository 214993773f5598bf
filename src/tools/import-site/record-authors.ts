// Authors of imported records: users without credentials, who can sign in once an administrator gives them some.

import { mutateAccounts } from '../../calendar/lifecycle/mutation.ts'
import { createUser } from '../../calendar/user/account.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { canonicalLogin } from '../../service/auth/login.ts'
import type { Context } from '../../service/context.ts'
import type { Ledger } from './ledger.ts'
import type { RecordIds } from './record-ids.ts'
import type { SourceId, TargetOptions } from './source-records.ts'

/** Returns the ID of the user for an author of the site; undefined in a dry run if the user would be created. */
export type RecordAuthors = (author: SourceId) => Promise<number | undefined>

type Options = Pick<TargetOptions, 'authors' | 'dryRun'>

export function createRecordAuthors(
  open: () => Promise<Context>,
  ledger: Ledger,
  ids: RecordIds,
  { authors, dryRun }: Options,
): RecordAuthors {
  const userIds = new Map<SourceId, number | undefined>()
  return async (author) => {
    if (!userIds.has(author)) userIds.set(author, await findOrCreate(author, authors.get(author)))
    return userIds.get(author)
  }

  async function findOrCreate(author: SourceId, login: string | undefined): Promise<number | undefined> {
    const context = await open()
    const mapped = login === undefined ? undefined : await findUser(context.db, login)
    if (mapped !== undefined) return mapped
    const entry = ledger.find('user', [author])
    if (login === undefined && entry?.currentVersion != null) return entry.recordId
    return dryRun ? undefined : create(author, login, context)
  }

  async function create(author: SourceId, login: string | undefined, context: Context): Promise<number> {
    const previous = ledger.find('user', [author])
    const outcome = await mutateAccounts(context, async (tx) => {
      const name = login ?? (await freeLogin(tx, `author-${author}`))
      const recordId = await ids.choose(tx, 'user', author)
      const { id } = await createUser(tx, { login: name, name, role: 'contributor' }, { recordId })
      const entry = { kind: 'user', sourceId: author, sourceIds: {}, recordId: id, sourceModifiedAt: null } as const
      const saved = await ledger.save(tx, { ...entry, digest: '', isComplete: true, isAdopted: false }, previous)
      return { id, entry: saved.entry }
    })
    if (!('entry' in outcome)) {
      const reasons = outcome.userErrors.map(({ message }) => message).join(' ')
      throw new Error(`The user for author ${author} of the site cannot be created: ${reasons}`)
    }
    ledger.committed(outcome.entry, previous)
    return outcome.id
  }
}

async function findUser(db: Pick<Tx, 'user'>, login: string): Promise<number | undefined> {
  const user = await db.user.findUnique({ where: { login: canonicalLogin(login) }, select: { id: true } })
  return user?.id
}

/** The login, or the first free one of `{login}-2`, `{login}-3`, …: users of other sites may have the same number. */
async function freeLogin(tx: Tx, login: string): Promise<string> {
  for (let suffix = 1; ; suffix += 1) {
    const candidate = suffix === 1 ? login : `${login}-${suffix}`
    if ((await findUser(tx, candidate)) === undefined) return candidate
  }
}
