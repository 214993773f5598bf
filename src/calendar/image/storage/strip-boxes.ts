// Removes what AVIF files do not need to be shown, such as the place where a photograph was taken. Other parts refer to data
// by their position in the file, so that hidden parts in between are overwritten with zeros, and only the end is cut.

interface Box {
  readonly type: string
  readonly start: number
  readonly content: number
  readonly end: number
}

const setOf = (types: string): ReadonlySet<string> => new Set(types.split(' '))

const fileBoxes = setOf('ftyp meta mdat moov')
const metaBoxes = setOf('hdlr dinf pitm iloc iinf iprp iref idat grpl')
/** In other boxes: free space, data of other programs, and descriptions. */
const hiddenBoxes = setOf('free skip uuid udta udes meta')
const hiddenItems = setOf('Exif mime')
/** Boxes of boxes, and how many bytes come before these. */
const containers = new Map([
  ['meta', 4],
  ...[...setOf('iprp ipco moov trak mdia minf stbl')].map((type) => [type, 0] as const),
])

/**
 * Keeps EXIF data that are those of `isExif`. Returns the same bytes if all are needed, and undefined for files that do not
 * follow their format.
 */
export function stripBoxes(bytes: Uint8Array, isExif: (data: Buffer) => boolean): Uint8Array | undefined {
  const file = Buffer.from(bytes)
  try {
    const boxes = [...readBoxes(file, 0, file.length)]
    const needed = boxes.filter(({ type }) => fileBoxes.has(type))
    for (const box of boxes) {
      if (fileBoxes.has(box.type)) eraseHidden(file, box)
      else erase(file, box)
    }
    eraseUnusedData(file, needed, isExif)
    const stripped = file.subarray(0, needed.at(-1)?.end)
    return stripped.equals(bytes) ? bytes : stripped
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** What follows the last box is read as a box without a type. */
function* readBoxes(file: Buffer, from: number, end: number): Generator<Box> {
  for (let start = from; start < end; ) {
    const type = file.toString('latin1', start + 4, start + 8)
    const [short, isFile] = [end - start < 8 ? -1 : file.readUInt32BE(start), from === 0]
    const content = start + (short === 1 ? 16 : 8)
    const size = short === 1 ? Number(file.readBigUInt64BE(start + 8)) : short === 0 && isFile ? end - start : short
    const isBox = start + size >= content && start + size <= end
    if (!isBox && (!isFile || fileBoxes.has(type))) throw new RangeError('A box is longer than what it is in.')
    const box = isBox ? { type, start, content, end: start + size } : { type: '', start, content: start, end }
    yield box
    start = box.end
  }
}

function erase(file: Buffer, { type, start, content, end }: Box): void {
  if (type !== '') file.write('free', start + 4, 'latin1')
  file.fill(0, content, end)
}

function eraseHidden(file: Buffer, { type, content, end }: Box): void {
  const skipped = containers.get(type)
  if (skipped === undefined) return
  for (const box of readBoxes(file, content + skipped, end)) {
    const isNeeded = type === 'meta' ? metaBoxes.has(box.type) : !hiddenBoxes.has(box.type)
    if (isNeeded) eraseHidden(file, box)
    else erase(file, box)
  }
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Erases data that are no part of an image. In files with an animation, only metadata. */
function eraseUnusedData(file: Buffer, boxes: readonly Box[], isExif: (data: Buffer) => boolean): void {
  const meta = boxes.find(({ type }) => type === 'meta')
  if (!meta) throw new RangeError('A box is missing.')
  const children = new Map([...readBoxes(file, meta.content + 4, meta.end)].map((box) => [box.type, box]))
  const [iinf, iloc, idat] = ['iinf', 'iloc', 'idat'].map((type) => children.get(type))
  if (!iinf || !iloc) throw new RangeError('A box is missing.')
  const types = itemTypes(file, iinf)
  const used: Range[] = []
  for (const { item, ...range } of extents(file, iloc, idat?.content)) {
    // Four bytes tell where the data begin.
    const isHidden = hiddenItems.has(types.get(item) ?? '') && !isExif(file.subarray(range.start + 4, range.end))
    if (isHidden) file.fill(0, range.start, range.end)
    else used.push(range)
  }
  const data = [...boxes.filter(({ type }) => type === 'mdat'), ...(idat ? [idat] : [])]
  const isInData = ({ start, end }: Range) => data.some((box) => start >= box.content && end <= box.end)
  if (!used.every(isInData)) throw new RangeError('An image has data in another place.')
  if (boxes.some(({ type }) => type === 'moov')) return
  used.sort((a, b) => a.start - b.start)
  for (const { content, end } of data) {
    let at = content
    for (const range of used) {
      if (range.start > at && range.start < end) file.fill(0, at, range.start)
      if (range.start < end) at = Math.max(at, range.end)
    }
    if (at < end) file.fill(0, at, end)
  }
}

/** Reads numbers of 0, 2, 4 or 8 bytes from a position on. */
function numbers(file: Buffer, start: number): (size: number) => number {
  let at = start
  return (size) => {
    at += size
    if (size === 8) return Number(file.readBigUInt64BE(at - size))
    return size === 0 ? 0 : file.readUIntBE(at - size, size)
  }
}

/** The types of the items by their IDs. */
function itemTypes(file: Buffer, { content, end }: Box): ReadonlyMap<number, string> {
  const first = content + (file.readUInt8(content) === 0 ? 6 : 8)
  const entries = [...readBoxes(file, first, end)].map((entry) => {
    const version = file.readUInt8(entry.content)
    if (version !== 2 && version !== 3) throw new RangeError('An item has no type.')
    const idBytes = version === 2 ? 2 : 4
    const type = entry.content + 4 + idBytes + 2
    return [file.readUIntBE(entry.content + 4, idBytes), file.toString('latin1', type, type + 4)] as const
  })
  return new Map(entries)
}

/** Where the data of the items are in the file. */
function* extents(file: Buffer, { content }: Box, idat = 0): Generator<Range & { readonly item: number }> {
  const version = file.readUInt8(content)
  const read = numbers(file, content + 4)
  const sizes = read(2)
  const [offsetSize = 0, lengthSize = 0, baseSize = 0, indexSize = 0] = [12, 8, 4, 0].map(
    (bits) => (sizes >> bits) & 15,
  )
  const idSize = version < 2 ? 2 : 4
  for (let items = read(idSize); items > 0; items -= 1) {
    const item = read(idSize)
    const method = version === 0 ? 0 : read(2) & 15
    if (method > 1) throw new RangeError('An item has its data in another item.')
    read(2)
    const base = read(baseSize) + (method === 1 ? idat : 0)
    for (let count = read(2); count > 0; count -= 1) {
      if (version > 0) read(indexSize)
      const start = base + read(offsetSize)
      const length = read(lengthSize)
      if (length === 0) throw new RangeError('The length of an item is missing.')
      yield { item, start, end: start + length }
    }
  }
}
