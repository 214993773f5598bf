// Trashes posts, and deletes terms, that the site had at an earlier import and lacks now.

import { conflict } from '../../basics/errors.ts'
import { deleteCategory, lockCategoryTree } from '../../calendar/category/write.ts'
import { mutate } from '../../calendar/lifecycle/mutation.ts'
import { lockTerm } from '../../calendar/lifecycle/term.ts'
import { trashPost } from '../../calendar/lifecycle/trash.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type PostKind, type RecordKind, recordKinds, type TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { type LedgerEntry, readVersion } from './ledger.ts'
import type { PrunedRecord, SourceId } from './source-records.ts'
import type { ImportState } from './write-record.ts'

export async function pruneRecords(
  seen: ReadonlyMap<RecordKind, ReadonlySet<SourceId>>,
  state: ImportState,
): Promise<PrunedRecord[]> {
  const pruned: PrunedRecord[] = []
  for (const kind of recordKinds) {
    const ids = seen.get(kind)
    if (!ids) continue
    const vanished = state.ledger.entries(kind).filter(({ isAdopted, sourceId, sourceIds }) => {
      return !isAdopted && ![sourceId, ...Object.values(sourceIds)].some((id) => ids.has(id))
    })
    const ordered = kind === 'category' ? await childrenFirst(vanished, state) : vanished
    for (const entry of ordered) pruned.push(...(await prune(kind, entry, state)))
  }
  return pruned
}

const openDefault = ({ open, defaultLanguage }: ImportState) => open(defaultLanguage)

/** Deleting a category moves its children, which would then look edited. */
async function childrenFirst(entries: readonly LedgerEntry[], state: ImportState): Promise<LedgerEntry[]> {
  const { db } = await openDefault(state)
  const ids = entries.map(({ recordId }) => recordId)
  const depths = await db.categoryPath.groupBy({
    by: ['descendantId'],
    where: { descendantId: { in: ids } },
    _max: { depth: true },
  })
  const depthOf = new Map(depths.map(({ descendantId, _max }) => [descendantId, _max.depth ?? 0]))
  return entries.toSorted((a, b) => (depthOf.get(b.recordId) ?? 0) - (depthOf.get(a.recordId) ?? 0))
}

const edited = 'It was edited here after it was imported. --overwrite removes it, too.'

/** Nothing for a record that is in the trash or was deleted already. */
async function prune(kind: RecordKind, entry: LedgerEntry, state: ImportState): Promise<PrunedRecord[]> {
  const { options, ledger } = state
  const context = await openDefault(state)
  const found = await find(context, kind, entry.recordId)
  if (!found) return []
  const pruned = { kind, id: entry.recordId, name: found.name }
  const committed: (() => void)[] = []
  const outcome = await mutate(context, {}, async (tx) => {
    const version = options.overwrite ? undefined : entry.recordVersion
    if (isPost(kind)) {
      await trash(tx, kind, { id: entry.recordId, version }, context)
      // The record is written again if the site has it back.
      const trashed = { ...entry, sourceModifiedAt: null, digest: '', isComplete: false }
      const saved = await ledger.save(tx, trashed, entry)
      committed.push(() => ledger.committed(saved.entry, entry))
    } else {
      await remove(tx, kind, { id: entry.recordId, version }, context)
      await ledger.remove(tx, entry)
      committed.push(() => ledger.removed(entry))
    }
    return entry.recordId
  })
  const [error] = outcome.userErrors.filter(({ message }) => message !== '')
  if (error) return [{ ...pruned, kept: error.code === 'CONFLICT' ? edited : error.message }]
  if (!options.dryRun) for (const apply of committed) apply()
  return [pruned]
}

async function find({ db, settings }: Context, kind: RecordKind, id: number): Promise<{ name: string } | undefined> {
  const [record, texts, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const isListed = isPost(kind) ? Prisma.sql`r.status <> 'trash'` : Prisma.sql`true`
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT t.name FROM ${record} r JOIN ${texts} t ON t.${key} = r.id AND t.language = ${settings.defaultLanguage}
    WHERE r.id = ${id} AND ${isListed}`
  return rows[0]
}

interface Existing {
  readonly id: number
  /** The version that the record must have; undefined for any. */
  readonly version: string | undefined
}

function trash(tx: Tx, kind: PostKind, { id, version }: Existing, context: Context): Promise<number> {
  const ifUnmodifiedSince = version === undefined ? undefined : new Date(Number(version))
  return trashPost(tx, kind, { id: String(id), ifUnmodifiedSince }, context)
}

async function remove(tx: Tx, kind: TermKind, { id, version }: Existing, context: Context): Promise<void> {
  if (kind === 'category') await lockCategoryTree(tx)
  await lockTerm(tx, kind, String(id), context)
  if (version !== undefined && (await readVersion(tx, kind, id)) !== version) throw conflict(edited)
  await (kind === 'category' ? deleteCategory(tx, id) : tx.tag.delete({ where: { id } }))
}
