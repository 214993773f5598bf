// The landing page as a calendar: month, agenda, list, filters and their addresses.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { compared, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { countsStatements } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ ...compared, SITE_NAME: 'Town', SITE_TIMEZONE: 'Europe/Paris', REST_PREFIX: '/api' })
  const { db } = app
  const music = await makeCategory(db, {
    en: { name: 'Music', slug: 'music' },
    fr: { name: 'Musique', slug: 'musique' },
  })
  const arts = await makeCategory(db, 'Arts')
  const hall = await makeVenue(db, 'Hall', { city: 'Turin' })
  const barn = await makeVenue(db, 'Barn', { city: 'Nice' })
  const concert = { categoryIds: [music], venueIds: [hall], cost: ['12'] }
  await makeEvent(db, { en: 'Choir', fr: 'Chorale' }, { ...concert, start: '2026-11-25T19:30:00' })
  await makeEvent(db, 'Opera', { ...concert, start: '2026-11-25T20:00:00', eventStatus: 'cancelled' })
  await makeEvent(db, 'Painting', { categoryIds: [arts], venueIds: [barn], cost: ['0'], start: '2026-11-02T10:00:00' })
  await makeEvent(db, 'Fair', { start: '2026-11-28T10:00:00', end: '2026-12-02T18:00:00' })
  for (let number = 1; number <= 5; number++) await makeEvent(db, `Market ${number}`, { start: '2026-12-10T08:00:00' })
  const secret = { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt), ...concert }
  await makeEvent(db, 'Secret', { ...secret, start: '2026-11-26T19:00:00' })
  await makeEvent(db, 'Draft', { status: 'draft', ...concert, start: '2026-11-26T19:00:00' })
})
afterAll(() => app?.close())

const page = async (path: string, from = app) => {
  const { status, body, headers } = await from.get(path)
  return { status, headers, body: String(body) }
}

/** Titles of the events of each day that has some. */
function daysOf(body: string): Record<string, string[]> {
  const month = /<ol class="month">(.*?)<\/ol>/s.exec(body)?.[1] ?? ''
  const days = [...month.matchAll(/<li class="(day[^"]*)"[^>]*><b[^>]*>(\d+)<\/b>(.*?)(?=<li class="day|$)/gs)]
  return Object.fromEntries(
    days.flatMap(([, , day = '', rest = '']) => {
      const titles = [...rest.matchAll(/<a href[^>]*>(.*?)<\/a>/g)].map(([, text = '']) =>
        decodeHTML(text.replace(/<[^>]*>/g, '')),
      )
      return titles.length === 0 ? [] : [[day, titles.map((title) => title.replace(/\s/g, ' '))]]
    }),
  )
}

/** Titles of the next events below an empty month or day. */
function followingIn(body: string): string[] {
  const list = /<h3>[^<]*<\/h3>\n<ul class="following">(.*?)<\/ul>/s.exec(body)?.[1] ?? ''
  return [...list.matchAll(/<li><a [^>]*>(.*?)<\/a> <time datetime=/g)].map(([, title = '']) =>
    title.replace(/<[^>]*>/g, ''),
  )
}

const classesOf = (body: string, day: number) =>
  new RegExp(`<li class="(day[^"]*)"[^>]*><b[^>]*>${day}</b>`).exec(body)?.[1]?.split(' ')

/** Labels and counts of the filters. */
const facetsOf = (body: string) =>
  Object.fromEntries(
    [...body.matchAll(/<details open><summary>(.*?)<\/summary><ul>(.*?)<\/ul>/gs)].map(([, title = '', links = '']) => [
      title,
      Object.fromEntries(
        [...links.matchAll(/<a href="([^"]*)"[^>]*>(.*?) <span>(\d+)<\/span>/g)].map(
          ([, href = '', label = '', count]) => [label, [Number(count), decodeHTML(href)]],
        ),
      ),
    ]),
  )

describe('the month', () => {
  it('has each event on each of its days, with its time on the first one', async () => {
    const { body } = await page('/en/?month=2026-11')
    expect(body).toContain('<h2 id="month">November 2026</h2>')
    expect(daysOf(body)).toEqual({
      2: ['10:00 AM Painting'],
      25: ['7:30 PM Choir', '8:00 PM Cancelled: Opera'],
      26: ['7:00 PM Secret'],
      28: ['10:00 AM Fair'],
      29: ['Fair'],
      30: ['Fair'],
    })
  })

  it('links to the day that has more events than it shows', async () => {
    const { body } = await page('/en/?month=2026-12')
    expect(daysOf(body)[10]).toEqual(['8:00 AM Market 1', '8:00 AM Market 2', '8:00 AM Market 3', '+ 2 more'])
    const [, href = ''] = /<li class="more"><a href="(\?date[^"]*)" rel="nofollow">/.exec(body) ?? []
    const day = await page(`/en/${decodeHTML(href)}`)
    expect(day.body).toContain('<h2 id="coming">Thursday, December 10, 2026</h2>')
    expect(day.body.match(/<h3><a [^>]*>Market/g)).toHaveLength(5)
  })

  it('is the current one by default, and starts with the next events', async () => {
    const { body } = await page('/en/')
    expect(body).toContain('<h2 id="month">November 2026</h2>')
    expect(body).toContain('<h2 id="coming">Upcoming events</h2>')
    expect((await page('/en/?month=2026-12')).body).not.toContain('id="coming"')
  })

  it('marks today at the place of the site, and past days, which an agenda leaves out', async () => {
    const { body } = await page('/en/')
    expect(classesOf(body, 21)).toContain('today')
    expect(classesOf(body, 2)).toContain('past')
    expect(classesOf(body, 25)).not.toContain('past')
    expect(body).toContain('<p class="earlier"><a href="?month&#61;2026-11">Show the whole month</a></p>')
    expect(classesOf((await page('/en/?month=2026-11')).body, 2)).not.toContain('past')
    app.clock.now = new Date('2026-11-30T23:30:00Z')
    expect((await page('/en/')).body).toContain('<h2 id="month">December 2026</h2>')
    app.clock.now = new Date('2026-11-21T12:00:00Z')
  })

  it.each([
    ['Europe/Madrid', ['Mon', 'lun.', 'lun'], 'c7'],
    ['America/New_York', ['Sun', 'dim.', 'dom'], 'c1'],
    ['Asia/Dubai', ['Mon', 'lun.', 'lun'], 'c7'],
    ['Africa/Cairo', ['Sat', 'sam.', 'sáb'], 'c2'],
    ['UTC', ['Mon', 'lun.', 'lun'], 'c7'],
  ])('of a site in %s begins its weeks as the region does, in every language', async (zone, first, column) => {
    const site = await serve(app, { ...compared, SITE_TIMEZONE: zone })
    for (const [index, language] of ['en', 'fr', 'es'].entries()) {
      const { body } = await page(`/${language}/?month=2026-11`, site)
      expect(body).toContain(`<ol class="weekdays" aria-hidden="true"><li>${first[index]}</li>`)
      expect(classesOf(body, 1)).toContain(column)
    }
    await site.app.close()
  })

  it('links to the months around it, and crawlers need not go far', async () => {
    const { body } = await page('/en/?month=2026-12')
    expect(body).toContain('<a href="?month&#61;2026-11" rel="prev" aria-label="November 2026">')
    expect(body).toContain('<a href="?month&#61;2027-01" rel="next" aria-label="January 2027">')
    expect(body).toContain('<link rel="prev" href="http://calendar.test/en/?month&#61;2026-11">')
    expect(body).toContain('<a href="http://calendar.test/en/">This month</a>')
    expect((await page('/en/?month=2030-01')).body).toContain('rel="next nofollow"')
  })

  it.each([
    ['2199-12', 'prev', '2199-11'],
    ['1970-01', 'next', '1970-02'],
  ])('%s only links to the %s one, because there is no other', async (month, rel, other) => {
    const { body } = await page(`/en/?month=${month}`)
    const links = [...body.matchAll(/<(?:a|link)\b[^>]*\brel="(?:prev|next)[^>]*>/g)].map(([link]) => decodeHTML(link))
    expect(links).toEqual([
      `<link rel="${rel}" href="http://calendar.test/en/?month=${other}">`,
      expect.stringContaining(`<a href="?month=${other}" rel="${rel} nofollow"`),
    ])
  })

  it('without events says so', async () => {
    const { status, body } = await page('/fr/?month=2031-01')
    expect([status, body.includes('Aucun événement ce mois-ci.')]).toEqual([200, true])
    expect(body).not.toContain('Prochains événements')
  })

  it.each([
    ['/en/?month=2026-09', ['Painting', 'Choir', 'Cancelled: Opera', 'Secret']],
    ['/en/?month=2026-10&category=arts', ['Painting']],
    ['/en/?category=arts', []],
    ['/en/?search=market&view=month', ['Market 1', 'Market 2', 'Market 3', 'Market 4']],
  ])('%s has no event to come, and shows the next ones', async (path, expected) => {
    expect(followingIn((await page(path)).body)).toEqual(expected)
  })

  it('names each day once, and has the times of events and days for programs', async () => {
    const { body } = await page('/en/?month=2026-11')
    expect(body).toContain(
      '<b aria-hidden="true">25</b><h3><time datetime="2026-11-25">Wednesday, November 25</time></h3>',
    )
    expect(body.replaceAll('\u202f', ' ')).toContain('<time datetime="2026-11-25T19:30:00+01:00">7:30 PM</time> Choir')
    const bare = [...body.matchAll(/<time(?![^>]* datetime="\d{4}-\d\d-\d\d[^"]*")[^>]*>/g)]
    expect(bare).toEqual([])
  })

  it('has the time of an event before the cutoff on the day that ends then', async () => {
    const late = await serve(app, { ...compared, END_OF_DAY_CUTOFF: '20:00' })
    const { body } = await page('/en/?month=2026-11', late)
    expect(daysOf(body)).toMatchObject({
      24: ['7:30 PM Choir'],
      25: ['Choir', '8:00 PM Cancelled: Opera', '7:00 PM Secret'],
    })
    await late.app.close()
  })

  it.each(['2026-13', '2026-1', '0000-01', '99999-01', 'x', '2026-11-01'])('%s is the current one', async (month) => {
    const { status, body } = await page(`/en/?month=${month}`)
    expect([status, body.includes('<h2 id="month">November 2026</h2>')]).toEqual([200, true])
  })
})

describe.each([
  ['UTC', {}],
  ['another zone', { SITE_TIMEZONE: 'Asia/Tokyo' }],
  ['a zone in which it compares events', { SITE_TIMEZONE: 'Asia/Tokyo', SHOW_IN_SITE_TIMEZONE: 'on' }],
])('on a site in %s', (_zone, env) => {
  let abroad: TestApp
  beforeAll(async () => {
    abroad = await openTestApp({ ...compared, ...env })
    const make = (title: string, start: string, end: string, timeZone: string) =>
      makeEvent(abroad.db, title, { start: `2026-${start}`, end: `2026-${end}`, timeZone, allDay: title === 'Fair' })
    await make('Broadway', '09-10T20:00:00', '09-10T23:00:00', 'America/New_York')
    await make('Fair', '09-10T00:00:00', '09-10T23:59:59', 'Pacific/Auckland')
    await make('Breakfast', '09-10T08:00:00', '09-10T09:00:00', 'Pacific/Auckland')
    await make('New Year', '12-31T22:00:00', '12-31T23:00:00', 'Pacific/Honolulu')
  })
  afterAll(() => abroad?.close())
  const listed = (body: string) => [...body.matchAll(/<h3><a [^>]*>([^<]*)</g)].map(([, title]) => title)

  it('a month has each event in the cell of its local day, with its local time', async () => {
    const september = await page('/?month=2026-09', abroad)
    expect(daysOf(september.body)).toEqual({ 10: ['Fair', '8:00 AM Breakfast', '8:00 PM Broadway'] })
    expect(daysOf((await page('/?month=2026-12', abroad)).body)).toEqual({ 31: ['10:00 PM New Year'] })
    expect((await page('/?month=2027-01', abroad)).body).toContain('No events in this month.')
  })

  it('the lists of a day and of a month have the events of the cells, in the order of their local times', async () => {
    const day = await page('/?date=2026-09-10', abroad)
    expect(listed(day.body)).toEqual(['Fair', 'Breakfast', 'Broadway'])
    const times = [...day.body.matchAll(/<time datetime="([^"]*)">([^<]*)</g)].map(([, time]) => time)
    expect(times).toEqual(['2026-09-10', '2026-09-10T08:00:00+12:00', '2026-09-10T20:00:00-04:00'])
    for (const other of ['2026-09-09', '2026-09-11', '2027-01-01']) {
      expect(listed((await page(`/?date=${other}`, abroad)).body)).toEqual([])
    }
    expect(listed((await page('/?month=2026-09&view=list', abroad)).body)).toEqual(['Fair', 'Breakfast', 'Broadway'])
    expect(listed((await page('/?month=2026-12&view=list', abroad)).body)).toEqual(['New Year'])
  })
})

describe('filters', () => {
  it('count the events of the month, and leave out what visitors may not see', async () => {
    expect(facetsOf((await page('/en/?month=2026-11')).body)).toMatchObject({
      Category: { Music: [2, '?month=2026-11&category=music'], Arts: [1, '?month=2026-11&category=arts'] },
      Place: { Turin: [2, '?month=2026-11&city=Turin'], Nice: [1, '?month=2026-11&city=Nice'] },
      Price: { Free: [1, '?month=2026-11&price=free'], 'With entrance fee': [2, '?month=2026-11&price=paid'] },
      Language: { English: [5, '?month=2026-11&language=en'], French: [1, '?month=2026-11&language=fr'] },
    })
  })

  it.each([
    ['category=music', ['Choir', 'Opera']],
    ['category=musique', ['Choir', 'Opera']],
    ['city=Nice', ['Painting']],
    ['price=free', ['Painting']],
    ['price=paid', ['Choir', 'Opera']],
    ['language=fr', ['Choir']],
    ['search=cho', ['Choir']],
    ['category=music&language=fr', ['Choir']],
    ['category=none', []],
    ['price=x&language=de&category[]=1', ['Choir', 'Fair', 'Opera', 'Painting', 'Secret']],
  ])('%s selects events of the month', async (query, titles) => {
    const { status, body } = await page(`/en/?month=2026-11&${query}`)
    const shown = ['Choir', 'Fair', 'Opera', 'Painting', 'Secret'].filter((title) => body.includes(`${title}</a>`))
    expect([status, shown]).toEqual([200, titles])
  })

  it('link to no month that has no page', async () => {
    const far = await makeEvent(app.db, 'Far', { start: '2200-01-01T10:00:00' })
    onTestFinished(async () => {
      await app.db.event.delete({ where: { id: far } })
    })
    expect(Object.keys(facetsOf((await page('/en/?view=list')).body).Month ?? {})).toEqual([
      'November 2026',
      'December 2026',
    ])
  })

  it('that are set can be removed one by one', async () => {
    const { body } = await page('/en/?month=2026-11&category=music&price=paid')
    expect(body).toContain(
      '<a href="?month&#61;2026-11&#38;price&#61;paid" rel="nofollow" aria-label="Remove filter: Music">',
    )
    const [, url, label] = /<a href="([^"]*)" rel="nofollow" aria-current="true">(\w+) <span>/.exec(body) ?? []
    expect([url, label]).toEqual(['?month&#61;2026-11&#38;price&#61;paid', 'Music'])
    const single = await page('/en/?category=music')
    expect(single.body).toContain(
      '<a href="http://calendar.test/en/" rel="nofollow" aria-label="Remove filter: Music">',
    )
  })

  it.each([
    ['?date=2026-11-25', 'Wednesday, November 25, 2026', '?view=list'],
    ['?date=2026-11-21&to=2026-11-22', 'Saturday, November 21 – Sunday, November 22, 2026', '?view=list'],
    ['?date=2026-11-25&price=paid', 'Wednesday, November 25, 2026', '?view=list&price=paid'],
    ['?date=2026-11-25&search=choir', 'Wednesday, November 25, 2026', '?search=choir'],
    ['?view=list&month=2026-10', 'October 2026', '?view=list'],
    ['?view=list&month=2026-10&city=Turin', 'October 2026', '?view=list&city=Turin'],
  ])('the days of the list %s can be removed', async (path, label, without) => {
    const chips = [
      ...(await page(`/en/${path}`)).body.matchAll(/<a href="([^"]*)"[^>]* aria-label="Remove filter: (.*?)">/g),
    ]
    const links = chips.map(([, href = '', name = '']) => [name.replace(/\s+/g, ' '), decodeHTML(href)])
    expect(links).toContainEqual([label, without])
    expect((await page(`/en/${without}`)).status).toBe(200)
  })

  it('the month of the month view is none', async () => {
    expect((await page('/en/?month=2026-11&city=Turin')).body.match(/Remove filter/g)).toHaveLength(1)
  })

  it('stay when the month, the view or the language changes', async () => {
    const { body } = await page('/en/?month=2026-11&city=Turin&search=o')
    expect(body).toContain('href="?month&#61;2026-12&#38;search&#61;o&#38;city&#61;Turin"')
    expect(body).toContain(
      '<a href="?view&#61;list&#38;month&#61;2026-11&#38;search&#61;o&#38;city&#61;Turin">List</a>',
    )
    expect(body).toContain(
      'href="http://calendar.test/fr/?month&#61;2026-11&#38;search&#61;o&#38;city&#61;Turin" lang="fr"',
    )
  })

  it('stay when people search', async () => {
    const { body } = await page('/en/?month=2026-11&city=Turin')
    const form = /<form class="search".*?<\/form>/s.exec(body)?.[0]
    expect(form).toContain('<input type="hidden" name="month" value="2026-11">')
    expect(form).toContain('<input type="hidden" name="city" value="Turin">')
    expect(form?.match(/type="hidden"/g)).toHaveLength(2)
  })

  it('stay in the feeds', async () => {
    const { body } = await page('/en/?view=list&category=music&price=paid&language=fr&city=Turin')
    const [, feed = ''] =
      /<link rel="alternate" type="application\/feed\+json" href="http:\/\/calendar\.test([^"]*)"/.exec(body) ?? []
    expect(decodeHTML(feed)).toBe('/events.json?categories=music&city=Turin&price=paid&language=fr')
    const { items } = (await app.get(decodeHTML(feed))).body
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Choir'])
    expect((await page('/events.ics?price=cheap')).status).toBe(400)
    expect((await page('/events.ics?language=de')).status).toBe(400)
  })
})

const cancelled = '<span class="state">Cancelled:</span>'

describe('the list', () => {
  it('has upcoming events, or all of a month', async () => {
    const titles = async (path: string) => {
      const { body } = await page(path)
      return [...body.matchAll(/<h3[^>]*><a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title)
    }
    expect((await titles('/en/?view=list')).slice(0, 3)).toEqual(['Choir', `${cancelled} Opera`, 'Secret'])
    expect(await titles('/en/?view=list&month=2026-11')).toEqual([
      'Painting',
      'Choir',
      `${cancelled} Opera`,
      'Secret',
      'Fair',
    ])
    expect(await titles('/en/?search=market')).toHaveLength(5)
  })

  it.each([
    ['en', 'date=2026-11-27', 'No events on this day.', ['Fair', 'Market 1', 'Market 2', 'Market 3']],
    ['fr', 'date=2026-11-27', 'Aucun événement ce jour-là.', ['Fair', 'Market 1', 'Market 2', 'Market 3']],
    ['es', 'date=2026-11-27', 'No hay eventos ese día.', ['Fair', 'Market 1', 'Market 2', 'Market 3']],
    [
      'en',
      'date=2026-11-21&to=2026-11-22',
      'No events on these days.',
      ['Choir', 'Cancelled: Opera', 'Secret', 'Fair'],
    ],
    ['fr', 'date=2026-11-21&to=2026-11-22&language=fr', 'Aucun événement ces jours-là.', ['Chorale']],
    ['es', 'date=2027-11-21&to=2027-11-22', 'No hay eventos esos días.', []],
    ['en', 'date=2026-11-25&category=arts', 'No events on this day.', []],
    ['en', 'view=list&month=2026-10&category=arts', 'No events in this month.', ['Painting']],
    ['en', 'view=list&category=arts', 'No upcoming events match.', []],
  ])('/%s/?%s has no events, and shows the next ones', async (language, query, text, titles) => {
    const { status, body } = await page(`/${language}/?${query}`)
    const texts = [...body.matchAll(/<p>([^<]*\.)<\/p>/g)].map(([, each]) => each)
    expect([status, texts, followingIn(body)]).toEqual([200, [text], titles])
  })

  it('says that it has events with similar words, where none has those of the search', async () => {
    const similar = 'No event has exactly these words. These have similar ones.'
    const misspelled = await page('/en/?search=paintng&view=list&month=2026-11')
    expect([misspelled.body.includes(similar), misspelled.body.includes('>Painting</a>')]).toEqual([true, true])
    expect((await page('/en/?search=market')).body).not.toContain(similar)
    const month = await page('/en/?search=paintng&month=2026-11')
    expect([month.body.includes(similar), daysOf(month.body)]).toEqual([true, { 2: ['10:00 AM Painting'] }])
    for (const query of ['search=paintng&month=2026-10', 'search=painting&month=2026-11', 'month=2026-11']) {
      expect((await page(`/en/?${query}`)).body).not.toContain(similar)
    }
  })

  it('has numbered pages with the filters', async () => {
    const small = await serve(app, { ...compared, PER_PAGE_DEFAULT: '1' })
    const { body } = await page('/en/?view=list&category=music&page=2', small)
    expect(body).toContain('<a href="?view&#61;list&#38;category&#61;music" rel="prev">Previous</a><p>Page 2 of 2</p>')
    expect((await page('/en/?view=list&category=music&page=3', small)).status).toBe(404)
    await small.app.close()
  })
})

describe('search engines', () => {
  const robots = (body: string) =>
    /<link rel="canonical" href="([^"]*)">/.exec(body)?.[1] ?? /<meta name="robots" content="(\w+)">/.exec(body)?.[1]

  it.each([
    ['/en/', 'http://calendar.test/en/'],
    ['/en/?utm_source=x', 'http://calendar.test/en/'],
    ['/fr/?month=2026-12', 'http://calendar.test/fr/?month&#61;2026-12'],
    ['/en/?view=list', 'http://calendar.test/en/?view&#61;list'],
    ['/en/?month=2031-01', 'noindex'],
    ['/en/?category=music', 'noindex'],
    ['/en/?search=choir', 'noindex'],
    ['/en/?date=2026-11-25', 'noindex'],
  ])('find %s at %s', async (path, expected) => {
    expect(robots((await page(path)).body)).toBe(expected)
  })

  it('a root without a slash redirects with the query', async () => {
    const { headers } = await page('/fr?month=2026-12&price=free')
    expect(headers.location).toBe('http://calendar.test/fr/?month=2026-12&price=free')
  })
})

test('a search for more words than the APIs accept has the first ones', async () => {
  const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
  for (const [path, separator] of [
    ['/en/', ' '],
    ['/venues/', ' '],
    ['/venues/', '’'],
  ] as const) {
    const { status, body } = await page(`${path}?search=${encodeURIComponent(words.join(separator))}`)
    expect([path, status]).toEqual([path, 200])
    expect(body).toContain(`value="${words.slice(0, 30).join(separator)}"`)
  }
})

test('texts in the query are escaped', async () => {
  const { body } = await page(`/en/?city=${encodeURIComponent('"><script>alert(1)</script>')}&month=2026-11`)
  expect(body).not.toContain('<script>alert')
  expect(body).toContain('&#34;&#62;&#60;script&#62;')
})

test.runIf(countsStatements)('the landing page takes few statements, whatever the number of events', async () => {
  const count = async () => {
    app.statements.length = 0
    await page('/en/')
    return app.statements.filter((sql) => !/^(BEGIN|COMMIT)/i.test(sql)).length
  }
  const late = { startsLocal: new Date('2026-11-29T21:00:00Z') }
  onTestFinished(async () => {
    await app.db.event.deleteMany({ where: late })
  })
  const makeLate = (number: number) => makeEvent(app.db, `Late ${number}`, { start: '2026-11-29T21:00:00' })
  // After a write, no count is cached.
  await makeLate(0)
  const before = await count()
  for (let number = 1; number <= 5; number++) await makeLate(number)
  expect(await count()).toBe(before)
  expect(before).toBeLessThanOrEqual(11)
})
