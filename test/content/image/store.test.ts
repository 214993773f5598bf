import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { imagePath, readImageDescription, saveImage } from '../../../src/calendar/image/storage/files.ts'
import { work } from '../../helpers/cpu.ts'

// Minimal images of 3 × 2 pixels of each type.
const avif = Buffer.from(
  'AAAAGGZ0eXBhdmlmAAAAAGF2aWZtaWYxAAAAMG1ldGEAAAAAAAAAJGlwcnAAAAAcaXBjbwAAABRpc3BlAAAAAAAAAAMAAAAC',
  'base64',
)
const gif = Buffer.from('R0lGODlhAwACAAAAADs=', 'base64')
const jpg = Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/wAALCAACAAMBAREA/9k=', 'base64')
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAAAAAAA', 'base64')
const webp = Buffer.from('UklGRhYAAABXRUJQVlA4WAoAAAAAAAAAAgAAAQAA', 'base64')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"></svg>')

describe('describeImage', () => {
  it.each([
    ['image/png', 'png', png],
    ['image/gif', 'gif', gif],
    ['image/jpeg', 'jpg', jpg],
    ['image/webp', 'webp', webp],
    ['image/avif', 'avif', avif],
  ])('reads %s', (mimeType, extension, bytes) => {
    expect(readImageDescription(bytes)).toEqual({ mimeType, extension, width: 3, height: 2 })
  })

  it.each([
    ['SVG', svg],
    ['HTML', Buffer.from('<!doctype html><p>x</p>')],
    ['nothing', Buffer.alloc(0)],
    ['BMP', Buffer.from(`424d${'00'.repeat(60)}`, 'hex')],
    ['TIFF', Buffer.from(`49492a00${'00'.repeat(60)}`, 'hex')],
    ['a PNG cut short', png.subarray(0, 18)],
    ['a JPEG cut short', jpg.subarray(0, 24)],
    ['a GIF cut short', gif.subarray(0, 8)],
    ['a WebP cut short', webp.subarray(0, 22)],
    ['an AVIF cut short', avif.subarray(0, 40)],
    ['a GIF without size', Buffer.from('GIF89a\0\0\0\0', 'latin1')],
  ])('rejects %s', (_, bytes) => {
    expect(readImageDescription(bytes)).toBeUndefined()
  })

  it('swaps width and height according to the EXIF orientation', () => {
    const turned = Buffer.from(
      'ffe1001e457869660000 49492a0008000000 0100 12010300 01000000 06000000'.replaceAll(' ', ''),
      'hex',
    )
    const bytes = Buffer.concat([jpg.subarray(0, 20), turned, jpg.subarray(20)])
    expect(readImageDescription(bytes)).toMatchObject({ width: 2, height: 3 })
  })

  it('never throws, and is fast for large files that are not images', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(png, gif, jpg, webp, avif),
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(60),
        (bytes, noise, at) => {
          const broken = Buffer.concat([bytes.subarray(0, at), noise])
          expect(() => readImageDescription(broken)).not.toThrow()
        },
      ),
    )
    const size = Buffer.from('00000014697370650000000000000003', 'hex')
    for (const start of [jpg.subarray(0, 4), jpg.subarray(0, 20), avif.subarray(0, 52), png, webp]) {
      for (const filling of [Buffer.alloc(1), size]) {
        const large = Buffer.concat([start, Buffer.alloc(8 * 2 ** 20, filling)])
        const measure = () => work(() => readImageDescription(large))
        // Once more if it was slow, because garbage may be collected during one.
        const isFast = measure() < 250 || measure() < 250
        expect(isFast).toBe(true)
      }
    }
  })
})

describe('the image folder', () => {
  let folder = ''
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'images-')), 'new')
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true }))

  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

  it('stores equal files once, also for concurrent writes', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => saveImage(folder, png, 'png')))
    expect(new Set(names).size).toBe(1)
    expect(names[0]).toMatch(/^[\w-]{43}\.png$/)
    expect(await files()).toHaveLength(1)
    expect(await readFile(imagePath(folder, names[0] ?? '') ?? '')).toEqual(png)
  })

  it('stores different files separately, and repairs a truncated file', async () => {
    await saveImage(folder, png, 'png')
    const name = await saveImage(folder, gif, 'gif')
    const path = imagePath(folder, name) ?? ''
    await writeFile(path, '')
    expect(await saveImage(folder, gif, 'gif')).toBe(name)
    expect(await readFile(path)).toEqual(gif)
    expect(await files()).toHaveLength(2)
  })

  it('rejects other extensions', async () => {
    await expect(saveImage(folder, svg, 'svg')).rejects.toThrow(RangeError)
    await expect(saveImage(folder, png, 'png/../../x')).rejects.toThrow(RangeError)
  })

  it('leaves no file behind after a failed write', async () => {
    await saveImage(folder, png, 'png')
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(saveImage(file, png, 'png')).rejects.toThrow()
    await rm(file)
    expect((await files()).map((entry) => entry.name).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it.each([
    ...['', '.', '..', '../x', '/etc/passwd', 'a.png', `${'a'.repeat(43)}.svg`, `${'a'.repeat(43)}.png/`],
    ...[`../${'a'.repeat(40)}.png`, `${'a'.repeat(43)}.png\0`, `${'a'.repeat(42)}/.png`, `${'a'.repeat(43)}.png\n`],
  ])('rejects the file name %j', (name) => {
    expect(imagePath(folder, name)).toBeUndefined()
  })

  it('has two levels of subfolders', () => {
    const name = `ab${'c'.repeat(41)}.webp`
    expect(imagePath('/images', name)).toBe(`/images/a/b/${name}`)
  })
})
