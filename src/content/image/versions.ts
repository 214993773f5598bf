// Makes the versions of an image that are stored: the image without private metadata, its smaller sizes, and the same in a
// media type with smaller files. sharp does the work, in threads of libuv.
import type { Sharp, SharpOptions } from 'sharp'
import { DomainError } from '../../errors.ts'
import { memoizeOnce } from '../../memoize.ts'
import { hasOnlyCopyright, readCopyright } from './exif.ts'
import { type Extension, type ImageDescription, maxPixels, mimeTypes } from './files.ts'
import { createQueue } from './queue.ts'
import { stripSegments } from './strip-segments.ts'

export interface ImageVersion extends ImageDescription {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ImageVersions {
  readonly full: ImageDescription & { readonly bytes: Uint8Array }
  readonly sizes: readonly ImageVersion[]
  readonly alternates: readonly ImageVersion[]
}

/**
 * Version of the rules in this file. `images sizes` processes images of older versions: 0 have no sizes, and 1 may have
 * metadata.
 */
export const sizeRules = 2

interface SizeRule {
  readonly name: string
  /** Pixels. Undefined for a side that only follows from the other. */
  readonly width: number
  readonly height?: number
  readonly isCropped?: boolean
}

/** The sizes that clients of the contract know (contract c.6). */
const sizeRulesByName: readonly SizeRule[] = [
  { name: 'thumbnail', width: 150, height: 150, isCropped: true },
  { name: 'medium', width: 300, height: 300 },
  { name: 'medium_large', width: 768 },
  { name: 'large', width: 1024, height: 1024 },
]

const quality = { full: 90, jpg: 82, webp: 80 }

/** Sides of WebP files have at most 16,383 pixels. */
const maxWebpSide = 16_383

/** Larger images get no WebP version in full size: encoding takes about a second for 12 million pixels. */
const maxFullAlternate = 25_000_000

/** Above, WebP is encoded with the least effort. */
const maxForFullEffort = 4_000_000

/** Seconds for one file. */
const maxSeconds = 20

/** One image at a time, so that uploads leave CPU and memory to other requests. Loading the library takes 0.1 s. */
const queue = createQueue({ maxWaiting: 20 })

const load = memoizeOnce(async () => {
  try {
    const { default: sharp } = await import('sharp')
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  } catch (error) {
    const message =
      'This service cannot process images, because its image library "sharp" does not load on this machine. Images by ID still work. The operator finds the reason in the log.'
    throw Object.assign(new DomainError('UNAVAILABLE', message, { retryAfter: 3600 }), { cause: error })
  }
})

/** The image cannot be processed. */
export class DamagedImage extends Error {}

/** Says why sharp cannot process an image, by the text of its error: its errors have no codes. */
function problemOf(error: unknown): string {
  const text = String(error)
  if (text.includes('exceeds pixel limit')) {
    const pixels = maxPixels.toLocaleString('en')
    return `The frames of the animation have more than ${pixels} pixels together. Send fewer or smaller frames.`
  }
  if (/timeout: |killed for image/.test(text)) {
    return `Processing the image takes longer than ${maxSeconds} seconds. Send one with fewer pixels.`
  }
  return 'The image is damaged or incomplete. Send a complete JPEG, PNG, GIF, WebP or AVIF file.'
}

interface Options {
  /** Milliseconds to wait for other images. */
  readonly maxWait: number
  /** Ends the wait for an image that is not needed any more. */
  readonly signal?: AbortSignal
  /** Whether to make sizes and alternates. */
  readonly withSizes: boolean
}

/** Throws DamagedImage, and UNAVAILABLE if too many images are waiting. */
export async function makeVersions(
  bytes: Uint8Array,
  description: ImageDescription,
  { withSizes, ...wait }: Options,
): Promise<ImageVersions> {
  const sharp = await load()
  const open = (options: SharpOptions = {}) =>
    sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true, ...options }).timeout({
      seconds: maxSeconds,
    })
  return queue.run(wait, async () => {
    try {
      await checkPixels(open)
      const source = await inspect(open, bytes, description)
      const full = await fullVersion(source)
      return { full, ...(withSizes ? await smallerVersions(source, full) : { sizes: [], alternates: [] }) }
    } catch (error) {
      throw new DamagedImage(problemOf(error), { cause: error })
    }
  })
}

/** Warnings of the JPEG library about files that have less data than their header says. Cameras cause other warnings. */
const seriousWarning = /premature end|bad Huffman code/i

/** Throws if the file is damaged or incomplete: decodes the first frame as a whole, because its header does not tell. */
async function checkPixels(open: Source['open']): Promise<void> {
  const decode = (failOn: 'warning' | 'error') => open({ failOn }).resize(8, 8, { fit: 'fill' }).raw().toBuffer()
  try {
    await decode('warning')
  } catch (error) {
    if (seriousWarning.test(String(error))) throw error
    await decode('error')
  }
}

interface Source extends ImageDescription {
  readonly bytes: Uint8Array
  readonly isAnimated: boolean
  /** Whether the file tells how to turn the image, or more about it, such as the place where a photograph was taken. */
  readonly hasMetadata: boolean
  readonly exif: Buffer | undefined
  open(options?: SharpOptions): Sharp
}

const sharpFormats: Readonly<Record<Extension, string>> = {
  jpg: 'jpeg',
  png: 'png',
  gif: 'gif',
  webp: 'webp',
  avif: 'heif',
}

async function inspect(open: Source['open'], bytes: Uint8Array, description: ImageDescription): Promise<Source> {
  const { format, exif, xmp, iptc, orientation = 1, pages = 1, autoOrient } = await open().metadata()
  if (format !== sharpFormats[description.extension]) throw new Error(`The file is of the type ${format}.`)
  const hasMetadata = Boolean(xmp ?? iptc) || orientation > 1 || (exif !== undefined && !hasOnlyCopyright(exif))
  const { width, height } = autoOrient
  return { ...description, width, height, bytes, isAnimated: pages > 1, hasMetadata, exif, open }
}

/**
 * The image without comments and the like, or, if it has metadata, encoded again: turned as its orientation says, and with
 * only its colour profile and copyright.
 */
async function fullVersion(source: Source): Promise<ImageVersions['full']> {
  const { open, extension, mimeType, isAnimated, hasMetadata, exif } = source
  const stripped = hasMetadata ? undefined : stripSegments(source.bytes, extension, exif)
  if (stripped) return { ...source, bytes: stripped }
  const image = open({ animated: isAnimated }).autoOrient().keepIccProfile()
  const copyright = exif && readCopyright(exif)
  const withCopyright = copyright === undefined ? image : image.withExif({ IFD0: { Copyright: copyright } })
  const { data, info } = await encode(withCopyright, extension, quality.full).toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { bytes: data, extension, mimeType, width: info.width, height }
}

function encode(image: Sharp, extension: Extension, jpegQuality: number, pixels = 0): Sharp {
  if (extension === 'jpg') return image.jpeg({ quality: jpegQuality })
  if (extension === 'png') return image.png()
  if (extension === 'gif') return image.gif()
  // The defaults of AVIF take ten times as long.
  if (extension === 'avif') return image.avif({ quality: 60, effort: 1 })
  return image.webp({ quality: quality.webp, effort: pixels > maxForFullEffort ? 0 : 4 })
}

async function smallerVersions(source: Source, full: ImageVersions['full']) {
  const { width, height, open } = source
  const sizes: ImageVersion[] = []
  const alternates: ImageVersion[] = []
  // AVIF takes long to encode, and WebP is as good for small images.
  const extension = source.extension === 'avif' ? 'webp' : source.extension
  const hasAlternates = ['jpg', 'png', 'gif'].includes(source.extension)
  const add = async (name: string, pixels: Sharp, original: Uint8Array) => {
    const version = await toVersion(name, encode(pixels, 'webp', quality.jpg, width * height), 'webp')
    if (version.bytes.length < original.length) alternates.push(version)
  }
  const isSmallEnough = width * height <= maxFullAlternate && Math.max(width, height) <= maxWebpSide
  // A still WebP file cannot replace an animation.
  if (hasAlternates && isSmallEnough && !source.isAnimated) await add('full', open().autoOrient(), full.bytes)
  for (const rule of sizeRulesByName) {
    if (width <= rule.width && height <= (rule.height ?? height)) continue
    const pixels = await resized(source, rule)
    const version = await toVersion(rule.name, encode(pixels.clone(), extension, quality.jpg), extension)
    sizes.push(version)
    if (hasAlternates) await add(rule.name, pixels, version.bytes)
  }
  return { sizes, alternates }
}

/** The pixels of a size, for encoders. */
async function resized({ open, width, height }: Source, rule: SizeRule): Promise<Sharp> {
  const sharp = await load()
  const image = open().autoOrient().toColourspace('srgb')
  const { data, info } = await (rule.isCropped
    ? image.resize(Math.min(rule.width, width), Math.min(rule.height ?? height, height), { fit: 'cover' })
    : image.resize({ width: rule.width, ...(rule.height && { height: rule.height }), fit: 'inside' })
  )
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}

async function toVersion(name: string, image: Sharp, extension: Extension): Promise<ImageVersion> {
  const { data, info } = await image.timeout({ seconds: maxSeconds }).toBuffer({ resolveWithObject: true })
  return { name, bytes: data, extension, mimeType: mimeTypes[extension], width: info.width, height: info.height }
}
