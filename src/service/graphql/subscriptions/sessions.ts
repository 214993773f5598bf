// Ends the subscriptions of users whose credential is no longer valid, or whose role changed.

import { changesMissed, unauthenticated } from '../../../basics/errors.ts'
import { signInState } from '../../auth/authenticate.ts'
import type { Viewer } from '../../auth/permissions.ts'
import type { Environment } from '../../context.ts'

/** A user who signed in with one credential, and has open subscriptions. */
export type Session = ReturnType<ReturnType<typeof createSessions>['join']>

interface OpenSession {
  readonly viewer: Viewer
  readonly listeners: Set<(error: Error) => void>
  /** The running checks, one after another. */
  checking: Promise<void>
}

export function createSessions(environment: Pick<Environment, 'db' | 'now'>) {
  const sessions = new Map<string, OpenSession>()

  const end = (key: string, session: OpenSession, error: Error) => {
    if (sessions.get(key) === session) sessions.delete(key)
    for (const listener of session.listeners) listener(error)
    session.listeners.clear()
  }
  const check = async (key: string, session: OpenSession): Promise<void> => {
    // If the database is not available, the rights are unknown.
    const state = await signInState(environment, session.viewer).catch(() => 'changed' as const)
    if (state === 'changed') end(key, session, changesMissed())
    if (state === 'ended') end(key, session, unauthenticated())
  }

  return {
    /** `listener` is called at most once, when the user loses the rights of this viewer. */
    join(viewer: Viewer, listener: (error: Error) => void) {
      const key = keyOf(viewer)
      const session: OpenSession = sessions.get(key) ?? { viewer, listeners: new Set(), checking: Promise.resolve() }
      sessions.set(key, session)
      session.listeners.add(listener)
      return {
        /** Resolves when no check is running. */
        checked: () => session.checking,
        leave() {
          session.listeners.delete(listener)
          if (session.listeners.size === 0 && sessions.get(key) === session) sessions.delete(key)
        },
      }
    },
    /** Checks the sessions of these users; without IDs, all. */
    check(users: readonly number[] | undefined): void {
      const ids = users && new Set(users)
      for (const [key, session] of sessions) {
        if (ids && !ids.has(session.viewer.id)) continue
        session.checking = session.checking.then(() => check(key, session))
      }
    },
    /** Ends the sessions whose credential has expired. */
    endExpired(): void {
      const now = environment.now()
      for (const [key, session] of sessions) {
        const { expiresAt } = session.viewer.authentication ?? {}
        if (expiresAt && expiresAt <= now) end(key, session, unauthenticated())
      }
    },
  }
}

const keyOf = ({ id, role, authentication }: Viewer): string =>
  JSON.stringify([id, role, authentication?.credential, authentication?.expiresAt])
