// The sizes of images that were stored before the service made sizes.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveImage } from '../../../src/calendar/image/storage/files.ts'
import { makeMissingImageSizes } from '../../../src/calendar/image/storage/make-sizes.ts'
import { removeUnusedFiles } from '../../../src/calendar/image/storage/remove-unused.ts'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { box } from '../../helpers/image-files.ts'

let app: TestApp
let folder = ''
let picture: Buffer
const server = createServer((request, response) =>
  request.url === '/gone.png'
    ? response.writeHead(404).end()
    : response.setHeader('content-type', 'image/png').end(picture),
)
beforeAll(async () => {
  picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  folder = mkdtempSync(join(tmpdir(), 'calendar-sizes-'))
  app = await openTestApp({ IMAGES_DIR: folder, IMAGE_PRIVATE_HOSTS: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  server.close()
  rmSync(folder, { recursive: true })
})

test('are made once, while failures are tried again, and the files are in use', async () => {
  const { db } = app
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `/images/${await saveImage(folder, picture, 'png')}`
  const add = async (data: { url: string; sizes?: object[] }) =>
    (await db.image.create({ data: { mimeType: 'image/png', ...data } })).id
  const own = { name: 'poster', url: '/images/x.png', width: 9, height: 9, mimeType: 'image/png' }
  const ids = {
    stored: await add({ url }),
    imported: await add({ url, sizes: [own] }),
    lost: await add({ url: `/images/${'a'.repeat(43)}.png` }),
    foreign: await add({ url: `${host}/a.png` }),
    gone: await add({ url: `${host}/gone.png` }),
  }
  const run = () => makeMissingImageSizes(app, { isShared: false, show: () => undefined })
  const failed = [
    { id: ids.lost, problem: 'The file is missing.' },
    { id: ids.gone, problem: 'The server of the image did not respond with status 200. Check the URL of the image.' },
  ]
  expect(await run()).toMatchObject({ sized: 2, cleaned: 0, measured: 1, failed })
  expect(await run()).toMatchObject({ sized: 0, measured: 0, failed })

  const find = (id: number) => db.image.findUniqueOrThrow({ where: { id } })
  expect(await find(ids.stored)).toMatchObject({
    ...{ url, width: 400, height: 300, fileSize: picture.length },
    sizes: [
      { name: 'thumbnail', width: 150, height: 150 },
      { name: 'medium', width: 300, height: 225 },
    ],
  })
  expect((await find(ids.imported)).sizes).toEqual([own])
  expect(await find(ids.foreign)).toMatchObject({ url: `${host}/a.png`, width: 400, height: 300, sizes: [] })

  const later = { now: new Date(Date.now() + 7_200_000) }
  expect((await removeUnusedFiles(folder, db, { ...later, dryRun: true })).files).toEqual([])
  await db.image.deleteMany()
  // The image, two sizes, and the WebP files that are smaller.
  expect((await removeUnusedFiles(folder, db, later)).files.length).toBeGreaterThan(3)
})

test('photographs lose their metadata, and their former URLs lead to the new files', async () => {
  const { db } = app
  const photograph = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#642' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const url = `/images/${await saveImage(folder, photograph, 'jpg')}`
  const add = async (rules: number) =>
    (await db.image.create({ data: { mimeType: 'image/jpeg', url, sizeRules: rules } })).id
  const ids = [await add(0), await add(1)]
  const run = (isShared: boolean) => makeMissingImageSizes(app, { isShared, show: () => undefined })
  const get = (path: string) => app.app.inject({ url: path })

  // The files stay while another database may use them.
  expect(await run(true)).toMatchObject({ sized: 1, cleaned: 2, failed: [] })
  expect((await get(url)).rawPayload).toEqual(photograph)
  await db.image.updateMany({ where: { id: { in: ids } }, data: { url, formerUrl: null, sizeRules: 1 } })
  expect(await run(false)).toMatchObject({ sized: 0, cleaned: 2, failed: [] })

  const images = await db.image.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })
  const [first] = images
  expect(images.map((image) => image.url)).toEqual([first?.url, first?.url])
  expect(images.map(({ width, height, sizes }) => [width, height, (sizes as object[]).length])).toEqual([
    [300, 400, 2],
    [300, 400, 0],
  ])
  const redirect = await get(url)
  expect([redirect.statusCode, redirect.headers.location]).toEqual([302, `${app.settings.publicUrl}${first?.url}`])
  const { rawPayload } = await get(first?.url ?? '')
  const { width, height, exif, orientation = 1 } = await sharp(rawPayload).metadata()
  expect([width, height, orientation]).toEqual([300, 400, 1])
  expect(exif?.toString('latin1')).toMatch(/^(?!.*51).*Ada/s)

  // What this service has encoded is not encoded again.
  await db.image.updateMany({ where: { id: { in: ids } }, data: { sizeRules: 1 } })
  expect(await run(false)).toMatchObject({ cleaned: 0, failed: [] })
})

test('AVIF files lose what is hidden in them', async () => {
  const { db } = app
  const clean = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#642' } })
    .avif()
    .toBuffer()
  const dirty = Buffer.concat([clean, box('free', '+51.5000-000.1250/')])
  const url = `/images/${await saveImage(folder, dirty, 'avif')}`
  const { id } = await db.image.create({ data: { mimeType: 'image/avif', url, sizeRules: 2 } })
  expect(await makeMissingImageSizes(app, { isShared: false, show: () => undefined })).toMatchObject({
    sized: 0,
    cleaned: 1,
  })
  const image = await db.image.findUniqueOrThrow({ where: { id } })
  const { rawPayload } = await app.app.inject({ url: image.url })
  expect(rawPayload.includes('51.5000')).toBe(false)
  expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'heif', width: 40, height: 30 })
})
