// What an operation has read. Caches keep their entries until something of it changes.
import { recordKinds } from '../../kinds.ts'

export const cachedKinds = [...recordKinds, 'image', 'user'] as const

/** A kind of record. A change to the texts, slugs, links or counts of a record is a change to the record. */
export type CachedKind = (typeof cachedKinds)[number]

export const isCachedKind = (name: string): name is CachedKind => cachedKinds.some((kind) => kind === name)

/** The records that a response was built from. */
export interface Dependencies {
  /** Any change to a record of these kinds invalidates the response. */
  readonly kinds: ReadonlySet<CachedKind>
  /** A change to one of these records, by ID, invalidates the response, and so does one that names only the kind. */
  readonly records: ReadonlyMap<CachedKind, ReadonlySet<number>>
}

export interface ReadRecord extends Dependencies {
  /** Whether starts or ends of events were compared with the present. */
  readonly comparesTimes: boolean
  /** When the result changes although nothing else does, in milliseconds since 1970. */
  readonly until: number
  /** Whether something was read whose changes are not notified, so that no cache may keep the result. */
  readonly isUncacheable: boolean
}

export interface ReadRecorder {
  /** What was read until now. */
  snapshot(): ReadRecord
  hasKind(kind: CachedKind): boolean
  addKinds(kinds: Iterable<CachedKind>): void
  /** Records that were read by ID, whether they exist or not. */
  addRecords(kind: CachedKind, ids: Iterable<number>): void
  add(record: ReadRecord): void
  /** Notes that any record of any kind may have been read. */
  addEverything(): void
  addUncacheable(): void
  expiresAt(time: number): void
  /** `times` are values that starts or ends of events were compared with. */
  comparedTimes(times: readonly unknown[]): void
  /** A recorder of a part of the operation; everything is recorded here, too. */
  child(): ReadRecorder
}

/** `now` is the time of the operation. */
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
