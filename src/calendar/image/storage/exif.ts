import readExif from 'exif-reader'

const maxCopyright = 500
/** Maximum bytes of EXIF data without the copyright, as this service writes them. */
const technicalLength = 300

/** EXIF tags that sharp writes in addition to the copyright. */
const technicalTags: ReadonlySet<string> = new Set([
  ...['Orientation', 'XResolution', 'YResolution', 'ResolutionUnit', 'YCbCrPositioning', 'ExifTag'],
  ...['ExifVersion', 'ComponentsConfiguration', 'FlashpixVersion', 'ColorSpace', 'PixelXDimension', 'PixelYDimension'],
])

/** Parses EXIF data. Returns undefined for damaged data. */
function read(exif: Buffer) {
  try {
    return readExif(exif)
  } catch {
    return undefined
  }
}

/** The copyright in EXIF data; undefined if there is none or the data is damaged. */
export function readExifCopyright(exif: Buffer): string | undefined {
  const text = read(exif)?.Image?.Copyright
  if (typeof text !== 'string') return undefined
  return (
    text
      .slice(0, maxCopyright)
      .replace(/\p{Cc}+/gu, ' ')
      .trim() || undefined
  )
}

/** Whether EXIF data are like those that this service writes: they have the copyright and nothing personal. */
export function hasOnlyCopyright(exif: Buffer): boolean {
  const { bigEndian: _, Image, Photo, ...others } = (exif.length <= technicalLength + maxCopyright && read(exif)) || {}
  if (!Image || Object.keys(others).length > 0) return false
  return Object.keys({ ...Image, ...Photo }).every((tag) => tag === 'Copyright' || technicalTags.has(tag))
}
