// Writes the records of a legacy site, one after the other, and counts what happened.
import type { Findings } from './findings.ts'
import type { SourceSite } from './read-site.ts'
import type { ImportTarget, PrunedRecord, SourceKind } from './source-records.ts'

type Kind = SourceKind['kind']

interface OutcomeCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
}

export interface ImportCounts {
  readonly counts: Readonly<Record<Kind, OutcomeCounts>>
  readonly pruned: readonly PrunedRecord[]
  /** The import stopped here. What was written stays, and the next run continues. */
  readonly failure: Error | undefined
}

export interface ImportOptions {
  readonly prune: boolean
  readonly onProgress?: (done: number, total: number) => void
}

export async function importRecords(
  { records, seen }: SourceSite,
  target: ImportTarget,
  findings: Findings,
  { prune, onProgress = () => {} }: ImportOptions,
): Promise<ImportCounts> {
  const kinds: readonly Kind[] = ['event', 'venue', 'organizer', 'category', 'tag']
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, { created: 0, updated: 0, unchanged: 0, skipped: 0 }]),
  ) as Record<Kind, { -readonly [Outcome in keyof OutcomeCounts]: number }>
  for (const { kind } of findings.problems().skipped) counts[kind].skipped++
  let pruned: readonly PrunedRecord[] = []
  try {
    for (const [index, record] of records.entries()) {
      const subject = { kind: record.kind, id: record.id, name: record.texts[record.originalLanguage]?.name ?? '' }
      const result = await target.write(record)
      counts[record.kind][result.outcome]++
      if (result.outcome === 'skipped') findings.skip(subject, result.reason)
      else for (const note of result.notes) findings.note(subject, note)
      onProgress(index + 1, records.length)
    }
    if (prune) pruned = await target.prune(seen)
  } catch (error) {
    return { counts, pruned, failure: error instanceof Error ? error : new Error(String(error)) }
  }
  return { counts, pruned, failure: undefined }
}
