import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { createCredential } from '../helpers/users.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ SITE_ACCENT_COLOR: '#123456', DEFAULT_LANGUAGE: 'fr' })
})
afterAll(() => app?.close())

test.each(['/edit', '/edit/', '/edit/events/12', '/edit/no/such/screen'])(
  'sends the editor at %s, which no other site may frame',
  async (url) => {
    const { status, headers, body } = await app.get(url)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(body).toContain('<html data-languages="fr en es" data-base="" lang="en">')
  },
)

test('serves hashed files with a long cache lifetime', async () => {
  const { body } = await app.get('/edit/')
  const paths = [...body.matchAll(/(?:src|href)="(\/edit\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.map((path) => path.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css']))
  for (const path of paths) {
    const { status, headers } = await app.get(path)
    expect({ status, cacheControl: headers['cache-control'] }).toEqual({
      status: 200,
      cacheControl: 'public, max-age=31536000, immutable',
    })
    expect(headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/)
  }
})

test.each(['/edit/assets/none.js', '/edit/assets/..%2Findex.html', '/fr/edit/'])('has nothing at %s', async (url) => {
  expect((await app.get(url)).status).toBe(404)
})

test('has the colours of the site', async () => {
  const { headers, body } = await app.get('/edit/theme.css')
  expect(headers['content-type']).toBe('text/css; charset=utf-8')
  expect(body).toContain('--brand: #123456;')
})

test('has the path of PUBLIC_URL before all paths', async () => {
  const other = await openTestApp({ PUBLIC_URL: 'https://town.example/calendar' })
  const { body } = await other.get('/edit/queue')
  expect(body).toContain('data-base="/calendar"')
  const paths = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) expect(path).toMatch(/^\/calendar\/edit\//)
  await other.close()
})

describe('the preview of an event', () => {
  test('is the page of a draft, for those who may read it', async () => {
    const id = await makeEvent(app.db, { fr: 'Concert au port' }, { status: 'draft' })
    const editor = await app.signIn('editor')
    const { status, headers, body } = await editor.get(`/fr/edit/preview/${id}`)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('private, no-store')
    expect(body).toContain('Concert au port</h1>')
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect((await (await app.signIn('author')).get(`/fr/edit/preview/${id}`)).status).toBe(403)
  })

  test('reads the cookie of the session', async () => {
    const id = await makeEvent(app.db, { fr: 'Concert au port' }, { status: 'draft' })
    const path = `/fr/edit/preview/${id}`
    const cookie = `session=${await createCredential(app.db, (await app.signIn('editor')).id, 'session')}`
    expect((await app.get(path, { headers: { cookie } })).status).toBe(200)
    const { status, headers } = await app.get(path, { headers: { cookie: 'session=ended' } })
    expect(status).toBe(302)
    expect(headers.location).toBe(`/fr/sign-in?next=${encodeURIComponent(path)}`)
    expect((await app.get(path, { headers: { cookie, authorization: 'Bearer wrong' } })).status).toBe(401)
  })

  test('sends others to the sign-in', async () => {
    const { status, headers } = await app.get('/fr/edit/preview/12')
    expect(status).toBe(302)
    expect(headers.location).toBe('/fr/sign-in?next=%2Ffr%2Fedit%2Fpreview%2F12')
  })
})
