// The links "Today", "This weekend" and "Free", and the lists of several days to which they lead.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Madrid' })
  const { db } = app
  const categoryIds = [await makeCategory(db, 'Music')]
  const arts = await makeCategory(db, 'Arts')
  await makeEvent(db, 'Fair', {
    start: '2026-11-16T10:00:00',
    end: '2026-11-27T18:00:00',
    cost: ['0'],
    categoryIds: [arts],
  })
  await makeEvent(db, 'Friday', { start: '2026-11-20T20:00:00' })
  await makeEvent(db, 'Saturday', { start: '2026-11-21T20:00:00', categoryIds })
  await makeEvent(db, 'Sunday', { start: '2026-11-22T20:00:00', cost: ['0'], categoryIds })
  await makeEvent(db, 'Monday', { start: '2026-11-23T20:00:00', cost: ['0'] })
})
afterAll(() => app?.close())

const setClock = (time: string) => {
  const before = app.clock.now
  app.clock.now = new Date(time)
  onTestFinished(() => {
    app.clock.now = before
  })
}

const bodyOf = async (path: string, from = app) => {
  const { status, body } = await from.get(path)
  expect([path, status]).toEqual([path, 200])
  return String(body)
}

/** The addresses of the links by their texts, and the texts of those that are marked. */
async function shortcutsOf(path: string, from = app) {
  const [nav = ''] = /<nav class="shortcuts"[\s\S]*?<\/nav>/.exec(await bodyOf(path, from)) ?? []
  const links = [...nav.matchAll(/<a href="([^"]*)" rel="nofollow"( aria-current="true")?>([^<]*)</g)]
  return {
    links: Object.fromEntries(links.map(([, href = '', , text = '']) => [text, decodeHTML(href)])),
    current: links.flatMap(([, , current, text]) => (current ? [text] : [])),
  }
}

const titlesOf = async (path: string) =>
  [...(await bodyOf(path)).matchAll(/<h3[^>]*><a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title)

const [today, weekend] = ['?date=2026-11-21', '?date=2026-11-21&to=2026-11-22']

test('lead to lists of today, of the weekend, and of free events, in each language', async () => {
  for (const [root, ...texts] of [
    ['en', 'Today', 'This weekend', 'Free'],
    ['fr', 'Aujourd’hui', 'Ce week-end', 'Gratuit'],
    ['es', 'Hoy', 'Este fin de semana', 'Gratis'],
  ]) {
    const { links, current } = await shortcutsOf(`/${root}/`)
    expect(Object.keys(links)).toEqual(texts)
    expect([Object.values(links), current]).toEqual([[today, weekend, '?view=list&price=free'], []])
  }
  expect(await titlesOf(`/en/${today}`)).toEqual(['Fair', 'Saturday'])
  expect(await titlesOf(`/en/${weekend}`)).toEqual(['Fair', 'Saturday', 'Sunday'])
  expect(await titlesOf('/en/?view=list&price=free')).toEqual(['Fair', 'Sunday', 'Monday'])
})

describe('the selected one is marked, and links to the page without it', () => {
  test.each([
    [today, ['Today'], ['?view=list', weekend, `${today}&price=free`]],
    [weekend, ['This weekend'], [today, '?view=list', `${weekend}&price=free`]],
    [`${today}&price=free`, ['Today', 'Free'], ['?view=list&price=free', `${weekend}&price=free`, today]],
    ['?view=list&price=free', ['Free'], [`${today}&price=free`, `${weekend}&price=free`, '?view=list']],
    ['?price=free', ['Free'], [`${today}&price=free`, `${weekend}&price=free`, '?view=list']],
    ['?date=2026-11-20', [], [today, weekend, '?date=2026-11-20&price=free']],
    ['?date=2026-11-21&to=2026-11-23', [], [today, weekend, '?date=2026-11-21&to=2026-11-23&price=free']],
  ])('at %s', async (path, marked, urls) => {
    const { links, current } = await shortcutsOf(`/en/${path}`)
    expect([current, Object.values(links)]).toEqual([marked, urls])
  })
})

test('they keep search, filters and, for free events, the month', async () => {
  const { links } = await shortcutsOf('/en/?month=2026-12&search=day&category=music&city=Turin')
  const others = 'search=day&category=music&city=Turin'
  expect(Object.values(links)).toEqual([
    `${today}&${others}`,
    `${weekend}&${others}`,
    `?view=list&month=2026-12&${others}&price=free`,
  ])
  expect(await titlesOf(`/en/${weekend}&category=music&price=free`)).toEqual(['Sunday'])
})

test('days are those of the site, whatever the zone of the server, and change at its midnight', async () => {
  setClock('2026-11-22T22:59:59Z')
  expect(Object.values((await shortcutsOf('/en/')).links).slice(0, 2)).toEqual(['?date=2026-11-22', weekend])
  app.clock.now = new Date('2026-11-22T23:00:00Z')
  expect(Object.values((await shortcutsOf('/en/')).links).slice(0, 2)).toEqual([
    '?date=2026-11-23',
    '?date=2026-11-28&to=2026-11-29',
  ])
})

test('a CDN keeps pages until then', async () => {
  setClock('2026-11-22T22:59:30Z')
  const cached = await serve(app, { SITE_TIMEZONE: 'Europe/Madrid', CDN_MAX_AGE: '600' })
  cached.clock.now = app.clock.now
  for (const path of ['/en/', `/en/${weekend}`]) {
    expect((await cached.get(path)).headers['cache-control'], path).toContain('s-maxage=30')
  }
  await cached.app.close()
})

test.each([
  ['Africa/Cairo', '?date=2026-11-20&to=2026-11-21'],
  ['Asia/Kolkata', '?date=2026-11-22'],
])('the weekend in %s is that of its region', async (zone, url) => {
  const site = await serve(app, { SITE_TIMEZONE: zone })
  expect((await shortcutsOf('/en/', site)).links['This weekend']).toBe(url)
  await site.app.close()
})

describe('a list of several days', () => {
  test.each([
    ['en', 'Saturday, November 21 – Sunday, November 22, 2026'],
    ['fr', 'samedi 21 – dimanche 22 novembre 2026'],
    ['es', 'sábado, 21 de noviembre–domingo, 22 de noviembre de 2026'],
  ])('has its days as title in the language %s', async (language, title) => {
    const body = await bodyOf(`/${language}/${weekend}`)
    const [, heading = ''] = /<h2 id="coming">(.*?)<\/h2>/.exec(body) ?? []
    expect(heading.replace(/\s/g, ' ').replace(/ – /g, '–')).toBe(title.replace(/ – /g, '–'))
    expect(body).toContain('<meta name="robots" content="noindex">')
  })

  test('keeps its days in the search, the pages and the languages, and loses them in other views', async () => {
    const small = await serve(app, { SITE_TIMEZONE: 'Europe/Madrid', PER_PAGE_DEFAULT: '2' })
    const body = decodeHTML(await bodyOf(`/en/${weekend}`, small))
    expect(body).toContain('<input type="hidden" name="to" value="2026-11-22">')
    expect(body).toContain(`<a href="${weekend}&page=2" rel="next">`)
    expect(body).toContain(`<a href="http://calendar.test/fr/${weekend}" lang="fr"`)
    expect(body).toContain('<a href="?month=2026-11">Month</a>')
    expect(body).toContain(`href="${weekend}&category=music"`)
    await small.app.close()
  })

  test.each([
    '?date=2026-11-21&to=2026-11-20',
    '?date=2026-11-21&to=2026-11-21',
    '?date=2026-11-21&to=x',
    '?date=2026-11-21&to[]=2026-11-22',
  ])('%s is the list of one day', async (path) => {
    expect(await titlesOf(`/en/${path}`)).toEqual(['Fair', 'Saturday'])
  })

  test('without its first day is none', async () => {
    expect(await bodyOf('/en/?to=2026-11-22')).toContain('<h2 id="month">')
  })

  test('has the feed of its filters, not of its days', async () => {
    const body = decodeHTML(await bodyOf(`/en/${weekend}&price=free&category=music`))
    expect(body).toContain('href="http://calendar.test/events.ics?categories=music&price=free"')
  })
})
