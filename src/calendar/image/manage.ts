// Updates and deletes images.
import {
  DomainError,
  forbiddenError,
  forbiddenFieldError,
  type InputProblem,
  notFoundError,
  signInRequiredError,
} from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type PostKind, postKinds, withArticle } from '../../kinds.ts'
import { mayEdit, type OwnedRecord } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { ifUnmodifiedSinceField, nextModifiedAt, requireNotModifiedSince } from '../lifecycle/modified-at.ts'
import { incrementRevisionSql } from '../lifecycle/trash.ts'
import { idDescription, requireRecordId } from '../rules/identify.ts'
import { ownerColumns } from '../rules/record-password.ts'
import { imageUsesFilter, usableImagesFilter } from '../rules/visibility.ts'
import { ImageTranslationInput, imageTextInputFields, parseImageTexts, writeImageTexts } from './storage/texts.ts'
import { resolveImageInput } from './storage/write.ts'
import { mayEditImage } from './type.ts'

export const UpdateImageInput = builder.inputType('UpdateImageInput', {
  description:
    'Changes to an image, with its texts in the language of the operation. Fields that the input omits stay unchanged; null removes the text in this language.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('image') }),
    ...imageTextInputFields(t, 'Title. It cannot be removed in the language in which it was first written.'),
    translations: t.field({ type: [ImageTranslationInput], description: 'Text in other languages.' }),
    decorative: t.boolean({ description: 'Whether the image is only decoration, which needs no alternative text.' }),
    file: t.field({
      type: 'File',
      description: 'A JPEG, PNG, GIF, WebP or AVIF file in place of that of the image, which gets another URL.',
    }),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

export const DeleteImageInput = builder.inputType('DeleteImageInput', {
  description: 'Identifies the image to delete.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('image') }),
    force: t.boolean({
      description:
        'Whether to delete an image that records use, which removes the image from these records. By default false.',
    }),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

/** Locks the row of an image until the transaction ends. Throws unless the viewer may update and delete it. */
export async function lockImage(tx: Tx, input: typeof DeleteImageInput.$inferInput, context: Context) {
  if (!context.viewer) throw signInRequiredError()
  const id = requireRecordId('image', input.id)
  await tx.$queryRaw`SELECT id FROM image WHERE id = ${id} FOR UPDATE`
  const image = await tx.image.findFirst({
    where: { AND: [{ id }, usableImagesFilter(context)] },
    select: { id: true, url: true, authorId: true, modifiedAt: true, originalLanguage: true },
  })
  if (!image) throw notFoundError('image', 'id')
  if (!mayEditImage(context.viewer, image)) {
    throw forbiddenError('You may only change your own images: others require the right EDIT_OTHERS.')
  }
  await requireNotModifiedSince(tx, 'image', image, input.ifUnmodifiedSince)
  return image
}

export async function updateImage(
  tx: Tx,
  input: Omit<typeof UpdateImageInput.$inferInput, 'file'> & { readonly imageFile?: File | null | undefined },
  context: Context,
): Promise<number> {
  const { id, url, originalLanguage, modifiedAt } = await lockImage(tx, input, context)
  const changes = await parseImageTexts(input, originalLanguage, context)
  const image = await resolveImageInput(tx, { imageFile: input.imageFile }, context)
  const columns = typeof image === 'object' ? image?.file.columns : undefined
  const data = {
    modifiedAt: nextModifiedAt(modifiedAt, context.now),
    decorative: input.decorative ?? undefined,
    // The file is no longer that of the URL from which the former one was downloaded.
    ...(columns && columns.url !== url && { ...columns, formerUrl: url, sourceUrl: null }),
  }
  await tx.image.update({ where: { id }, data })
  await writeImageTexts(tx, id, changes, context)
  return id
}

/** Deletes an image. Its files are removed later, with those of other deleted images. Throws CONFLICT if it is in use. */
export async function deleteImage(
  tx: Tx,
  input: typeof DeleteImageInput.$inferInput,
  context: Context,
): Promise<number> {
  const { id } = await lockImage(tx, input, context)
  if (input.force) await removeFromRecords(tx, id, context)
  else await checkUnused(tx, id, context)
  await tx.image.delete({ where: { id } })
  return id
}

interface PostDelegate {
  findMany(
    args: object,
  ): Promise<(OwnedRecord & { readonly id: number; readonly texts: { readonly name: string }[] })[]>
  count(args: object): Promise<number>
}

const delegate = (tx: Tx, kind: PostKind) => tx[kind] as unknown as PostDelegate

const maxNamed = 10

/** Throws CONFLICT with one problem for each record that uses the image and that the caller may see. */
async function checkUnused(tx: Tx, imageId: number, context: Context): Promise<void> {
  const problems: InputProblem[] = []
  let [users, visible] = [0, 0]
  for (const kind of postKinds) {
    const where = { AND: [{ imageId }, imageUsesFilter(kind, context)] }
    users += await delegate(tx, kind).count({ where: { imageId } })
    visible += await delegate(tx, kind).count({ where })
    const texts = { where: { language: context.language }, select: { name: true } }
    const page = { orderBy: { id: 'asc' }, take: maxNamed - problems.length }
    const named = await delegate(tx, kind).findMany({ where, select: { id: true, texts }, ...page })
    for (const { id, texts } of named)
      problems.push(inUse(`Used by the ${kind} ${id} (“${texts[0]?.name ?? ''}”).`, { kind, id }))
  }
  if (users === 0) return
  if (visible > problems.length) problems.push(inUse(`Used by ${visible - problems.length} more records.`))
  if (users > visible) problems.push(inUse('Used by records that you may not see.'))
  throw new DomainError('CONFLICT', problems.map(({ message }) => message).join(' '), {}, problems)
}

const inUse = (where: string, existing?: InputProblem['existing']): InputProblem => ({
  path: ['force'],
  message: `${where} Send force: true to remove the image from all records that use it.`,
  code: 'CONFLICT',
  ...(existing && { existing }),
})

/** Removes an image from all records. Throws FORBIDDEN unless the viewer may update each of them. */
async function removeFromRecords(tx: Tx, imageId: number, { viewer, now }: Context): Promise<void> {
  for (const kind of postKinds) {
    const records = await delegate(tx, kind).findMany({ where: { imageId }, select: { id: true, ...ownerColumns } })
    if (records.some((record) => !mayEdit(viewer, record))) {
      throw forbiddenFieldError(
        'force',
        `The image is used by ${withArticle(kind)} that you may not update. Removing it requires the right EDIT_OTHERS.`,
      )
    }
    if (records.length === 0) continue
    await tx.$executeRaw`
      UPDATE ${Prisma.raw(`"${kind}"`)} SET image_id = NULL,
        modified_at = greatest(${now}, modified_at + interval '1 millisecond') ${incrementRevisionSql(kind)}
      WHERE image_id = ${imageId}`
  }
}
