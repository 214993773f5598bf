// Passes the changes of the database on to groups of subscribers. One per process: it listens to the same notifications as
// the response cache, and never polls for changes.

import { changesMissed, subscriptionsUnavailable } from '../../../basics/errors.ts'
import { listen, type NotificationListener, parseNotification } from '../../../engine/postgres/notifications.ts'
import type { Database } from '../../../engine/postgres/pool.ts'
import type { PostKind } from '../../../kinds.ts'
import type { Context } from '../../context.ts'
import { ChangeGroup, type GroupListener } from './change-group.ts'
import { createPublicationWatcher } from './publication-watcher.ts'
import { retryUnreachable } from './retry.ts'
import type { WatchedRecords } from './watched-records.ts'

interface HubOptions {
  readonly database: Database
  /** Called when users or their credentials changed; without IDs, any may have. */
  readonly onUsersChanged: (ids: readonly number[] | undefined) => void
}

/**
 * Milliseconds to wait after a notification. A write sends several, and writes in quick succession are found by one
 * statement.
 */
const delay = 100

interface OpenGroup {
  readonly kind: PostKind
  readonly group: ChangeGroup
  readonly opened: Promise<void>
  /** Number of calls of `join` that have not left yet, including those that are waiting. */
  users: number
}

export function createChangeHub({ database, onUsersChanged }: HubOptions) {
  const groups = new Map<string, OpenGroup>()
  let listening: Promise<NotificationListener> | undefined
  let timer: NodeJS.Timeout | undefined

  const ofKind = (kind: string) => [...groups.values()].filter((open) => open.kind === kind)
  const runSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      for (const { group } of groups.values()) group.run()
    }, delay)
  }
  const addChanges = (kind: string, ids: readonly number[]) => {
    for (const { group } of ofKind(kind)) group.add(ids)
    runSoon()
  }
  const publicationWatcher = createPublicationWatcher(addChanges)

  const handler = {
    invalidate(payload: string) {
      const { kind, ids } = parseNotification(payload)
      if (kind === 'user') onUsersChanged(ids)
      if (ids) addChanges(kind, ids)
      else for (const { group } of ofKind(kind)) group.end(changesMissed())
      publicationWatcher.noteChange(kind)
    },
    invalidateAll() {
      for (const { group } of groups.values()) group.end(changesMissed())
    },
  }

  const start = () => {
    listening ??= listen(database, handler).catch((error) => {
      listening = undefined
      throw error
    })
    return listening
  }

  const openGroup = (key: string, source: WatchedRecords, context: Context, notifications: NotificationListener) => {
    const existing = groups.get(key)
    if (existing) return existing
    const remove = () => {
      groups.delete(key)
      if (groups.size === 0) publicationWatcher.stop()
    }
    const group = new ChangeGroup(source, context, remove)
    const { kind } = source.watched
    // The set of matching records must contain everything that was committed before the subscription.
    const opened = receivePending(notifications).then(() => retryUnreachable(() => group.open()))
    const open: OpenGroup = { kind, group, opened, users: 0 }
    groups.set(key, open)
    publicationWatcher.watch(kind, context)
    return open
  }

  return {
    /**
     * Reports all changes that are committed after the promise resolves, until the returned function is called. A listener
     * that joins several times gets each change once. Throws UNAVAILABLE while the connection for notifications is lost,
     * CHANGES_MISSED if some were missed meanwhile, and the errors of the criteria.
     */
    async join(source: WatchedRecords, context: Context, listener: GroupListener): Promise<() => void> {
      const notifications = await start()
      const open = openGroup(groupKey(source, context), source, context, notifications)
      const { group, opened } = open
      open.users += 1
      const release = () => {
        open.users -= 1
        if (open.users === 0) group.end(changesMissed())
      }
      try {
        await opened
        await receivePending(notifications)
        await group.settled()
        if (group.hasEnded) throw changesMissed()
      } catch (error) {
        release()
        throw error
      }
      group.join(listener)
      return () => {
        group.leave(listener)
        release()
      }
    },
    async close(): Promise<void> {
      clearTimeout(timer)
      publicationWatcher.stop()
      handler.invalidateAll()
      await (await listening)?.close()
    },
  }
}

/** The key of all subscribers that share the group of these records: they have the same criteria, language and rights. */
export function groupKey({ watched: { kind, criteria } }: WatchedRecords, context: Context): string {
  const { language, viewer, forEditing, passwordKey } = context
  return JSON.stringify([kind, criteria, language, viewer?.id, viewer?.role, forEditing, passwordKey])
}

async function receivePending(notifications: NotificationListener): Promise<void> {
  if (!(await notifications.receivePending())) throw notConnected()
}

const notConnected = () =>
  subscriptionsUnavailable('Changes of the database cannot be observed right now. Retry in 5 seconds.')
