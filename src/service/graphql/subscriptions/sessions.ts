// Ends the subscriptions of users whose credential is no longer valid, or whose role changed.
import { changesMissedError, unauthenticatedError } from '../../../basics/errors.ts'
import { readSignInState } from '../../auth/authenticate.ts'
import type { Viewer } from '../../auth/permissions.ts'
import type { Environment } from '../../context.ts'
import type { EventStream } from './event-stream.ts'

/** A user who signed in with one credential, and has open subscriptions. */
export interface SubscriptionSession {
  readonly viewer: Viewer
  readonly streams: Set<EventStream>
  /** Resolves when all checks of this session that have begun are finished. */
  checking: Promise<void>
}

/** Creates the list of sessions. Calls `end`, possibly several times, to end a stream. */
export function createSessions(environment: Environment, end: (stream: EventStream, error: Error) => void) {
  const sessions = new Map<string, SubscriptionSession>()

  const endAll = ({ streams }: SubscriptionSession, error: Error) => {
    for (const stream of streams) end(stream, error)
  }
  const check = async (session: SubscriptionSession): Promise<void> => {
    // If the database is not available, the rights are unknown, and the subscriptions end.
    const state = await readSignInState(environment, session.viewer).catch(() => 'changed' as const)
    if (state === 'changed') endAll(session, changesMissedError())
    if (state === 'ended') endAll(session, unauthenticatedError())
  }

  return {
    /** Adds a stream to the session of its user. The stream ends when the user loses rights. */
    join(viewer: Viewer, stream: EventStream): SubscriptionSession {
      const key = keyOf(viewer)
      const session = sessions.get(key) ?? { viewer, streams: new Set(), checking: Promise.resolve() }
      sessions.set(key, session)
      session.streams.add(stream)
      return session
    },
    leave({ viewer, streams }: SubscriptionSession, stream: EventStream): void {
      streams.delete(stream)
      if (streams.size === 0) sessions.delete(keyOf(viewer))
    },
    /** Checks the sessions of these users; without IDs, all sessions. */
    check(users: readonly number[] | undefined): void {
      for (const session of sessions.values()) {
        if (users?.includes(session.viewer.id) === false) continue
        session.checking = session.checking.then(() => check(session))
      }
    },
    /** Ends the sessions whose credential has expired. */
    endExpired(): void {
      const now = environment.now()
      for (const session of sessions.values()) {
        const { expiresAt } = session.viewer.authentication ?? {}
        if (expiresAt && expiresAt <= now) endAll(session, unauthenticatedError())
      }
    },
  }
}

const keyOf = ({ id, role, authentication }: Viewer): string =>
  JSON.stringify([id, role, authentication?.credential, authentication?.expiresAt])
