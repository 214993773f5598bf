// Reports scheduled records as changed at their publication date, because they become visible without a write.
import type { PostKind } from '../../../kinds.ts'
import type { Environment } from '../../context.ts'

interface WatchedKind {
  /** The time up to which publications were reported. */
  reported: Date
  /** Time of the next check, in milliseconds since 1970: the next publication date, or 0 if that date may have changed. */
  dueAt: number
  isChecking: boolean
}

/** Milliseconds between two checks. */
const checkInterval = 500

export function createPublicationWatcher(
  { db, now }: Environment,
  report: (kind: PostKind, ids: readonly number[]) => void,
) {
  const watched = new Map<string, WatchedKind>()
  let timer: NodeJS.Timeout | undefined

  const check = async (kind: PostKind, state: WatchedKind): Promise<void> => {
    const until = now()
    if (state.isChecking || until.getTime() < state.dueAt) return
    state.isChecking = true
    state.dueAt = Number.POSITIVE_INFINITY
    // The models of posts have the same columns for publication.
    const model = db[kind] as (typeof db)['event']
    const select = { id: true, publishedAt: true, modifiedAt: true }
    try {
      const where = { live: true, publishedAt: { gt: state.reported, lte: until } }
      const published = await model.findMany({ where, select })
      // A write that published a record sent a notification, so only scheduled publications are reported.
      const scheduled = published.filter(({ publishedAt, modifiedAt }) => publishedAt > modifiedAt)
      report(
        kind,
        scheduled.map(({ id }) => id),
      )
      state.reported = until
      const later = { live: true, publishedAt: { gt: until } }
      const next = await model.findFirst({ where: later, orderBy: { publishedAt: 'asc' }, select })
      if (next) state.dueAt = Math.min(state.dueAt, next.publishedAt.getTime())
    } catch {
      // The database is not available, so the next check has to try again.
      state.dueAt = 0
    } finally {
      state.isChecking = false
    }
  }

  return {
    /** Watches the records of this kind from now on. */
    watch(kind: PostKind): void {
      if (!watched.has(kind)) watched.set(kind, { reported: now(), dueAt: 0, isChecking: false })
      timer ??= setInterval(() => {
        for (const [each, state] of watched) void check(each as PostKind, state)
      }, checkInterval).unref()
    },
    /** Call after a change to a record of this kind, because its publication date may have changed. */
    noteChange(kind: string): void {
      const state = watched.get(kind)
      if (state) state.dueAt = 0
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
      watched.clear()
    },
  }
}
