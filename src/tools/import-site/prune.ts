// Moves posts to the trash, and deletes terms, that were imported before and no longer exist on the site.
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type RecordKind, recordKinds } from '../../kinds.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'
import { findRemovalMutation, userErrorsOf } from '../operations.ts'
import type { ImportState } from './import-state.ts'
import type { LedgerEntry, SavedLedgerEntry } from './ledger.ts'
import type { PruneOutcome, SiteRecordIds } from './source-records.ts'

export async function pruneRecords(seen: SiteRecordIds, state: ImportState): Promise<PruneOutcome[]> {
  const pruned: PruneOutcome[] = []
  for (const kind of recordKinds) {
    const ids = seen.get(kind)
    if (!ids) continue
    const vanished = state.ledger.entries(kind).filter(({ isAdopted, sourceId, sourceIds }) => {
      return !isAdopted && ![sourceId, ...Object.values(sourceIds)].some((id) => ids.has(id))
    })
    const entries = new Map(vanished.map((entry) => [entry.recordId, entry]))
    for (const { id, name } of await findRecords(kind, [...entries.keys()], state.operations.session)) {
      const entry = entries.get(id)
      if (entry) pruned.push({ kind, id, name, ...(await remove(kind, entry, state)) })
    }
  }
  return pruned
}

/** Reads the records that are not in the trash. Children first: deleting a category changes its children. */
function findRecords(kind: RecordKind, ids: readonly number[], { db, settings }: ImportState['operations']['session']) {
  const [record, texts, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const isListed = isPost(kind) ? Prisma.sql`r.status <> 'trash'` : Prisma.sql`true`
  const paths = Prisma.sql`(SELECT max(depth) FROM category_path WHERE descendant_id = r.id)`
  return db.$queryRaw<{ id: number; name: string }[]>`
    SELECT r.id, t.name FROM ${record} r JOIN ${texts} t ON t.${key} = r.id AND t.language = ${settings.defaultLanguage}
    WHERE r.id = ANY(${ids}) AND ${isListed} ORDER BY ${kind === 'category' ? paths : Prisma.sql`0::int`} DESC, r.id`
}

const edited = 'The record was edited in this service after its import. --overwrite removes it, too.'

/** Removes a record. Returns why it stays, if it cannot be removed. */
async function remove(kind: RecordKind, entry: LedgerEntry, state: ImportState): Promise<Pick<PruneOutcome, 'kept'>> {
  const { options, ledger, operations } = state
  let saved: SavedLedgerEntry | undefined
  const importing: ImportedRecordOptions = {
    beforeWrite: async (tx) => {
      if (!options.overwrite) await ledger.requireUnmodified(tx, entry)
    },
    afterWrite: async (tx) => {
      // An empty digest: the post is written again if the site has it again.
      const trashed = { ...entry, sourceModifiedAt: null, digest: '', isComplete: false }
      if (isPost(kind)) saved = await ledger.save(tx, trashed, entry)
      else await ledger.remove(tx, entry)
    },
  }
  const input = { id: String(entry.recordId) }
  const mode = { checksOnly: options.dryRun, importing }
  const [error] = userErrorsOf((await operations.execute(findRemovalMutation(kind), { input }, mode)).outcome)
  if (error) return { kept: error.code === 'CONFLICT' ? edited : error.message }
  if (options.dryRun) return {}
  ledger.applyCommitted(entry, saved?.entry)
  return {}
}
