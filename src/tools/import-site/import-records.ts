// Writes the records of a legacy site and counts what happened.
import { type RecordKind, recordKinds } from '../../kinds.ts'
import { inParallel } from '../in-parallel.ts'
import type { Findings } from './findings.ts'
import type { SourceSite } from './read-site.ts'
import type { PrunedRecord, SourceKind } from './source-records.ts'
import type { ImportTarget } from './target.ts'

interface OutcomeCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
}

export interface ImportCounts {
  readonly counts: Readonly<Record<RecordKind, OutcomeCounts>>
  readonly pruned: readonly PrunedRecord[]
  /** The import stopped here. What was written stays, and the next run continues. */
  readonly failure: Error | undefined
}

interface ImportOptions {
  readonly prune: boolean
  /** Records at a time whose details and images are downloaded; the target writes one after the other. */
  readonly concurrency: number
  readonly onProgress?: (done: number, total: number) => void
}

export async function importRecords(
  { records, seen, withDetails }: SourceSite,
  target: ImportTarget,
  findings: Findings,
  { prune, concurrency, onProgress = () => {} }: ImportOptions,
): Promise<ImportCounts> {
  const none = { created: 0, updated: 0, unchanged: 0, skipped: 0 }
  const counts = Object.fromEntries(recordKinds.map((kind) => [kind, { ...none }])) as Record<RecordKind, typeof none>
  for (const { kind } of findings.problems().skipped) counts[kind].skipped++
  let done = 0
  const importOne = async (record: SourceKind) => {
    const result = await writeRecord(record, target, withDetails)
    counts[record.kind][result.outcome]++
    const subject = { kind: record.kind, id: record.id, name: record.texts[record.originalLanguage]?.name ?? '' }
    if (result.outcome === 'skipped') findings.skip(subject, result.reason)
    else for (const note of result.notes) findings.note(subject, note)
    onProgress(++done, records.length)
  }
  let pruned: readonly PrunedRecord[] = []
  try {
    // Events refer to the records of the other kinds, and categories to each other.
    for (const kind of ['category', 'tag', 'venue', 'organizer', 'event'] as const) {
      const ofKind = records.filter((record) => record.kind === kind)
      await inParallel(ofKind, kind === 'category' ? 1 : concurrency, importOne)
    }
    if (prune) pruned = await target.prune(seen)
  } catch (error) {
    return { counts, pruned, failure: error instanceof Error ? error : new Error(String(error)) }
  }
  return { counts, pruned, failure: undefined }
}

/** An event that did not change is not asked for again. */
async function writeRecord(record: SourceKind, target: ImportTarget, withDetails: SourceSite['withDetails']) {
  if (record.kind !== 'event' || !withDetails) return target.write(record)
  if (target.isCurrent('event', record.id, record.modifiedAt)) {
    return { outcome: 'unchanged', id: record.id, notes: [] } as const
  }
  return target.write(await withDetails(record))
}
