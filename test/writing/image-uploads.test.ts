// What becomes of an uploaded image: its versions, its metadata, and files that are rejected.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { animatedPng, box, flatGif, jpegOfScans, pngChunk } from '../helpers/image-files.ts'
import { multipart, multipartType, upload, uploadParts } from '../helpers/upload.ts'
import type { TestUser } from '../helpers/users.ts'

let app: TestApp
let author: TestUser & ApiClient
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-uploads-'))
  app = await openTestApp({ IMAGES_DIR: folder, REST_PREFIX: '/wp-json' })
  author = await app.signIn('author')
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 20, g: 90, b: 160, alpha: 0.5 } } })

const stored = async (file: Buffer) => (await upload(app, author, file)).json().data.uploadImage
const fileOf = async (url: string): Promise<Buffer> => (await app.app.inject({ url: new URL(url).pathname })).rawPayload
const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

interface Version {
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly fileSize: number
}

const measures = (versions: readonly Version[]) =>
  Object.fromEntries(versions.map(({ name, width, height }) => [name, [width, height]]))

describe('a large photograph', () => {
  let photograph: Buffer
  let image: Version & { databaseId: number; sizes: Version[]; alternates: Version[] }
  beforeAll(async () => {
    photograph = await sharp({ create: { width: 2048, height: 1536, channels: 3, background: '#888', noise } })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withExif({
        IFD0: { Copyright: 'Ada', Make: 'Camera' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const payload = await stored(photograph)
    expect(payload.userErrors).toEqual([])
    image = payload.image
  })

  test('is turned as its orientation says, and keeps nothing of its metadata but the copyright', async () => {
    expect(photograph.length).toBeGreaterThan(7_000_000)
    expect((await sharp(photograph).metadata()).exif?.toString('latin1')).toContain('Camera')
    expect(image).toMatchObject({ width: 1536, height: 2048, mimeType: 'image/jpeg' })
    const bytes = await fileOf(image.url)
    expect(bytes.length).toBe(image.fileSize)
    const { width, height, orientation = 1, exif, xmp, iptc } = await sharp(bytes).metadata()
    expect([width, height, orientation, xmp, iptc]).toEqual([1536, 2048, 1, undefined, undefined])
    expect(exif?.toString('latin1')).toMatch(/^(?!.*(Camera|51)).*Ada/s)
    expect((await stored(bytes)).image.url).toBe(image.url)
  })

  test('has the sizes of the contract, each with its file', async () => {
    expect(measures(image.sizes)).toEqual({
      ...{ thumbnail: [150, 150], medium: [225, 300], medium_large: [768, 1024], large: [768, 1024] },
    })
    for (const { url, width, height, mimeType, fileSize } of image.sizes) {
      const reply = await app.app.inject({ url: new URL(url).pathname })
      expect([reply.headers['content-type'], mimeType, reply.rawPayload.length]).toEqual([
        mimeType,
        'image/jpeg',
        fileSize,
      ])
      expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ width, height })
    }
  })

  test('has smaller WebP files of the same measures', async () => {
    const originals = [{ ...image, name: 'full' }, ...image.sizes]
    expect(image.alternates.length).toBeGreaterThan(0)
    for (const alternate of image.alternates) {
      const original = originals.find(({ name }) => name === alternate.name)
      expect([alternate.width, alternate.height]).toEqual([original?.width, original?.height])
      expect(alternate.mimeType).toBe('image/webp')
      expect(alternate.fileSize).toBeLessThan(original?.fileSize ?? 0)
      expect((await sharp(await fileOf(alternate.url)).metadata()).exif).toBeUndefined()
    }
  })

  test('has its sizes in REST', async () => {
    const event = {
      title: 'Choir',
      start_date: '2026-12-01 20:00',
      end_date: '2026-12-01 22:00',
      image: image.databaseId,
    }
    const { body } = await author.send('POST', '/wp-json/cal/events/v1/events', event)
    const { name: _, ...medium } = image.sizes[1] as Version
    expect(body.image.sizes.medium).toEqual({
      ...{ width: medium.width, height: medium.height, 'mime-type': 'image/jpeg' },
      ...{ filesize: medium.fileSize, url: medium.url },
    })
    const media = (await author.get(`/wp-json/wp/v2/media/${image.databaseId}`)).body
    expect(Object.keys(media.media_details.sizes)).toEqual(['thumbnail', 'medium', 'medium_large', 'large', 'full'])
    expect(media.media_details.sizes.thumbnail).toMatchObject({ width: 150, height: 150, mime_type: 'image/jpeg' })
  })
})

describe('an image', () => {
  test.each([
    [150, 150, {}],
    [200, 100, { thumbnail: [150, 100] }],
    [400, 2000, { thumbnail: [150, 150], medium: [60, 300], large: [205, 1024] }],
    [2000, 400, { thumbnail: [150, 150], medium: [300, 60], medium_large: [768, 154], large: [1024, 205] }],
    [768, 768, { thumbnail: [150, 150], medium: [300, 300] }],
  ])('of %i × %i has only sizes that are smaller', async (width, height, expected) => {
    const { image } = await stored(await plain(width, height).jpeg().toBuffer())
    expect(measures(image.sizes)).toEqual(expected)
  })

  test('without metadata is stored as it is', async () => {
    const bytes = await plain(40, 30, 4).png().toBuffer()
    const { image } = await stored(bytes)
    expect(await fileOf(image.url)).toEqual(bytes)
  })

  test('keeps its transparency in its sizes', async () => {
    const { image } = await stored(await plain(400, 300, 4).png().toBuffer())
    for (const { url } of [...image.sizes, ...image.alternates]) {
      expect((await sharp(await fileOf(url)).metadata()).hasAlpha).toBe(true)
    }
  })

  test.each(['webp', 'avif'] as const)('of the type %s has sizes in WebP, and no alternates', async (type) => {
    const { image } = await stored(await plain(400, 300).toFormat(type).toBuffer())
    expect([image.mimeType, image.alternates]).toEqual([`image/${type}`, []])
    expect(image.sizes.map(({ mimeType }: Version) => mimeType)).toEqual(['image/webp', 'image/webp'])
  })

  test.each([
    ['mif1', 'avif'],
    ['msf1', 'avif'],
    ['avis', 'avif'],
  ])('of the type AVIF is known by its second brand, after %s', async (first, second) => {
    const bytes = await plain(400, 300).avif().toBuffer()
    const pixels = await sharp(bytes).raw().toBuffer()
    bytes.write(first, 8, 'latin1')
    bytes.write(second, 16, 'latin1')
    const { image } = await stored(bytes)
    expect([image.mimeType, image.width, image.height]).toEqual(['image/avif', 400, 300])
    expect(
      await sharp(await fileOf(image.url))
        .raw()
        .toBuffer(),
    ).toEqual(pixels)
  })

  test('of the type HEIC is refused', async () => {
    const bytes = await plain(400, 300).avif().toBuffer()
    for (const at of [8, 16, 20, 24]) bytes.write('heic', at, 'latin1')
    expect((await stored(bytes)).userErrors).toHaveLength(1)
  })

  test('that is animated is stored as it is, with sizes of its first frame', async () => {
    const frames = ['#f00', '#00f'].map((background) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background } })
        .png()
        .toBuffer(),
    )
    const bytes = await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif()
      .toBuffer()
    const { image } = await stored(bytes)
    expect(await fileOf(image.url)).toEqual(bytes)
    expect(measures(image.sizes)).toEqual({ thumbnail: [150, 150], medium: [300, 225] })
    expect(image.alternates).toEqual([])
    const { dominant } = await sharp(await fileOf(image.sizes[1].url)).stats()
    expect(dominant.r).toBeGreaterThan(dominant.b)
  })

  test.each([
    ['with the last byte', (file: Buffer) => file],
    ['without its last byte', (file: Buffer) => file.subarray(0, -1)],
  ])('that is a large animation %s is stored as it is, and not encoded again', async (_, change) => {
    const bytes = change(flatGif(4900, 4900, 2))
    const { image, userErrors } = await stored(bytes)
    expect(userErrors).toEqual([])
    expect(await fileOf(image.url)).toEqual(bytes)
    expect(measures(image.sizes).large).toEqual([1024, 1024])
  })

  test('that is an animated WebP loses its metadata, and keeps its frames as they are', async () => {
    const make = async (withPlace: boolean) => {
      const frames = ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      )
      const joined = sharp(await Promise.all(frames), { join: { animated: true } }).webp()
      return (withPlace ? joined.withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1' } }) : joined).toBuffer()
    }
    const [clean, dirty] = [await make(false), await make(true)]
    expect(dirty.length).toBeGreaterThan(clean.length)
    const { image } = await stored(dirty)
    expect(await fileOf(image.url)).toEqual(clean)
  })

  test('that is an animated PNG loses its metadata, and keeps its frames as they are', async () => {
    const still = await plain(400, 300).png().toBuffer()
    const place = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta xmlns:x="adobe:ns:meta/">IDAT</x:xmpmeta>')
    const clean = animatedPng(still, 3)
    const { image } = await stored(Buffer.concat([clean.subarray(0, 33), pngChunk('iTXt', place), clean.subarray(33)]))
    expect(await fileOf(image.url)).toEqual(clean)
    expect(image.alternates).toEqual([])
  })

  const script = Buffer.from('<script>alert(1)</script>')
  const uint32 = (value: number, method: 'writeUInt32BE' | 'writeUInt32LE') => {
    const bytes = Buffer.alloc(4)
    bytes[method](value)
    return bytes
  }
  const insert = (file: Buffer, at: number, ...parts: (Buffer | string | readonly number[])[]) =>
    Buffer.concat([file.subarray(0, at), ...parts.map((part) => Buffer.from(part as Buffer)), file.subarray(at)])
  function withRiffChunk(webp: Buffer): Buffer {
    const chunk = ['EXTR', uint32(script.length, 'writeUInt32LE'), script, [0]]
    const bytes = insert(webp, webp.length, ...chunk)
    bytes.writeUInt32LE(bytes.length - 8, 4)
    return bytes
  }

  test.each<[string, 'jpeg' | 'png' | 'gif' | 'webp', (file: Buffer) => Buffer]>([
    ['after the end of a JPEG', 'jpeg', (file) => insert(file, file.length, script)],
    [
      'in a second JPEG that follows',
      'jpeg',
      (file) => Buffer.concat([file, insert(file, 2, [255, 254, 0, 27], script)]),
    ],
    ['in a comment of a JPEG', 'jpeg', (file) => insert(file, 2, [255, 254, 0, 27], script)],
    ['in a segment of a camera in a JPEG', 'jpeg', (file) => insert(file, 2, [255, 228, 0, 27], script)],
    ['after the end of a PNG', 'png', (file) => insert(file, file.length, script)],
    ['in a text of a PNG', 'png', (file) => insert(file, 33, pngChunk('tEXt', script))],
    ['in a chunk of another program in a PNG', 'png', (file) => insert(file, 33, pngChunk('prVt', script))],
    ['after the end of a GIF', 'gif', (file) => insert(file, file.length, script)],
    ['in a comment of a GIF', 'gif', (file) => insert(file, file.length - 1, [33, 254, 25], script, [0])],
    ['after the end of a WebP', 'webp', (file) => insert(file, file.length, script)],
    ['in an unknown chunk of a WebP', 'webp', withRiffChunk],
  ])('is stored without what is hidden %s, and with the same pixels', async (_, type, hide) => {
    const clean = await plain(40, 30).toFormat(type).toBuffer()
    const dirty = hide(clean)
    expect(dirty.includes(script)).toBe(true)
    const { image, userErrors } = await stored(dirty)
    expect(userErrors).toEqual([])
    expect(await fileOf(image.url)).toEqual(clean)
  })

  describe('of the type AVIF is encoded again, without what is hidden', () => {
    let clean: Buffer
    beforeAll(async () => {
      clean = await plain(40, 30, 4).avif().toBuffer()
    })
    const insertIntoData = () => {
      const data = clean.indexOf('mdat') - 4
      const bytes = Buffer.concat([clean, script])
      bytes.writeUInt32BE(bytes.length - data, data)
      return bytes
    }

    test.each<[string, () => Buffer]>([
      ['after the last box', () => Buffer.concat([clean, script])],
      ['in a box of free space', () => Buffer.concat([clean, box('free', script)])],
      ['in an unknown box', () => Buffer.concat([clean, box('uuid', script)])],
      ['in data that belong to no image', insertIntoData],
    ])('%s', async (_, hide) => {
      const dirty = hide()
      expect(dirty.includes(script)).toBe(true)
      const { image, userErrors } = await stored(dirty)
      expect(userErrors).toEqual([])
      const bytes = await fileOf(image.url)
      expect(bytes.includes(script)).toBe(false)
      const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
      expect(await pixels(bytes)).toEqual(await pixels(clean))
    })

    test('and with its copyright', async () => {
      const withExif = await plain(40, 30)
        .avif()
        .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1' } })
        .toBuffer()
      const { exif } = await sharp(await fileOf((await stored(withExif)).image.url)).metadata()
      expect(exif?.toString('latin1')).toMatch(/^(?!.*51).*Ada/s)
    })
  })

  test('with more parts than images have is encoded again', async () => {
    const clean = await plain(40, 30).jpeg().toBuffer()
    const emptyComments = Buffer.alloc(4 * 100_000, Buffer.from([255, 254, 0, 2]))
    const { image, userErrors } = await stored(insert(clean, 2, emptyComments))
    expect(userErrors).toEqual([])
    const bytes = await fileOf(image.url)
    expect(bytes).not.toEqual(clean)
    expect(bytes.length).toBeLessThan(10_000)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 30 })
  })
})

describe('a file is rejected, and nothing is stored, if it is', () => {
  /** A JPEG whose header says another size than its data. */
  async function lying(): Promise<Buffer> {
    const bytes = await plain(64, 64).jpeg().toBuffer()
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
    bytes.writeUInt16BE(7000, frame + 5)
    bytes.writeUInt16BE(7000, frame + 7)
    return bytes
  }
  const cut = async (bytes: Promise<Buffer>) => (await bytes).subarray(0, (await bytes).length / 2)
  async function bomb(): Promise<Buffer> {
    const bytes = await plain(10, 10).png().toBuffer()
    bytes.writeUInt32BE(30_000, 16)
    bytes.writeUInt32BE(30_000, 20)
    return bytes
  }
  const gif = (side: number) => {
    const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')
    bytes.writeUInt16LE(side, 6)
    bytes.writeUInt16LE(side, 8)
    return bytes
  }
  const frames = /has 100,800,000 pixels in 4 frames; at most 100,000,000 are allowed/
  const noisy = () => sharp({ create: { width: 200, height: 200, channels: 3, background: '#888', noise } })
  const types = /JPEG, PNG, GIF, WebP or AVIF/

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), types],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), types],
    ['a script with the first bytes of a GIF', () => Buffer.from('GIF89a/*\0\0\0\0*/=1;alert(1)//'), types],
    ['a PNG of 30,000 × 30,000', bomb, /at most 30,000 pixels per side and 50,000,000 in total.*30000 × 30000/],
    ['a GIF of 60,000 × 60,000', () => gif(60_000), /at most 30,000 pixels per side/],
    ['a GIF of 100,800,000 pixels in its frames', () => flatGif(6000, 4200, 4), frames],
    [
      'a PNG of 100,800,000 pixels in its frames',
      async () => animatedPng(await plain(6000, 4200).png().toBuffer(), 4),
      frames,
    ],
    ['half an animation', () => cut(Promise.resolve(flatGif(400, 300, 3))), types],
    ['a JPEG that claims 7,000 × 7,000', lying, types],
    ['half a JPEG', () => cut(noisy().jpeg().toBuffer()), types],
    ['half a PNG', () => cut(noisy().png().toBuffer()), types],
    ['half a WebP', () => cut(noisy().webp().toBuffer()), types],
    ['half a GIF', () => cut(noisy().gif().toBuffer()), types],
    ['half an AVIF', () => cut(noisy().avif().toBuffer()), types],
  ])('%s', async (_, make, message) => {
    const before = files().length
    const images = await app.db.image.count()
    const { image, userErrors } = await stored(await make())
    expect([image, userErrors]).toEqual([
      null,
      [{ code: 'BAD_INPUT', path: ['file'], message: expect.stringMatching(message) }],
    ])
    expect([files().length, await app.db.image.count()]).toEqual([before, images])
  })
})

describe('an author', () => {
  test('cannot delay the images of others by more than one of their own', async () => {
    const other = await app.signIn('author')
    const large = await sharp({ create: { width: 800, height: 800, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer()
    const finished: string[] = []
    const send = async (who: TestUser, name: string, file: Buffer) => {
      expect((await upload(app, who, file)).json().data.uploadImage.userErrors).toEqual([])
      finished.push(name)
    }
    const small = await plain(4, 3).png().toBuffer()
    const first = Array.from({ length: 5 }, () => send(author, 'large', large))
    // The others are in the queue by then.
    await Promise.race(first)
    await Promise.all([...first, send(other, 'small', small)])
    expect(finished.at(-1)).toBe('large')
  })

  test('cannot hold the queue with a file that takes minutes to decode', async () => {
    const impatient = await openTestApp({ IMAGES_DIR: folder, REQUEST_TIMEOUT: '5000' })
    try {
      const users = [await impatient.signIn('author'), await impatient.signIn('author')] as const
      const slow = (await upload(impatient, users[0], jpegOfScans(7000, 20_000))).json().data.uploadImage
      const message =
        'Processing the image takes longer than 2.5 seconds. Send one with fewer pixels, or retry when the service is less busy.'
      expect(slow).toEqual({ image: null, userErrors: [{ code: 'BAD_INPUT', path: ['file'], message }] })
      const small = await plain(4, 3).png().toBuffer()
      let errors: unknown[] = [slow]
      // On a busy machine, a small file may take that long, too.
      for (let tries = 0; tries < 5 && errors.length > 0; tries += 1) {
        errors = (await upload(impatient, users[1], small)).json().data.uploadImage.userErrors
      }
      expect(errors).toEqual([])
    } finally {
      await impatient.close()
    }
  })
})

describe('the header that protects uploads against CSRF', () => {
  test.each([
    [{ 'graphql-require-preflight': 'x' }, 200],
    [{ 'apollo-require-preflight': 'true' }, 200],
    [{ 'apollo-require-preflight': '' }, 415],
    [{ 'x-requested-with': 'fetch' }, 415],
  ])('%o gives status %i', async (headers, status) => {
    const bytes = await plain(4, 3).png().toBuffer()
    expect((await upload(app, author, bytes, headers as Record<string, string>)).statusCode).toBe(status)
  })
})

describe('the size of a request', () => {
  let small: TestApp
  let users: { author: TestUser; contributor: TestUser }
  beforeAll(async () => {
    small = await openTestApp({
      ...{ IMAGES_DIR: folder, IMAGE_BYTES: '200KB', BODY_LIMIT: '20KB', REST_PREFIX: '/wp-json' },
    })
    users = { author: await small.signIn('author'), contributor: await small.signIn('contributor') }
  })
  afterAll(() => small.close())
  const event = { title: 'Choir', start_date: '2026-12-01 20:00', end_date: '2026-12-01 22:00' }
  const graphql = { 'graphql-require-preflight': '1' }
  const fitting = () =>
    sharp({ create: { width: 240, height: 240, channels: 3, background: '#888', noise } })
      .png()
      .toBuffer()

  test('may be larger than BODY_LIMIT by IMAGE_BYTES for files', async () => {
    const bytes = await fitting()
    expect(bytes.length).toBeGreaterThan(100_000)
    const { data } = (await upload(small, users.author, bytes)).json()
    expect(data.uploadImage.userErrors).toEqual([])
    const { authorization } = users.author
    const form = multipart({ ...event, image: bytes })
    const url = '/wp-json/cal/events/v1/events'
    const headers = { ...multipartType, authorization }
    expect((await small.app.inject({ method: 'POST', url, headers, payload: form })).statusCode).toBe(201)
    const raw = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"', authorization }
    const media = await small.app.inject({ method: 'POST', url: '/wp-json/wp/v2/media', headers: raw, payload: bytes })
    expect(media.statusCode).toBe(201)
  })

  test('is limited for each file and for the fields, also without Content-Length, by status 413 with the limit', async () => {
    const large = Buffer.alloc(210_000)
    const file = await upload(small, users.author, large)
    expect([file.statusCode, file.json().errors[0].message]).toEqual([413, expect.stringContaining('204800')])
    const { authorization } = users.author
    const send = async (parts: Parameters<typeof multipart>[0], url: string, headers = {}) => {
      const payload = multipart(parts)
      const reply = await small.app.inject({
        ...{ method: 'POST', url, payload, headers: { ...multipartType, authorization, ...headers } },
      })
      return [reply.statusCode, reply.payload]
    }
    expect(await send(uploadParts(Buffer.alloc(300_000)), '/graphql', graphql)).toEqual([
      413,
      expect.stringContaining('at most 20480 bytes, and 204800 bytes of uploaded files'),
    ])
    const events = '/wp-json/cal/events/v1/events'
    const fields = { ...event, description: 'x'.repeat(30_000) }
    expect(await send(fields, events)).toEqual([413, expect.stringContaining('20480')])
    expect(await send({ ...event, image: large }, events)).toEqual([413, expect.stringContaining('204800')])
    const operations = JSON.stringify({ query: '{ __typename }', variables: { long: 'x'.repeat(30_000) } })
    expect((await send({ operations, map: '{}' }, '/graphql', graphql))[0]).toBe(400)
    const raw = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' }
    const media = await small.app.inject({
      ...{ method: 'POST', url: '/wp-json/wp/v2/media', payload: large, headers: { ...raw, authorization } },
    })
    expect([media.statusCode, media.json().code]).toEqual([413, 'rest_body_too_large'])
  })

  test.each(['a contributor', 'a visitor'])('of %s, who may not upload, is limited by BODY_LIMIT', async (who) => {
    const { authorization } = who === 'a visitor' ? { authorization: '' } : users.contributor
    const headers = { ...multipartType, ...(authorization && { authorization }) }
    const bytes = await fitting()
    const form = multipart({ ...event, image: bytes })
    const rest = await small.app.inject({
      ...{ method: 'POST', url: '/wp-json/cal/events/v1/events', headers, payload: form },
    })
    const query = await small.app.inject({
      ...{
        method: 'POST',
        url: '/graphql',
        headers: { ...headers, ...graphql },
        payload: multipart(uploadParts(bytes)),
      },
    })
    expect([rest.statusCode, query.statusCode]).toEqual([413, 413])
  })
})
