// Stores image files under the hash of their content, so that equal images share a file.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { imageSize } from 'image-size'
import { flushToDisk, privateFile, privateFolder } from '../../../engine/postgres/pglite/data-folder.ts'

/** Media types of images by file extension. */
export const mimeTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

export type ImageExtension = keyof typeof mimeTypes

export interface ImageDescription {
  readonly mimeType: string
  readonly extension: ImageExtension
  readonly width: number
  readonly height: number
}

/** Path of the URLs of image files. */
export const imagesPath = '/images'

/** Selects the URLs of all files that images use, as `url`. */
export const imageUrlsSql = `SELECT url FROM image
  UNION SELECT version->>'url' FROM image, jsonb_array_elements(sizes || alternates) AS version`

/** Returns type, width and height of an image; undefined unless the bytes are an image of a type that all browsers show. */
export function readImageDescription(bytes: Uint8Array): ImageDescription | undefined {
  const extension = typeOf(bytes)
  if (!extension) return undefined
  const size = sizeOf(bytes, extension)
  return size && { mimeType: mimeTypes[extension], extension, ...size }
}

export const imageFileName = (bytes: Uint8Array, extension: string): string =>
  `${createHash('sha256').update(bytes).digest('base64url')}.${extension}`

/** Error for an image that cannot be processed. The message is shown to the user. */
export class DamagedImageError extends Error {}

/** Maximum of pixels of an image: the memory for decoding depends on them, not on the size of the file. */
export const maxImagePixels = 50_000_000
const maxSide = 30_000

/** Returns the description of an image, or an error message if the image is rejected. */
export function checkImage(bytes: Uint8Array): ImageDescription | string {
  const description = readImageDescription(bytes)
  if (!description) return 'The image must be a JPEG, PNG, GIF, WebP or AVIF file.'
  const { width, height } = description
  if (Math.max(width, height) <= maxSide && width * height <= maxImagePixels) return description
  const [side, pixels] = [maxSide, maxImagePixels].map((count) => count.toLocaleString('en'))
  return `An image can have at most ${side} pixels per side and ${pixels} in total. This one has ${width} × ${height}.`
}

/** Stores a file and returns its name, for `imagePath`. */
export async function saveImage(folder: string, bytes: Uint8Array, extension: string): Promise<string> {
  const name = imageFileName(bytes, extension)
  const path = imagePath(folder, name)
  if (!path) throw new RangeError(`No image file name has this extension: ${extension.slice(0, 40)}`)
  const stored = await stat(path).catch(() => undefined)
  if (stored?.size === bytes.length) {
    // A new modification time protects the file from the removal of old unused files before its record exists.
    const now = new Date()
    await utimes(path, now, now)
    return name
  }
  const created = await mkdir(dirname(path), { recursive: true, mode: privateFolder })
  // Renaming is atomic: no reader sees a partial file.
  const draft = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    await writeFile(draft, bytes, { flag: 'wx', flush: true, mode: privateFile })
    await rename(draft, path)
    await flushToDisk(dirname(path))
    if (created !== undefined) for (const parent of [dirname(dirname(path)), folder]) await flushToDisk(parent)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return name
}

const namePattern = new RegExp(`^[\\w-]{43}\\.(?:${Object.keys(mimeTypes).join('|')})$`)

/** Returns the path of an image file; undefined unless the name has the format of `saveImage`. */
export const imagePath = (folder: string, name: string): string | undefined =>
  namePattern.test(name) ? join(folder, name.charAt(0), name.charAt(1), name) : undefined

function typeOf(bytes: Uint8Array): ImageExtension | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  return isAvif(bytes) ? 'avif' : undefined
}

/** Sets the first brand of an AVIF file, the only brand that parsers and decoders check. */
export const setAvifBrand = (bytes: Uint8Array): void => bytes.set(Buffer.from('avif'), 8)

/** Whether the file is an AVIF image. Compares all brands, because the first brand may be general, such as `mif1`. */
function isAvif(bytes: Uint8Array): boolean {
  const box = Buffer.from(bytes.subarray(0, 256))
  if (box.length < 16 || box.toString('latin1', 4, 8) !== 'ftyp') return false
  const brands = box.toString('latin1', 8, box.readUInt32BE(0)).match(/.{4}/gs) ?? []
  // The second entry is a version, not a brand.
  return brands.some((brand, index) => index !== 1 && brand === 'avif')
}

function sizeOf(bytes: Uint8Array, extension: ImageExtension) {
  try {
    // Copies the bytes, because the parser reads past the end of a subarray. Only the start, because crafted files can
    // make the parser slow; in JPEG files the size can follow after large metadata.
    const start = Uint8Array.from(bytes.subarray(0, extension === 'jpg' ? 2_097_152 : 65_536))
    if (extension === 'avif') setAvifBrand(start)
    const { width, height, type, orientation = 1 } = imageSize(start)
    if (type !== extension || !(width > 0 && height > 0)) return undefined
    // EXIF orientations from 5 on rotate the image by 90 degrees.
    return orientation < 5 ? { width, height } : { width: height, height: width }
  } catch {
    return undefined
  }
}
