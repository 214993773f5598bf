import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import type { Status } from '../../generated/prisma/enums.ts'

interface Published {
  readonly status: Status
  readonly publishedAt: Date
}

/** The status that is shown, filtered and counted: a scheduled record is published once its moment has come. */
export function effectiveStatus({ status, publishedAt }: Published, { hasCome }: Pick<Context, 'hasCome'>): Status {
  if (status !== 'publish' && status !== 'future') return status
  return hasCome(publishedAt) ? 'publish' : 'future'
}

/** What everybody may see, as a `where` that an index on (live, …) answers. */
export const published = (now: Date) => ({ live: true, publishedAt: { lte: now } })

/**
 * Events, venues or organizers that the caller may read one by one, in any status: what is published, what is their own,
 * and everything for those who edit what others write.
 */
export function readable({ viewer, now }: Pick<Context, 'viewer' | 'now'>) {
  if (viewer === undefined) return published(now)
  return may(viewer, 'editOthers') ? {} : { OR: [published(now), { authorId: viewer.id }] }
}

/** Those of them that lists and relations show: what is in the trash is in neither. */
export const unlessTrashed = { status: { not: 'trash' as const } }

/** The same for lists. What visitors may read is in no trash, and to say so would keep their counts from an index alone. */
export const shown = ({ viewer }: Pick<Context, 'viewer'>) => (viewer === undefined ? {} : unlessTrashed)

/** What is wrong with asking for these, if anything is. */
export function refusedStatus(statuses: readonly Status[] | null | undefined, viewer: Context['viewer']) {
  if (statuses == null || may(viewer, 'write')) return undefined
  const onlyPublic = statuses.length > 0 && statuses.every((status) => status === 'publish')
  return onlyPublic ? undefined : { status: 'Only published records can be listed.' }
}

/**
 * Records of these effective statuses. Throws badInput when somebody who writes nothing asks for others than published
 * ones (contract e.4): they would see none, and should not take that for an answer.
 */
export function inStatus(statuses: readonly Status[], { viewer, now }: Pick<Context, 'viewer' | 'now'>) {
  const refused = refusedStatus(statuses, viewer)
  if (refused) throw badInput(refused)
  const plain = statuses.filter((status) => status !== 'publish' && status !== 'future')
  return {
    OR: [
      // What is live is none of these; to say so opens the index of what is not.
      { live: false, status: { in: plain } },
      ...(statuses.includes('publish') ? [published(now)] : []),
      ...(statuses.includes('future') ? [{ live: true, publishedAt: { gt: now } }] : []),
    ],
  }
}
