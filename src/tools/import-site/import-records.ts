// Writes the records of a legacy site, and counts the created, updated, unchanged and skipped ones.
import { type RecordKind, recordKinds } from '../../kinds.ts'
import { mapInParallel } from '../map-in-parallel.ts'
import type { ImportFindings } from './findings.ts'
import { importedKinds, type SourceSite } from './read-site.ts'
import type { AnyRecord, PruneOutcome } from './source-records.ts'
import type { ImportTarget } from './target.ts'

interface ImportOptions {
  readonly prune: boolean
  /** Records whose details and images are downloaded at the same time. Records are written one after the other. */
  readonly concurrency: number
  readonly onProgress?: (done: number, total: number) => void
}

export async function importRecords(
  { records, seen, withDetails }: SourceSite,
  target: ImportTarget,
  findings: ImportFindings,
  { prune, concurrency, onProgress = () => {} }: ImportOptions,
) {
  const none = { created: 0, updated: 0, unchanged: 0, skipped: 0 }
  const counts = Object.fromEntries(recordKinds.map((kind) => [kind, { ...none }])) as Record<RecordKind, typeof none>
  for (const { kind } of findings.problems().skipped) counts[kind].skipped++

  const write = (record: AnyRecord) => {
    if (record.kind !== 'event' || !withDetails) return target.write(record)
    // Unchanged events need no request for their details.
    const { dates = [record] } = record
    if (dates.every(({ id, modifiedAt }) => target.isCurrent('event', id, modifiedAt)) && target.isSeries(dates))
      return { outcome: 'unchanged', notes: [] } as const
    return target.write(withDetails(record))
  }
  let done = 0
  const importOne = async (record: AnyRecord) => {
    const result = await write(record)
    counts[record.kind][result.outcome]++
    const subject = { kind: record.kind, id: record.id, name: record.texts[record.originalLanguage]?.name ?? '' }
    if (result.outcome === 'skipped') findings.skip(subject, result.reason)
    else for (const note of result.notes) findings.note(subject, note)
    onProgress(++done, records.length)
  }
  let pruned: readonly PruneOutcome[] = []
  /** The error that stopped the import. Written records stay, and the next run continues. */
  let failure: Error | undefined
  try {
    await target.reserveIds(records)
    for (const kind of importedKinds) {
      const ofKind = records.filter((record) => record.kind === kind)
      await mapInParallel(ofKind, concurrency, importOne)
    }
    if (prune) pruned = await target.prune(seen)
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  return { counts, pruned, failure }
}
