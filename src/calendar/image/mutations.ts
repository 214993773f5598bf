import { may, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { runMutation } from '../lifecycle/mutation.ts'
import { addRecordPayloadType, DeletionPayload, type WriteResult } from '../lifecycle/payload.ts'
import { DeleteImageInput, deleteImage, UpdateImageInput, updateImage } from './manage.ts'
import { type ImageTextChange, imageTextInputFields } from './storage/texts.ts'
import { ensureImageRow, resolveImageInput } from './storage/write.ts'
import { Image } from './type.ts'

const ImagePayload = addRecordPayloadType('image', Image)

const ImportImageInput = builder.inputType('ImportImageInput', {
  description: 'An image to download.',
  fields: (t) => ({
    url: t.field({ type: 'URL', required: true, description: 'Public URL of a JPEG, PNG, GIF, WebP or AVIF file.' }),
  }),
})

const UploadImageInput = builder.inputType('UploadImageInput', {
  description: 'A file to store as an image, with its texts in the language of the operation.',
  fields: (t) => ({
    file: t.field({ type: 'File', required: true, description: 'A JPEG, PNG, GIF, WebP or AVIF file.' }),
    ...imageTextInputFields(t, 'Title; by default the name of the file without its extension.'),
  }),
})

interface NewImage extends ImageTextChange {
  readonly imageUrl?: string
  readonly imageFile?: File
}

/** Stores the image in `field`, or returns the image that was downloaded from the same URL before. */
async function addImage(field: 'url' | 'file', input: NewImage, context: Context): Promise<WriteResult> {
  // Users without the right `upload` get an error before files are checked.
  const readable = may(context.viewer, 'upload') ? input : {}
  const outcome = await runMutation<NewImage>(context, readable, async (tx, { imageUrl, imageFile, ...texts }) => {
    requirePermission(context.viewer, 'upload')
    const image = await resolveImageInput(tx, { imageUrl, imageFile }, context)
    return (await ensureImageRow(tx, image, context, texts)) ?? 0
  })
  return withErrorsAt(field, outcome)
}

/** Errors name the field of the input instead of `imageUrl` or `imageFile`, the fields of other inputs. */
function withErrorsAt(field: 'url' | 'file', { id, userErrors }: WriteResult): WriteResult {
  const nameOf = (part: string) => (/^image(Url|File)$/.test(part) ? field : part)
  return { id, userErrors: userErrors.map((error) => ({ ...error, path: error.path.map(nameOf) })) }
}

builder.mutationFields((t) => ({
  importImage: t.field({
    type: ImagePayload,
    description: 'Downloads an image, or returns the image that was downloaded from this URL before.',
    args: { input: t.arg({ type: ImportImageInput, required: true, description: 'The image to download.' }) },
    resolve: (_root, { input }, context) => addImage('url', { imageUrl: input.url }, context),
  }),
  uploadImage: t.field({
    type: ImagePayload,
    description: 'Stores an uploaded image (GraphQL multipart request).',
    args: { input: t.arg({ type: UploadImageInput, required: true, description: 'The file and texts of the image.' }) },
    resolve: (_root, { input: { file, ...texts } }, context) =>
      addImage('file', { imageFile: file, ...texts }, context),
  }),
  updateImage: t.field({
    type: ImagePayload,
    description:
      'Updates the texts of an image, or replaces its file (GraphQL multipart request): records that use the image show the new file. Fields that the input omits stay unchanged. For the user who added the image, and with the right EDIT_OTHERS.',
    args: { input: t.arg({ type: UpdateImageInput, required: true, description: 'Changes to the image.' }) },
    resolve: async (_root, { input: { file, ...changes } }, context) => {
      const input = { ...changes, imageFile: file }
      return withErrorsAt('file', await runMutation(context, input, (tx, checked) => updateImage(tx, checked, context)))
    },
  }),
  deleteImage: t.field({
    type: DeletionPayload,
    description:
      'Deletes an image permanently, and its files within an hour after the next start. Fails with CONFLICT while records use it, unless `force` is true. For the user who added the image, and with the right EDIT_OTHERS.',
    args: { input: t.arg({ type: DeleteImageInput, required: true, description: 'Identifies the image.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await runMutation(context, input, (tx, checked) => deleteImage(tx, checked, context))
      return { ...outcome, kind: 'image' as const }
    },
  }),
}))
