// Which records a caller may read, as filters: one place for lists, relations, counts and filters.
import type { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type PostKind, postKinds } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { unlockedFilter } from './record-password.ts'
import { readableFilter, untrashedInListsFilter } from './status.ts'

export const listedEventsFilter = (context: Context): Prisma.EventWhereInput => ({
  AND: [readableFilter(context), untrashedInListsFilter(context), { hideFromListings: false }],
})

/** Excludes events of others that are hidden from lists, unless the viewer may list them. */
export const unhiddenFilter = ({ viewer }: WithViewer): Prisma.EventWhereInput =>
  may(viewer, 'editOthers') ? {} : { OR: [{ hideFromListings: false }, { authorId: viewer?.id ?? 0 }] }

/** Excludes locked events: finding them by venue or category would reveal links that locked events hide. */
export const reachableEventsFilter = (context: Context): Prisma.EventWhereInput => ({
  AND: [listedEventsFilter(context), unlockedFilter(context)],
})

type WithViewer = Pick<Context, 'viewer'>

/** Whether the caller may read the account of a user and create credentials for it. */
export const ownsOrManagesUser = ({ viewer }: WithViewer, userId: number): boolean =>
  viewer?.id === userId || may(viewer, 'manageUsers')

/** Administrators read the names of all users; others their own, and those of authors of records that they may read. */
export function visibleUsersFilter(context: Context): Prisma.UserWhereInput {
  if (may(context.viewer, 'manageUsers')) return {}
  const authored = postKinds.map((kind) => ({ [kinds[kind].plural]: { some: readableFilter(context) } }))
  return { OR: [{ id: context.viewer?.id ?? 0 }, ...authored] }
}

export const visibleCredentialsFilter = ({ viewer }: WithViewer): Prisma.CredentialWhereInput =>
  may(viewer, 'manageUsers') ? {} : { userId: { in: viewer ? [viewer.id] : [] } }

/** Only administrators read webhooks and their deliveries. */
export const visibleWebhooksFilter = ({ viewer }: WithViewer) => (may(viewer, 'manageUsers') ? {} : { id: 0 })

/** Senders read their proposal by the token of its edit link. */
export const visibleProposalsFilter = ({ viewer }: WithViewer) => (may(viewer, 'editOthers') ? {} : { id: 0 })

function visibleImageFilter(context: Context) {
  const conditions = [readableFilter(context), unlockedFilter(context)]
  // Prisma ignores an empty condition within OR, although it matches every record.
  if (conditions.every((condition) => Object.keys(condition).length === 0)) return {}
  return { OR: [{ AND: conditions }, { authorId: context.viewer?.id ?? 0 }] }
}

const relations = postKinds.map((kind) => kinds[kind].plural)

const usesOf = (context: Context) =>
  relations.map((relation) => ({ [relation]: { some: visibleImageFilter(context) } }))

/** Selects the records that use an image, if the caller may see the image and list the record. */
export const imageUsesFilter = (kind: PostKind, context: Context) =>
  kind === 'event' ? { AND: [visibleImageFilter(context), unhiddenFilter(context)] } : visibleImageFilter(context)

/** Selects images that such records use; or all other images. */
export function usedImagesFilter(used: boolean, context: Context): Prisma.ImageWhereInput {
  const uses = { OR: postKinds.map((kind) => ({ [kinds[kind].plural]: { some: imageUsesFilter(kind, context) } })) }
  return used ? uses : { NOT: uses }
}

/**
 * Images that the caller may read and link to a record: their own, those of records that they may see, and, for those who
 * may write, unused images without an author. Other images are treated as unknown, because IDs can be guessed.
 */
export function usableImagesFilter(context: Context): Prisma.ImageWhereInput {
  const { viewer } = context
  if (may(viewer, 'editOthers')) return {}
  const shown = [{ authorId: viewer?.id ?? 0 }, ...usesOf(context)]
  if (!may(viewer, 'write')) return { OR: shown }
  // The image of a draft stays for a while after the draft was deleted.
  const unused = { authorId: null, ...Object.fromEntries(relations.map((relation) => [relation, { none: {} }])) }
  return { OR: [...shown, unused] }
}
