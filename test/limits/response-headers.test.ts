// Headers of both APIs: CORS, conditional requests, caching.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
let listed: TestApp

beforeAll(async () => {
  app = await openTestApp()
  listed = await serve(app, { CORS_ORIGINS: 'https://one.test,https://two.test' })
  await makeEvent(app.db, 'Party')
})
afterAll(async () => {
  await listed?.app.close()
  await app?.close()
})

const rest = '/cal/events/v1/events'
const graphql = `/graphql?query=${encodeURIComponent('{ events { nodes { title } } }')}`
const origin = 'https://one.test'

describe('a page of another site', () => {
  test.each([rest, graphql, '/en/', '/nowhere'])('may read %s, without credentials', async (url) => {
    const { headers } = await app.get(url, { headers: { origin } })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(headers['access-control-expose-headers']).toContain('X-Cal-Total, X-Cal-TotalPages')
  })
  test('may send a preflight request before it writes, by either API', async () => {
    for (const url of [`${rest}/5`, '/graphql']) {
      const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' }
      const { status, headers } = await app.get(url, { method: 'OPTIONS', headers: { origin, ...preflight } })
      expect([status, headers['access-control-allow-headers']]).toEqual([204, 'authorization'])
      expect(headers['access-control-allow-methods']).toContain('PUT')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })
  test('is not allowed if its origin is not listed', async () => {
    for (const url of [rest, graphql]) {
      const allowed = async (from: string) => (await listed.get(url, { headers: { origin: from } })).headers
      expect((await allowed('https://two.test'))['access-control-allow-origin']).toBe('https://two.test')
      expect((await allowed('https://evil.test'))['access-control-allow-origin']).toBeUndefined()
      expect((await allowed('https://evil.test')).vary).toMatch(/Origin/)
    }
  })
})

describe('a conditional request', () => {
  const urls = [rest, `${rest}?per_page=1`, graphql, '/en/', '/event/party/', '/docs', '/cal/events/v1/doc']
  test.each(urls)('gets 304 without a body: %s', async (url) => {
    const first = await app.get(url)
    const tag = first.headers.etag ?? ''
    expect(tag).toMatch(/^W\/".+"$/)
    for (const matching of [tag, tag.slice(2), `"other", ${tag}`]) {
      const again = await app.get(url, { headers: { 'if-none-match': matching } })
      expect([again.status, again.body, again.headers.etag]).toEqual([304, '', tag])
      expect(again.headers.vary).toBe(first.headers.vary)
      expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
    }
    const head = await app.get(url, { method: 'HEAD' })
    expect([head.status, head.headers.etag]).toEqual([200, tag])
    const heads = await app.get(url, { method: 'HEAD', headers: { 'if-none-match': tag } })
    expect(heads.status).toBe(304)
    expect((await app.get(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })
  test('gets the new version if the record changed', async () => {
    const { headers } = await app.get(rest)
    await makeEvent(app.db, 'Another')
    const conditional = { 'if-none-match': headers.etag }
    expect((await app.get(rest, { headers: conditional })).status).toBe(200)
  })
  test('gets 200 from the health check for If-None-Match: *', async () => {
    expect((await app.get('/health/ready', { headers: { 'if-none-match': '*' } })).status).toBe(200)
  })
  test('gets no 304 for errors and writes', async () => {
    expect((await app.get(`${rest}/999`, { headers: { 'if-none-match': '*' } })).status).toBe(404)
    const editor = await app.signIn('editor')
    const { status, headers } = await editor.send(
      'POST',
      '/cal/events/v1/tags',
      { name: 'x' },
      { 'if-none-match': '*' },
    )
    expect([status, headers.etag]).toEqual([201, undefined])
  })
})

test('GraphQL responses have Vary and Cache-Control headers', async () => {
  const editor = await app.signIn('editor')
  const vary = 'Accept, Authorization, GraphQL-Cost'
  expect((await app.get(graphql)).headers).toMatchObject({ vary, 'cache-control': 'no-cache' })
  expect((await editor.get(graphql)).headers['cache-control']).toBe('private, no-store')
  const withPassword = `/graphql?query=${encodeURIComponent('query @inContext(password: "x") { events { totalCount } }')}`
  expect((await app.get(withPassword)).headers['cache-control']).toBe('private, no-store')
})

test('no cache keeps an error or a redirect that says nothing about caches', async () => {
  const urls = [
    `${rest}/999`,
    `${rest}?per_page=x`,
    '/cal/events/v1/nothing',
    '/events/',
    '/nowhere',
    '/event/none/',
    '/graphql?query={a}&variables={',
  ]
  for (const url of urls) {
    const { status, headers } = await app.get(url)
    expect(status).toBeGreaterThanOrEqual(300)
    expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
  }
})

test('responses forbid content type sniffing', async () => {
  for (const url of [rest, graphql, '/nowhere', '/en/', '/docs']) {
    const { headers } = await app.get(url)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers['strict-transport-security']).toBeUndefined()
  }
  const secure = await serve(app, { PUBLIC_URL: 'https://calendar.test' })
  expect((await secure.get(rest)).headers['strict-transport-security']).toBe('max-age=31536000')
  await secure.app.close()
})

describe('TRUSTED_OPERATIONS', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'trusted-')), 'operations.json')
  const document = 'query Next($n: Int) { events(first: $n) { nodes { title } } }'
  let trusting: TestApp
  beforeAll(async () => {
    writeFileSync(file, JSON.stringify({ abc123: document }))
    trusting = await serve(app, { TRUSTED_OPERATIONS: file })
  })
  afterAll(() => trusting?.app.close())
  const headers = { accept: 'application/graphql-response+json' }
  const post = (payload: object) => trusting.get('/graphql', { method: 'POST', payload, headers })
  const variables = { n: 1 }

  test.each<[string, object]>([
    ['a document of the list', { query: document, variables }],
    ['the same, written otherwise', { query: document.replaceAll(' ', '\n  '), variables }],
    ['a hash', { documentId: 'abc123', variables }],
    ['a hash, as persisted queries say it', { extensions: { persistedQuery: { sha256Hash: 'abc123' } }, variables }],
  ])('runs %s', async (_, payload) => {
    const { status, body } = await post(payload)
    expect([status, body.data.events.nodes]).toEqual([200, [{ title: expect.any(String) }]])
  })
  test('runs a hash in the URL', async () => {
    const persisted = encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"abc123"}}')
    for (const named of ['documentId=abc123', `extensions=${persisted}`]) {
      const { status, body } = await trusting.get(`/graphql?${named}&variables={"n":1}`, { headers })
      expect([named, status, body.data?.events.nodes.length]).toEqual([named, 200, 1])
    }
    expect((await trusting.get('/graphql?documentId=unknown', { headers })).status).toBe(403)
  })
  test.each<[string, object]>([
    ['another document', { query: '{ events { totalCount } }' }],
    ['another document under a hash of the list', { query: '{ __typename }', documentId: 'abc123' }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a document that is broken', { query: '{ __typ' }],
    ['an unknown hash', { documentId: 'unknown' }],
  ])('refuses %s', async (_, payload) => {
    const { status, body } = await post(payload)
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'OPERATION_NOT_TRUSTED'])
  })
  test('does not change the response to an invalid request', async () => {
    for (const payload of [{}, { query: '' }, { query: 1 }, { documentId: 1 }])
      expect((await post(payload)).status).toBe(400)
  })
  test('does not affect REST and the pages', async () => {
    for (const url of [rest, '/en/']) expect((await trusting.get(url)).status).toBe(200)
  })
  test('prevents the start if the file is invalid', async () => {
    writeFileSync(`${file}.broken`, '{"a": "query {"}')
    for (const path of [`${file}.missing`, `${file}.broken`]) {
      await expect(serve(app, { TRUSTED_OPERATIONS: path })).rejects.toThrow(/^TRUSTED_OPERATIONS names /)
    }
  })
})
