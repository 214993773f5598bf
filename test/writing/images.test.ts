import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { imagePath } from '../../src/calendar/image/storage/files.ts'
import { type Method, openTestApp, type Reply, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVQImWNQckmDIAY4CwAuTATJnqlZXQAAAABJRU5ErkJggg==',
  'base64',
)
const event = { title: 'Concert', startsLocal: '2026-12-01T20:00:00', endsLocal: '2026-12-01T22:00:00' }
const create = `mutation ($input: CreateEventInput!) {
  createEvent(input: $input) {
    event { databaseId image { databaseId url mimeType width height fileSize } }
    userErrors { code path }
  }
}`

let app: TestApp
let folder: string
let pictures: Server
let source: string
/** Paths that were requested from the image server. */
const requested: string[] = []

const posts = ['event', 'venue', 'organizer'] as const

beforeAll(async () => {
  pictures = createServer((request, response) => {
    requested.push(request.url ?? '')
    if (request.url?.startsWith('/picture')) response.setHeader('content-type', 'image/png').end(png)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => pictures.once('listening', resolve))
  const host = `127.0.0.1:${(pictures.address() as AddressInfo).port}`
  source = `http://${host}`
  folder = mkdtempSync(join(tmpdir(), 'calendar-images-'))
  app = await openTestApp({ IMAGES_DIR: folder, IMAGE_PRIVATE_HOSTS: host, IMAGE_BYTES: '1MB' })
})
beforeEach(() => truncate(app.db))
afterAll(async () => {
  await app.close()
  pictures.close()
  rmSync(folder, { recursive: true })
})

const uploadImage = {
  query:
    'mutation ($file: File!) { uploadImage(input: { file: $file }) { image { databaseId url width } userErrors { code path } } }',
  variables: { file: null },
}

/** Sends an operation with a file as a multipart request. */
const upload = (
  authorization: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
  operation: object = uploadImage,
  place = 'variables.file',
) => {
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const payload = Buffer.concat([
    Buffer.from(part('operations', JSON.stringify(operation))),
    Buffer.from(part('map', JSON.stringify({ 0: [place] }))),
    Buffer.from('--x\r\nContent-Disposition: form-data; name="0"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ])
  const type = { 'content-type': 'multipart/form-data; boundary=x', authorization, ...headers }
  return app.app.inject({ method: 'POST', url: '/graphql', headers: type, payload })
}

const file = async (url: string): Promise<Reply> => app.get(new URL(url).pathname)

describe('an image by URL', () => {
  it('is not downloaded for users who may not write the record', async () => {
    const [editor, author] = [await app.signIn('editor'), await app.signIn('author')]
    const created = await editor.graphql(create, { input: event })
    const id = created.body.data.createEvent.event.databaseId
    const update = 'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { userErrors { code } } }'
    requested.length = 0
    const { body } = await author.graphql(update, { input: { id, imageUrl: `${source}/picture-of-others` } })
    expect(body.data.updateEvent.userErrors).toEqual([{ code: 'FORBIDDEN' }])
    const invalid = await author.graphql(create, {
      input: { ...event, title: ' ', imageUrl: `${source}/picture-in-vain` },
    })
    expect(invalid.body.data.createEvent.userErrors).toEqual([{ code: 'BAD_INPUT', path: ['title'] }])
    expect(requested).toEqual([])
  })

  it('is rejected after ten images', async () => {
    const author = await app.signIn('author')
    const venues = Array.from({ length: 11 }, (_, n) => ({
      create: { name: `V${n}`, imageUrl: `${source}/picture${n}` },
    }))
    requested.length = 0
    const { body } = await author.graphql(create, { input: { ...event, venues } })
    expect(body.data.createEvent.userErrors).toEqual([
      { code: 'BAD_INPUT', path: ['venues', '10', 'create', 'imageUrl'] },
    ])
    expect(requested).toEqual([])
  })

  it('is neither downloaded nor stored if another parameter is invalid', async () => {
    const author = await app.signIn('author')
    const fields = { title: 'Concert', start_date: '2026-12-01', end_date: '2026-12-01', website: 'foo' }
    requested.length = 0
    const { body } = await author.send('POST', '/cal/events/v1/events', { ...fields, image: `${source}/picture?vain` })
    expect([body.code, Object.keys(body.data.params)]).toEqual(['rest_invalid_param', ['website']])
    expect([requested, await app.db.event.count(), await app.db.image.count()]).toEqual([[], 0, 0])
  })

  it('is reported with its path if it cannot be downloaded or the role may not add images', async () => {
    const [editor, contributor] = [await app.signIn('editor'), await app.signIn('contributor')]
    const fields = {
      ...{ title: 'Concert', start_date: '2026-12-01', end_date: '2026-12-01' },
      image: `${source}/missing`,
      venue: { venue: 'Hall', image: `${source}/missing` },
      organizer: [
        { organizer: 'One', image: `${source}/picture?good` },
        { organizer: 'Two', image: `${source}/gone` },
      ],
    }
    const send = async (user: typeof editor, more: object = {}) => {
      const { status, body } = await user.send('POST', '/cal/events/v1/events', { ...fields, ...more })
      return [status, body.data.params]
    }
    const absent = 'The server of the image did not respond with status 200. Check the URL of the image.'
    expect(await send(editor)).toEqual([
      400,
      { image: absent, venue: `image of venue 1: ${absent}`, organizer: `image of organizer 2: ${absent}` },
    ])
    const role = 'Adding images requires the right to upload files. Send the ID of an existing image instead.'
    expect(await send(contributor, { venue: 999_999 })).toEqual([
      400,
      {
        image: role,
        organizer: `image of organizer 1: ${role} image of organizer 2: ${role}`,
        venue: 'Unknown: 999999.',
      },
    ])
    expect([await app.db.event.count(), await app.db.venue.count(), await app.db.image.count()]).toEqual([0, 0, 0])
  })

  it('is stored once for an event and its new venue', async () => {
    const author = await app.signIn('author')
    const imageUrl = `${source}/picture-of-both`
    const input = { ...event, imageUrl, venues: [{ create: { name: 'Hall', imageUrl } }] }
    expect((await author.graphql(create, { input })).body.data.createEvent.userErrors).toEqual([])
    expect(await app.db.image.count()).toBe(1)
  })

  it('is downloaded once, described by its bytes and served as immutable', async () => {
    const author = await app.signIn('author')
    const input = { ...event, imageUrl: `${source}/picture` }
    const first = (await author.graphql(create, { input })).body.data.createEvent
    expect(first.userErrors).toEqual([])
    expect(first.event.image).toMatchObject({ mimeType: 'image/png', width: 3, height: 2, fileSize: png.length })
    const second = (await author.graphql(create, { input })).body.data.createEvent
    expect(second.event.image).toEqual(first.event.image)
    const { status, headers } = await file(first.event.image.url)
    expect([status, headers['content-type'], headers['cache-control'], headers['x-content-type-options']]).toEqual([
      200,
      'image/png',
      'public, max-age=31536000, immutable',
      'nosniff',
    ])
  })

  it.each([
    ['contributor', '/picture', 'BAD_INPUT'],
    ['author', '/missing', 'BAD_INPUT'],
    ['subscriber', '/picture', 'BAD_INPUT'],
  ] as const)('is refused for a %s with %s, and nothing is written', async (role, path, code) => {
    const user = await app.signIn(role)
    const { body } = await user.graphql(create, { input: { ...event, imageUrl: `${source}${path}` } })
    expect(body.data.createEvent).toEqual({ event: null, userErrors: [{ code, path: ['imageUrl'] }] })
    expect([await app.db.event.count(), await app.db.image.count()]).toEqual([0, 0])
  })

  it('is ignored in custom fields, and a long URL is rejected', async () => {
    const author = await app.signIn('author')
    const customFields = [{ key: 'a', label: 'A', value: { imageUrl: `${source}/missing` } }]
    const { body } = await author.graphql(create, { input: { ...event, customFields } })
    expect(body.data.createEvent.userErrors).toEqual([])
    const imageUrl = `${source}/picture?${'x'.repeat(3000)}`
    const long = await author.graphql(create, { input: { ...event, imageUrl } })
    expect(long.body.data.createEvent.userErrors).toEqual([{ code: 'BAD_INPUT', path: ['imageUrl'] }])
  })

  it('is not downloaded for visitors', async () => {
    const { body } = await app.graphql(create, { input: { ...event, imageUrl: `${source}/picture-unseen` } })
    expect(body.data.createEvent.userErrors).toEqual([{ code: 'UNAUTHENTICATED', path: [] }])
  })

  it('is downloaded for an event by REST and for its new venue', async () => {
    const editor = await app.signIn('editor')
    const payload = {
      title: 'Concert',
      start_date: '2026-12-01 20:00',
      end_date: '2026-12-01 22:00',
      image: `${source}/picture?1`,
      venue: { venue: 'Hall', image: `${source}/picture?2` },
    }
    const headers = { authorization: editor.authorization }
    const reply = await app.app.inject({ method: 'POST', url: '/cal/events/v1/events', headers, payload })
    expect(reply.statusCode).toBe(201)
    expect(reply.json().image).toMatchObject({ extension: 'png', width: 3, height: 2 })
    expect(reply.json().venue.image.id).not.toBe(reply.json().image.id)
  })
})

describe('the file of an image', () => {
  const preflight = { 'graphql-require-preflight': '1' }
  const replace = async ({ authorization }: { authorization: string }, id: number, bytes: Buffer) => {
    const query = `mutation ($input: UpdateImageInput!) { updateImage(input: $input) {
      image { databaseId url altText } userErrors { code path } } }`
    const operation = { query, variables: { input: { id, altText: 'Sea', file: null } } }
    const reply = await upload(authorization, bytes, preflight, operation, 'variables.input.file')
    return reply.json().data.updateImage
  }
  const add = async ({ authorization }: { authorization: string }) =>
    (await upload(authorization, png, preflight)).json().data.uploadImage.image
  const pathOf = (url: string) => new URL(url).pathname

  it('is replaced: the image keeps its ID and uses, and its former URL leads to the new one', async () => {
    const author = await app.signIn('author')
    const { databaseId, url } = await add(author)
    await author.graphql(create, { input: { ...event, slug: 'concert', status: 'PUBLISHED', imageId: databaseId } })
    const page = async () => (await app.app.inject({ url: '/event/concert/', headers: { accept: 'text/html' } })).body
    expect(await page()).toContain(pathOf(url))
    const sea = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
    const sourceUrl = 'https://partner.test/logo.jpg'
    await app.db.image.update({ where: { id: databaseId }, data: { sourceUrl } })
    const { image, userErrors } = await replace(author, databaseId, sea)
    // An event with this URL would get the new file.
    expect(await app.db.image.count({ where: { sourceUrl } })).toBe(0)
    expect([image.databaseId, image.altText, userErrors]).toEqual([databaseId, 'Sea', []])
    const shown = await page()
    expect(shown).toContain(pathOf(image.url))
    expect(shown).not.toContain(pathOf(url))
    const { body } = await author.graphql(`{ image(id: ${databaseId}) {
      title width height revisions(first: 1) { nodes { changes { field before after } } } } }`)
    expect(body.data.image).toMatchObject({ title: 'a', width: 40, height: 30 })
    expect(body.data.image.revisions.nodes[0].changes).toContainEqual({ field: 'url', before: url, after: image.url })
    rmSync(imagePath(folder, basename(url)) ?? '')
    const moved = await app.app.inject({ url: pathOf(url) })
    expect([moved.statusCode, moved.headers.location]).toEqual([302, image.url])
    expect((await replace(author, databaseId, sea)).image.url).toBe(image.url)
    expect((await app.app.inject({ url: pathOf(url) })).headers.location).toBe(image.url)
  })

  it('is replaced only by those who may change the image, and only by an image', async () => {
    const author = await app.signIn('author')
    const { databaseId, url } = await add(author)
    await author.graphql(create, { input: { ...event, imageId: databaseId, status: 'PUBLISHED' } })
    const files = storedFiles()
    const errorsOf = async (user: { authorization: string }, bytes: Buffer) =>
      (await replace(user, databaseId, bytes)).userErrors
    const other = Buffer.concat([png, Buffer.from('replaced')])
    expect(await errorsOf(await app.signIn('author'), other)).toEqual([{ code: 'FORBIDDEN', path: [] }])
    expect(await errorsOf(await app.signIn('contributor'), other)).toMatchObject([{ path: ['file'] }])
    expect(await errorsOf(author, Buffer.from('<svg/>'))).toEqual([{ code: 'BAD_INPUT', path: ['file'] }])
    expect(await app.db.image.findMany({ select: { url: true } })).toEqual([{ url: pathOf(url) }])
    expect(storedFiles()).toBe(files)
  })
})

describe('an image that is uploaded', () => {
  it('is stored, described by its bytes', async () => {
    const author = await app.signIn('author')
    const reply = await upload(author.authorization, png, { 'graphql-require-preflight': '1' })
    expect(reply.json().data.uploadImage).toMatchObject({ image: { width: 3 }, userErrors: [] })
    expect((await file(reply.json().data.uploadImage.image.url)).status).toBe(200)
  })

  it('is rejected if it is not an image or the user may not upload', async () => {
    const [author, contributor] = [await app.signIn('author'), await app.signIn('contributor')]
    const preflight = { 'graphql-require-preflight': '1' }
    const script = await upload(author.authorization, Buffer.from('<script>'), preflight)
    expect(script.json().data.uploadImage.userErrors).toEqual([{ code: 'BAD_INPUT', path: ['file'] }])
    const forbidden = await upload(contributor.authorization, png, preflight)
    expect(forbidden.json().data.uploadImage.userErrors).toEqual([{ code: 'FORBIDDEN', path: [] }])
    expect(await app.db.image.count()).toBe(0)
  })

  it.each([
    ['another mistake', { title: ' ' }, ['title', 'imageFile']],
    ['a text that is too long', { description: 'x'.repeat(100_001) }, ['description', 'imageFile']],
  ])('is rejected together with %s', async (_, wrong, paths) => {
    const author = await app.signIn('author')
    const operation = { query: create, variables: { input: { ...event, ...wrong, imageFile: null } } }
    const headers = { 'graphql-require-preflight': '1' }
    const script = Buffer.from('<script>')
    const reply = await upload(author.authorization, script, headers, operation, 'variables.input.imageFile')
    expect(reply.json().data.createEvent.userErrors).toEqual(paths.map((path) => ({ code: 'BAD_INPUT', path: [path] })))
  })

  it('is rejected with the name of the argument if its URL cannot be imported', async () => {
    const author = await app.signIn('author')
    const query = `mutation { importImage(input: { url: "${source}/missing" }) { image { databaseId } userErrors { code path } } }`
    const { body } = await author.graphql(query)
    expect(body.data.importImage).toEqual({ image: null, userErrors: [{ code: 'BAD_INPUT', path: ['url'] }] })
  })

  it('is rejected without the header that protects against CSRF', async () => {
    const author = await app.signIn('author')
    expect((await upload(author.authorization, png)).statusCode).toBe(415)
  })
})

/** An image with this size in its header. */
function claiming(width: number, height: number): Buffer {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const rest = (
  user: { authorization: string },
  url: string,
  fields: Record<string, string | Buffer>,
  method: Method = 'POST',
) => {
  const parts = Object.entries(fields).map(([name, value]) => {
    const type = typeof value === 'string' ? '' : '; filename="a.png"\r\nContent-Type: image/png'
    const head = `--x\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')])
  })
  const payload = Buffer.concat([...parts, Buffer.from('--x--\r\n')])
  const headers = { 'content-type': 'multipart/form-data; boundary=x', authorization: user.authorization }
  return app.app.inject({ method, url, headers, payload })
}

const storedFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

const fields = { title: 'Concert', start_date: '2026-12-01 20:00', end_date: '2026-12-01 22:00' }

describe('an image with too many pixels', () => {
  it.each([
    [4_294_967_295, 4_294_967_295],
    [30_001, 1],
    [20_000, 20_000],
  ])('is rejected with %i × %i, and no file remains', async (width, height) => {
    const author = await app.signIn('author')
    const files = storedFiles()
    const bytes = claiming(width, height)
    const uploaded = await upload(author.authorization, bytes, { 'graphql-require-preflight': '1' })
    expect(uploaded.json().data.uploadImage.userErrors).toEqual([{ code: 'BAD_INPUT', path: ['file'] }])
    const sent = await rest(author, '/cal/events/v1/events', { ...fields, image: bytes })
    expect([sent.statusCode, sent.json().data.params.image]).toEqual([400, expect.stringMatching(/at most .* pixels/)])
    expect([storedFiles(), await app.db.image.count(), await app.db.event.count()]).toEqual([files, 0, 0])
  })
})

describe('an image in a multipart body', () => {
  it('is stored for the event and for its new venue', async () => {
    const author = await app.signIn('author')
    const venue = { 'venue[venue]': 'Hall', 'venue[image]': Buffer.concat([png, Buffer.from('other')]) }
    const reply = await rest(author, '/cal/events/v1/events', { ...fields, image: png, ...venue })
    expect([reply.statusCode, reply.json().image]).toEqual([201, expect.objectContaining({ width: 3, height: 2 })])
    expect((await file(reply.json().image.url)).status).toBe(200)
    expect(reply.json().venue.image.id).not.toBe(reply.json().image.id)
    const organizer = await rest(author, '/cal/events/v1/organizers', { organizer: 'Ada', image: png })
    expect(organizer.json().image.url).toBe(reply.json().image.url)
  })

  it('replaces the previous image, and an empty file field does not', async () => {
    const author = await app.signIn('author')
    const url = `/cal/events/v1/events/${(await rest(author, '/cal/events/v1/events', fields)).json().id}`
    const changed = (await rest(author, url, { image: png })).json().image
    expect(changed).toMatchObject({ extension: 'png' })
    const payload = '--x\r\nContent-Disposition: form-data; name="image"; filename=""\r\n\r\n\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x', authorization: author.authorization }
    expect((await app.app.inject({ method: 'POST', url, headers, payload })).json().image).toEqual(changed)
  })

  it.each([
    ['of who may not upload', 'contributor', { image: png }, 'image'],
    ['that is none', 'author', { image: Buffer.from('<svg/>') }, 'image'],
    ['as a title', 'author', { title: png }, 'title'],
    ['as a venue', 'author', { venue: png }, 'venue'],
    ['that is none, of a new venue', 'author', { 'venue[venue]': 'Hall', 'venue[image]': Buffer.from('x') }, 'venue'],
    ['of an event that is refused', 'author', { image: png, timezone: 'Nowhere' }, 'timezone'],
    ['of an event with an unknown venue', 'author', { image: png, venue: '999999' }, 'venue'],
  ] as const)('%s is refused, and nothing is stored', async (_, role, params, param) => {
    const user = await app.signIn(role)
    const files = storedFiles()
    const reply = await rest(user, '/cal/events/v1/events', { ...fields, ...params })
    expect([reply.statusCode, Object.keys(reply.json().data.params)]).toEqual([400, [param]])
    expect([storedFiles(), await app.db.image.count(), await app.db.event.count()]).toEqual([files, 0, 0])
  })

  it('is rejected if it is larger than the maximum body size', async () => {
    const author = await app.signIn('author')
    const image = Buffer.concat([png, Buffer.alloc(1_048_576)])
    expect((await rest(author, '/cal/events/v1/events', { ...fields, image })).statusCode).toBe(413)
  })
})

describe('an image ID', () => {
  const use = async (user: Awaited<ReturnType<TestApp['signIn']>>, imageId: number) => {
    const { body } = await user.graphql(create, { input: { ...event, imageId } })
    const reply = await user.send('POST', '/cal/events/v1/events', { ...fields, image: imageId })
    const { event: created, userErrors } = body.data.createEvent
    expect(reply.status).toBe(created ? 201 : 400)
    return created ? created.image.databaseId : [userErrors, reply.body.data.params]
  }
  const rejected = [
    [{ code: 'BAD_INPUT', path: ['imageId'] }],
    { image: 'There is no image with this ID, or you may not use it.' },
  ]

  it.each(posts)('of a hidden or locked %s is as unknown as any other', async (kind) => {
    const make = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }[kind]
    const [author, contributor, editor] = [
      await app.signIn('author'),
      await app.signIn('contributor'),
      await app.signIn('editor'),
    ]
    const withImage = async (columns: object) => {
      const imageId = await makeImage(app.db, `https://images.test/${Math.random()}.jpg`)
      await make(app.db, 'X', { imageId, authorId: editor.id, ...columns })
      return imageId
    }
    const hidden = [
      await withImage({ status: 'draft' }),
      await withImage({ status: 'private' }),
      await withImage({ passwordKey: 'locked' }),
      await withImage({ publishedAt: new Date('2030-01-01') }),
    ]
    // One of the two for each image, the other one for that of the next kind.
    for (const [index, imageId] of [...hidden, 999_999].entries()) {
      for (const user of partOf([author, contributor], 2, index + posts.indexOf(kind))) {
        expect(await use(user, imageId)).toEqual(rejected)
      }
    }
    for (const imageId of hidden) expect(await use(editor, imageId)).toBe(imageId)
    const usable = [
      await withImage({}),
      await withImage({ status: 'draft', authorId: author.id }),
      await withImage({ passwordKey: 'own', authorId: author.id }),
      await makeImage(app.db),
    ]
    for (const imageId of usable) expect(await use(author, imageId)).toBe(imageId)
  })

  it('of another user can only be used once a visible record shows the image', async () => {
    const [author, other] = [await app.signIn('author'), await app.signIn('author')]
    const uploaded = await upload(author.authorization, png, { 'graphql-require-preflight': '1' })
    const { databaseId } = uploaded.json().data.uploadImage.image
    expect(await use(other, databaseId)).toEqual(rejected)
    expect(await use(author, databaseId)).toBe(databaseId)
    await author.send('POST', '/cal/events/v1/events', { ...fields, image: databaseId, status: 'publish' })
    expect(await use(other, databaseId)).toBe(databaseId)
  })
})

it.each(['/images/nothing.png', '/images/..%2F..%2Fpackage.json', '/images/..%2F'])('%s is not found', async (path) => {
  expect((await app.get(path)).status).toBe(404)
})
