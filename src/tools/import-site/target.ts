// Writes the records of a legacy site. Reading the site is separate, so that each can be tested without the other.
import PQueue from 'p-queue'
import type { Operations } from '../operations.ts'
import { openImportState } from './import-state.ts'
import { pruneRecords } from './prune.ts'
import type { AnySourceRecord, SeenIds, SourceId, TargetOptions } from './source-records.ts'
import { writeRecord } from './write-record.ts'

export type ImportTarget = Awaited<ReturnType<typeof createImportTarget>>

/** Each call commits or rolls back one record. */
export async function createImportTarget(operations: Operations, options: TargetOptions) {
  const state = await openImportState(operations, options)
  // Records refer to records before them, and the embedded database has one connection.
  const inOrder = new PQueue({ concurrency: 1 })

  /** Its image is downloaded while other records are written. */
  const prepare = async (awaited: AnySourceRecord | Promise<AnySourceRecord>) => {
    const record = await awaited
    const image = 'image' in record && !options.dryRun ? record.image : undefined
    return { record, imageProblem: image && (await state.images.fetch(image)) }
  }
  return {
    /** Whether the record was imported with this `modifiedAt` before; then its details need not be fetched. */
    isCurrent(kind: AnySourceRecord['kind'], id: SourceId, modifiedAt: Date | undefined): boolean {
      const entry = state.ledger.find(kind, [id])
      if (!entry?.isComplete || modifiedAt?.getTime() !== entry.sourceModifiedAt?.getTime()) return false
      return modifiedAt !== undefined && !(options.overwrite && entry.currentVersion !== entry.recordVersion)
    },
    /** Records are written in the order of the calls: parents before children, venues and organizers before events. */
    write(record: AnySourceRecord | Promise<AnySourceRecord>) {
      const prepared = prepare(record)
      prepared.catch(() => {})
      return inOrder.add(async () => writeRecord(await prepared, state))
    },
    /** Trashes posts, and deletes terms, of this site that are not in `seen`. Kinds that `seen` lacks stay. */
    prune: (seen: SeenIds) => inOrder.add(() => pruneRecords(seen, state)),
  }
}
