// Creates and updates posts that have a name, such as venues and organizers. Events have code of their own.

import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import type { PostKind } from '../../kinds.ts'
import { authorIdOf, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { imageIdOf, type ResolvedImage } from '../image/storage/write.ts'
import { passwordColumn } from '../rules/record-password.ts'
import { releaseSlugs } from '../text/slug.ts'
import { lineInput, type TranslationInput, textChange, textChanges, withoutUndefined } from '../text/text-input.ts'
import { writeText } from '../text/write-text.ts'
import { findPostByName } from './find-by-name.ts'
import { type ImportedValues, nextModifiedAt } from './modified-at.ts'
import {
  identityInputs,
  ifUnmodifiedSince,
  lockPost,
  postInputs,
  reclaimSlugs,
  requirePostEdit,
  type StoredPost,
} from './post.ts'
import { initialState, nextState } from './publication-state.ts'

/** Fields of the create input. */
export const createNamedPostInputs = (t: InputFields, kind: NamedPostKind) => ({
  name: t.string({ required: true, description: 'Plain text, not empty.' }),
  ...postInputs(t),
  orExisting: t.boolean({
    defaultValue: false,
    description: `Return the existing ${kind} with the same name (and description, if set) instead of creating one.`,
  }),
})

/** Fields of the update input. */
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

/** The checked input: columns that only this kind has, and the image. */
interface CheckedInput<Columns> {
  readonly columns: Columns & { readonly authorId?: number | undefined }
  readonly image: ResolvedImage
}

interface NewRow {
  readonly id: number | undefined
  readonly authorId: number | null
  readonly status: Status
  readonly publishedAt: Date
  readonly trashedFrom: Status | null
  readonly modifiedAt: Date
  readonly originalLanguage: string
  readonly imageId: number | null | undefined
  readonly passwordKey: string | null | undefined
}

interface Creation<Columns> {
  check(): Promise<CheckedInput<Columns>>
  /** Inserts a row of the kind's own columns and the columns that all posts have. */
  insert(columns: Columns, row: NewRow): Promise<{ id: number }>
}

/** Creates a record and returns its ID; with `orExisting`, returns the ID of an existing one with the same name. */
export async function createNamedPost<Columns>(
  tx: Tx,
  kind: NamedPostKind,
  input: CreateInput,
  { check, insert }: Creation<Columns>,
  context: Context,
  imported: ImportedValues = {},
): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, site, now } = context
  const { changes, checked } = await checkAll({
    changes: () => namedTexts(input, language, context),
    checked: check,
  })
  if (input.orExisting) {
    await acquireAdvisoryLock(tx, kind)
    const existing = await findPostByName(tx, kind, lineInput(input.name) ?? '', input.description, context)
    if (existing !== undefined) return existing
  }
  const state = initialState(input, viewer, now)
  const isTrashed = state.status === 'trash'
  const { id } = await insert(checked.columns, {
    ...state,
    id: imported.recordId,
    imageId: await imageIdOf(tx, checked.image, context),
    passwordKey: await passwordColumn(input.password, site),
    authorId: checked.columns.authorId ?? authorIdOf(viewer),
    trashedFrom: isTrashed ? 'draft' : null,
    modifiedAt: imported.modifiedAt ?? now,
    originalLanguage: language,
  })
  await writeText(tx, kind, { id, changes, slugs: isTrashed ? 'explicit' : 'derived' }, settings)
  if (isTrashed) await releaseSlugs(tx, kind, id)
  return id
}

type ChangedRow = Omit<NewRow, 'id' | 'authorId' | 'originalLanguage'>

interface Change<Columns, Before> {
  find(id: number): Promise<Before>
  check(before: Before): Promise<CheckedInput<Columns>>
  /** Updates the kind's own columns and the columns that all posts have. */
  update(id: number, columns: Columns, row: ChangedRow): Promise<unknown>
}

/** Updates the fields that the input sets, and returns the ID. */
export async function updateNamedPost<Columns, Before extends StoredPost & { readonly originalLanguage: string }>(
  tx: Tx,
  kind: NamedPostKind,
  input: UpdateInput,
  { find, check, update }: Change<Columns, Before>,
  context: Context,
  imported: ImportedValues = {},
): Promise<number> {
  const { settings, site, now } = context
  const id = await lockPost(tx, kind, input, context)
  const before = await find(id)
  const viewer = requirePostEdit(kind, before, input, context)
  const state = nextState(input, before, viewer, now)
  const { changes, checked } = await checkAll({
    changes: () => namedTexts(input, before.originalLanguage, context),
    checked: () => check(before),
  })
  const trashing = state.status === 'trash' && before.status !== 'trash'
  await update(id, checked.columns, {
    ...state,
    imageId: await imageIdOf(tx, checked.image, context),
    passwordKey: await passwordColumn(input.password, site),
    modifiedAt: nextModifiedAt(before.modifiedAt, now, imported),
    trashedFrom: trashing ? before.status : null,
  })
  const reclaimed = before.status === 'trash' ? await reclaimSlugs(tx, kind, id) : new Map<string, string>()
  for (const [other, slug] of reclaimed) changes.set(other, { slug, ...withoutUndefined(changes.get(other)) })
  await writeText(tx, kind, { id, changes, slugs: 'derived' }, settings)
  if (trashing) await releaseSlugs(tx, kind, id)
  return id
}

function namedTexts(input: NamedPostInput, original: string, { language }: Context) {
  const change = () => textChange('name', input.name, input)
  return textChanges({ language, original }, change, input.translations)
}
