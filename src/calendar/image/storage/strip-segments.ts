// Removes the parts of image files that neither pixels nor colours need, such as comments, data of other programs, and files
// that follow the image. Keeps the encoded pixels as they are.
import type { ImageExtension } from './files.ts'

interface Segment {
  readonly start: number
  readonly end: number
  readonly isNeeded: boolean
}

/** Maximum of segments: images have far fewer, and reading millions of segments would block other requests for seconds. */
const maxSegments = 100_000

/** Yields the segments up to the end of the image. Throws RangeError for files that violate the format. */
type ReadSegments = (file: Buffer, isExif: (data: Buffer) => boolean) => Generator<Segment>

const readers: Readonly<Partial<Record<ImageExtension, ReadSegments>>> = {
  jpg: readJpeg,
  png: readPng,
  gif: readGif,
  webp: readWebp,
}

/**
 * Keeps EXIF data only if equal to `exif`. Returns the same bytes if no part is removed, and undefined for files
 * that do not follow their format or have too many parts, and for AVIF, whose parts refer to each other by position.
 */
export function removeImageMetadata(
  bytes: Uint8Array,
  extension: ImageExtension,
  exif: Buffer | undefined,
): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const needed: Buffer[] = []
  let count = 0
  // PNG files have EXIF data without the marker that JPEG files have.
  const isExif = (data: Buffer) => exif !== undefined && (data.equals(exif) || data.equals(exif.subarray(exifMarker)))
  const read = readers[extension]
  if (!read) return undefined
  try {
    for (const { start, end, isNeeded } of read(file, isExif)) {
      count += 1
      if (count > maxSegments) return undefined
      if (end > file.length) throw new RangeError('A segment of the image file is longer than the file.')
      if (isNeeded) needed.push(file.subarray(start, end))
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const stripped = Buffer.concat(needed)
  if (stripped.length === file.length) return bytes
  if (extension === 'webp') updateWebpHeader(stripped, exif !== undefined)
  return stripped
}

/** Number of bytes of the marker before EXIF data in JPEG files. */
const exifMarker = 6

const textAt = (file: Buffer, start: number, end: number) => file.toString('latin1', start, end)

const jpegMarker = { end: 0xd9, scan: 0xda, application0: 0xe0, application15: 0xef, comment: 0xfe } as const

/** The application segments of JPEG files to keep: JFIF without thumbnail, colour profile, colour transform of Adobe. */
const jpegApplications = [/^JFIF\0.{9}$/s, /^ICC_PROFILE\0/, /^Adobe/]

function* readJpeg(file: Buffer, isExif: (data: Buffer) => boolean): Generator<Segment> {
  yield { start: 0, end: 2, isNeeded: true }
  for (let start = 2; ; ) {
    if (file.readUInt8(start) !== 0xff) throw new RangeError('A JPEG segment does not begin with a marker.')
    // Any number of bytes 0xff may come before a marker.
    while (file[start + 1] === 0xff) start += 1
    const marker = file.readUInt8(start + 1)
    if (marker === jpegMarker.end) return yield { start, end: start + 2, isNeeded: true }
    let end = start + 2 + file.readUInt16BE(start + 2)
    const isApplication = marker >= jpegMarker.application0 && marker <= jpegMarker.application15
    const data = isApplication ? textAt(file, start + 4, end) : ''
    const isNeeded = isApplication
      ? jpegApplications.some((pattern) => pattern.test(data)) || isExif(file.subarray(start + 4, end))
      : marker !== jpegMarker.comment
    if (marker === jpegMarker.scan) end = endOfScan(file, end)
    yield { start, end, isNeeded }
    start = end
  }
}

/** Returns the position of the next marker that is not part of the compressed data. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue
    const next = file[at + 1] ?? 0
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
  }
  throw new RangeError('The JPEG file has no end marker.')
}

const pngChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)

function* readPng(file: Buffer, isExif: (data: Buffer) => boolean): Generator<Segment> {
  yield { start: 0, end: 8, isNeeded: true }
  for (let [start, type] = [8, '']; type !== 'IEND'; ) {
    const end = start + 12 + file.readUInt32BE(start)
    type = textAt(file, start + 4, start + 8)
    const isNeeded = pngChunks.has(type) || (type === 'eXIf' && isExif(file.subarray(start + 8, end - 4)))
    yield { start, end, isNeeded }
    start = end
  }
}

const gifBlock = { extension: 0x21, image: 0x2c, end: 0x3b, control: 0xf9, application: 0xff } as const
const gifApplications = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

function* readGif(file: Buffer): Generator<Segment> {
  let start = 13 + gifColors(file.readUInt8(10))
  yield { start: 0, end: start, isNeeded: true }
  // Some files lack the last byte.
  while (start < file.length) {
    const block = file.readUInt8(start)
    if (block === gifBlock.end) return yield { start, end: start + 1, isNeeded: true }
    const isImage = block === gifBlock.image
    if (!isImage && block !== gifBlock.extension) throw new RangeError('The GIF file has a block of an unknown type.')
    const label = file.readUInt8(start + 1)
    const isApplication = label === gifBlock.application && gifApplications.has(textAt(file, start + 3, start + 14))
    const end = endOfBlocks(file, isImage ? start + 11 + gifColors(file.readUInt8(start + 9)) : start + 2)
    yield { start, end, isNeeded: isImage || label === gifBlock.control || isApplication }
    start = end
  }
}

const gifColors = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function endOfBlocks(file: Buffer, start: number): number {
  let at = start
  for (let size = file.readUInt8(at); size > 0; size = file.readUInt8(at)) at += 1 + size
  return at + 1
}

const webpFlags = { xmp: 4, exif: 8 } as const

function updateWebpHeader(file: Buffer, hasExif: boolean): void {
  file.writeUInt32LE(file.length - 8, 4)
  if (textAt(file, 12, 16) !== 'VP8X') return
  file.writeUInt8(file.readUInt8(20) & ~(webpFlags.xmp | (hasExif ? 0 : webpFlags.exif)), 20)
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'])

function* readWebp(file: Buffer, isExif: (data: Buffer) => boolean): Generator<Segment> {
  yield { start: 0, end: 12, isNeeded: true }
  const last = 8 + file.readUInt32LE(4)
  for (let start = 12; start < last; ) {
    const size = file.readUInt32LE(start + 4)
    const end = start + 8 + size + (size % 2)
    const type = textAt(file, start, start + 4)
    const isNeeded = webpChunks.has(type) || (type === 'EXIF' && isExif(file.subarray(start + 8, start + 8 + size)))
    yield { start, end, isNeeded }
    start = end
  }
}
