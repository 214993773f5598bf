// Computes the status and publication date of a record that is written (contract e.2, e.3).

import type { Status } from '../../generated/prisma/enums.ts'
import { may, type Viewer } from '../../service/auth/permissions.ts'

interface StatusInput {
  readonly status?: Status | null | undefined
  readonly publishedAt?: Date | null | undefined
}

interface PublicationState {
  readonly status: Status
  readonly publishedAt: Date
}

/** Returns status and publication date of a new record. For users who may not publish, the default is `draft` and `publish` becomes `pending`. */
export function initialPublicationState(input: StatusInput, viewer: Viewer, now: Date): PublicationState {
  const mayPublish = may(viewer, 'publish')
  const status = allowed(input.status ?? (mayPublish ? 'publish' : 'draft'), mayPublish)
  return scheduled({ status, publishedAt: input.publishedAt ?? now }, now)
}

/** Returns the status and publication date of an updated record: values that the input does not set stay unchanged. */
export function nextPublicationState(
  input: StatusInput,
  before: PublicationState,
  viewer: Viewer,
  now: Date,
): PublicationState {
  const status = input.status == null ? before.status : allowed(input.status, may(viewer, 'publish'))
  const becomesPublished = status === 'publish' && before.status !== 'publish' && before.status !== 'future'
  const defaultDate =
    becomesPublished && before.publishedAt <= now && before.status !== 'private' ? now : before.publishedAt
  return scheduled({ status, publishedAt: input.publishedAt ?? defaultDate }, now)
}

function allowed(status: Status, mayPublish: boolean): Status {
  const needsPermission = status === 'publish' || status === 'future' || status === 'private'
  return needsPermission && !mayPublish ? 'pending' : status
}

function scheduled({ status, publishedAt }: PublicationState, now: Date): PublicationState {
  if (status !== 'publish' && status !== 'future') return { status, publishedAt }
  return { status: publishedAt > now ? 'future' : 'publish', publishedAt }
}
