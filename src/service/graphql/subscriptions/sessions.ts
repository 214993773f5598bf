// Ends the subscriptions of users whose credential is no longer valid, or whose role changed.
import { changesMissed, unauthenticated } from '../../../basics/errors.ts'
import { readSignInState } from '../../auth/authenticate.ts'
import type { Viewer } from '../../auth/permissions.ts'
import type { Environment } from '../../context.ts'
import type { EventStream } from './event-stream.ts'

/** A user who signed in with one credential, and has open subscriptions. */
export interface Session {
  readonly viewer: Viewer
  readonly streams: Set<EventStream>
  /** The running checks, one after another. */
  checking: Promise<void>
}

/** `end` may be called repeatedly for a stream. */
export function createSessions(environment: Environment, end: (stream: EventStream, error: Error) => void) {
  const sessions = new Map<string, Session>()

  const endAll = ({ streams }: Session, error: Error) => {
    for (const stream of streams) end(stream, error)
  }
  const check = async (session: Session): Promise<void> => {
    // If the database is not available, the rights are unknown.
    const state = await readSignInState(environment, session.viewer).catch(() => 'changed' as const)
    if (state === 'changed') endAll(session, changesMissed())
    if (state === 'ended') endAll(session, unauthenticated())
  }

  return {
    /** Ends the stream when the user loses the rights of this viewer. */
    join(viewer: Viewer, stream: EventStream): Session {
      const key = keyOf(viewer)
      const session = sessions.get(key) ?? { viewer, streams: new Set(), checking: Promise.resolve() }
      sessions.set(key, session)
      session.streams.add(stream)
      return session
    },
    leave({ viewer, streams }: Session, stream: EventStream): void {
      streams.delete(stream)
      if (streams.size === 0) sessions.delete(keyOf(viewer))
    },
    /** Checks the sessions of these users; without IDs, all. */
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
        if (expiresAt && expiresAt <= now) endAll(session, unauthenticated())
      }
    },
  }
}

const keyOf = ({ id, role, authentication }: Viewer): string =>
  JSON.stringify([id, role, authentication?.credential, authentication?.expiresAt])
