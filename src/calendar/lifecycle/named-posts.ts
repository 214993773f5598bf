// Creates and updates posts that have a name, such as venues and organizers. Events have code of their own.

import type { InputShapeFromFields } from '@pothos/core'
import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import type { PostKind } from '../../kinds.ts'
import { authorIdOf, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { ensureImageRow, type ResolvedImage } from '../image/storage/write.ts'
import { passwordColumnValue } from '../rules/record-password.ts'
import { releaseSlugs } from '../text/slug.ts'
import { minorChangeField, parseTexts, readLineInput } from '../text/text-input.ts'
import { saveRecordTexts } from '../text/write-text.ts'
import { findPostByName } from './find-by-name.ts'
import { type ImportedValues, ifUnmodifiedSinceField, nextModifiedAt } from './modified-at.ts'
import {
  identityInputFields,
  lockPost,
  postInputFields,
  requirePostEdit,
  type StoredPost,
  writeChangedPostTexts,
} from './post.ts'
import { initialPublicationState, nextPublicationState } from './publication-state.ts'

export const createNamedPostFields = (t: InputFields, kind: NamedPostKind) => ({
  name: t.string({ required: true, description: `Name of the ${kind} as plain text, not empty.` }),
  ...postInputFields(t),
  orExisting: t.boolean({
    defaultValue: false,
    description: `Return the existing ${kind} with the same name (and description, if set) instead of creating one.`,
  }),
})

export const updateNamedPostFields = (t: InputFields) => ({
  ...identityInputFields(t),
  name: t.string({ description: 'Name as plain text, not empty.' }),
  ...postInputFields(t),
  minorChange: minorChangeField(t),
  ifUnmodifiedSince: ifUnmodifiedSinceField(t),
})

type NamedPostKind = Exclude<PostKind, 'event'>
type CreateInput = InputShapeFromFields<ReturnType<typeof createNamedPostFields>>
type UpdateInput = InputShapeFromFields<ReturnType<typeof updateNamedPostFields>>

interface CheckedInput {
  readonly columns: { readonly authorId?: number | undefined }
  readonly image: ResolvedImage
}

interface Table<Row> {
  create(args: { data: object; select: { id: true } }): Promise<{ id: number }>
  findUniqueOrThrow(args: { where: { id: number } }): Promise<Row>
  update(args: { where: { id: number }; data: object }): Promise<unknown>
}

/** Creates a record and returns its ID; with `orExisting`, returns the ID of an existing one with the same name. */
export async function createNamedPost(
  tx: Tx,
  kind: NamedPostKind,
  input: CreateInput,
  check: () => Promise<CheckedInput>,
  context: Context,
  imported: ImportedValues = {},
): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, site, now } = context
  const { changes, checked } = await checkAll({
    changes: () => parseTexts(input, language, language),
    checked: check,
  })
  if (input.orExisting) {
    await acquireAdvisoryLock(tx, kind)
    const existing = await findPostByName(tx, kind, readLineInput(input.name) ?? '', input.description, context)
    if (existing !== undefined) return existing
  }
  const state = initialPublicationState(input, viewer, now)
  const isTrashed = state.status === 'trash'
  const data = {
    ...checked.columns,
    ...state,
    id: imported.recordId,
    imageId: await ensureImageRow(tx, checked.image, context),
    passwordKey: await passwordColumnValue(input.password, site),
    authorId: checked.columns.authorId ?? authorIdOf(viewer),
    trashedFrom: isTrashed ? 'draft' : null,
    modifiedAt: imported.modifiedAt ?? now,
    originalLanguage: language,
  }
  const { id } = await (tx[kind] as unknown as Table<unknown>).create({ data, select: { id: true } })
  await saveRecordTexts(tx, kind, { id, changes, slugs: isTrashed ? 'explicit' : 'derived' }, settings)
  if (isTrashed) await releaseSlugs(tx, kind, id)
  return id
}

export async function updateNamedPost<Row extends StoredPost & { readonly originalLanguage: string }>(
  tx: Tx,
  kind: NamedPostKind,
  input: UpdateInput,
  check: (before: Row) => Promise<CheckedInput>,
  context: Context,
): Promise<number> {
  const { language, settings, site, now, importing } = context
  const table = tx[kind] as unknown as Table<Row>
  const { id } = await lockPost(tx, kind, input, context)
  const before = await table.findUniqueOrThrow({ where: { id } })
  const viewer = await requirePostEdit(tx, kind, before, input, context)
  const state = nextPublicationState(input, before, viewer, now)
  const { changes, checked } = await checkAll({
    changes: () => parseTexts(input, before.originalLanguage, language),
    checked: () => check(before),
  })
  const trashing = state.status === 'trash' && before.status !== 'trash'
  const data = {
    ...checked.columns,
    ...state,
    imageId: await ensureImageRow(tx, checked.image, context),
    passwordKey: await passwordColumnValue(input.password, site),
    modifiedAt: nextModifiedAt(before.modifiedAt, now, importing),
    trashedFrom: trashing ? before.status : null,
  }
  await table.update({ where: { id }, data })
  await writeChangedPostTexts(tx, kind, { before, changes, slugs: 'derived', trashing }, settings)
  return id
}
