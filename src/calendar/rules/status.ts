import { badInputError } from '../../basics/errors.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'

interface Published {
  readonly status: Status
  readonly publishedAt: Date
}

/** Returns the status to show: a scheduled record counts as published once its publication date has passed. */
export function effectiveStatus({ status, publishedAt }: Published, { hasCome }: Pick<Context, 'hasCome'>): Status {
  if (status !== 'publish' && status !== 'future') return status
  return hasCome(publishedAt) ? 'publish' : 'future'
}

/** Records that everybody may see, as a `where` filter for the indexes on (live, …). */
export const publishedFilter = (now: Date) => ({ live: true, publishedAt: { lte: now } })

/** Selects published posts and posts of the viewer; all posts for viewers with `editOthers`. */
export function readableFilter({ viewer, now }: Pick<Context, 'viewer' | 'now'>) {
  if (viewer === undefined) return publishedFilter(now)
  return may(viewer, 'editOthers') ? {} : { OR: [publishedFilter(now), { authorId: viewer.id }] }
}

/** Filter of lists and relations, which exclude the trash. */
export const notTrashedFilter = { status: { not: 'trash' as const } }

/** Venues or organizers that lists and events show to the caller. */
export const listedPostsFilter = (context: Pick<Context, 'viewer' | 'now'>) => ({
  AND: [readableFilter(context), notTrashedFilter],
})

/** `notTrashedFilter` for lists. For visitors the condition is redundant and would prevent index-only scans. */
export const untrashedInListsFilter = ({ viewer }: Pick<Context, 'viewer'>) =>
  viewer === undefined ? {} : notTrashedFilter

/** Returns an error if the viewer may not filter by these statuses. */
export function statusErrors(statuses: readonly Status[] | null | undefined, viewer: Context['viewer']) {
  if (statuses == null || may(viewer, 'write')) return undefined
  const onlyPublic = statuses.length > 0 && statuses.every((status) => status === 'publish')
  return onlyPublic ? undefined : { status: 'Without the right to write, only published records can be listed.' }
}

/** Returns a filter by status at the time of the request. Throws badInputError for a status that the viewer may not list (contract e.4). */
export function statusFilter(statuses: readonly Status[], { viewer, now }: Pick<Context, 'viewer' | 'now'>) {
  const errors = statusErrors(statuses, viewer)
  if (errors) throw badInputError(errors)
  const unpublished = statuses.filter((status) => status !== 'publish' && status !== 'future')
  return {
    OR: [
      // `live: false` is redundant here, but lets the planner use the partial index.
      { live: false, status: { in: unpublished } },
      ...(statuses.includes('publish') ? [publishedFilter(now)] : []),
      ...(statuses.includes('future') ? [{ live: true, publishedAt: { gt: now } }] : []),
    ],
  }
}
