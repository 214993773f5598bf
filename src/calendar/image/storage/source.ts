// Opens image files with sharp, within limits of pixels.
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { hasOnlyCopyright } from './exif.ts'
import { DamagedImageError, type ImageDescription, type ImageExtension, maxImagePixels, setAvifBrand } from './files.ts'

sharp.concurrency(1)
sharp.cache(false)

/** Maximum of pixels in all frames of an animation. Only the first frame is decoded here, but visitors decode all. */
const maxFramePixels = 100_000_000

export interface OpenedImage extends ImageDescription {
  readonly bytes: Uint8Array
  readonly isAnimated: boolean
  /** Whether the file has metadata, such as an orientation or the place where a photograph was taken. */
  readonly hasMetadata: boolean
  readonly exif: Buffer | undefined
  /** The first frame. */
  open(failOn?: SharpOptions['failOn']): Sharp
}

/** Names of formats in sharp that differ from the file extension. */
const sharpFormats: Readonly<Partial<Record<ImageExtension, string>>> = { jpg: 'jpeg', avif: 'heif' }

/** Throws DamagedImageError for too many pixels, and other errors if sharp cannot read the file. */
export async function openImage(bytes: Uint8Array, description: ImageDescription): Promise<OpenedImage> {
  if (description.extension === 'avif') setAvifBrand(bytes)
  const limits = { limitInputPixels: maxImagePixels, sequentialRead: true }
  const { format, exif, xmp, iptc, orientation = 1, pages = 1, ...stored } = await sharp(bytes, limits).metadata()
  if (format !== (sharpFormats[description.extension] ?? description.extension))
    throw new Error(`The file is an image of the type ${format}, not of the type that its first bytes show.`)
  // The images of an AVIF file are not the frames of an animation.
  const framesOfType = { avif: () => 1, png: () => framesOfPng(bytes) } as Partial<Record<ImageExtension, () => number>>
  const frames = framesOfType[description.extension]?.() ?? pages
  const isAnimated = frames > 1
  // Animations are not encoded again, and so not turned.
  const { width, height } = isAnimated ? stored : stored.autoOrient
  if (isAnimated) checkFrames(frames, width * height)
  const open = (failOn: SharpOptions['failOn'] = 'error') =>
    sharp(bytes, { ...limits, failOn, autoOrient: !isAnimated })
  const hasMetadata = Boolean(xmp ?? iptc) || orientation > 1 || (exif !== undefined && !hasOnlyCopyright(exif))
  return { ...description, width, height, bytes, isAnimated, hasMetadata, exif, open }
}

function checkFrames(frames: number, pixels: number): void {
  if (frames * pixels <= maxFramePixels) return
  const [total, limit] = [frames * pixels, maxFramePixels].map((count) => count.toLocaleString('en'))
  throw new DamagedImageError(
    `The animation has ${total} pixels in ${frames.toLocaleString('en')} frames; at most ${limit} are allowed. Send fewer or smaller frames.`,
  )
}

/** sharp knows only the first frame of PNG files. Reads chunk by chunk: texts and profiles may contain the names of chunks. */
function framesOfPng(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return file.readUInt32BE(at + 8)
    if (type === 'IDAT') break
  }
  return 1
}
