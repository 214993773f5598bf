// Status and publication date when a record is written (contract e.2, e.3).

import type { Viewer } from '../../auth/permissions.ts'
import { may } from '../../auth/permissions.ts'
import type { Status } from '../../generated/prisma/enums.ts'

interface Wish {
  readonly status?: Status | null | undefined
  readonly publishedAt?: Date | null | undefined
}

interface Standing {
  readonly status: Status
  readonly publishedAt: Date
}

/** Where a new record stands. Who may not publish gets `pending` instead, and `draft` when nothing was asked for. */
export function firstStanding(wish: Wish, viewer: Viewer, now: Date): Standing {
  const mayPublish = may(viewer, 'publish')
  const status = allowed(wish.status ?? (mayPublish ? 'publish' : 'draft'), mayPublish)
  return scheduled({ status, publishedAt: wish.publishedAt ?? now }, now)
}

/** Where a changed record stands: what is not asked for stays. */
export function nextStanding(wish: Wish, before: Standing, viewer: Viewer, now: Date): Standing {
  const status = wish.status == null ? before.status : allowed(wish.status, may(viewer, 'publish'))
  const enters = status === 'publish' && before.status !== 'publish' && before.status !== 'future'
  const kept = enters && before.publishedAt <= now && before.status !== 'private' ? now : before.publishedAt
  return scheduled({ status, publishedAt: wish.publishedAt ?? kept }, now)
}

function allowed(status: Status, mayPublish: boolean): Status {
  const needsRight = status === 'publish' || status === 'future' || status === 'private'
  return needsRight && !mayPublish ? 'pending' : status
}

function scheduled({ status, publishedAt }: Standing, now: Date): Standing {
  if (status !== 'publish' && status !== 'future') return { status, publishedAt }
  return { status: publishedAt > now ? 'future' : 'publish', publishedAt }
}
