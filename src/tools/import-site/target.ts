// Writes the records of a legacy site. Independent of reading the site, so that each can be tested separately.
import PQueue from 'p-queue'
import type { Operations } from '../operations.ts'
import { openImportState } from './import-state.ts'
import { pruneRecords } from './prune.ts'
import { reservePostIds } from './record-ids.ts'
import type { AnyRecord, SiteRecordIds, SourceId, TargetOptions } from './source-records.ts'
import { isEdited, writeSourceRecord } from './write-record.ts'
import { writeSeries } from './write-series.ts'

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
      return modifiedAt !== undefined && !(options.overwrite && isEdited(entry))
    },
    /** Whether these dates were last imported together, as a series. */
    isSeries(dates: readonly AnyRecord[]): boolean {
      const digests = new Set(dates.map(({ kind, id }) => state.ledger.find(kind, [id])?.digest))
      // Without a digest, an import stopped before it wrote the date.
      return digests.size === 1 && !digests.has('')
    },
    /** Reserves the IDs of the site, before new series take IDs from the same sequence. */
    async reserveIds(records: readonly AnyRecord[]): Promise<void> {
      const dates = records.flatMap((record) => ('dates' in record && record.dates) || [])
      if (dates.length === 0 || !state.options.keepIds || options.dryRun) return
      const ids = [...records, ...dates].flatMap((record) => ('status' in record ? Object.values(record.ids) : []))
      await reservePostIds(operations.session.db, ids)
    },
    /** Writes a record, in the order of the calls. Pass parents before children, and linked records before events. */
    write(record: AnyRecord | Promise<AnyRecord>) {
      const prepared = prepare(record)
      prepared.catch(() => {})
      return inOrder.add(async () => {
        const { record, imageProblem } = await prepared
        return 'dates' in record && record.dates
          ? writeSeries({ record, imageProblem }, record.dates, state)
          : writeSourceRecord({ record, imageProblem }, state)
      })
    },
    /** Removes imported records that are not in `seen`. Kinds that are missing in `seen` stay. */
    prune: (seen: SiteRecordIds) => inOrder.add(() => pruneRecords(seen, state)),
  }
}
