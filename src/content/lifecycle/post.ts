// What writing events, venues and organizers has in common.

import type { Viewer } from '../../auth/permissions.ts'
import { requireEdit, requirePermission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { notFound, trashed } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import type { InputFields } from '../../graphql/builder.ts'
import { RecordStatus } from '../enums.ts'
import { identify } from '../identify.ts'
import type { PostKind } from '../kinds.ts'
import { claimSlugs } from '../text/slug.ts'
import { TranslationInput } from '../text/text-input.ts'
import { readTextSources } from '../text/text-rows.ts'
import { checkUnmodified } from './mutation.ts'
import { postRefusal } from './not-found-reason.ts'

export interface StoredPost {
  readonly id: number
  readonly authorId: number | null
  readonly status: Status
  readonly trashedFrom: Status | null
  readonly publishedAt: Date
  readonly modifiedAt: Date
}

/** Input fields that these kinds share. */
export const postInputs = (t: InputFields) => ({
  description: t.string({ description: 'HTML, or text with blank lines between paragraphs.' }),
  excerpt: t.string({ description: 'A short description.' }),
  slug: t.string({ description: 'Name in URLs; another record may have it already, then -2 is added.' }),
  status: t.field({ type: RecordStatus, description: 'Who may not publish gets PENDING instead of PUBLISH.' }),
  publishedAt: t.field({ type: 'DateTime', description: 'A later moment makes it scheduled.' }),
  authorId: t.int({ description: 'Number of a user; another than yourself only if you may edit what others write.' }),
  imageId: t.int({ description: 'Number of an image; null removes it.' }),
  imageUrl: t.field({ type: 'URL', description: 'Address of an image to bring here, instead of its number.' }),
  imageFile: t.field({ type: 'File', description: 'An image that is sent along, instead of its number.' }),
  password: t.string({ description: 'Locks the record for readers without it; null or empty removes it.' }),
  translations: t.field({ type: [TranslationInput], description: 'Text in other languages.' }),
})

/** Input fields that say which record is meant. */
export const identityInputs = (t: InputFields) => ({
  id: t.id({ description: 'Opaque ID or number.' }),
  currentSlug: t.string({ description: 'Any slug that the record has, instead of its ID.' }),
})

export const ifUnmodifiedSince = (t: InputFields) =>
  t.field({ type: 'DateTime', description: 'Refuses with CONFLICT when the record was changed after this moment.' })

interface Named {
  readonly id?: string | null | undefined
  readonly currentSlug?: string | null | undefined
}

/**
 * The number of the record that is to be written, its row locked until the transaction ends. A number that no event has
 * is told only to those who may write at all (contract c.11); of slugs, and of the others, everybody learns it.
 */
export async function lockPost(tx: Tx, kind: PostKind, named: Named, context: Context): Promise<number> {
  if (kind === 'event' && named.id != null) requirePermission(context.viewer, 'write')
  const identity = identify(kind, { id: named.id, slug: named.currentSlug })
  const [record, slugs, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_slug"`), Prisma.raw(`"${kind}_id"`)]
  const rows = await ('id' in identity
    ? tx.$queryRaw<{ id: number }[]>`SELECT id FROM ${record} WHERE id = ${identity.id} FOR UPDATE`
    : tx.$queryRaw<{ id: number }[]>`
        SELECT r.id FROM ${record} r JOIN ${slugs} s ON s.${key} = r.id WHERE s.slug = ${identity.slug} FOR UPDATE OF r`)
  const id = rows[0]?.id
  if (id !== undefined) return id
  throw 'id' in identity
    ? await postRefusal({ ...context, db: tx as Context['db'] }, kind, identity)
    : notFound(kind, 'slug')
}

interface EditWish {
  readonly status?: Status | null | undefined
  readonly ifUnmodifiedSince?: Date | null | undefined
}

/** Whoever may change this record now: what is in the trash only together with another status (QUIRK-36). */
export function requirePostEdit(kind: PostKind, record: StoredPost, wish: EditWish, { viewer }: Context): Viewer {
  const editor = requireEdit(viewer, record)
  if (record.status === 'trash' && (wish.status == null || wish.status === 'trash')) throw trashed(kind)
  checkUnmodified(record.modifiedAt, wish.ifUnmodifiedSince)
  return editor
}

/** Takes back the slugs that a record had before it was trashed, as far as they are still free; others get -2. */
export async function reclaimSlugs(tx: Tx, kind: PostKind, id: number): Promise<ReadonlyMap<string, string>> {
  const [source] = await readTextSources(tx, kind, [id])
  const own = [...(source?.own ?? [])].flatMap(([language, { slug }]) => (slug ? [{ language, slug }] : []))
  const claimed = await claimSlugs(
    tx,
    kind,
    own.map(({ slug }) => ({ id, slug })),
  )
  return new Map(own.map(({ language }, index) => [language, claimed[index] ?? '']))
}
