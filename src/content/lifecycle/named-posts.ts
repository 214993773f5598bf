// Creating and changing posts with a name: what all of them have in common. Events have a title, and more to write.

import { requirePermission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { acquireAdvisoryLock } from '../../db/transaction.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import type { InputFields } from '../../graphql/builder.ts'
import { type FoundImage, imageIdOf } from '../image/write.ts'
import type { PostKind } from '../kinds.ts'
import { releaseSlugs } from '../text/slug.ts'
import { lineInput, type TranslationInput, textChange, textChanges, withoutUndefined } from '../text/text-input.ts'
import { writeText } from '../text/write-text.ts'
import { existingPost } from './existing-records.ts'
import { checkAll } from './input-errors.ts'
import { modification } from './mutation.ts'
import {
  identityInputs,
  ifUnmodifiedSince,
  lockPost,
  postInputs,
  reclaimSlugs,
  requirePostEdit,
  type StoredPost,
} from './post.ts'
import { firstStanding, nextStanding } from './publication-state.ts'
import { storedPassword } from './record-password.ts'

/** Fields of the input that creates one. */
export const createNamedPostInputs = (t: InputFields, kind: NamedPostKind) => ({
  name: t.string({ required: true, description: 'Plain text, not empty.' }),
  ...postInputs(t),
  orExisting: t.boolean({
    defaultValue: false,
    description: `Answer with the ${kind} of the same name (and description, if given) when there is one, unchanged.`,
  }),
})

/** Fields of the input that changes one. */
export const updateNamedPostInputs = (t: InputFields) => ({
  ...identityInputs(t),
  name: t.string({ description: 'Plain text, not empty.' }),
  ...postInputs(t),
  ifUnmodifiedSince: ifUnmodifiedSince(t),
})

type NamedPostKind = Exclude<PostKind, 'event'>

interface NamedPostInput {
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly excerpt?: string | null | undefined
  readonly slug?: string | null | undefined
  readonly translations?: readonly (typeof TranslationInput.$inferInput)[] | null | undefined
  readonly status?: Status | null | undefined
  readonly publishedAt?: Date | null | undefined
  readonly password?: string | null | undefined
}

interface CreateInput extends NamedPostInput {
  readonly orExisting?: boolean | null | undefined
}

interface UpdateInput extends NamedPostInput {
  readonly id?: string | null | undefined
  readonly currentSlug?: string | null | undefined
  readonly ifUnmodifiedSince?: Date | null | undefined
}

/** What the folder of a kind reads from the input: the kind's own columns, and the image. */
interface Checked<Columns> {
  readonly columns: Columns & { readonly authorId?: number | undefined }
  readonly image: FoundImage
}

interface NewRow {
  readonly authorId: number
  readonly status: Status
  readonly publishedAt: Date
  readonly trashedFrom: Status | null
  readonly modifiedAt: Date
  readonly originalLanguage: string
  readonly imageId: number | null | undefined
  readonly passwordKey: string | null | undefined
}

interface Creation<Columns> {
  check(): Promise<Checked<Columns>>
  /** Inserts the row, with the columns that all posts have. */
  insert(columns: Columns, row: NewRow): Promise<{ id: number }>
}

/** Creates a record for the viewer and returns its ID; with `orExisting` that of one which is there. */
export async function createNamedPost<Columns>(
  tx: Tx,
  kind: NamedPostKind,
  input: CreateInput,
  { check, insert }: Creation<Columns>,
  context: Context,
): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, site, now } = context
  const { changes, checked } = await checkAll({
    changes: () => namedTexts(input, language, context),
    checked: check,
  })
  if (input.orExisting) {
    await acquireAdvisoryLock(tx, kind)
    const existing = await existingPost(tx, kind, lineInput(input.name) ?? '', input.description, context)
    if (existing !== undefined) return existing
  }
  const standing = firstStanding(input, viewer, now)
  const isTrashed = standing.status === 'trash'
  const { id } = await insert(checked.columns, {
    ...standing,
    imageId: await imageIdOf(tx, checked.image, context),
    passwordKey: await storedPassword(input.password, site),
    authorId: checked.columns.authorId ?? viewer.id,
    trashedFrom: isTrashed ? 'draft' : null,
    modifiedAt: now,
    originalLanguage: language,
  })
  await writeText(tx, kind, { id, changes, slugs: isTrashed ? 'as given' : 'from names' }, settings)
  if (isTrashed) await releaseSlugs(tx, kind, id)
  return id
}

type ChangedRow = Omit<NewRow, 'authorId' | 'originalLanguage'>

interface Change<Columns, Before> {
  find(id: number): Promise<Before>
  check(before: Before): Promise<Checked<Columns>>
  /** Updates the row, with the columns that all posts have. */
  update(id: number, columns: Columns, row: ChangedRow): Promise<unknown>
}

/** Changes what is given, and nothing else. */
export async function updateNamedPost<Columns, Before extends StoredPost & { readonly originalLanguage: string }>(
  tx: Tx,
  kind: NamedPostKind,
  input: UpdateInput,
  { find, check, update }: Change<Columns, Before>,
  context: Context,
): Promise<number> {
  const { settings, site, now } = context
  const id = await lockPost(tx, kind, input, context)
  const before = await find(id)
  const viewer = requirePostEdit(kind, before, input, context)
  const standing = nextStanding(input, before, viewer, now)
  const { changes, checked } = await checkAll({
    changes: () => namedTexts(input, before.originalLanguage, context),
    checked: () => check(before),
  })
  const trashing = standing.status === 'trash' && before.status !== 'trash'
  await update(id, checked.columns, {
    ...standing,
    imageId: await imageIdOf(tx, checked.image, context),
    passwordKey: await storedPassword(input.password, site),
    modifiedAt: modification(before.modifiedAt, now),
    trashedFrom: trashing ? before.status : null,
  })
  const taken = before.status === 'trash' ? await reclaimSlugs(tx, kind, id) : new Map<string, string>()
  for (const [other, slug] of taken) changes.set(other, { slug, ...withoutUndefined(changes.get(other)) })
  await writeText(tx, kind, { id, changes, slugs: 'from names' }, settings)
  if (trashing) await releaseSlugs(tx, kind, id)
  return id
}

function namedTexts(input: NamedPostInput, original: string, { language, settings: { languages } }: Context) {
  const change = () => textChange('name', input.name, input)
  return textChanges({ language, original, languages }, change, input.translations)
}
