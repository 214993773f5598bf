import { requirePermission } from '../../auth/permissions.ts'
import { builder } from '../../graphql/builder.ts'
import { DeletionPayload, mutate, type Outcome, userErrorsField } from '../lifecycle/mutation.ts'
import { DeleteImageInput, deleteImage, UpdateImageInput, updateImage } from './manage.ts'
import { Image } from './type.ts'
import { createImage, findImage, imageIdOf, storeFile } from './write.ts'

const ImagePayload = builder.objectRef<Outcome>('ImagePayload').implement({
  description: 'Result of writing an image.',
  fields: (t) => ({
    image: t.prismaField({
      type: Image,
      nullable: true,
      description: 'The image after the change; null if nothing was written.',
      resolve: (query, { id }, _args, { db }) => db.image.findUnique({ ...query, where: { id: id ?? -1 } }),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

/** Errors of an imported image name the argument of the mutation, not the field of other inputs. */
const withArgumentNames = ({ id, userErrors }: Outcome): Outcome => ({
  id,
  userErrors: userErrors.map((error) => ({ ...error, path: error.path.map(() => 'url') })),
})

builder.mutationFields((t) => ({
  importImage: t.field({
    type: ImagePayload,
    description: 'Downloads an image, or returns the image that was downloaded from this URL before.',
    args: {
      url: t.arg({ type: 'URL', required: true, description: 'Public URL of a JPEG, PNG, GIF, WebP or AVIF file.' }),
    },
    resolve: (_root, { url }, context) =>
      mutate(context, { imageUrl: url }, async (tx) => {
        requirePermission(context.viewer, 'upload')
        const image = await findImage(tx, { imageUrl: url }, context)
        return (await imageIdOf(tx, image, context)) ?? 0
      }).then(withArgumentNames),
  }),
  uploadImage: t.field({
    type: ImagePayload,
    description: 'Stores an uploaded image (GraphQL multipart request).',
    args: {
      file: t.arg({ type: 'File', required: true, description: 'A JPEG, PNG, GIF, WebP or AVIF file.' }),
      title: t.arg.string({ description: 'Title; by default the name of the file without its extension.' }),
      altText: t.arg.string({ description: 'Text that replaces the image, for people who cannot see it.' }),
      caption: t.arg.string({ description: 'Text to show below the image.' }),
      credit: t.arg.string({ description: 'Who made the image, or owns its rights.' }),
    },
    resolve: (_root, { file, ...texts }, context) =>
      mutate(context, texts, async (tx, checked) => {
        requirePermission(context.viewer, 'upload')
        return createImage(tx, await storeFile('file', file, context), null, context, checked)
      }),
  }),
  updateImage: t.field({
    type: ImagePayload,
    description:
      'Updates the texts of an image. Omitted fields stay. Text is written in the language of the operation. For the user who added it, and with the right EDIT_OTHERS.',
    args: { input: t.arg({ type: UpdateImageInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx, checked) => updateImage(tx, checked, context)),
  }),
  deleteImage: t.field({
    type: DeletionPayload,
    description:
      'Deletes an image permanently, and its files within an hour after the next start. Fails with CONFLICT while records use it, unless `force` is true. For the user who added it, and with the right EDIT_OTHERS.',
    args: { input: t.arg({ type: DeleteImageInput, required: true, description: 'The image.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await mutate(context, input, (tx, checked) => deleteImage(tx, checked, context))
      return { ...outcome, kind: 'image' as const }
    },
  }),
}))
