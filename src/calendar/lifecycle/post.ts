// Inputs and checks that writing events, venues and organizers has in common.

import { badInputError, notFoundError, trashedError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { createTransactionReads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import type { PostKind } from '../../kinds.ts'
import { requireEditPermission, requirePermission, type Viewer } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { findNotFoundReason } from '../list/not-found-reason.ts'
import { RecordStatus } from '../rules/enums.ts'
import { idDescription, identifyRecord } from '../rules/identify.ts'
import { releaseSlugs, reserveUniqueSlugs } from '../text/slug.ts'
import { omitUndefined, TranslationInput } from '../text/text-input.ts'
import { readWrittenTexts } from '../text/text-rows.ts'
import { saveRecordTexts, type TextChange } from '../text/write-text.ts'
import { requireNotModifiedSince } from './modified-at.ts'

export interface StoredPost {
  readonly id: number
  readonly authorId: number | null
  readonly status: Status
  readonly trashedFrom: Status | null
  readonly publishedAt: Date
  readonly modifiedAt: Date
}

/** Input fields that events, venues and organizers share. */
export const postInputFields = (t: InputFields) => ({
  description: t.string({ description: 'Description as HTML, or as text with blank lines between paragraphs.' }),
  excerpt: t.string({ description: 'A short description.' }),
  slug: t.string({ description: 'Name in URLs. If another record has it already, -2 is added.' }),
  status: t.field({
    type: RecordStatus,
    description:
      'Whether the record is published. For users who may not publish, PUBLISHED becomes PENDING; with a publication date in the future, PUBLISHED becomes SCHEDULED.',
  }),
  publishedAt: t.field({
    type: 'DateTime',
    description: 'Publication date; a date in the future schedules the record.',
  }),
  authorId: t.id({
    description: `The author. ${idDescription('user')} Setting another user requires the right EDIT_OTHERS.`,
  }),
  imageId: t.id({ description: `${idDescription('image')} Null removes the image.` }),
  imageUrl: t.field({ type: 'URL', description: 'URL of an image to import, instead of imageId.' }),
  imageFile: t.field({ type: 'File', description: 'An uploaded image, instead of imageId.' }),
  password: t.string({
    description: 'Password that readers need to see the record; null or an empty text removes it.',
  }),
  translations: t.field({ type: [TranslationInput], description: 'Text in other languages.' }),
})

export const identityInputFields = (t: InputFields) => ({
  id: t.id({ description: 'Global ID or databaseId of the record.' }),
  currentSlug: t.string({ description: 'Slug of the record in any language, instead of the ID.' }),
})

interface PostIdentity {
  readonly id?: string | null | undefined
  readonly currentSlug?: string | null | undefined
}

/**
 * Locks the row of the record until the transaction ends, and returns it. For an event ID, checks the permission
 * first, so that only users who may write learn whether it exists. Slugs and other kinds need no such check (contract c.11).
 */
export async function lockPost(tx: Tx, kind: PostKind, input: PostIdentity, context: Context): Promise<StoredPost> {
  if (kind === 'event' && input.id != null) requirePermission(context.viewer, 'write')
  if ((input.id == null) === (input.currentSlug == null)) {
    throw badInputError({ id: 'Set either id or currentSlug.', currentSlug: 'Set either id or currentSlug.' })
  }
  const identity = identifyRecord(kind, { id: input.id, slug: input.currentSlug })
  const record = Prisma.raw(`"${kind}"`)
  const id = 'id' in identity ? Prisma.sql`${identity.id}` : idOfSlugSql(kind, identity.slug, context.now)
  // Writes of a series lock it before its dates, so this does, too.
  const [series, isLocked] =
    kind === 'event'
      ? [
          Prisma.sql`WITH series_lock AS MATERIALIZED (
            SELECT FROM series WHERE id = (SELECT series_id FROM event WHERE id = ${id}) FOR UPDATE)`,
          Prisma.sql`AND (SELECT count(*) FROM series_lock) >= 0`,
        ]
      : [Prisma.empty, Prisma.empty]
  const [stored] = await tx.$queryRaw<StoredPost[]>`
    ${series} SELECT id, author_id AS "authorId", status::text AS status, trashed_from::text AS "trashedFrom",
      published_at AS "publishedAt", modified_at AS "modifiedAt" FROM ${record}
    WHERE id = ${id} ${isLocked} FOR UPDATE`
  if (stored) return stored
  throw 'id' in identity
    ? await findNotFoundReason({ ...context, reads: createTransactionReads(tx) }, kind, identity)
    : notFoundError(kind, 'slug')
}

/** The ID of a slug: of the dates of a series, the next that has not ended, else the last. */
const idOfSlugSql = (kind: PostKind, slug: string, now: Date) =>
  kind === 'event'
    ? Prisma.sql`(
        SELECT id FROM event WHERE content_id = (SELECT content_id FROM content_slug WHERE slug = ${slug})
        ORDER BY ends_at < ${now}, CASE WHEN ends_at >= ${now} THEN starts_at END, CASE WHEN ends_at >= ${now} THEN id END,
          starts_at DESC, id DESC LIMIT 1)`
    : Prisma.sql`(SELECT ${Prisma.raw(`${kind}_id`)} FROM ${Prisma.raw(`${kind}_slug`)} WHERE slug = ${slug})`

interface EditInput {
  readonly status?: Status | null | undefined
  readonly ifUnmodifiedSince?: Date | null | undefined
}

/**
 * Throws unless the viewer may edit the record. A record in the trash can only be edited together with a change of its
 * status (QUIRK-36).
 */
export async function requirePostEdit(
  tx: Tx,
  kind: PostKind | 'series',
  record: StoredPost,
  input: EditInput,
  { viewer }: Context,
): Promise<Viewer> {
  const editor = requireEditPermission(viewer, record)
  if (record.status === 'trash' && (input.status == null || input.status === 'trash')) throw trashedError(kind)
  await requireNotModifiedSince(tx, kind, record, input.ifUnmodifiedSince)
  return editor
}

/** Reserves the slugs that a record had before it was trashed, with -2 if taken. Returns them by language. */
export async function reserveFormerSlugs(tx: Tx, kind: PostKind, id: number): Promise<ReadonlyMap<string, string>> {
  const [source] = await readWrittenTexts(tx, kind, [id])
  const own = [...(source?.own ?? [])].flatMap(([language, { slug }]) => (slug ? [{ language, slug }] : []))
  const claims = own.map(({ slug }) => ({ id, slug }))
  const claimed = await reserveUniqueSlugs(tx, kind, claims)
  return new Map(own.map(({ language }, index) => [language, claimed[index] ?? '']))
}

interface ChangedText {
  readonly before: Pick<StoredPost, 'id' | 'status'>
  readonly changes: Map<string, TextChange>
  readonly slugs: 'explicit' | 'derived'
  readonly trashing: boolean
}

/** Writes the texts of a changed record. A record gets its slugs back when it leaves the trash, and releases them when trashed. */
export async function writeChangedPostTexts(
  tx: Tx,
  kind: PostKind,
  { before: { id, status }, changes, slugs, trashing }: ChangedText,
  settings: Context['settings'],
): Promise<void> {
  const reclaimed = status === 'trash' ? await reserveFormerSlugs(tx, kind, id) : []
  for (const [language, slug] of reclaimed) changes.set(language, { slug, ...omitUndefined(changes.get(language)) })
  await saveRecordTexts(tx, kind, { id, changes, slugs }, settings)
  if (trashing) await releaseSlugs(tx, kind, id)
}
