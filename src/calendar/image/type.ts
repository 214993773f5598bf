import { may, type Viewer } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, nodeIdOptions } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { getServedText, type ServedRow } from '../text/served-text.ts'
import { User } from '../user/type.ts'
import { type ImageTextField, ImageTranslation, imageTextSelect, loadImageTranslations } from './storage/texts.ts'
import type { StoredImageVersion } from './storage/write.ts'

/** Sizes that were imported from another site may have no file size. */
type StoredSize = Omit<StoredImageVersion, 'fileSize'> & Partial<StoredImageVersion>

/** The absolute URL of an image. URLs of files of this server are stored without the origin. */
export const imageUrl = (url: string, { settings }: Pick<RecordContext, 'settings'>): string =>
  url.startsWith('/') ? `${settings.publicUrl}${url}` : url

/** Whether the viewer may update and delete the image: the viewer added it, or may edit records of others. */
export const mayEditImage = (viewer: Viewer | undefined, { authorId }: { readonly authorId: number | null }): boolean =>
  may(viewer, 'editOthers') || (viewer !== undefined && authorId === viewer.id && may(viewer, 'upload'))

const text = <Column extends ImageTextField>(column: Column, description: string) => ({
  description,
  select: (_args: object, context: Context) => imageTextSelect(context, column),
  resolve: recordResolver((row: ServedRow<Column>) => getServedText(row, column)),
})

const viewerMayEdit = (description: string) => ({
  description,
  select: { authorId: true as const },
  resolve: recordResolver((row: { authorId: number | null }, { viewer }) => mayEditImage(viewer, row)),
})

const ImageSize = builder.objectRef<StoredSize>('ImageSize').implement({
  description: 'A version of an image: scaled down, or of another media type.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the size, such as `thumbnail`.' }),
    url: t.field({
      type: 'URL',
      description: 'URL of the file.',
      resolve: recordResolver(({ url }, context) => imageUrl(url, context)),
    }),
    width: t.exposeInt('width', { description: 'Width in pixels.' }),
    height: t.exposeInt('height', { description: 'Height in pixels.' }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    fileSize: t.int({
      nullable: true,
      description: 'File size in bytes.',
      resolve: recordResolver((size) => size.fileSize ?? null),
    }),
  }),
})

const versions = <Column extends 'sizes' | 'alternates'>(column: Column, description: string) => ({
  type: [ImageSize] as [typeof ImageSize],
  description,
  select: { [column]: true } as Record<Column, true>,
  resolve: recordResolver((image: Readonly<Record<Column, unknown>>) => image[column] as StoredSize[]),
})

export const Image = builder.prismaNode('Image', {
  id: nodeIdOptions,
  nullable: true,
  description: 'An image.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among events, venues, organizers and images.' }),
    url: t.field({
      type: 'URL',
      description: 'URL of the file in full size.',
      select: { url: true },
      resolve: recordResolver(({ url }, context) => imageUrl(url, context)),
    }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    width: t.exposeInt('width', { nullable: true, description: 'Width in pixels.' }),
    height: t.exposeInt('height', { nullable: true, description: 'Height in pixels.' }),
    fileSize: t.exposeInt('fileSize', { nullable: true, description: 'File size in bytes.' }),
    contentLanguage: t.field({
      type: LanguageCode,
      description: 'Language of the operation. Texts that do not exist in this language are shown in another language.',
      select: { id: true },
      resolve: recordResolver((_row: object, { language }) => language),
    }),
    title: t.string(text('title', 'Title; by default the name of the file without its extension.')),
    slug: t.exposeString('slug', { description: 'The title in the form of a slug. Several images can have the same.' }),
    altText: t.string({
      description:
        'Text for people who cannot see the image; empty if there is no such text, or the image is `decorative`.',
      select: (_args, context) => ({ decorative: true, ...imageTextSelect(context, 'altText') }),
      resolve: recordResolver((row: ServedRow<'altText'> & { readonly decorative: boolean }) =>
        row.decorative ? '' : getServedText(row, 'altText'),
      ),
    }),
    decorative: t.exposeBoolean('decorative', {
      description: 'Whether the image is only decoration, which needs no alternative text.',
    }),
    caption: t.string(text('caption', 'Text to show below the image; empty if there is no caption.')),
    credit: t.string(text('credit', 'Who made the image, or owns its rights; empty if unknown.')),
    translations: t.field({
      type: [ImageTranslation],
      description: 'The texts that clients wrote, by language.',
      select: { id: true },
      resolve: async ({ id }, _args, context) => [...(await loadImageTranslations(id, context))],
    }),
    author: t.relation('author', {
      type: User,
      nullable: true,
      description: 'The user who added the image; null if the user was deleted.',
    }),
    addedAt: t.expose('createdAt', { type: 'DateTime', description: 'When the image was added.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When the image or its texts last changed.' }),
    sizes: t.field(
      versions(
        'sizes',
        'Scaled-down versions that are smaller than the image: `thumbnail` (cropped to 150 × 150), `medium` (at most 300 pixels per side), `medium_large` (at most 768 wide) and `large` (at most 1024 per side). Imported images can have other sizes.',
      ),
    ),
    alternates: t.field(
      versions(
        'alternates',
        'The image (`full`) and its sizes in a media type with smaller files, such as WebP, for `<source>` in `<picture>`. Empty if the image itself is of such a type.',
      ),
    ),
    viewerCanUpdate: t.boolean(
      viewerMayEdit('Whether you may change the image: you may if you added the image, or have the right EDIT_OTHERS.'),
    ),
    viewerCanDelete: t.boolean(viewerMayEdit('Whether you may delete the image: as `viewerCanUpdate`.')),
  }),
})
