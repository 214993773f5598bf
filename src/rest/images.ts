import type { LegacyImageFieldsFragment } from '../generated/graphql/graphql.ts'
import { withoutEmpty } from './text.ts'

/** Image object (contract c.6): what is not known is left out. */
export function serializeImage(image: LegacyImageFieldsFragment) {
  const { databaseId, url, mimeType, width, height, fileSize, sizes } = image
  const entries = sizes.map((size) => [
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
    extension: extension(url, mimeType),
    ...withoutEmpty({ width, height, filesize: fileSize }),
    ...(entries.length > 0 ? { sizes: Object.fromEntries(entries) } : {}),
  }
}

function extension(url: string, mimeType: string): string {
  const inPath = /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]
  return (inPath ?? mimeType.replace(/^image\/(x-)?/, '').replace(/\+.*/, '')).toLowerCase().replace('jpeg', 'jpg')
}
