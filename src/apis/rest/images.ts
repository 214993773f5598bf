import { withoutEmpty } from '../../basics/without-empty.ts'
import type { LegacyImageFieldsFragment } from '../../generated/graphql/graphql.ts'

/**
 * Image object (contract c.6), without unknown fields. If no smaller versions are stored, `sizes` has the file itself as
 * `full`, for clients that read only `sizes`.
 */
export function serializeImage(image: LegacyImageFieldsFragment) {
  const { databaseId, url, mimeType, width, height, fileSize, sizes } = image
  const full = width && height ? [{ name: 'full', url, width, height, mimeType, fileSize }] : []
  const entries = (sizes.length > 0 ? sizes : full).map((size) => [
    size.name,
    withoutEmpty({
      width: size.width,
      height: size.height,
      'mime-type': size.mimeType,
      filesize: size.fileSize,
      url: size.url,
    }),
  ])
  return {
    url,
    id: databaseId,
    extension: fileExtension(url, mimeType),
    ...withoutEmpty({ width, height, filesize: fileSize }),
    ...(entries.length > 0 ? { sizes: Object.fromEntries(entries) } : {}),
  }
}

function fileExtension(url: string, mimeType: string): string {
  const inPath = /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]
  return (inPath ?? mimeType.replace(/^image\/(x-)?/, '').replace(/\+.*/, '')).toLowerCase().replace('jpeg', 'jpg')
}
