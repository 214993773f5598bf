// Image files, named by what is in them: the same bytes are kept once, by whichever process they come to.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { imageSize } from 'image-size'
import { flush, privateFile, privateFolder } from '../../db/pglite/data-folder.ts'

const mimeTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

type Extension = keyof typeof mimeTypes

export interface ImageDescription {
  readonly mimeType: string
  readonly extension: Extension
  readonly width: number
  readonly height: number
}

/** Where the files are served. */
export const imagesRoot = '/images'

/** Read from the bytes; undefined for what is no image, or none of a type that all browsers show. */
export function describeImage(bytes: Uint8Array): ImageDescription | undefined {
  const extension = typeOf(bytes)
  if (!extension) return undefined
  const size = sizeOf(bytes, extension)
  return size && { mimeType: mimeTypes[extension], extension, ...size }
}

export const imageName = (bytes: Uint8Array, extension: string): string =>
  `${createHash('sha256').update(bytes).digest('base64url')}.${extension}`

/** What is shown takes memory by its pixels, and not by the bytes of its file. */
const most = { side: 30_000, pixels: 100_000_000 }

/** Why the bytes are no image that is taken, or what it is. */
export function checkImage(bytes: Uint8Array): ImageDescription | string {
  const description = describeImage(bytes)
  if (!description) return 'The image is not a JPEG, PNG, GIF, WebP or AVIF file.'
  const { width, height } = description
  if (Math.max(width, height) <= most.side && width * height <= most.pixels) return description
  const [side, pixels] = [most.side, most.pixels].map((count) => count.toLocaleString('en'))
  return `An image has at most ${side} pixels a side and ${pixels} in all; this one says ${width} × ${height}.`
}

/** Gives the name under which imagePath finds the file. */
export async function saveImage(folder: string, bytes: Uint8Array, extension: string): Promise<string> {
  const name = imageName(bytes, extension)
  const path = imagePath(folder, name)
  if (!path) throw new RangeError(`Not an extension of images: ${extension.slice(0, 40)}`)
  if (await isThere(path, bytes.length)) {
    // As new as the record that is about to name it: what is old and named by none is removed.
    const now = new Date()
    await utimes(path, now, now)
    return name
  }
  const created = await mkdir(dirname(path), { recursive: true, mode: privateFolder })
  // No reader sees half a file, and of two writers the last one wins with the same bytes.
  const draft = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    await writeFile(draft, bytes, { flag: 'wx', flush: true, mode: privateFile })
    await rename(draft, path)
    await flush(dirname(path))
    if (created !== undefined) for (const parent of [dirname(dirname(path)), folder]) await flush(parent)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return name
}

const namePattern = new RegExp(`^[\\w-]{43}\\.(?:${Object.keys(mimeTypes).join('|')})$`)

/** Undefined if it is not a name that saveImage gives. */
export function imagePath(folder: string, name: string): string | undefined {
  return namePattern.test(name) ? join(folder, name.charAt(0), name.charAt(1), name) : undefined
}

async function isThere(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.size === size
}

function typeOf(bytes: Uint8Array): Extension | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  return start.slice(4) === 'ftypavif' ? 'avif' : undefined
}

function sizeOf(bytes: Uint8Array, extension: Extension) {
  try {
    // A copy, since the reader looks past the end of a part of a buffer; and not all, since it can be made to take
    // long. Only in JPEG the size can stand far behind.
    const start = Uint8Array.from(bytes.subarray(0, extension === 'jpg' ? 2_097_152 : 65_536))
    const { width, height, type, orientation = 1 } = imageSize(start)
    if (type !== extension || !(width > 0 && height > 0)) return undefined
    // From 5 on the picture is shown on its side.
    return orientation < 5 ? { width, height } : { width: height, height: width }
  } catch {
    return undefined
  }
}
