import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { embeddedUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'
import { mountSmallDisk, type SmallDisk } from '../helpers/small-disk.ts'
import { basic } from '../helpers/users.ts'

let disk: SmallDisk | undefined
let service: Service | undefined

beforeAll(async () => {
  if (!inject('server')) disk = await mountSmallDisk(200)
})
afterEach(async () => {
  service?.child.kill('SIGKILL')
  await service?.ended
})
afterAll(() => disk?.drop())

const withoutDisk = inject('server')
  ? 'the embedded database is tested, which a run on a server does not repeat'
  : 'this system lets its user mount no tmpfs, so no disk can be filled'

const authorization = basic('boss', 'a long enough password')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function start(folder: string): Promise<Service> {
  service = await startService(
    {
      DATABASE_URL: `pglite:${folder}`,
      IMAGES_DIR: join(folder, 'images'),
      SEED: 'off',
      ADMIN_LOGIN: 'boss',
      ADMIN_PASSWORD: 'a long enough password',
    },
    disk?.within,
  )
  return service
}

interface Body {
  readonly events?: readonly { readonly title: string }[]
}

async function ask(path: string, body?: object | FormData) {
  const isForm = body instanceof FormData
  const response = await fetch(`${service?.url}${path}`, {
    ...(body ? { method: 'POST', body: isForm ? body : JSON.stringify(body) } : {}),
    headers: {
      authorization,
      ...(isForm ? { 'graphql-require-preflight': '1' } : { 'content-type': 'application/json' }),
    },
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const write = (title: string) =>
  ask('/cal/events/v1/events', {
    title,
    status: 'publish',
    start_date: '2030-05-01 10:00',
    end_date: '2030-05-01 12:00',
  })
const createByGraphql = (title: string) =>
  ask('/graphql', {
    query: `mutation { createEvent(input: { title: "${title}", startsLocal: "2030-05-01T10:00:00", endsLocal: "2030-05-01T12:00:00" }) { event { title } userErrors { message } } }`,
  })

function upload() {
  const query =
    'mutation ($file: File!) { uploadImage(input: { file: $file }) { image { url } userErrors { message } } }'
  const form = new FormData()
  form.set('operations', JSON.stringify({ query, variables: { file: null } }))
  form.set('map', JSON.stringify({ file: ['variables.file'] }))
  form.set('file', new Blob([png], { type: 'image/png' }), 'a.png')
  return ask('/graphql', form)
}

const titles = async () => {
  const { body } = await ask('/cal/events/v1/events?start_date=2030-01-01&end_date=2031-01-01')
  return body.events?.map(({ title }) => title)
}

test('a start on a full disk fails with the reason; a full disk rejects writes, is reported by readiness, and loses no data', async ({
  skip,
}) => {
  if (!disk) return skip(withoutDisk)
  const folder = join(disk.folder, 'data')
  disk.fill()
  const refused = await start(folder)
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/the disk is full: 0 MB are free, and the embedded database needs \d+ MB/)
  disk.empty()
  expect(existsSync(join(disk.outside, 'data', 'pg'))).toBe(false)

  embeddedUrl(join(disk.outside, 'data'))
  await (await start(folder)).ready()
  expect(await write('Before')).toMatchObject({ status: 201 })
  disk.fill()
  const ready = await ask('/health/ready')
  expect(ready).toMatchObject({
    status: 503,
    body: { status: expect.stringMatching(/^the disk is full: 0 MB are free/) },
  })
  expect(await write('Lost')).toMatchObject({ status: 507, body: { code: 'rest_insufficient_storage' } })
  for (const reply of [await createByGraphql('Lost'), await upload()]) {
    expect(reply).toMatchObject({ status: 507, body: { errors: [{ extensions: { code: 'INSUFFICIENT_STORAGE' } }] } })
  }
  expect(await titles()).toEqual(['Before'])
  // Maintenance of the database begins 2 s after the last statement. It must leave a full disk alone.
  await setTimeout(4000)
  expect((await ask('/health/ready')).status).toBe(503)
  expect(await titles()).toEqual(['Before'])

  service?.child.kill('SIGKILL')
  await service?.ended
  disk.empty()
  await (await start(folder)).ready()
  expect(await titles()).toEqual(['Before'])
  disk.fill()
  expect((await write('Lost')).status).toBe(507)
  disk.empty()
  expect((await ask('/health/ready')).status).toBe(200)
  expect(await write('After')).toMatchObject({ status: 201 })
  expect((await upload()).body).toMatchObject({ data: { uploadImage: { userErrors: [] } } })
  expect(await titles()).toEqual(['Before', 'After'])
})
