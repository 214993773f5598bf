// COMPRESSION=on: what is compressed, and what is not.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseAcceptedEncoding } from '../../src/service/http/compression.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { eventually } from '../helpers/eventually.ts'
import { makeEvent } from '../helpers/make.ts'

const list = '/cal/events/v1/events'
let plain: TestApp
let compressing: TestApp

beforeAll(async () => {
  plain = await openTestApp()
  compressing = await serve(plain, { COMPRESSION: 'on' })
  for (const title of ['Choir', 'Orchestra', 'Organ']) await makeEvent(plain.db, title)
})
afterAll(async () => {
  await compressing?.app.close()
  await plain?.close()
})

const fetchList = ({ app }: TestApp, headers: Record<string, string>, url = list) => app.inject({ url, headers })

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)(
  'a list in %s has the same content and ETag, also from the response cache',
  async (encoding, decompress) => {
    const expected = await fetchList(compressing, {})
    for (const _ of ['computed', 'cached']) {
      const { headers, rawPayload } = await fetchList(compressing, { 'accept-encoding': encoding })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers.vary).toMatch(/accept-encoding/i)
      expect(headers.etag).toMatch(/^W\//)
      expect(headers.etag).toBe(expected.headers.etag)
      expect(decompress(rawPayload).toString()).toBe(expected.payload)
      expect(rawPayload.length).toBeLessThan(expected.rawPayload.length / 2)
    }
  },
)

test('GraphQL and pages are compressed too', async () => {
  for (const url of [
    '/graphql?query={events{nodes{title,description,url,startsAt,endsAt,slug}}__schema{types{name}}}',
    '/en/',
  ]) {
    const { headers, statusCode } = await fetchList(compressing, { 'accept-encoding': 'gzip' }, url)
    expect([url, statusCode, headers['content-encoding']]).toEqual([url, 200, 'gzip'])
  }
})

test('a client that has the version gets 304 without a body', async () => {
  const { headers } = await fetchList(compressing, { 'accept-encoding': 'gzip' })
  const again = await fetchList(compressing, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.payload, again.headers['content-encoding']]).toEqual([304, '', undefined])
})

/** Requests the list until the response cache has its compressed body: it is compressed in the background. */
async function fetchStored(encoding: string, url: string) {
  const headers = { 'accept-encoding': encoding }
  await fetchList(compressing, {}, url)
  const before = cacheOf(compressing)
  // A response to HEAD is not compressed while it is sent.
  const head = () => compressing.app.inject({ method: 'HEAD', url, headers })
  await eventually(async () => expect((await head()).headers['content-encoding']).toBe(encoding))
  return { grown: cacheOf(compressing) - before, response: await fetchList(compressing, headers, url) }
}
const cacheOf = ({ cache }: TestApp) => cache.stats().bytes

test('a cached response is compressed once for each encoding, and its bytes count', async () => {
  const url = `${list}?per_page=2`
  const plainBody = (await fetchList(compressing, {}, url)).payload
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { grown, response } = await fetchStored(encoding, url)
    const { rawPayload, headers } = response
    expect(grown).toBeGreaterThan(rawPayload.length)
    expect(decompress(rawPayload).toString()).toBe(plainBody)
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(rawPayload.length) })
    const stored = cacheOf(compressing)
    const again = await fetchList(compressing, { 'accept-encoding': encoding }, url)
    expect([again.rawPayload.equals(rawPayload), again.headers.vary, cacheOf(compressing)]).toEqual([
      true,
      headers.vary,
      stored,
    ])
    const head = await compressing.app.inject({ method: 'HEAD', url, headers: { 'accept-encoding': encoding } })
    expect([head.payload, head.headers['content-length'], head.headers['content-encoding']]).toEqual([
      '',
      String(rawPayload.length),
      encoding,
    ])
    const ifNoneMatch = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) }
    const current = await fetchList(compressing, ifNoneMatch, url)
    expect([current.statusCode, current.payload, current.headers['content-encoding']]).toEqual([304, '', undefined])
    expect(current.headers.vary).toBe(headers.vary)
  }
  const identity = await fetchList(compressing, {}, url)
  expect([identity.payload, identity.headers['content-encoding']]).toEqual([plainBody, undefined])
  expect(identity.headers.vary).toMatch(/accept-encoding/)
})

test('a compressed response is invalidated by a write', async () => {
  const url = `${list}?per_page=3`
  await fetchStored('br', url)
  await makeEvent(compressing.db, 'Added later')
  await compressing.cache.waitForChanges()
  const { rawPayload } = await fetchList(compressing, { 'accept-encoding': 'br' }, url)
  expect(brotliDecompressSync(rawPayload).toString()).toBe((await fetchList(compressing, {}, url)).payload)
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.1, identity;q=0', 'gzip'],
  ['identity;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['gzip;q=0, br;q=0', undefined],
  ['*', 'br'],
])('Accept-Encoding: %s gets %s', (header, expected) => {
  expect(chooseAcceptedEncoding(header)).toBe(expected)
})

test('a short response is not compressed', async () => {
  for (const _ of ['computed', 'cached', 'stored']) {
    const response = await fetchList(compressing, { 'accept-encoding': 'br' }, '/graphql?query={__typename}')
    expect([response.payload, response.headers['content-encoding']]).toEqual([
      '{"data":{"__typename":"Query"}}',
      undefined,
    ])
  }
})

test.each([
  ['query', 'gzip'],
  ['query @inContext(password: "secret words")', undefined],
  ['mutation', undefined],
])('of equally long responses, that to a %s gets the encoding %s', async (operation, expected) => {
  const fields = Array.from({ length: 100 }, (_, number) => `field${number}: __typename`)
  const { headers, rawPayload } = await compressing.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    payload: { query: `${operation} { ${fields} }` },
  })
  expect(headers['content-encoding']).toBe(expected)
  expect(String(expected ? gunzipSync(rawPayload) : rawPayload)).toContain('"field99"')
})

test('responses to signed-in users are not compressed', async () => {
  const editor = await compressing.signIn('editor')
  const { status, headers } = await editor.get(list, { headers: { 'accept-encoding': 'gzip' } })
  expect([status, headers['content-encoding']]).toEqual([200, undefined])
})

test('a compressed request body is not decompressed', async () => {
  const { status } = await compressing.get('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: '{"query":"{ __typename }"}',
  })
  expect(status).toBe(200)
})

test('nothing is compressed by default, or for clients that do not accept it', async () => {
  for (const { headers } of [
    await fetchList(plain, { 'accept-encoding': 'gzip, br' }),
    await fetchList(compressing, {}),
    await fetchList(compressing, { 'accept-encoding': 'identity' }),
  ]) {
    expect(headers['content-encoding']).toBeUndefined()
  }
})
