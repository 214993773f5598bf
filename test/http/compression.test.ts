// COMPRESSION=on: what is compressed, and what is not.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
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
