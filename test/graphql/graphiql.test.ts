import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>', PUBLIC_URL: 'https://calendar.test' })
})
afterAll(() => app?.close())

const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
const page = async (path = '/graphql') => app.get(path, browser)

test.each(['/graphql', '/fr/graphql', '/graphql/'])('%s is a page for a browser', async (path) => {
  const { status, headers, body } = await page(path)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('<title>GraphiQL · Here &#38; &#60;now&#62;</title>')
  expect(Buffer.byteLength(body)).toBeLessThan(10_000)
})

test('a browser that sends a query gets its answer', async () => {
  expect((await app.get('/graphql?query={__typename}', browser)).body).toEqual({ data: { __typename: 'Query' } })
})

test('a client that accepts no page gets none', async () => {
  const { headers } = await app.get('/graphql', { headers: { accept: 'application/json' } })
  expect(headers['content-type']).not.toContain('html')
})

test('the page names no other host', async () => {
  const { body } = await page()
  expect(body.match(/(?:https?:)?\/\/[\w.-]+\.\w+/g)).toBeNull()
})

test('the example asks in the language of the page', async () => {
  for (const [path, code] of [
    ['/graphql', 'EN'],
    ['/fr/graphql', 'FR'],
    ['/es/graphql', 'ES'],
  ] as const) {
    expect((await page(path)).body, path).toContain(`@inContext(language: ${code})`)
  }
})

test('its files are kept by browsers for ever, since their address changes with them', async () => {
  const { body } = await page()
  const addresses = [...new Set(body.match(/\/graphiql\/[\w./-]+\.(?:js|css|ico)/g) as string[])]
  expect(addresses.length).toBeGreaterThanOrEqual(3)
  for (const address of addresses) {
    const { status, headers } = await app.get(address)
    expect([address, status]).toEqual([address, 200])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test.each(['editor', 'json', 'graphql'])('the %s worker is served', async (name) => {
  const { body } = await page()
  const version = /\/graphiql\/([\w-]+)\//.exec(body)?.[1]
  const { status, headers } = await app.get(`/graphiql/${version}/${name}-worker.js`)
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
})

test('the address of another version is answered, and not kept', async () => {
  const { status, headers } = await app.get('/graphiql/old/graphiql.css')
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
})

test('GRAPHIQL=off takes the page and its files away', async () => {
  const closed = await serve(app, { GRAPHIQL: 'off' })
  expect((await closed.get('/graphql', browser)).headers['content-type']).not.toContain('html')
  expect((await closed.get('/graphiql/old/graphiql.css')).status).toBe(404)
  expect((await closed.graphql('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } })
})
