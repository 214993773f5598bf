// Writes the records of a legacy site. Independent of reading the site, so that each can be tested separately.
import PQueue from 'p-queue'
import type { Operations } from '../operations.ts'
import { openImportState } from './import-state.ts'
import { pruneRecords } from './prune.ts'
import type { AnyRecord, SiteRecordIds, SourceId, TargetOptions } from './source-records.ts'
import { writeSourceRecord } from './write-record.ts'

export type ImportTarget = Awaited<ReturnType<typeof createImportTarget>>

/** Returns methods that write records of a legacy site to this service. Each record is written in a transaction of its own. */
export async function createImportTarget(operations: Operations, options: TargetOptions) {
  const state = await openImportState(operations, options)
  // One at a time: records refer to earlier records, and the embedded database has one connection.
  const inOrder = new PQueue({ concurrency: 1 })

  /** Downloads the image of a record, while other records are written. */
  const prepare = async (awaited: AnyRecord | Promise<AnyRecord>) => {
    const record = await awaited
    const image = 'image' in record && !options.dryRun ? record.image : undefined
    return { record, imageProblem: image && (await state.images.fetch(image)) }
  }
  return {
    /** Whether the record was imported with this `modifiedAt` before. Then its details need not be requested. */
    isCurrent(kind: AnyRecord['kind'], id: SourceId, modifiedAt: Date | undefined): boolean {
      const entry = state.ledger.find(kind, [id])
      if (!entry?.isComplete || modifiedAt?.getTime() !== entry.sourceModifiedAt?.getTime()) return false
      return modifiedAt !== undefined && !(options.overwrite && entry.currentVersion !== entry.recordVersion)
    },
    /** Writes a record, in the order of the calls. Pass parents before children, and linked records before events. */
    write(record: AnyRecord | Promise<AnyRecord>) {
      const prepared = prepare(record)
      prepared.catch(() => {})
      return inOrder.add(async () => writeSourceRecord(await prepared, state))
    },
    /** Removes imported records that are not in `seen`. Kinds that are missing in `seen` stay. */
    prune: (seen: SiteRecordIds) => inOrder.add(() => pruneRecords(seen, state)),
  }
}
