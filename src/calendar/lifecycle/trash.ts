// Moves events, venues and organizers to the trash, restores them, and deletes them permanently.

import { badInputError, trashedError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PostKind } from '../../kinds.ts'
import { requireEditPermission, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { enumValues } from '../rules/enums.ts'
import { releaseSlugs } from '../text/slug.ts'
import { saveRecordTexts } from '../text/write-text.ts'
import { ifUnmodifiedSinceField, nextModifiedAt, requireNotModifiedSince } from './modified-at.ts'
import { identityInputFields, lockPost, reserveFormerSlugs } from './post.ts'

/** Which dates of a series a mutation of one of them changes. */
export type SeriesScope = 'this' | 'following' | 'all' | 'byField'

const SeriesScopeEnum = builder.enumType('SeriesScope', {
  description: 'Which dates of a series a mutation of one of them changes.',
  values: enumValues<SeriesScope>({
    this: 'Only this date. A change of its times, `eventStatus`, `attendanceMode`, `onlineUrl`, `hideFromListings`, label or note stays a difference from the series; any other change makes it an event of its own, with the same ID.',
    following: 'This date and all later ones, which become a series of their own with the same IDs.',
    all: 'All dates. Times change only for dates that have not begun; `eventStatus`, `attendanceMode`, `onlineUrl` and `hideFromListings` only for those that have not ended.',
    byField:
      'Only this date for its times, label and note, for what differs from the series already, and for `status: TRASH`; all dates for everything else. The REST API writes so.',
  }),
})

export const scopeField = (t: InputFields) =>
  t.field({
    type: SeriesScopeEnum,
    description: 'Which dates are changed, if the record is a date of a series. Default: THIS.',
  })

export const RecordInput = builder.inputType('RecordInput', {
  description: 'Identifies a record by id or currentSlug.',
  fields: (t) => ({
    ...identityInputFields(t),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
    scope: scopeField(t),
  }),
})

export type RecordIdentity = typeof RecordInput.$inferInput

/** Part of an UPDATE that increments the iCalendar SEQUENCE of an event. */
export const incrementRevisionSql = (kind: PostKind) =>
  kind === 'event' ? Prisma.sql`, sequence = sequence + 1` : Prisma.empty

/** Moves a record to the trash and releases its slugs. Throws trashed if it is in the trash already. */
export async function trashPost(tx: Tx, kind: PostKind, input: RecordIdentity, context: Context): Promise<number> {
  const record = await lockPost(tx, kind, input, context)
  requireEditPermission(context.viewer, record)
  await requireNotModifiedSince(tx, kind, record, input.ifUnmodifiedSince)
  if (record.status === 'trash') throw trashedError(kind)
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(`"${kind}"`)} SET status = 'trash', trashed_from = status, modified_at = ${nextModifiedAt(record.modifiedAt, context.now)}
      ${incrementRevisionSql(kind)}
    WHERE id = ${record.id}`
  await releaseSlugs(tx, kind, record.id)
  return record.id
}

/** Restores the previous status and slugs; a slug that was taken meanwhile gets a suffix such as -2. */
export async function restorePost(tx: Tx, kind: PostKind, input: RecordIdentity, context: Context): Promise<number> {
  const record = await lockPost(tx, kind, input, context)
  const { id } = record
  requireEditPermission(context.viewer, record)
  await requireNotModifiedSince(tx, kind, record, input.ifUnmodifiedSince)
  if (record.status !== 'trash') throw badInputError({ id: `This ${kind} is not in the trash.` })
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(`"${kind}"`)} SET status = coalesce(trashed_from, 'draft'), trashed_from = NULL,
      modified_at = ${nextModifiedAt(record.modifiedAt, context.now)}
      ${incrementRevisionSql(kind)}
    WHERE id = ${id}`
  const slugs = await reserveFormerSlugs(tx, kind, id)
  const changes = new Map([...slugs].map(([language, slug]) => [language, { slug }]))
  await saveRecordTexts(tx, kind, { id, changes, slugs: kind === 'event' ? 'explicit' : 'derived' }, context.settings)
  return id
}

/** Deletes a record permanently, with its texts and links. Requires the permission `purge`. */
export async function purgePost(tx: Tx, kind: PostKind, input: RecordIdentity, context: Context): Promise<number> {
  const record = await lockPost(tx, kind, input, context)
  requirePermission(context.viewer, 'purge')
  await requireNotModifiedSince(tx, kind, record, input.ifUnmodifiedSince)
  await tx.$executeRaw`DELETE FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ${record.id}`
  return record.id
}
