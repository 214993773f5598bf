// The sizes of images that were stored before the service made sizes.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveImage } from '../../../src/content/image/files.ts'
import { makeMissingSizes } from '../../../src/content/image/make-sizes.ts'
import { removeUnusedFiles } from '../../../src/content/image/remove-unused.ts'
import { openTestApp, type TestApp } from '../../helpers/app.ts'

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
  const run = () => makeMissingSizes(app, () => undefined)
  const failed = [
    { id: ids.lost, problem: 'The file is missing.' },
    { id: ids.gone, problem: 'The server of the image did not respond with status 200.' },
  ]
  expect(await run()).toMatchObject({ sized: 2, measured: 1, failed })
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
