// What all pages share: logo, colours, footer, breadcrumbs, pictures and error pages.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeVenue } from '../helpers/make.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Town' })
  folder = await mkdtemp(join(tmpdir(), 'logo-'))
  const { db } = app
  const arts = await makeCategory(db, { en: 'Arts', fr: 'Les arts' })
  const categoryIds = [await makeCategory(db, 'Music', arts)]
  const venueIds = [await makeVenue(db, 'Hall')]
  await makeEvent(
    db,
    { en: 'Choir', fr: 'Chorale' },
    { categoryIds, venueIds, imageId: await makeImage(db, '/images/poster.jpg') },
  )
  const secret = { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) }
  await makeEvent(db, 'Secret', {
    ...secret,
    categoryIds,
    venueIds,
    imageId: await makeImage(db, '/images/s.jpg'),
  })
  await makeEvent(db, 'Removed', { status: 'trash', trashedFrom: 'publish' })
})
afterAll(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

const styleOf = async (service: TestApp, path = '/en/') => {
  const [, style = ''] = /href="(\/pages\/[\w-]+\/style\.css)"/.exec((await service.get(path)).body) ?? []
  return String((await service.get(style)).body)
}

describe('SITE_LOGO', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><script>alert(1)</script></svg>'

  it('is served from a file with its size, and runs no script if it is opened', async () => {
    const path = join(folder, 'logo.svg')
    await writeFile(path, svg)
    const branded = await serve(app, { SITE_LOGO: path })
    const { body } = await branded.get('/event/choir/')
    const [, src = ''] = /<a class="brand"[^>]*><img src="([^"]*)" alt="" width="30" height="20">/.exec(body) ?? []
    const { status, headers } = await branded.get(src)
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(headers['cache-control']).toContain('immutable')
    await branded.app.close()
  })

  it('is a URL of another host', async () => {
    const branded = await serve(app, { SITE_LOGO: 'https://town.test/logo.png' })
    expect((await branded.get('/en/')).body).toContain('<img src="https://town.test/logo.png" alt="">')
    await branded.app.close()
  })

  it('stops the start if it is no image', async () => {
    const path = join(folder, 'notes.txt')
    await writeFile(path, 'notes')
    for (const logo of [path, join(folder, 'none.svg')]) {
      await expect(serve(app, { SITE_LOGO: logo })).rejects.toThrow(/^SITE_LOGO is .*; expected the URL or the path/)
    }
  })
})

describe('SITE_ACCENT_COLOR', () => {
  /** WCAG 2: (L1 + 0.05) / (L2 + 0.05) */
  const contrast = (one: string, other: string) => {
    const luminance = (color: string) => {
      const parts = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
      const [r = 0, g = 0, b = 0] = parts.map((part) =>
        part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  }

  it.each(['#9c2b2b', '#ffdd00', '#ffffff', '#000000', '#00ff88', '#7f7f7f', '#0000ff'])(
    '%s gives text that is readable in light and dark',
    async (color) => {
      const site = await serve(app, { SITE_ACCENT_COLOR: color })
      const css = await styleOf(site)
      const pairOf = (name: string) =>
        new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)?.slice(1, 3) ?? []
      const [brand = '', onBrand = ''] = ['brand', 'on-brand'].map(
        (name) => new RegExp(`--${name}: (#\\w{6})`).exec(css)?.[1],
      )
      expect(brand).toBe(color)
      expect(contrast(brand, onBrand)).toBeGreaterThanOrEqual(4.5)
      for (const background of ['ground', 'card', 'wash']) {
        const [accents, backgrounds] = [pairOf('accent'), pairOf(background)]
        expect(accents).toHaveLength(2)
        for (const [index, accent] of accents.entries()) {
          expect(contrast(accent, backgrounds[index] ?? ''), `${background} ${index}`).toBeGreaterThanOrEqual(4.5)
        }
      }
      await site.app.close()
    },
  )

  it('changes the path of the style sheet, which browsers cache forever, of pages and widgets', async () => {
    const site = await serve(app, { SITE_ACCENT_COLOR: '#00f' })
    const paths = async (service: TestApp) => {
      const bodies = await Promise.all(['/en/', '/embed/events'].map((path) => service.get(path)))
      return bodies.map(({ body }) => /\/pages\/[\w-]+\/style\.css/.exec(body)?.[0])
    }
    const [own, other] = [await paths(site), await paths(app)]
    expect(own[0]).toBe(own[1])
    expect(own[0]).not.toBe(other[0])
    expect((await site.get(own[0] ?? '')).status).toBe(200)
    await site.app.close()
  })
})

test('SITE_FOOTER is text or simple HTML, and SITE_CONTACT a link', async () => {
  const footer = async (env: Record<string, string>) => {
    const site = await serve(app, env)
    const { body } = await site.get('/event/choir/')
    await site.app.close()
    return String(/<footer class="site-footer"><div class="wrap">([\s\S]*)<\/footer>/.exec(body)?.[1])
  }
  expect(await footer({ SITE_FOOTER: 'Town hall & friends' })).toContain('<p>Town hall &amp; friends</p>')
  const html =
    '<p onclick="alert(1)">By <a href="https://town.test" target="x">the town</a></p><script>alert(1)</script><img src=x>'
  const safe = await footer({ SITE_FOOTER: html, SITE_CONTACT: 'agenda@town.test' })
  expect(safe).toContain('<p>By <a href="https://town.test" rel="noopener">the town</a></p>')
  expect(safe).toContain('<a href="mailto:agenda@town.test" rel="noopener">Contact</a>')
  expect(safe).not.toMatch(/alert|onclick|<script|<img/)
  expect(await footer({ SITE_FOOTER: '<a href="javascript:alert(1)">x</a>' })).not.toContain('javascript')
})

describe('breadcrumbs', () => {
  const listOf = (body: string) => {
    const scripts = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const lists = scripts.map(([, json = '']) => JSON.parse(json)).filter((data) => data['@type'] === 'BreadcrumbList')
    return lists[0]?.itemListElement.map(({ name, item }: { name: string; item: string }) => `${name} ${item}`)
  }
  const linksOf = (body: string) => /<nav class="breadcrumbs[^>]*>.*?<\/nav>/s.exec(body)?.[0] ?? ''

  it('of an event lead through its category, also for search engines', async () => {
    const { body } = await app.get('/fr/event/chorale/')
    expect(linksOf(body)).toContain('<a href="http://calendar.test/fr/">Agenda</a>')
    expect(linksOf(body)).toContain('<a href="http://calendar.test/fr/events/category/les-arts/music/">Music</a>')
    expect(listOf(body)).toEqual([
      'Town http://calendar.test/fr/',
      'Music http://calendar.test/fr/events/category/les-arts/music/',
      'Chorale http://calendar.test/fr/event/chorale/',
    ])
  })

  it('of a category lead through its parent', async () => {
    const { body } = await app.get('/events/category/arts/music/')
    expect(linksOf(body)).toContain('<a href="http://calendar.test/events/category/arts/">Arts</a>')
  })

  it.each([
    ['/venue/hall/', 'http://calendar.test/venues/'],
    ['/events/category/arts/', 'http://calendar.test/categories/'],
  ])('of %s lead through the list of its kind', async (path, list) => {
    const links = linksOf((await app.get(path)).body)
    expect(links.match(/(?<=<li><a href=")[^"]*/g)).toEqual(['http://calendar.test/en/', list])
  })

  it('of a locked event do not tell its category', async () => {
    const { body } = await app.get('/event/secret/')
    expect(body).not.toMatch(/Music|s\.jpg/)
    expect(linksOf(body).match(/<li>/g)).toHaveLength(1)
  })
})

describe('pictures', () => {
  const image = () => app.db.image.findFirstOrThrow({ where: { url: '/images/poster.jpg' } })

  it('of cards have their size, and load when they come into view', async () => {
    const { body } = await app.get('/tag/none/')
    expect(body).toContain(
      '<div class="media"><img src="http://calendar.test/images/poster.jpg" width="1200" height="800" alt="" loading="lazy">',
    )
  })

  it('on other servers are not shown', async () => {
    const { id } = await image()
    const url = 'https://images.test/poster.jpg'
    await app.db.image.update({ where: { id }, data: { url } })
    const pages = await Promise.all(['/tag/none/', '/event/choir/', '/en/'].map((path) => app.get(path)))
    await app.db.image.update({ where: { id }, data: { url: '/images/poster.jpg' } })
    for (const { body } of pages) expect(body).not.toMatch(/<img|srcset/)
  })

  it.each([
    ['image/png', { mimeType: 'image/png', name: 'medium' }, []],
    ['image/gif', { mimeType: 'image/gif', name: 'medium' }, [{ mimeType: 'image/webp', name: 'medium' }]],
    ['image/webp', { mimeType: 'image/png', name: 'medium' }, []],
  ])('that are animations of the type %s stay so', async (mimeType, size, alternates) => {
    const before = await image()
    onTestFinished(async () => {
      const { mimeType, sizes, alternates } = before
      await app.db.image.update({
        where: { id: before.id },
        data: { mimeType, sizes: sizes ?? [], alternates: alternates ?? [] },
      })
    })
    const still = { url: '/images/still', width: 600, height: 400 }
    await app.db.image.update({
      where: { id: before.id },
      data: { mimeType, sizes: [{ ...still, ...size }], alternates: alternates.map((each) => ({ ...still, ...each })) },
    })
    const { body } = await app.get('/event/choir/')
    expect(body).toContain('<img src="http://calendar.test/images/poster.jpg" width')
    expect(body).not.toContain('/images/still')
  })

  it('offer scaled versions to browsers, but no cropped ones', async () => {
    const { id, sizes } = await image()
    onTestFinished(async () => {
      await app.db.image.update({ where: { id }, data: { sizes: sizes ?? [] } })
    })
    const version = (width: number, height: number) => ({
      ...{ name: `w${width}`, url: `/images/w ${width}.jpg`, width, height, mimeType: 'image/jpeg' },
    })
    await app.db.image.update({
      where: { id },
      data: { sizes: [version(600, 400), version(150, 150), version(300, 200)] },
    })
    const { body } = await app.get('/event/choir/')
    expect(body).toContain(
      'srcset="http://calendar.test/images/w%20300.jpg 300w, http://calendar.test/images/w%20600.jpg 600w, http://calendar.test/images/poster.jpg 1200w"',
    )
  })
})

describe('an error page', () => {
  const headers = { accept: 'text/html' }

  it.each([
    ['/nothing', 404, 'Page not found.'],
    ['/event/nothing/', 404, 'Page not found.'],
    ['/?p=99999', 404, 'Page not found.'],
  ])('%s has a search and the next events', async (path, status, text) => {
    const reply = await app.get(path, { headers })
    expect([reply.status, reply.headers['cache-control']]).toEqual([status, 'no-store'])
    expect(reply.body).toContain(`<h1>${text}</h1>`)
    expect(reply.body).toContain('<form class="search" role="search" action="http://calendar.test/en/">')
    expect(reply.body).toContain('<a href="http://calendar.test/event/choir/">Choir</a>')
  })

  it('is in the language of its path', async () => {
    const { body } = await app.get('/fr/event/nothing/', { headers })
    expect(body).toContain('<h1>Page introuvable.</h1>')
    expect(body).toContain('<h2 id="coming">Événements à venir</h2>')
    expect(body).toContain('<a href="http://calendar.test/fr/event/chorale/">Chorale</a>')
  })

  it('shows what visitors see, also to a user with more rights', async () => {
    const editor = await app.signIn('editor')
    await makeEvent(app.db, 'Private talk', { status: 'private' })
    const { body } = await editor.get('/nothing', { headers })
    expect(body).toContain('Choir')
    expect(body).not.toContain('Private talk')
  })

  it('about credentials has a search without events', async () => {
    const { status, body } = await app.as({ authorization: 'Basic eDp5' }).get('/event/choir/')
    expect(status).toBe(401)
    expect(body).toContain('role="search"')
    expect(body).not.toContain('class="cards"')
  })

  it('counts for the rate limit', async () => {
    const limited = await serve(app, { RATE_LIMIT: '2', QUERY_COST_MAX: '100' })
    const statuses = []
    for (let request = 0; request < 4; request++) statuses.push((await limited.get('/nothing', { headers })).status)
    expect(statuses[0]).toBe(404)
    expect(statuses.at(-1)).toBe(429)
    await limited.app.close()
  })
})

describe('a language that is written from right to left', () => {
  it('has pages in that direction, with texts of other languages in theirs', async () => {
    const english = await openTestApp({ LANGUAGES: 'en' })
    await makeEvent(english.db, 'Choir')
    const arabic = await serve(english, { LANGUAGES: 'en,ar' })
    for (const path of ['/ar/', '/ar/event/choir/', '/ar/embed/events']) {
      expect((await arabic.get(path)).body, path).toContain('<html lang="ar" dir="rtl">')
    }
    expect((await arabic.get('/ar/event/choir/')).body).toContain('<h1 lang="en" dir="ltr">Choir</h1>')
    await arabic.app.close()
    await english.close()
  })
})
