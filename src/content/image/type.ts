import { builder } from '../../graphql/builder.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'

interface StoredSize {
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly fileSize?: number
}

const ImageSize = builder.objectRef<StoredSize>('ImageSize').implement({
  description: 'A smaller version of an image.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the size, such as `thumbnail`.' }),
    url: t.expose('url', { type: 'URL', description: 'Address of the file.' }),
    width: t.exposeInt('width', { description: 'Pixels.' }),
    height: t.exposeInt('height', { description: 'Pixels.' }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    fileSize: t.int({ nullable: true, description: 'Bytes.', resolve: fromRecord((size) => size.fileSize ?? null) }),
  }),
})

export const Image = builder.prismaObject('Image', {
  description: 'A picture.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Number of the image.' }),
    url: t.field({
      type: 'URL',
      description: 'Address of the file in full size.',
      select: { url: true },
      resolve: fromRecord(({ url }, { settings }) => (url.startsWith('/') ? `${settings.publicUrl}${url}` : url)),
    }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    width: t.exposeInt('width', { nullable: true, description: 'Pixels.' }),
    height: t.exposeInt('height', { nullable: true, description: 'Pixels.' }),
    fileSize: t.exposeInt('fileSize', { nullable: true, description: 'Bytes.' }),
    sizes: t.field({
      type: [ImageSize],
      description: 'Smaller versions.',
      select: { sizes: true },
      resolve: fromRecord((image) => image.sizes as unknown as StoredSize[]),
    }),
  }),
})
