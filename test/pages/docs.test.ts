import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>', REST_PREFIX: '/api', PUBLIC_URL: 'https://calendar.test' })
})
afterAll(() => app?.close())

test.each(['/docs', '/docs/'])('%s is an HTML page that loads the OpenAPI document', async (path) => {
  const { status, headers, body } = await app.get(path)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('<html lang="en">')
  expect(body).toContain('<title>Documentation · Here &#38; &#60;now&#62;</title>')
  expect(body).toMatch(/<noscript>.*<a href="\/api\/cal\/events\/v1\/doc">/)
  expect(JSON.parse(/id="settings">(.*)<\/script>/.exec(body)?.[1] ?? '')).toEqual({
    publicUrl: 'https://calendar.test',
    rest: '/api/cal/events/v1/',
    graphiql: true,
  })
})

test('the content security policy allows only its own scripts and hosts', async () => {
  const { headers, body } = await app.get('/docs')
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  expect([headers['x-content-type-options'], headers['referrer-policy']]).toEqual(['nosniff', 'no-referrer'])
  expect(body.match(/<script(?![^>]* src=)[^>]*>/g)).toEqual(['<script type="application/json" id="settings">'])
})

test('static files are immutable, since their path contains their hash', async () => {
  const { body } = await app.get('/docs')
  const addresses = [...new Set(body.match(/\/docs\/[\w./-]+\.(?:js|css|png)/g) as string[])]
  expect(addresses).toHaveLength(5)
  for (const address of addresses) {
    const { status, headers } = await app.get(address)
    expect([address, status, headers['x-content-type-options']]).toEqual([address, 200, 'nosniff'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const old = await app.get(address.replace(/^\/docs\/[^/]+/, '/docs/old'))
    expect([old.status, old.headers['cache-control']]).toEqual([200, 'no-store'])
  }
})

test('does not link to a disabled GraphiQL, and is disabled with REST', async () => {
  const quiet = await serve(app, { GRAPHIQL: 'off' })
  expect((await quiet.get('/docs')).body).not.toContain('/graphql')
  const closed = await serve(app, { REST_ENABLED: 'off' })
  expect((await closed.get('/docs')).status).toBe(404)
  expect((await closed.get('/docs/old/docs.js')).status).toBe(404)
})
