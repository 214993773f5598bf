// Records what an operation has read, so that caches keep results until one of these records changes.
import { recordKinds } from '../../kinds.ts'

/** Kinds of records whose changes the database reports by notifications. */
export const cachedKinds = [...recordKinds, 'image', 'user'] as const

/** A kind of record whose changes are notified. A change to texts, slugs, links or counts is a change to the record. */
export type CachedKind = (typeof cachedKinds)[number]

export const isCachedKind = (name: string): name is CachedKind => cachedKinds.some((kind) => kind === name)

/** The records that a response was built from. */
export interface Dependencies {
  /** Any change to a record of these kinds invalidates the response. */
  readonly kinds: ReadonlySet<CachedKind>
  /** IDs of records by kind. A change to one of these invalidates the response, and so does a change without IDs to the kind. */
  readonly records: ReadonlyMap<CachedKind, ReadonlySet<number>>
}

/** What an operation has read. */
export interface ReadRecord extends Dependencies {
  /** Whether starts or ends of events were compared with the present. */
  readonly comparesTimes: boolean
  /** When the result changes although no record changes, in milliseconds since 1970. */
  readonly until: number
  /** Whether a table was read whose changes are not notified, so that no cache may keep the result. */
  readonly isUncacheable: boolean
}

/** Collects what an operation reads. */
export interface ReadRecorder {
  /** Returns what was read until now. */
  snapshot(): ReadRecord
  hasKind(kind: CachedKind): boolean
  addKinds(kinds: Iterable<CachedKind>): void
  /** Adds records that were read by ID, whether they exist or not. */
  addRecords(kind: CachedKind, ids: Iterable<number>): void
  add(record: ReadRecord): void
  /** Adds all records of all kinds, if it is unknown what was read. */
  addEverything(): void
  addUncacheable(): void
  expiresAt(time: number): void
  /** Adds values that starts or ends of events were compared with. */
  comparedTimes(times: readonly unknown[]): void
  /** Creates a recorder for a part of the operation. What it records is also added to this recorder. */
  child(): ReadRecorder
}

/** Creates a recorder for an operation at the time `now`. */
export function createReadRecorder(now: Date, parent?: ReadRecorder): ReadRecorder {
  const records = new Map<CachedKind, Set<number>>()
  const record = {
    kinds: new Set<CachedKind>(),
    records,
    comparesTimes: false,
    until: Number.POSITIVE_INFINITY,
    isUncacheable: false,
  }
  const recorder: ReadRecorder = {
    snapshot: () => ({ ...record, kinds: new Set(record.kinds), records: new Map(records) }),
    hasKind: (kind) => record.kinds.has(kind),
    addKinds(added) {
      for (const kind of added) {
        record.kinds.add(kind)
        records.delete(kind)
      }
      parent?.addKinds(added)
    },
    addRecords(kind, ids) {
      if (!record.kinds.has(kind)) {
        const all = records.get(kind) ?? new Set()
        records.set(kind, all)
        for (const id of ids) all.add(id)
      }
      parent?.addRecords(kind, ids)
    },
    add(other) {
      recorder.addKinds(other.kinds)
      for (const [kind, ids] of other.records) recorder.addRecords(kind, ids)
      recorder.expiresAt(other.until)
      if (other.comparesTimes) recorder.comparedTimes([now])
      if (other.isUncacheable) recorder.addUncacheable()
    },
    addEverything() {
      recorder.addKinds(cachedKinds)
      recorder.comparedTimes([now])
    },
    addUncacheable() {
      record.isUncacheable = true
      parent?.addUncacheable()
    },
    expiresAt(time) {
      record.until = Math.min(record.until, time)
      parent?.expiresAt(time)
    },
    comparedTimes(times) {
      record.comparesTimes ||= times.some((time) => time instanceof Date && time.getTime() === now.getTime())
      parent?.comparedTimes(times)
    },
    child: () => createReadRecorder(now, recorder),
  }
  return recorder
}
