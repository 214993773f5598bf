// Writes the records of a legacy site. Reading the site is separate, so that each can be tested without the other.

import { insufficientStorage } from '../../basics/errors.ts'
import { createContext } from '../../service/context.ts'
import { commandLine } from '../operations.ts'
import { readSite, type Session } from '../session.ts'
import { hasOnlyImported, openLedger } from './ledger.ts'
import { pruneRecords } from './prune.ts'
import { createRecordAuthors } from './record-authors.ts'
import { createRecordIds } from './record-ids.ts'
import { createRecordImages } from './record-images.ts'
import type { ImportOutcome, ImportTarget, SourceId, SourceKind, TargetOptions } from './source-records.ts'
import { type ImportState, recordKey, writeRecord } from './write-record.ts'

export async function createImportTarget(session: Session, options: TargetOptions): Promise<ImportTarget> {
  const state = await openState(session, options)
  const { ledger, images } = state
  const waiting = createWaitingList()
  const inOrder = createQueue()

  const imageProblem = async (record: SourceKind) =>
    'image' in record && record.image && !options.dryRun ? images.fetch(record.image) : undefined

  /** Writes a record, and again the records that refer to it as their parent and came before it. */
  async function write(record: SourceKind, problem: string | undefined): Promise<ImportOutcome> {
    const outcome = await writeRecord(record, problem, state)
    if (options.dryRun || outcome.outcome === 'skipped') return outcome
    const parent = parentOf(record)
    if (parent !== undefined && !ledger.findByAnyId(record.kind, parent)) waiting.add(record.kind, parent, record)
    const notes = [...outcome.notes]
    for (const child of waiting.take(record)) {
      const linked = await write(child, await imageProblem(child))
      if (linked.outcome === 'skipped')
        notes.push(`The ${child.kind} ${child.id} below it is not linked: ${linked.reason}`)
    }
    return { ...outcome, notes }
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
      return inOrder(async () => {
        requireDiskSpace(session)
        return write(record, await problem)
      })
    },
    prune: (seen) => inOrder(() => pruneRecords(seen, state)),
  }
}

/** An embedded database whose disk is full would fail in the middle of a write. */
function requireDiskSpace({ database }: Session): void {
  const shortage = database.shortage?.()
  if (shortage !== undefined) throw insufficientStorage(new Error(shortage))
}

async function openState(session: Session, options: TargetOptions): Promise<ImportState> {
  const { db, settings } = session
  const { site: name, dryRun } = options
  const site = await readSite(session)
  const open = (language: string) =>
    createContext({ ...session, site }, { viewer: commandLine, language, checksOnly: dryRun })
  const keepIds = options.keepIds ?? (await hasOnlyImported(db, name))
  const ledger = await openLedger(db, name)
  const ids = createRecordIds({ keepIds, dryRun })
  return {
    options: { ...options, keepIds },
    languages: settings.languages,
    defaultLanguage: settings.defaultLanguage,
    ledger,
    ids,
    images: createRecordImages(await open(settings.defaultLanguage), ids),
    authors: createRecordAuthors(() => open(settings.defaultLanguage), ledger, ids, options),
    planned: new Set(),
    open,
  }
}

const parentOf = (record: SourceKind): SourceId | undefined => ('parent' in record ? record.parent : undefined)

/** Records that wait for their parent. */
function createWaitingList() {
  const byParent = new Map<string, SourceKind[]>()
  return {
    add: (kind: string, parent: SourceId, child: SourceKind) => {
      const key = recordKey(kind, parent)
      byParent.set(key, [...(byParent.get(key) ?? []), child])
    },
    take: ({ kind, id, ids }: SourceKind): SourceKind[] => {
      const keys = [...new Set([id, ...Object.values(ids)])].map((each) => recordKey(kind, each))
      const children = keys.flatMap((key) => byParent.get(key) ?? [])
      for (const key of keys) byParent.delete(key)
      return children
    },
  }
}

/** Runs tasks one after another: records refer to records before them, and the embedded database has one connection. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
}
