// The routes `/media`: images as JSON of the content management system that the legacy contract comes from.

import { z } from 'zod'
import { DomainError } from '../../../basics/errors.ts'
import { omitEmpty } from '../../../basics/omit-empty.ts'
import { escapeHtml } from '../../../basics/strip-tags.ts'
import { toWallClock } from '../../../basics/time.ts'
import {
  PlatformImageDocument,
  type PlatformImageFieldsFragment,
  PlatformImagesDocument,
  PlatformUploadImageDocument,
} from '../../../generated/graphql/graphql.ts'
import { LegacyError } from '../errors.ts'
import { pathIdParam } from '../params.ts'
import { requireRecord, requireSuccess } from '../payload.ts'
import type { RestRequest, Route } from '../route.ts'
import { lineOrEmptyParam } from '../write-params.ts'
import {
  createUnknownIdErrorMapper,
  platformListParams,
  platformListResult,
  platformRoute,
  selfAndCollectionLinks,
  toCreationError,
} from './route.ts'
import { readUploadParams } from './upload.ts'

const fileName = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

type ImageFile = Pick<PlatformImageFieldsFragment, 'url' | 'mimeType' | 'width' | 'height' | 'fileSize'>

const sizeOf = ({ url, mimeType, width, height, fileSize }: ImageFile) => ({
  file: fileName(url),
  ...omitEmpty({ width, height, filesize: fileSize }),
  mime_type: mimeType,
  source_url: url,
})

function serializeImage(image: PlatformImageFieldsFragment, isForEditing: boolean, request: RestRequest) {
  const { url, width, height, fileSize, mimeType } = image
  const { siteTimeZone } = request.settings
  const text = (value: string) => ({ ...(isForEditing && { raw: value }), rendered: escapeHtml(value) })
  return {
    id: image.databaseId,
    date: toWallClock(image.addedAt, siteTimeZone),
    date_gmt: toWallClock(image.addedAt, 'UTC'),
    guid: { rendered: url, ...(isForEditing && { raw: url }) },
    modified: toWallClock(image.modifiedAt, siteTimeZone),
    modified_gmt: toWallClock(image.modifiedAt, 'UTC'),
    slug: image.slug,
    status: 'inherit',
    type: 'attachment',
    link: url,
    title: text(image.title),
    author: image.author?.databaseId ?? 0,
    comment_status: 'closed',
    ping_status: 'closed',
    template: '',
    meta: [],
    description: text(''),
    caption: text(image.caption),
    alt_text: escapeHtml(image.altText),
    media_type: 'image',
    mime_type: mimeType,
    media_details: {
      ...omitEmpty({ width, height }),
      file: fileName(url),
      ...omitEmpty({ filesize: fileSize }),
      sizes: Object.fromEntries([
        ...[...image.sizes, { ...image, name: 'full' }].map((size) => [size.name, sizeOf(size)] as const),
      ]),
      image_meta: {},
    },
    post: null,
    source_url: url,
    _links: selfAndCollectionLinks('/media', image.databaseId, request.urls),
  }
}

/** A text, or an object `{ "raw": text }`: clients of the legacy platform send both forms. */
const rawText = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value),
  lineOrEmptyParam.optional(),
)

export const mediaRoutes: readonly Route[] = [
  platformRoute({
    action: 'read',
    path: '/media',
    summary: 'Lists images, newest first.',
    params: {
      ...platformListParams,
      media_type: z.string('text').optional().describe('Only this type of media. All are of the type `image`.'),
      mime_type: z.string('text').optional().describe('Only this media type, such as `image/png`.'),
    },
    async handle(params, request) {
      const { page, per_page: perPage, search, include, slug, media_type, mime_type: mimeType } = params
      const isOther = media_type !== undefined && media_type !== 'image'
      const filter = { include: isOther ? [] : include, search: search || undefined, slugs: slug, mimeType }
      const { imagesPage } = await request.execute(PlatformImagesDocument, { page, perPage, filter }, request.context)
      if (page > 1 && imagesPage.total > 0 && page > imagesPage.totalPages) {
        const message = `The list has only ${imagesPage.totalPages} pages.`
        throw new LegacyError(400, 'rest_post_invalid_page_number', message)
      }
      const isForEditing = params.context === 'edit'
      const items = imagesPage.items.map((image) => serializeImage(image, isForEditing, request))
      return platformListResult({ ...imagesPage, items }, '/media', params, request)
    },
  }),
  platformRoute({
    action: 'read',
    path: '/media/{id}',
    summary: 'Reads an image.',
    params: { id: pathIdParam },
    toError: createUnknownIdErrorMapper('rest_post_invalid_id', 'There is no image with this ID.'),
    async handle(params, request) {
      const { image } = await request.execute(PlatformImageDocument, { id: params.id }, request.context)
      return { body: serializeImage(requireRecord(image), params.context === 'edit', request) }
    },
  }),
  platformRoute({
    action: 'create',
    path: '/media',
    summary: 'Stores an image.',
    params: {
      file: z.instanceof(File).describe('The image: as the part `file` of a multipart body, or as the whole body.'),
      title: rawText.describe('Title; by default the name of the file without its extension.'),
      alt_text: rawText.describe('Text that replaces the image.'),
      caption: rawText.describe('Text to show below the image.'),
    },
    required: ['file'],
    bodyParams: readUploadParams,
    toError: uploadError,
    async handle({ file, title, alt_text: altText, caption }, request) {
      const variables = { input: { file, title, altText, caption } }
      const { uploadImage } = await request.execute(PlatformUploadImageDocument, variables, request.context)
      const image = requireRecord(requireSuccess(uploadImage).image)
      const location = request.urls.link(`/media/${image.databaseId}`)
      return { status: 201, headers: { location }, body: serializeImage(image, true, request) }
    },
  }),
]

function uploadError(error: unknown): LegacyError | undefined {
  if (error instanceof DomainError && error.problems.some(({ path: [field] }) => field === 'file')) {
    return new LegacyError(400, 'rest_upload_sideload_error', error.message)
  }
  return toCreationError(error)
}
