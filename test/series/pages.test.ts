// The pages of a series and of its dates, and lists of events, where a series is one card.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { type ApiClient, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'

const base = 'http://calendar.test'
let app: TestApp
let editor: ApiClient
let dates: { id: string; url: string; startsLocal: string }[]
let seriesId: string

async function run(client: ApiClient, query: string, variables: object) {
  const { body } = await client.graphql(query, variables as Record<string, unknown>)
  expect(body.errors).toBeUndefined()
  return body.data
}

const create = `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) { series { id databaseId
  events(first: 100) { nodes { id url startsLocal } } } } }`
const update = (fields: object, scope = 'THIS') =>
  run(editor, 'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { url } } }', {
    input: { ...fields, scope },
  })
const dateOn = (day: string) => dates.find(({ startsLocal }) => startsLocal.startsWith(day))?.id ?? ''

async function openWithCourse() {
  app = await openTestApp()
  editor = await app.signIn('editor')
  const { db } = app
  const categories = [{ id: String(await makeCategory(db, 'Courses')) }]
  const venues = [{ id: String(await makeVenue(db, 'Library')) }]
  const input = {
    ...{ title: 'Weekly course', slug: 'course', description: 'Learn.', status: 'PUBLISHED', categories, venues },
    translations: [{ language: 'FR', name: 'Cours', slug: 'cours' }],
    schedule: {
      timeZone: 'Europe/Paris',
      recurrences: [
        { startsLocal: '2026-11-03T19:00:00', endsLocal: '2026-11-03T20:00:00', rule: 'FREQ=WEEKLY;COUNT=20' },
        { startsLocal: '2027-03-24T19:00:00', endsLocal: '2027-03-24T20:00:00', rule: 'FREQ=WEEKLY;COUNT=2' },
      ],
      extraDates: [{ startsLocal: '2026-12-01T09:00:00', endsLocal: '2026-12-01T10:00:00' }],
    },
  }
  const { series } = (await run(editor, create, { input })).createEventSeries
  dates = series.events.nodes
  seriesId = String(series.databaseId)
  await makeEvent(db, 'Concert', { start: '2026-11-28T20:00:00', categoryIds: [Number(categories[0]?.id)] })
  await update({ id: dateOn('2026-12-08'), eventStatus: 'CANCELLED' })
  await update({ id: dateOn('2026-12-15'), dateLabel: 'Open <day>', dateNote: 'Bring friends.' })
  await update({ id: dateOn('2026-12-22'), startsLocal: '2026-12-23T19:00:00', endsLocal: '2026-12-23T20:00:00' })
  await update({ id: dateOn('2026-12-29'), title: 'Party' })
}

beforeAll(openWithCourse)
afterAll(() => app?.close())

const section = (body: string) => /<section class="wrap dates".*?<\/section>/s.exec(body)?.[0] ?? ''
const listed = (part: string) =>
  [...part.matchAll(/<li><a href="([^"]*)"( aria-current="true")?>/g)].map((link) => link.slice(1, 3))
const canonical = (body: string) => /<link rel="canonical" href="([^"]*)">/.exec(body)?.[1]
const jsonLd = (body: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null')
const cards = (body: string) =>
  [...body.matchAll(/<h3[^>]*><a href="([^"]*)">/g)].map(([, url = '']) => url.slice(base.length))

describe('the page of the series', () => {
  it('shows the next date, all dates and the schedule in words', async () => {
    const { status, body } = await app.get('/event/course/')
    expect(status).toBe(200)
    expect(canonical(body)).toBe(`${base}/event/course/`)
    expect(body).toContain('<p class="when"><time datetime="2026-11-24T19:00:00+01:00">')
    expect(body).toContain('<dt>Repeats</dt><dd>every Tuesday, 20 times')
    const [first = '', more = '', past = ''] = section(body).split('<details>')
    expect(listed(first)).toHaveLength(12)
    expect(listed(first)[0]).toEqual([`${base}/event/course/2026-11-24/`, ' aria-current="true"'])
    expect(listed(first).filter(([, current]) => current)).toHaveLength(1)
    expect(more).toContain('<summary>7 more dates</summary>')
    expect(listed(more)).toHaveLength(7)
    expect(past).toContain('<summary>Past dates</summary>')
    expect(listed(past).map(([url]) => url)).toEqual(
      ['17', '10', '03'].map((day) => `${base}/event/course/2026-11-${day}/`),
    )
  })

  it('marks cancelled dates, and shows labels', async () => {
    const dates = section((await app.get('/event/course/')).body)
    expect(dates).toMatch(/2026-12-08\/">.*?<\/a> <span class="state">Cancelled<\/span><\/li>/)
    expect(dates).toMatch(/2026-12-15\/">.*?<\/a> <small>Open &#60;day&#62;<\/small><\/li>/)
  })

  it('has the URLs of the series in other languages', async () => {
    const { body } = await app.get('/fr/event/cours/')
    expect(body).toContain(`<link rel="alternate" hreflang="en" href="${base}/event/course/">`)
    expect(body).toContain('<dt>Récurrence</dt><dd>tous les mardis')
    expect((await app.get('/fr/event/course/')).headers.location).toBe(`${base}/fr/event/cours/`)
  })

  it('links to the iCalendar file of the series', async () => {
    const { body } = await app.get('/event/course/')
    expect(body).toContain(`<link rel="alternate" type="text/calendar" href="${base}/event/course/?ical&#61;1"`)
  })
})

describe('the page of a date', () => {
  it('has its own canonical URL, and those of the date in other languages', async () => {
    const { status, body } = await app.get('/event/course/2026-12-15/')
    expect(status).toBe(200)
    expect(canonical(body)).toBe(`${base}/event/course/2026-12-15/`)
    expect(body).toContain(`<link rel="alternate" hreflang="fr" href="${base}/fr/event/cours/2026-12-15/">`)
    expect(body).toContain('<p class="note"><strong>Open &#60;day&#62;</strong> Bring friends.</p>')
    expect(body).toContain(`<li><a href="${base}/event/course/">Weekly course</a></li>`)
    expect(listed(section(body)).filter(([, current]) => current)).toEqual([
      [`${base}/event/course/2026-12-15/`, ' aria-current="true"'],
    ])
  })

  it('unfolds the past dates if it is one of them', async () => {
    expect(section((await app.get('/event/course/2026-11-10/')).body)).toContain('<details open><summary>Past dates')
  })

  it('the second date of a day has a number', async () => {
    const [first, second] = await Promise.all(['/', '/2/'].map((end) => app.get(`/event/course/2026-12-01${end}`)))
    expect([first?.status, second?.status]).toEqual([200, 200])
    expect(first?.body).toContain('<p class="when"><time datetime="2026-12-01T09:00:00+01:00">')
    expect(second?.body).toContain('<p class="when"><time datetime="2026-12-01T19:00:00+01:00">')
  })

  test.each([
    ['/event/course/2026-12-22/', '/event/course/2026-12-23/'],
    ['/event/course/2026-12-29/', '/event/party/'],
    ['/event/course/2026-12-15', '/event/course/2026-12-15/'],
    ['/event/cours/2026-12-15/?utm_source=x', '/event/course/2026-12-15/'],
    ['/event/course/2026-12-15/1/', '/event/course/2026-12-15/'],
  ])('%s redirects to %s', async (path, to) => {
    const { status, headers } = await app.get(path)
    expect([status, headers.location?.replace('course-2', 'party')]).toEqual([301, base + to])
  })

  test.each([
    '../concert/2026-11-28/',
    '2026-12-16/',
    '2026-13-01/',
    '2026-12-15/x/',
    '2026-12-15/0/',
    'nothing/',
    '2026-12-15/2/3/',
  ])('/event/course/%s is not found', async (path) => {
    expect((await app.get(`/event/course/${path}`)).status).toBe(404)
  })

  it('is found on a site with addresses of a legacy site, too', async () => {
    const legacy = await serve(app, { REST_PREFIX: '/wp-json' })
    expect((await legacy.get('/event/course/2026-12-15/')).status).toBe(200)
    expect((await legacy.get('/event/course/2026-12-22/')).headers.location).toBe(`${base}/event/course/2026-12-23/`)
    expect((await legacy.get('/event/concert/2026-11-28/')).headers.location).toBe(`${base}/event/concert/`)
    expect((await legacy.get('/event/course/2026-12-15/?ical=1')).body).toContain(
      'DTSTART;TZID=Europe/Paris:20261215T190000',
    )
    await legacy.app.close()
  })

  it('has an iCalendar file and a widget', async () => {
    expect((await app.get('/event/course/2026-12-15/?ical=1')).body).toContain(
      'DTSTART;TZID=Europe/Paris:20261215T190000',
    )
    expect((await app.get('/embed/event/course/2026-12-15')).body).toContain('2026-12-15T19:00:00+01:00')
    const oEmbed = async (path: string) => (await app.get(`/oembed?url=${encodeURIComponent(base + path)}`)).body.html
    expect(await oEmbed('/event/course/2026-12-15/')).toContain(`src="${base}/en/embed/event/course/2026-12-15"`)
    expect(await oEmbed('/event/course/')).toContain(`src="${base}/en/embed/event/course"`)
  })
})

test('search engines read which series a date belongs to', async () => {
  const superEvent = { '@type': 'EventSeries', name: 'Weekly course', url: `${base}/event/course/` }
  for (const path of ['/event/course/', '/event/course/2026-12-15/']) {
    expect(jsonLd((await app.get(path)).body)).toMatchObject({ '@type': 'Event', superEvent })
  }
  expect(jsonLd((await app.get('/event/concert/')).body)).not.toHaveProperty('superEvent')
})

describe('lists have one card for a series', () => {
  it.each([
    '/en/',
    '/en/?view=list',
    '/en/?search=course',
    '/venue/library/',
    '/events/category/courses/',
    '/embed/events',
  ])('%s', async (path) => {
    const urls = cards((await app.get(path)).body).filter((url) => url.includes('/event/course/'))
    expect(urls).toEqual(['/event/course/2026-11-24/'])
  })

  it('which has the next dates that take place', async () => {
    const { body } = await app.get('/en/?view=list')
    const also = /<p class="also">(.*?)<\/p>/.exec(body)?.[1] ?? ''
    expect(also.replace(/<[^>]+>/g, '')).toBe('Also on December 1, December 15 · 15 more dates')
    expect(also).toContain(`<a href="${base}/event/course/#dates">15 more dates</a>`)
  })

  it('with its first date of the days', async () => {
    const { body } = await app.get('/en/?date=2026-12-14&to=2026-12-31')
    expect(cards(body).slice(0, 1)).toEqual(['/event/course/2026-12-15/'])
  })

  it('and count it once', async () => {
    const { body } = await app.get('/en/?view=list')
    expect(body).toContain('<p>3 events</p>')
    expect(body).toMatch(/rel="nofollow">December 2026 <span>2<\/span>/)
    expect(body).toMatch(/rel="nofollow">March 2027 <span>1<\/span>/)
    expect((await app.get('/venues/')).body).toContain('<small>2 upcoming events</small>')
    expect((await app.get('/categories/')).body).toContain('<small>3 upcoming events</small>')
  })

  it('the month has each date', async () => {
    const { body } = await app.get('/en/?month=2026-12')
    expect(body.match(/href="[^"]*\/event\/course\//g)).toHaveLength(5)
  })
})

test('related events are one of each other series', async () => {
  const related = async (path: string) => {
    const part = /<h2 id="related">.*?<\/section>/s.exec((await app.get(path)).body)?.[0] ?? ''
    return cards(part).filter((url) => url.includes('/event/course/'))
  }
  expect(await related('/event/course/2026-12-15/')).toEqual([])
  expect(await related('/event/concert/')).toEqual(['/event/course/2026-11-24/'])
})

test('search suggests a series once, with its page', async () => {
  const body = (await app.get('/en/suggestions?prefix=week')).body
  expect(body).toEqual(['week', ['Weekly course'], [], [`${base}/event/course/`]])
})

test('the sitemap has the page of the series', async () => {
  const { body } = await app.get('/sitemap.xml')
  const urls = [...String(body).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url.slice(base.length))
  expect(urls.filter((url) => /\/event\/cours/.test(url))).toEqual([
    '/event/course/',
    '/fr/event/cours/',
    '/event/course-2/',
    '/fr/event/cours-2/',
  ])
  const parts = await run(app, '{ sitemapParts { kind pages } }', {})
  expect(parts.sitemapParts.find(({ kind }: { kind: string }) => kind === 'EVENT').pages).toBe(
    (await run(app, '{ sitemapPages(kind: EVENT, part: 1) { url } }', {})).sitemapPages.length,
  )
})

describe('after a change', () => {
  let restore: () => void
  beforeEach(async () => {
    const before = { app, editor, dates, seriesId }
    restore = () => ({ app, editor, dates, seriesId } = before)
    await openWithCourse()
  })
  afterEach(async () => {
    await app.close()
    restore()
  })

  it('a date that follows in a series of its own is found by its former URL', async () => {
    await update({ id: dateOn('2027-02-02'), title: 'Evening course' }, 'FOLLOWING')
    const { status, headers } = await app.get('/event/course/2027-02-09/')
    expect(status).toBe(301)
    expect((await app.get(headers.location?.slice(base.length) ?? '')).body).toContain('<h1>Evening course</h1>')
    expect(seriesId).not.toBe('')
  })

  it('a protected series shows its dates, without labels', async () => {
    await run(
      editor,
      'mutation ($input: UpdateEventSeriesInput!) { updateEventSeries(input: $input) { series { id } } }',
      {
        input: { id: seriesId, password: 'sesame' },
      },
    )
    const { body } = await app.get('/event/course/2026-12-15/')
    expect(body).toContain('type="password"')
    expect(body).not.toContain('Open &#60;day&#62;')
    const opened = await app.send('POST', '/event/course/2026-12-15/', 'password=sesame')
    expect(opened.body).toContain('Open &#60;day&#62;')
  })
})
