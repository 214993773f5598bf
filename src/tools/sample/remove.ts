// Removes the sample records, except for records that were changed and are not in the trash, or that other records use.
import type { Db } from '../../engine/postgres/client.ts'
import { SampleDeleteImageDocument } from '../../generated/graphql/graphql.ts'
import { isPost } from '../../kinds.ts'
import { openLedger } from '../import-site/ledger.ts'
import { findMutation, type Operations } from '../operations.ts'
import { type SampleKind, sampleKinds } from './load.ts'
import { readSamplePictures, sampleLedgerSite } from './town.ts'

/** Returns SQL for rows that refer to a record of the kind. Events are removed first, so only remaining events count. */
const usesOf = (kind: SampleKind) => [
  ...(kind === 'event' ? [] : [`event_${kind} WHERE ${kind}_id`]),
  ...(kind === 'event' || kind === 'category' ? [`${kind} WHERE parent_id`] : []),
]

const [changed, inUse] = ['it was changed', 'other records use it']

export async function removeSample({ session: { db, settings }, execute }: Operations) {
  const ledger = await openLedger(db, sampleLedgerSite)
  const kept: { kind: SampleKind | 'image'; id: number; name: string; reason: string }[] = []
  /** The number of removed records by kind. */
  const rows: Record<string, number> = {}
  /** Removes a record. Returns why it is kept; undefined if it was removed. */
  const remove = async (kind: SampleKind, record: StoredRecord, rememberedVersion: string, version: string) => {
    // Moving a record to the trash changes its version, so the version of trashed records is not compared.
    if (version !== rememberedVersion && !record.isTrashed) return changed
    if (record.isUsed) return inUse
    const ifUnmodifiedSince = isPost(kind) ? { ifUnmodifiedSince: new Date(Number(version)) } : {}
    const input = { id: String(record.id), ...ifUnmodifiedSince }
    const { outcome } = await execute(findMutation('Delete', kind), { input })
    return outcome?.userErrors.map(({ message }) => message).join(' ') || undefined
  }
  for (const kind of sampleKinds) {
    rows[kind] = 0
    // In reverse, so that children are removed before their parents.
    for (const { recordId: id, recordVersion, currentVersion } of ledger.entries(kind).toReversed()) {
      // Without a version, the record was deleted before.
      if (currentVersion !== null) {
        const record = await readRecord(db, kind, id, settings.defaultLanguage)
        const reason = await remove(kind, record, recordVersion, currentVersion)
        if (reason !== undefined) {
          kept.push({ kind, id, name: record.name, reason })
          continue
        }
        rows[kind] += 1
      }
      await db.importedRecord.deleteMany({ where: { site: sampleLedgerSite, kind, recordId: id } })
    }
  }
  // Images are not in the ledger: their URLs identify them.
  const images = await db.image.findMany({
    where: { url: { in: Object.values(readSamplePictures()).map(({ url }) => url) }, authorId: null },
    include: { _count: { select: { events: true, venues: true, organizers: true } } },
    orderBy: { id: 'asc' },
  })
  rows.image = 0
  for (const { id, url, createdAt, modifiedAt, _count } of images) {
    const isUsed = Object.values(_count).some((count) => count > 0)
    const reason = isUsed ? inUse : modifiedAt > createdAt ? changed : undefined
    if (reason !== undefined) kept.push({ kind: 'image', id, name: url, reason })
    else {
      await execute(SampleDeleteImageDocument, { input: { id: String(id) } })
      rows.image += 1
    }
  }
  return { rows, kept }
}

type StoredRecord = Awaited<ReturnType<typeof readRecord>>

async function readRecord(db: Db, kind: SampleKind, id: number, language: string) {
  const isUsed = usesOf(kind)
    .map((rows) => `EXISTS (SELECT FROM ${rows} = $1)`)
    .join(' OR ')
  const isTrashed = isPost(kind) ? `(SELECT status = 'trash' FROM ${kind} WHERE id = $1)` : 'false'
  const [row] = await db.$queryRawUnsafe<{ name: string; isTrashed: boolean; isUsed: boolean }[]>(
    `SELECT ${isUsed} AS "isUsed", coalesce(${isTrashed}, false) AS "isTrashed",
      coalesce((SELECT name FROM ${kind}_text WHERE ${kind}_id = $1 AND language = $2), '') AS name`,
    id,
    language,
  )
  return { id, name: '', isTrashed: false, isUsed: false, ...row }
}
