import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { parseXml } from '../helpers/xml.ts'

let app: TestApp
let choir: number

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>' })
  const { db } = app
  const imageId = await makeImage(db)
  const sizes = [
    { name: 'large', url: 'https://images.test/large.jpg', width: 500, height: 300, mimeType: 'image/jpeg' },
    { name: 'small', url: 'https://images.test/small.jpg', width: 100, height: 60, mimeType: 'image/jpeg' },
  ]
  await db.image.update({ where: { id: imageId }, data: { width: 2000, height: 1200, sizes } })
  choir = await makeEvent(
    db,
    {
      en: { name: 'Choir "A" & <b>', slug: 'choir', description: '<p>Songs</p>' },
      fr: { name: 'Chorale', slug: 'chorale' },
    },
    {
      imageId,
      venueIds: [await makeVenue(db, 'Hall', { city: 'Turin' })],
      organizerIds: [await makeOrganizer(db, 'Club')],
    },
  )
  await makeEvent(db, 'Secret', { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) })
  await makeEvent(db, 'Private thing', { status: 'private' })
  await makeEvent(db, 'Trashed thing', { status: 'trash', trashedFrom: 'publish' })
  await makeEvent(db, 'Later thing', { status: 'future', publishedAt: new Date('2100-01-01T00:00:00Z') })
})
afterAll(() => app?.close())

const base = 'http://calendar.test'
const oembed = (url: string, query = '', from = app) => from.get(`/oembed?url=${encodeURIComponent(url)}${query}`)

const frameAncestors = (policy: string | undefined) => /frame-ancestors ([^;]*)$/.exec(policy ?? '')?.[1]

describe('the widget of an event', () => {
  test.each([
    ['/embed/event/choir', 'en', 'Choir "A" & <b>', '/event/choir/'],
    ['/fr/embed/event/chorale', 'fr', 'Chorale', '/fr/event/chorale/'],
    ['/fr/embed/event/choir/', 'fr', 'Chorale', '/fr/event/chorale/'],
  ])('%s shows the event in its language, and links to its page', async (path, language, title, page) => {
    const { status, headers, body } = await app.get(path)
    expect([status, headers['content-language']]).toEqual([200, language])
    const text = title.replace(/["&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    expect(body).toContain(`<a href="${base}${page}">${text}</a>`)
    expect(body).toContain('<base target="_blank">')
    expect(body).toContain('Hall, Turin')
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).not.toMatch(/<script|<header|<footer|<form/)
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('may be shown in frames of the sites that EMBED_ORIGINS lists, and no other page may', async () => {
    const listed = await serve(app, { EMBED_ORIGINS: 'https://a.test,https://b.test:8443' })
    const none = await serve(app, { EMBED_ORIGINS: 'none' })
    for (const [service, ancestors, options] of [
      [app, '*', undefined],
      [listed, "'self' https://a.test https://b.test:8443", undefined],
      [none, "'none'", 'DENY'],
    ] as const) {
      for (const path of ['/embed/event/choir', '/embed/event/unknown', '/fr/embed/event/choir?theme=pink']) {
        const { headers } = await service.get(path)
        expect(frameAncestors(headers['content-security-policy'])).toBe(ancestors)
        expect(headers['x-frame-options']).toBe(options)
      }
      for (const path of ['/en/', '/event/choir/', '/oembed', '/docs', '/nothing', '/robots.txt']) {
        const { headers } = await service.get(path, { headers: { accept: 'text/html' } })
        expect(headers['x-frame-options'], path).toBe('DENY')
        expect(frameAncestors(headers['content-security-policy']), path).toBe("'none'")
      }
    }
  })

  test('has a theme of a fixed list', async () => {
    expect((await app.get('/embed/event/choir')).body).toContain('<html lang="en">')
    expect((await app.get('/embed/event/choir?theme=dark')).body).toContain('<html lang="en" data-theme="dark">')
    const { status, body } = await app.get('/embed/event/choir?theme=%22%3E%3Cscript%3E')
    expect([status, body.includes('theme must be light or dark.')]).toEqual([400, true])
  })

  test('does not show an event with a password, with the password neither', async () => {
    const { status, body } = await app.get('/embed/event/secret?password=sesame')
    expect(status).toBe(403)
    expect(body).not.toMatch(/Secret|<form|<input/)
    expect((await app.send('POST', '/embed/event/secret', 'password=sesame')).status).toBe(404)
  })

  test.each([
    ['private-thing', 403],
    ['trashed-thing', 410],
    ['later-thing', 403],
    ['unknown', 404],
  ])('does not show %s, to signed-in users neither', async (slug, expected) => {
    const administrator = await app.signIn('administrator')
    for (const client of [app, administrator]) {
      const { status, body } = await client.get(`/embed/event/${slug}`)
      expect([slug, status]).toEqual([slug, expected])
      expect(body).not.toContain('thing')
    }
  })

  test('changes with the event, although the response is cached', async () => {
    await app.get('/embed/event/choir')
    expect((await app.get('/embed/event/choir')).headers['cache-status']).toBe('calendar; hit')
    await app.db.event.update({ where: { id: choir }, data: { eventStatus: 'cancelled' } })
    expect((await app.get('/embed/event/choir')).body).toContain('Cancelled')
    await app.db.event.update({ where: { id: choir }, data: { eventStatus: 'scheduled' } })
  })
})

describe('oEmbed', () => {
  test.each([
    ['/event/choir/', 'Choir "A" & <b>', '/en/embed/event/choir'],
    ['/event/choir', 'Choir "A" & <b>', '/en/embed/event/choir'],
    ['/fr/event/chorale/?utm_source=x#top', 'Chorale', '/fr/embed/event/chorale'],
    ['/fr/event/choir/', 'Chorale', '/fr/embed/event/chorale'],
  ])('of %s describes the widget in the language of the page', async (path, title, widget) => {
    const { status, headers, body } = await oembed(`${base}${path}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual({
      type: 'rich',
      version: '1.0',
      title,
      provider_name: 'Here & <now>',
      provider_url: `${base}/`,
      author_name: 'Club',
      author_url: `${base}${path.startsWith('/fr') ? '/fr' : ''}/organizer/club/`,
      cache_age: 3600,
      thumbnail_url: 'https://images.test/large.jpg',
      thumbnail_width: 500,
      thumbnail_height: 300,
      width: 600,
      height: 400,
      html: expect.stringContaining(`<iframe src="${base}${widget}"`),
    })
    const [, src = ''] = /src="([^"]*)"/.exec(body.html) ?? []
    expect((await app.get(src.replace(base, ''))).status).toBe(200)
  })

  test('names the frame with the state of the event, and not its title', async () => {
    await makeEvent(app.db, 'Off', { eventStatus: 'cancelled' })
    const { body } = await oembed(`${base}/event/off/`)
    expect(body.title).toBe('Off')
    expect(body.html).toContain(' title="Cancelled: Off" ')
    const { body: widget } = await app.get('/embed/event/off')
    expect(widget).toContain('<title>Cancelled: Off</title>')
  })

  test('respects maxwidth and maxheight', async () => {
    const { body } = await oembed(`${base}/event/choir/`, '&maxwidth=300&maxheight=200')
    const { width, height, thumbnail_width, thumbnail_height } = body
    expect({ width, height, thumbnail_width, thumbnail_height }).toEqual({
      ...{ width: 300, height: 200, thumbnail_width: 100, thumbnail_height: 60 },
    })
    expect(body.html).toContain('width="300" height="200"')
    const tiny = await oembed(`${base}/event/choir/`, '&maxwidth=20')
    expect(tiny.body).not.toHaveProperty('thumbnail_url')
  })

  test('has the same content as XML', async () => {
    const url = `${base}/event/choir/`
    const { headers, body } = await oembed(url, '&format=xml')
    expect(headers['content-type']).toBe('text/xml; charset=utf-8')
    const elements = Object.fromEntries(parseXml(body).children.map(({ name, content }) => [name, content]))
    const json = (await oembed(url)).body
    expect(elements).toEqual(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)])))
  })

  test('by ID finds the event, too', async () => {
    expect((await oembed(`${base}/?p=${choir}`)).body.html).toContain('/en/embed/event/choir')
  })

  test.each([
    [`${base}/event/unknown/`, '', 404],
    [`${base}/venue/hall/`, '', 404],
    [`${base}/en/`, '', 404],
    ['https://other.test/event/choir/', '', 404],
    [`${base}.evil.test/event/choir/`, '', 404],
    ['not a URL', '', 404],
    [`${base}/event/%E0%A4%A/`, '', 404],
    [`${base}/event/choir/`, '&format=yaml', 501],
    [`${base}/event/choir/`, '&maxwidth=wide', 400],
    [`${base}/event/secret/`, '', 401],
    [`${base}/event/secret/`, '&password=sesame', 401],
    [`${base}/event/private-thing/`, '', 401],
    [`${base}/event/later-thing/`, '', 401],
    [`${base}/event/trashed-thing/`, '', 404],
  ])('of %s%s fails with a plain text', async (url, query, expected) => {
    const administrator = await app.signIn('administrator')
    for (const client of [app, administrator]) {
      const { status, headers, body } = await client.get(`/oembed?url=${encodeURIComponent(url)}${query}`)
      expect([status, headers['content-type']]).toEqual([expected, 'text/plain; charset=utf-8'])
      expect(body).toMatch(/^[A-Zm].*\.\n$/)
    }
  })

  test('without a URL is an error', async () => {
    expect((await app.get('/oembed')).status).toBe(400)
  })

  test('is linked from pages that visitors may read, in both formats', async () => {
    const { body } = await app.get('/fr/event/chorale/')
    const links = [...body.matchAll(/<link rel="alternate" type="(\S+oembed)" href="([^"]*)"/g)]
    expect(links.map(([, type]) => type)).toEqual(['application/json+oembed', 'text/xml+oembed'])
    for (const [, , href = ''] of links) {
      const path = href.replaceAll('&#38;', '&').replaceAll('&#61;', '=').replace(base, '')
      expect((await app.get(path)).status).toBe(200)
    }
    expect((await app.get('/event/secret/')).body).not.toContain('oembed')
  })

  test('is a link without HTML if no site may show widgets', async () => {
    const none = await serve(app, { EMBED_ORIGINS: 'none' })
    const { body } = await oembed(`${base}/event/choir/`, '', none)
    expect([body.type, 'html' in body, body.title]).toEqual(['link', false, 'Choir "A" & <b>'])
  })
})
