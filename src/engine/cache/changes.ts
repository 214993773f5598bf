// Tracks which records changed, from the notifications of the database, to invalidate cached responses.

import { parseNotification } from '../postgres/notifications.ts'
import { type CachedKind, cachedKinds, type Dependencies, isCachedKind } from '../reads/read-record.ts'

export type ChangeTracker = ReturnType<typeof createChangeTracker>

/** The latest changes to one kind of record, each as the value of `version` at the change. */
interface KindChanges {
  last: number
  /** Version of the last change that may concern any record of the kind. */
  lastOfAll: number
  readonly records: Map<number, number>
}

/** Number of changed records of a kind above which all records of that kind count as changed. */
const maxRecords = 10_000

/** Creates a tracker that says whether records changed since an earlier time. */
export function createChangeTracker() {
  let version = 0
  const changesByKind = Object.fromEntries(
    cachedKinds.map((kind) => [kind, { last: 0, lastOfAll: 0, records: new Map<number, number>() }]),
  ) as Record<CachedKind, KindChanges>

  const invalidateKind = (kind: CachedKind) => {
    const changes = changesByKind[kind]
    changes.last = version
    changes.lastOfAll = version
    changes.records.clear()
  }
  const invalidateAll = () => {
    version += 1
    for (const kind of cachedKinds) invalidateKind(kind)
  }
  return {
    /** Number of changes so far. As long as the number is the same, nothing has changed. */
    get version() {
      return version
    },
    /** Treats all records as changed, because notifications may have been missed. */
    invalidateAll,
    /** Records a notification of the channel calendar_changes: `kind`, or `kind:id,id…`. */
    invalidate(message: string) {
      const { kind, ids } = parseNotification(message)
      // A newer version of this service, which runs on the same database, may have more kinds.
      if (!isCachedKind(kind)) return invalidateAll()
      version += 1
      const changes = changesByKind[kind]
      if (ids === undefined || changes.records.size + ids.length > maxRecords) return invalidateKind(kind)
      changes.last = version
      for (const id of ids) changes.records.set(id, version)
    },
    /** Whether none of these records changed after the version `since`. */
    isCurrent(dependencies: Dependencies, since: number): boolean {
      if (since === version) return true
      for (const kind of dependencies.kinds) if (changesByKind[kind].last > since) return false
      for (const [kind, ids] of dependencies.records) {
        const { last, lastOfAll, records } = changesByKind[kind]
        if (last <= since) continue
        if (lastOfAll > since) return false
        for (const id of ids) if ((records.get(id) ?? 0) > since) return false
      }
      return true
    },
  }
}
