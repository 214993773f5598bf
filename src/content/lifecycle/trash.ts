// The end of events, venues and organizers: into the trash, back from it, or for good.

import { requireEdit, requirePermission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { badInput, trashed } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import type { PostKind } from '../kinds.ts'
import { releaseSlugs } from '../text/slug.ts'
import { writeText } from '../text/write-text.ts'
import { checkUnmodified, modification } from './mutation.ts'
import { identityInputs, ifUnmodifiedSince, lockPost, reclaimSlugs, type StoredPost } from './post.ts'

export const RecordInput = builder.inputType('RecordInput', {
  description: 'Which record.',
  fields: (t) => ({ ...identityInputs(t), ifUnmodifiedSince: ifUnmodifiedSince(t) }),
})

type Input = typeof RecordInput.$inferInput

async function locked(tx: Tx, kind: PostKind, input: Input, context: Context): Promise<StoredPost> {
  const id = await lockPost(tx, kind, input, context)
  const rows = await tx.$queryRaw<StoredPost[]>`
    SELECT id, author_id AS "authorId", status::text AS status, trashed_from::text AS "trashedFrom",
      published_at AS "publishedAt", modified_at AS "modifiedAt" FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ${id}`
  const record = rows[0]
  if (!record) throw new Error(`The locked ${kind} ${id} is gone`)
  return record
}

/** Into the trash, where its slugs are free for others. Throws trashed when it is there already. */
export async function trashPost(tx: Tx, kind: PostKind, input: Input, context: Context): Promise<number> {
  const record = await locked(tx, kind, input, context)
  requireEdit(context.viewer, record)
  checkUnmodified(record.modifiedAt, input.ifUnmodifiedSince)
  if (record.status === 'trash') throw trashed(kind)
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(`"${kind}"`)} SET status = 'trash', trashed_from = status, modified_at = ${modification(record.modifiedAt, context.now)}
    WHERE id = ${record.id}`
  await releaseSlugs(tx, kind, record.id)
  return record.id
}

/** Back to where it was, with its slugs, or those with -2 where others have taken them. */
export async function restorePost(tx: Tx, kind: PostKind, input: Input, context: Context): Promise<number> {
  const { id, ...record } = await locked(tx, kind, input, context)
  requireEdit(context.viewer, record)
  checkUnmodified(record.modifiedAt, input.ifUnmodifiedSince)
  if (record.status !== 'trash') throw badInput({ id: `This ${kind} is not in the trash.` })
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(`"${kind}"`)} SET status = coalesce(trashed_from, 'draft'), trashed_from = NULL,
      modified_at = ${modification(record.modifiedAt, context.now)}
    WHERE id = ${id}`
  const slugs = await reclaimSlugs(tx, kind, id)
  const changes = new Map([...slugs].map(([language, slug]) => [language, { slug }]))
  await writeText(tx, kind, { id, changes, slugs: kind === 'event' ? 'as given' : 'from names' }, context.settings)
  return id
}

/** For good, with its text and links; for administrators and editors. */
export async function purgePost(tx: Tx, kind: PostKind, input: Input, context: Context): Promise<number> {
  const { id, modifiedAt } = await locked(tx, kind, input, context)
  requirePermission(context.viewer, 'purge')
  checkUnmodified(modifiedAt, input.ifUnmodifiedSince)
  await tx.$executeRaw`DELETE FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ${id}`
  return id
}
