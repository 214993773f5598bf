// Image files that no library writes.
import { crc32 } from 'node:zlib'

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Packs codes of `[value, bits]`, the first bits of a byte being its lowest ones. */
function packed(codes: Iterable<readonly [number, number]>): number[] {
  const bytes: number[] = []
  let [rest, count] = [0, 0]
  for (const [value, bits] of codes) {
    rest |= value << count
    for (count += bits; count >= 8; count -= 8) {
      bytes.push(rest & 255)
      rest >>>= 8
    }
  }
  return count > 0 ? [...bytes, rest] : bytes
}

/** LZW codes for `left` equal pixels: each code but the last stands for one pixel more than the one before it. */
function* runs(left: number): Generator<readonly [number, number]> {
  const [clear, end, first, most] = [4, 5, 6, 4096]
  yield [clear, 3]
  let [next, bits, length] = [first, 3, 0]
  while (left > 0) {
    length = Math.min(left, next < most ? length + 1 : length)
    yield [length === 1 ? 0 : first + length - 2, bits]
    left -= length
    if (length > 1 && next < most) next += 1
    if (next === 2 ** bits && bits < 12) bits += 1
  }
  yield [end, bits]
}

/** A GIF of frames in one colour: 11 KB for each frame of 4,900 × 4,900 pixels. */
export function flatGif(width: number, height: number, frames: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\xff\0\0\0\0\xff', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const image = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
  image.writeUInt16LE(width, 13)
  image.writeUInt16LE(height, 15)
  const data = packed(runs(width * height))
  const blocks: number[] = []
  for (let at = 0; at < data.length; at += 255) {
    const block = data.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  const frame = Buffer.concat([image, Buffer.from([...blocks, 0])])
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
}

/** A progressive JPEG in one colour. Each scan has some 70 bytes, and is decoded for all blocks of 8 × 8 pixels. */
export function jpegOfScans(side: number, scans: number): Buffer {
  const segment = (marker: number, ...data: number[]) => [
    0xff,
    marker,
    (data.length + 2) >> 8,
    (data.length + 2) & 255,
    ...data,
  ]
  const ones = Array<number>(64).fill(1)
  const oneCode = [1, ...Array<number>(15).fill(0)]
  const size = [side >> 8, side & 255, side >> 8, side & 255]
  const blocks = Math.ceil(side / 8) ** 2
  // Code 0 for 16,384 blocks without coefficients, and 14 bits that add none.
  const scan = [
    ...segment(0xda, 1, 1, 0, 1, 1, 0),
    ...Array<number>(Math.ceil((Math.ceil(blocks / 16384) * 15) / 8)).fill(0),
  ]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, ...segment(0xdb, 0, ...ones), ...segment(0xc2, 8, ...size, 1, 1, 0x11, 0)]),
    Buffer.from([...segment(0xc4, 0, ...oneCode, 0), ...segment(0xc4, 0x10, ...oneCode, 0xe0)]),
    Buffer.from(segment(0xda, 1, 1, 0, 0, 0, 0)),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...Array<Buffer>(scans).fill(Buffer.from(scan)),
    Buffer.from([0xff, 0xd9]),
  ])
}

export function pngChunk(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...parts])
  return Buffer.concat([uint32(content.length - 4), content, uint32(crc32(content))])
}

/** An animation that shows a PNG `frames` times; the PNG must have one chunk of pixels. */
export function animatedPng(png: Buffer, frames: number): Buffer {
  const start = png.indexOf('IDAT') - 4
  const end = start + 12 + png.readUInt32BE(start)
  const control = (number: number) =>
    pngChunk('fcTL', uint32(number), png.subarray(16, 24), Buffer.alloc(8), Buffer.from([0, 1, 0, 10, 0, 0]))
  const more = Array.from({ length: frames - 1 }, (_, index) => [
    control(index * 2 + 1),
    pngChunk('fdAT', uint32(index * 2 + 2), png.subarray(start + 8, end - 4)),
  ])
  return Buffer.concat([
    png.subarray(0, start),
    pngChunk('acTL', uint32(frames), uint32(0)),
    control(0),
    png.subarray(start, end),
    ...more.flat(),
    png.subarray(end),
  ])
}

/** A box of an AVIF file. */
export const box = (type: string, ...parts: readonly (Uint8Array | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)))
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
