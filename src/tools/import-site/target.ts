// Writes the records of a legacy site. Reading the site is separate, so that each can be tested without the other.
import PQueue from 'p-queue'
import { createContext } from '../../service/context.ts'
import { commandLine, type Operations } from '../operations.ts'
import { hasOnlyImported, openLedger } from './ledger.ts'
import { pruneRecords } from './prune.ts'
import { createRecordAuthors } from './record-authors.ts'
import { createRecordIds } from './record-ids.ts'
import { createRecordImages } from './record-images.ts'
import { type ImportState, recordKey } from './record-plan.ts'
import type { ImportOutcome, PrunedRecord, SeenIds, SourceId, SourceKind, TargetOptions } from './source-records.ts'
import { writeRecord } from './write-record.ts'

/** Writes the records of one legacy site. Each call commits or rolls back one record. */
export interface ImportTarget {
  /** Whether the record was imported with this `modifiedAt` before; then its details need not be fetched. */
  isCurrent(kind: SourceKind['kind'], id: SourceId, modifiedAt: Date | undefined): boolean
  /** Parents before children, venues and organizers before events. */
  write(record: SourceKind): Promise<ImportOutcome>
  /** Trashes posts, and deletes terms, of this site that are not in `seen`. Kinds that `seen` lacks stay. */
  prune(seen: SeenIds): Promise<readonly PrunedRecord[]>
}

export async function createImportTarget(operations: Operations, options: TargetOptions): Promise<ImportTarget> {
  const state = await openState(operations, options)
  const { ledger, images } = state
  /** Records by the parent that they wait for. */
  const waiting = new Map<string, SourceKind[]>()
  // Records refer to records before them, and the embedded database has one connection.
  const inOrder = new PQueue({ concurrency: 1 })

  const imageProblem = async (record: SourceKind) =>
    'image' in record && record.image && !options.dryRun ? images.fetch(record.image) : undefined

  /** Writes a record, and again the records that refer to it as their parent and came before it. */
  async function write(record: SourceKind, problem: string | undefined): Promise<ImportOutcome> {
    const outcome = await writeRecord(record, problem, state)
    if (options.dryRun || outcome.outcome === 'skipped') return outcome
    const parent = 'parent' in record ? record.parent : undefined
    if (parent !== undefined && !ledger.findByAnyId(record.kind, parent)) {
      const key = recordKey(record.kind, parent)
      waiting.set(key, [...(waiting.get(key) ?? []), record])
    }
    const notes = [...outcome.notes]
    for (const child of takeWaiting(record)) {
      const linked = await write(child, await imageProblem(child))
      if (linked.outcome === 'skipped')
        notes.push(`The ${child.kind} ${child.id} below it is not linked: ${linked.reason}`)
    }
    return { ...outcome, notes }
  }

  function takeWaiting({ kind, id, ids }: SourceKind): SourceKind[] {
    const keys = [...new Set([id, ...Object.values(ids)])].map((each) => recordKey(kind, each))
    const children = keys.flatMap((key) => waiting.get(key) ?? [])
    for (const key of keys) waiting.delete(key)
    return children
  }

  return {
    isCurrent: (kind, id, modifiedAt) => {
      const entry = ledger.find(kind, [id])
      if (!entry?.isComplete || modifiedAt?.getTime() !== entry.sourceModifiedAt?.getTime()) return false
      return modifiedAt !== undefined && !(options.overwrite && entry.currentVersion !== entry.recordVersion)
    },
    write: (record) => {
      // Images are downloaded while other records are written. The records are written in the order of the calls.
      const problem = imageProblem(record)
      problem.catch(() => {})
      return inOrder.add(async () => write(record, await problem))
    },
    prune: (seen) => inOrder.add(() => pruneRecords(seen, state)),
  }
}

async function openState(operations: Operations, options: TargetOptions): Promise<ImportState> {
  const { session, site } = operations
  const { db, settings } = session
  const operation = { viewer: commandLine, language: settings.defaultLanguage }
  const context = await createContext({ ...session, site }, operation)
  const keepIds = options.keepIds ?? (await hasOnlyImported(db, options.site))
  const ledger = await openLedger(db, options.site)
  const ids = createRecordIds(db, { keepIds, dryRun: options.dryRun })
  return {
    options: { ...options, keepIds },
    operations,
    ledger,
    ids,
    images: createRecordImages(context, ids),
    authors: createRecordAuthors(operations, ledger, ids, options),
    planned: new Set(),
  }
}
