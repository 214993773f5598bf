import { builder, nodeId } from '../../graphql/builder.ts'
import { fromRecord, type RecordContext } from '../../graphql/record-resolver.ts'
import { User } from '../user/type.ts'

interface StoredSize {
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly fileSize?: number
}

/** The absolute URL of an image. URLs of files of this server are stored without the origin. */
export const imageUrl = (url: string, { settings }: RecordContext): string =>
  url.startsWith('/') ? `${settings.publicUrl}${url}` : url

const ImageSize = builder.objectRef<StoredSize>('ImageSize').implement({
  description: 'A scaled-down version of an image.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the size, such as `thumbnail`.' }),
    url: t.field({
      type: 'URL',
      description: 'URL of the file.',
      resolve: fromRecord(({ url }, context) => imageUrl(url, context)),
    }),
    width: t.exposeInt('width', { description: 'Width in pixels.' }),
    height: t.exposeInt('height', { description: 'Height in pixels.' }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    fileSize: t.int({
      nullable: true,
      description: 'File size in bytes.',
      resolve: fromRecord((size) => size.fileSize ?? null),
    }),
  }),
})

export const Image = builder.prismaNode('Image', {
  id: nodeId,
  nullable: true,
  description: 'An image.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among events, venues, organizers and images.' }),
    url: t.field({
      type: 'URL',
      description: 'URL of the file in full size.',
      select: { url: true },
      resolve: fromRecord(({ url }, context) => imageUrl(url, context)),
    }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    width: t.exposeInt('width', { nullable: true, description: 'Width in pixels.' }),
    height: t.exposeInt('height', { nullable: true, description: 'Height in pixels.' }),
    fileSize: t.exposeInt('fileSize', { nullable: true, description: 'File size in bytes.' }),
    title: t.exposeString('title', { description: 'Title; by default the name of the file without its extension.' }),
    slug: t.exposeString('slug', { description: 'The title in the form of a slug. Several images can have the same.' }),
    altText: t.exposeString('altText', { description: 'Text that replaces the image; empty if there is none.' }),
    author: t.relation('author', {
      type: User,
      nullable: true,
      description: 'The user who added the image; null if they were deleted.',
    }),
    addedAt: t.expose('createdAt', { type: 'DateTime', description: 'When the image was added.' }),
    sizes: t.field({
      type: [ImageSize],
      description: 'Scaled-down versions.',
      select: { sizes: true },
      resolve: fromRecord((image) => image.sizes as unknown as StoredSize[]),
    }),
  }),
})
