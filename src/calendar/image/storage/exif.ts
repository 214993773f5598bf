const copyrightTag = 0x8298
const detailsTag = 0x8769
const maxEntries = 200
const maxLength = 500

/** Tags that sharp writes beside the copyright: orientation, resolution, versions, colours, width and height. */
const technicalTags: ReadonlySet<number> = new Set([
  ...[0x112, 0x11a, 0x11b, 0x128, 0x213],
  ...[0x9000, 0x9101, 0xa000, 0xa001, 0xa002, 0xa003],
])
/** Bytes of these tags. */
const technicalLength = 300

interface Entry {
  readonly tag: number
  /** Bytes of a text. */
  readonly length: number
  /** Where the value is if it has up to four bytes. */
  readonly at: number
  /** A number, or where a longer value is. */
  readonly value: number
}

/** EXIF data without their marker. */
const tiffOf = (exif: Buffer): Buffer => exif.subarray(exif.subarray(0, 4).toString('latin1') === 'Exif' ? 6 : 0)

/** The entries of a directory, and the position of the next one. Throws RangeError for damaged data. */
function readDirectory(tiff: Buffer, start?: number) {
  const isLittle = tiff.subarray(0, 2).toString('latin1') === 'II'
  const uint16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const uint32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = start ?? uint32(4)
  const entries = Array.from({ length: Math.min(uint16(directory), maxEntries) }, (_, index): Entry => {
    const at = directory + 2 + index * 12
    return { tag: uint16(at), length: uint32(at + 4), at: at + 8, value: uint32(at + 8) }
  })
  return { entries, next: uint32(directory + 2 + entries.length * 12) }
}

function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The copyright in EXIF data, as TIFF specifies it; undefined if there is none or the data is damaged. */
export function readCopyright(exif: Buffer): string | undefined {
  const tiff = tiffOf(exif)
  const entry = unlessDamaged(() => readDirectory(tiff).entries.find(({ tag }) => tag === copyrightTag))
  if (!entry) return undefined
  const { length, at, value } = entry
  const start = length > 4 ? value : at
  const text = tiff.subarray(start, start + Math.min(length, maxLength)).toString('utf8')
  return text.replace(/\p{Cc}+/gu, ' ').trim() || undefined
}

/** Whether EXIF data are like those that this service writes: they have the copyright and nothing personal. */
export function hasOnlyCopyright(exif: Buffer): boolean {
  if (exif.length > technicalLength + maxLength) return false
  const isKnown = ({ tag }: Entry) => tag === copyrightTag || tag === detailsTag || technicalTags.has(tag)
  const tiff = tiffOf(exif)
  const directories = unlessDamaged(() => {
    const first = readDirectory(tiff)
    const details = first.entries.find(({ tag }) => tag === detailsTag)
    return details ? [first, readDirectory(tiff, details.value)] : [first]
  })
  return directories?.every(({ entries, next }) => next === 0 && entries.every(isKnown)) ?? false
}
