// Scheduled records become visible without a write: reports them as changed at their publication date.

import { type PostKind, postKinds } from '../../../kinds.ts'
import type { Context } from '../../context.ts'

interface WatchedKind extends Pick<Context, 'db' | 'clock'> {
  /** Publications up to this time were reported. */
  reported: Date
  /** Nothing is published between `reported` and this time. Undefined if nothing is scheduled. */
  next: Date | undefined
  isChecking: boolean
  /** Whether `next` must be found again. */
  isChanged: boolean
}

/** Milliseconds. */
const checkInterval = 500

export function createPublicationWatcher(report: (kind: PostKind, ids: readonly number[]) => void) {
  const watched = new Map<PostKind, WatchedKind>()
  let timer: NodeJS.Timeout | undefined

  const check = async (kind: PostKind, state: WatchedKind): Promise<void> => {
    const now = state.clock()
    const isDue = state.next !== undefined && state.next <= now
    if (state.isChecking || !(isDue || state.isChanged)) return
    state.isChecking = true
    state.isChanged = false
    try {
      const { reported } = state
      if (isDue) {
        report(kind, await publishedBetween(kind, state, reported, now))
        state.reported = now
      }
      state.next = await nextPublication(kind, state)
    } catch {
      // The database is not available. The next check tries again.
      state.isChanged = true
    } finally {
      state.isChecking = false
    }
  }

  return {
    /** Watches the records of this kind from now on. */
    watch(kind: PostKind, { db, clock }: Context): void {
      if (!watched.has(kind)) {
        watched.set(kind, {
          db,
          clock,
          reported: clock(),
          next: undefined,
          isChecking: false,
          isChanged: true,
        })
      }
      timer ??= setInterval(() => {
        for (const [each, state] of watched) void check(each, state)
      }, checkInterval).unref()
    },
    /** Call after a change to a record of a kind, whose publication date may have changed. */
    noteChange(name: string): void {
      const state = watched.get(postKinds.find((kind) => kind === name) as PostKind)
      if (state) state.isChanged = true
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
      watched.clear()
    },
  }
}

/** The methods of the models of posts, which have the same columns for publication. */
const modelOf = (kind: PostKind, { db }: WatchedKind) => db[kind] as Context['db']['event']

/** Without records that were published by a write, which its notification has reported. */
async function publishedBetween(kind: PostKind, state: WatchedKind, after: Date, until: Date): Promise<number[]> {
  const where = { live: true, publishedAt: { gt: after, lte: until } }
  const select = { id: true, publishedAt: true, modifiedAt: true }
  const rows = await modelOf(kind, state).findMany({ where, select })
  return rows.flatMap(({ id, publishedAt, modifiedAt }) => (publishedAt > modifiedAt ? [id] : []))
}

async function nextPublication(kind: PostKind, state: WatchedKind): Promise<Date | undefined> {
  const where = { live: true, publishedAt: { gt: state.reported } }
  const orderBy = { publishedAt: 'asc' } as const
  const row = await modelOf(kind, state).findFirst({ where, orderBy, select: { publishedAt: true } })
  return row?.publishedAt
}
