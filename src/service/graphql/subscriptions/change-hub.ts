// Reports changes in the database to groups of subscribers. Each process has one hub, which listens to the same notifications as
// the response cache, and never polls for changes.
import { changesMissedError, subscriptionsUnavailableError } from '../../../basics/errors.ts'
import {
  listenForNotifications,
  type NotificationListener,
  parseNotification,
} from '../../../engine/postgres/notifications.ts'
import type { Database } from '../../../engine/postgres/pool.ts'
import type { Context, Environment } from '../../context.ts'
import { createPublicationWatcher } from './publication-watcher.ts'
import {
  createSubscriberGroup,
  type Subscriber,
  type SubscriberGroup,
  type SubscriberGroupOptions,
} from './subscriber-group.ts'
import type { WatchedRecords } from './watched-records.ts'

/** Milliseconds to wait after a notification, so that one statement finds the changes of all writes in this time. */
const delay = 100

/** Creates the hub. Calls `onUsersChanged` when users or their credentials changed; without IDs, any user may have changed. */
export function createChangeHub(
  environment: Environment,
  database: Database,
  onUsersChanged: (ids: readonly number[] | undefined) => void,
  options: SubscriberGroupOptions,
) {
  const groups = new Map<string, SubscriberGroup>()
  let listening: Promise<NotificationListener> | undefined
  let timer: NodeJS.Timeout | undefined

  const ofKind = (kind: string) => [...groups.values()].filter((group) => group.kind === kind)
  const addChanges = (kind: string, ids: readonly number[]) => {
    for (const group of ofKind(kind)) group.add(ids)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const group of groups.values()) group.run()
    }, delay)
  }
  const publicationWatcher = createPublicationWatcher(environment, addChanges)

  const handler = {
    invalidate(payload: string) {
      const { kind, ids } = parseNotification(payload)
      if (kind === 'user') onUsersChanged(ids)
      if (ids) addChanges(kind, ids)
      else for (const group of ofKind(kind)) group.end(changesMissedError())
      publicationWatcher.noteChange(kind)
    },
    invalidateAll() {
      for (const group of groups.values()) group.end(changesMissedError())
    },
  }

  const start = () => {
    listening ??= listenForNotifications(database, handler).catch((error) => {
      listening = undefined
      throw error
    })
    return listening
  }

  const groupOf = (source: WatchedRecords, context: Context, notifications: NotificationListener) => {
    const key = groupKey(source, context)
    const receivePending = async () => {
      if (!(await notifications.receivePending())) throw notConnected()
    }
    const onEnd = () => {
      groups.delete(key)
      if (groups.size === 0) publicationWatcher.stop()
    }
    const group = groups.get(key) ?? createSubscriberGroup(source, context, options, receivePending, onEnd)
    groups.set(key, group)
    publicationWatcher.watch(group.kind)
    return group
  }

  return {
    /** Joins the group of these records. Throws UNAVAILABLE while the connection for notifications is lost. */
    join: async (source: WatchedRecords, context: Context, subscriber: Subscriber): Promise<() => void> =>
      groupOf(source, context, await start()).join(subscriber),
    async close(): Promise<void> {
      clearTimeout(timer)
      publicationWatcher.stop()
      handler.invalidateAll()
      await (await listening)?.close()
    },
  }
}

/** Returns the key of a group. Subscribers with the same criteria, language and rights share one group. */
export function groupKey({ watched: { kind, criteria } }: WatchedRecords, context: Context): string {
  const { language, viewer, forEditing, passwordKey } = context
  return JSON.stringify([kind, criteria, language, viewer?.id, viewer?.role, forEditing, passwordKey])
}

const notConnected = () =>
  subscriptionsUnavailableError('Changes of the database cannot be observed right now. Retry in 5 seconds.')
