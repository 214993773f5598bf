const copyrightTag = 0x8298
const maxEntries = 200
const maxLength = 500

/** The copyright in EXIF data, as TIFF specifies it; undefined if there is none or the data is damaged. */
export function readCopyright(exif: Buffer): string | undefined {
  const tiff = exif.subarray(exif.subarray(0, 4).toString('latin1') === 'Exif' ? 6 : 0)
  const isLittle = tiff.subarray(0, 2).toString('latin1') === 'II'
  const uint16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const uint32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const directory = uint32(4)
    const entries = Math.min(uint16(directory), maxEntries)
    for (let index = 0; index < entries; index += 1) {
      const entry = directory + 2 + index * 12
      if (uint16(entry) !== copyrightTag) continue
      const length = uint32(entry + 4)
      // Up to four bytes are in the entry itself.
      const start = length > 4 ? uint32(entry + 8) : entry + 8
      const text = tiff.subarray(start, start + Math.min(length, maxLength)).toString('utf8')
      return text.replace(/\p{Cc}+/gu, ' ').trim() || undefined
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}
