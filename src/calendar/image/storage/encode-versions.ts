// Makes the versions of an image with sharp, in the child process of versions.ts.
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { readExifCopyright } from './exif.ts'
import { type ImageDescription, type ImageExtension, mimeTypes } from './files.ts'
import { type OpenedImage, openImage } from './source.ts'
import { removeImageMetadata } from './strip-segments.ts'
import type { ImageVersion, ImageVersions } from './versions.ts'

interface SizeRule {
  readonly name: string
  /** Pixels. A missing height follows from the width. */
  readonly width: number
  readonly height?: number
  readonly isCropped?: boolean
}

/** The sizes that the clients of the legacy REST API know (contract c.6). */
const sizeRulesByName: readonly SizeRule[] = [
  { name: 'thumbnail', width: 150, height: 150, isCropped: true },
  { name: 'medium', width: 300, height: 300 },
  { name: 'medium_large', width: 768 },
  { name: 'large', width: 1024, height: 1024 },
]

const quality = { full: 90, jpg: 82, webp: 80 }

/** Sides of WebP files have at most 16,383 pixels. */
const maxWebpSide = 16_383

/** Maximum of pixels of a WebP version in full size: encoding takes about a second for 12 million pixels. */
const maxFullAlternate = 25_000_000

/** Pixels. Larger WebP files are encoded with the least effort. */
const maxForFullEffort = 4_000_000

/** Throws if sharp cannot read the file. */
export async function encodeImageVersions(
  bytes: Uint8Array,
  description: ImageDescription,
  withSizes: boolean,
): Promise<ImageVersions> {
  const source = await openImage(bytes, description)
  const rules = withSizes ? sizeRulesByName.filter((rule) => isSmaller(rule, source)) : []
  const pixels = await decode(source, rules)
  const full = await fullVersion(source)
  return { full, ...(withSizes ? await smallerVersions(source, full, pixels, rules) : { sizes: [], alternates: [] }) }
}

const isSmaller = (rule: SizeRule, { width, height }: OpenedImage): boolean =>
  width > rule.width || height > (rule.height ?? height)

/** Returns the scale factor of a size, before the image is cropped. */
function scaleOf({ width, height, isCropped }: SizeRule, source: OpenedImage): number {
  const scales = [width / source.width, ...(height === undefined ? [] : [height / source.height])]
  return Math.min(1, isCropped ? Math.max(...scales) : Math.min(...scales))
}

const scaled = (side: number, scale: number): number => Math.max(1, Math.round(side * scale))

/** Matches warnings of the JPEG library about incomplete files. Other warnings are common in photographs of cameras. */
const seriousWarning = /premature end|bad Huffman code/i

interface Pixels {
  readonly data: Buffer
  readonly info: OutputInfo
}

/**
 * Decodes the first frame, scaled to the largest size. Throws if the file is damaged or incomplete, which
 * its header does not show. Decoding takes most of the time of an image, so that it is done once for all sizes.
 */
async function decode(source: OpenedImage, rules: readonly SizeRule[]): Promise<Pixels> {
  const { open, width, height } = source
  const scale = Math.max(8 / Math.max(width, height), ...rules.map((rule) => scaleOf(rule, source)))
  const pixels = (failOn: 'warning' | 'error') =>
    open(failOn)
      .toColourspace('srgb')
      .resize(scaled(width, scale), scaled(height, scale), { fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
  try {
    return await pixels('warning')
  } catch (error) {
    if (seriousWarning.test(String(error))) throw error
    return pixels('error')
  }
}

/**
 * Returns the image without comments and similar data. An AVIF or an image with metadata is encoded again: rotated by its
 * orientation and with only its colour profile and copyright. Animations lose their copyright with other metadata, because
 * encoding all frames takes too long.
 */
async function fullVersion(source: OpenedImage): Promise<ImageVersions['full']> {
  const { open, bytes, extension, mimeType, isAnimated, hasMetadata, exif, width, height } = source
  const stripped =
    hasMetadata && !isAnimated ? undefined : removeImageMetadata(bytes, extension, hasMetadata ? undefined : exif)
  if (stripped) return { bytes: stripped, extension, mimeType, width, height }
  if (isAnimated) throw new RangeError('The animation violates its file format.')
  const copyright = exif && readExifCopyright(exif)
  const image = open().keepIccProfile()
  const withCopyright = copyright === undefined ? image : image.withExif({ IFD0: { Copyright: copyright } })
  const data = await encode(withCopyright, extension, quality.full, width * height).toBuffer()
  return { bytes: data, extension, mimeType, width, height }
}

/** Sets the encoder options of a type; `pixels` is the number of pixels of the image. */
function encode(image: Sharp, extension: ImageExtension, jpegQuality: number, pixels: number): Sharp {
  if (extension === 'jpg') return image.jpeg({ quality: jpegQuality })
  if (extension === 'png') return image.png()
  if (extension === 'gif') return image.gif()
  // The defaults of AVIF take twenty times as long.
  if (extension === 'avif') return image.avif({ quality: 60, effort: 0 })
  return image.webp({ quality: quality.webp, effort: pixels > maxForFullEffort ? 0 : 4 })
}

/** File types of the sizes, by type of the image. WebP replaces AVIF, which is slow to encode. Sizes of an animated WebP are still images. */
const sizeTypes: Readonly<Record<'animated' | 'still', Partial<Record<ImageExtension, ImageExtension>>>> = {
  still: { avif: 'webp' },
  animated: { avif: 'webp', webp: 'png' },
}

async function smallerVersions(
  source: OpenedImage,
  full: ImageVersions['full'],
  pixels: Pixels,
  rules: readonly SizeRule[],
): Promise<Pick<ImageVersions, 'sizes' | 'alternates'>> {
  const { width, height, open } = source
  const sizes: ImageVersion[] = []
  const alternates: ImageVersion[] = []
  const extension = sizeTypes[source.isAnimated ? 'animated' : 'still'][source.extension] ?? source.extension
  // A still file cannot replace an animation.
  const hasAlternates = ['jpg', 'png', 'gif'].includes(source.extension) && !source.isAnimated
  const add = async (name: string, image: Sharp, original: Uint8Array) => {
    const version = await toVersion(name, encode(image, 'webp', quality.jpg, width * height), 'webp')
    if (version.bytes.length < original.length) alternates.push(version)
  }
  const isSmallEnough = width * height <= maxFullAlternate && Math.max(width, height) <= maxWebpSide
  if (hasAlternates && isSmallEnough) await add('full', open(), full.bytes)
  for (const rule of rules) {
    const resized = sizedTo(rule, source, pixels)
    const version = await toVersion(rule.name, encode(resized.clone(), extension, quality.jpg, 0), extension)
    sizes.push(version)
    if (hasAlternates) await add(rule.name, resized, version.bytes)
  }
  return { sizes, alternates }
}

function sizedTo(rule: SizeRule, source: OpenedImage, { data, info }: Pixels): Sharp {
  const { width, height } = source
  const image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  if (rule.isCropped) return image.resize(Math.min(rule.width, width), Math.min(rule.height ?? height, height))
  const scale = scaleOf(rule, source)
  return image.resize(scaled(width, scale), scaled(height, scale), { fit: 'fill' })
}

async function toVersion(name: string, image: Sharp, extension: ImageExtension): Promise<ImageVersion> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { name, bytes: data, extension, mimeType: mimeTypes[extension], width: info.width, height: info.height }
}
