// The addresses of feeds, and what all formats share: filters, languages, caching and errors.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { eventsOf, readCalendar, titlesOf } from '../helpers/icalendar.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { makeTemporaryEvent } from '../helpers/make-temporary.ts'
import { write } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let ids: Record<'venue' | 'organizer' | 'parent' | 'child' | 'tag' | 'concert', number>

beforeAll(async () => {
  app = await openTestApp({ FEED_EVENTS_MAX: '300', FEED_PAST_DAYS: '10', FEED_CANCELLED_DAYS: '20' })
  admin = await app.signIn('administrator')
  const { db } = app
  const venue = await makeVenue(db, { en: 'Opera', fr: { name: 'Opéra', slug: 'opera-fr' } })
  const [organizer, tag] = [await makeOrganizer(db, 'Friends'), await makeTag(db, 'Free')]
  const parent = await makeCategory(db, 'Music')
  const child = await makeCategory(db, { en: 'Jazz', fr: 'Le jazz' }, parent)
  const concert = await makeEvent(
    db,
    { en: 'Concert', fr: 'Le concert' },
    { ...{ start: '2026-12-01T20:00:00', venueIds: [venue], organizerIds: [organizer] }, categoryIds: [child] },
  )
  await makeEvent(db, 'Fair', { start: '2026-12-02T10:00:00', tagIds: [tag], featured: true })
  await makeEvent(db, 'Last week', { start: '2026-11-15T10:00:00' })
  await makeEvent(db, 'Last month', { start: '2026-10-15T10:00:00' })
  await makeEvent(db, 'In ten years', { start: '2036-11-15T10:00:00' })
  ids = { venue, organizer, parent, child, tag, concert }
})
afterAll(() => app?.close())
beforeEach(() => {
  app.clock.now = now
})

test.each([
  ['/events.ics', ['Last week', 'Concert', 'Fair', 'In ten years']],
  ['/events/?ical=1', ['Last week', 'Concert', 'Fair', 'In ten years']],
  ['/events?ical', ['Last week', 'Concert', 'Fair', 'In ten years']],
  ['/events/?outlook-ical=1', ['Last week', 'Concert', 'Fair', 'In ten years']],
  ['/event/concert/?ical=1', ['Concert']],
  ['/event/last-month/?ical=1', ['Last month']],
  ['/venue/opera/?ical=1', ['Concert']],
  ['/venue/opera-fr/?ical=1', ['Concert']],
  ['/organizer/friends/?ical=1', ['Concert']],
  ['/events/category/music/?ical=1', ['Concert']],
  ['/events/category/music/jazz/?ical=1', ['Concert']],
  ['/tag/free/?ical=1', ['Fair']],
  ['/fr/events.ics?per_page=2', ['Last week', 'Le concert']],
  ['/fr/event/concert/?ical=1', ['Le concert']],
  ['/fr/events/category/le-jazz/?ical=1', ['Le concert']],
  ['/events.ics?translation_language=fr&search=concert', ['Le concert']],
])('%s lists its events', async (url, titles) => {
  expect(await titlesOf(app, url)).toEqual(titles)
})

test.each([
  ['', '/events.ics', 'Concert'],
  ['/fr', '/fr/events.ics', 'Le concert'],
])('icalendarUrl from the root %j is the address of a feed', async (root, all, title) => {
  const other = await serve(app, { PAGES_URL: 'https://pages.test/agenda' })
  const draft = await makeEvent(app.db, 'Draft', { status: 'draft' })
  await app.db.$executeRaw`UPDATE content_text SET slug = '' WHERE content_id = ${draft}`
  const { body } = await other.as(admin).graphql(
    `{ site { icalendarUrl } event(id: ${ids.concert}) { icalendarUrl } venue(id: ${ids.venue}) { icalendarUrl }
      organizer(id: ${ids.organizer}) { icalendarUrl } category(id: ${ids.child}) { icalendarUrl }
      tag(id: ${ids.tag}) { icalendarUrl } draft: event(id: ${draft}) { icalendarUrl } }`,
    {},
    root,
  )
  const { site, draft: none, tag, ...records } = body.data
  expect([site.icalendarUrl, none.icalendarUrl]).toEqual([`http://calendar.test${all}`, null])
  const pathOf = ({ icalendarUrl }: { icalendarUrl: string }) => icalendarUrl.replace('http://calendar.test', '')
  expect(await titlesOf(other, pathOf(tag))).toEqual(['Fair'])
  for (const record of Object.values<{ icalendarUrl: string }>(records)) {
    expect(await titlesOf(other, pathOf(record))).toEqual([title])
  }
  await app.db.event.delete({ where: { id: draft } })
  await other.app.close()
})

test.each([
  ['start_date=2026-10-01&end_date=2026-11-30', ['Last month', 'Last week']],
  ['starts_after=2026-12-01', ['Fair', 'In ten years']],
  ['search=fair', ['Fair']],
  ['featured=true', ['Fair']],
  ['categories=music', ['Concert']],
  ['tags=free', ['Fair']],
])('/events.ics?%s applies the filter of the REST list', async (query, titles) => {
  expect(await titlesOf(app, `/events.ics?${query}`)).toEqual(titles)
})

test('filters by ID and by combinations apply, also to the events of a record', async () => {
  expect(await titlesOf(app, `/events.ics?include=${ids.concert}`)).toEqual(['Concert'])
  expect(await titlesOf(app, `/events.ics?venue=${ids.venue}&organizer=${ids.organizer}`)).toEqual(['Concert'])
  expect(await titlesOf(app, `/venue/opera/?ical=1&search=fair`)).toEqual([])
  // The venue of the address replaces that of the query.
  expect(await titlesOf(app, `/venue/opera/?ical=1&venue=99999`)).toEqual(['Concert'])
})

test('a page without the parameter stays a page', async () => {
  for (const url of ['/event/concert/', '/event/concert/?medical=1', '/tag/free/?x=ical']) {
    expect((await app.get(url)).headers['content-type']).toBe('text/html; charset=utf-8')
  }
})

test.each([
  ['/event/nothing/?ical=1', 404, 'not_found'],
  ['/venue/concert/?ical=1', 404, 'not_found'],
  ['/events/category/nothing/?ical=1', 404, 'not_found'],
  ['/events.ics?start_date=never&per_page=x', 400, 'rest_invalid_param'],
  ['/events.ics?categories=nothing', 400, 'rest_invalid_param'],
  ['/events.ics?translation_language=de', 400, 'rest_invalid_param'],
  ['/events.ics?geoloc_lat=4', 400, 'rest_invalid_param'],
  ['/events.ics?status=draft', 400, 'rest_invalid_param'],
])('%s answers %i with a JSON error', async (url, status, code) => {
  const { body, ...reply } = await app.get(url, { headers: { accept: 'text/html' } })
  expect([reply.status, reply.headers['content-type'], body.code]).toEqual([
    ...[status, 'application/json; charset=UTF-8', code],
  ])
  expect(reply.headers['cache-control']).toBe('no-store')
})

test('an event in the trash is gone, and a draft is found by its author only', async () => {
  await makeTemporaryEvent(
    app.db,
    { en: { name: 'Thrown', slug: 'thrown' } },
    { status: 'trash', trashedFrom: 'publish' },
  )
  await makeTemporaryEvent(app.db, { en: { name: 'Plan', slug: 'plan' } }, { status: 'private' })
  expect((await app.get('/event/thrown/?ical=1')).status).toBe(410)
  expect((await app.get('/event/plan/?ical=1')).status).toBe(403)
  const reply = await readCalendar(admin, '/event/plan/?ical=1')
  expect(eventsOf(reply.body)[0]?.component.getFirstPropertyValue('class')).toBe('PRIVATE')
  expect(reply.headers['cache-control']).toBe('private, no-store')
})

test('a feed is cached until one of its events changes, and answers 304 to its ETag', async () => {
  const id = await makeTemporaryEvent(app.db, 'Recital')
  const url = '/events.ics?search=recital'
  const first = await readCalendar(app, url)
  const { etag = '', ...headers } = first.headers
  expect(headers).toMatchObject({
    ...{ 'content-language': 'en', 'cache-control': 'no-cache', vary: 'Authorization' },
    ...{ 'last-modified': 'Thu, 22 Oct 2026 12:00:00 GMT', 'access-control-allow-origin': '*' },
    'content-disposition': 'attachment; filename="events.ics"',
  })
  expect(await readCalendar(app, url)).toMatchObject({
    headers: { 'cache-status': 'calendar; hit', etag },
    body: first.body,
  })
  const unchanged = { headers: { 'if-none-match': etag } }
  expect((await app.get(url, unchanged)).status).toBe(304)
  await write(admin, 'update', 'event', { id, excerpt: 'New' })
  const changed = await app.get(url, unchanged)
  expect([changed.status, changed.headers['last-modified']]).toEqual([200, 'Sat, 21 Nov 2026 12:00:00 GMT'])
  expect(changed.headers.etag).not.toBe(etag)
})

test('a feed changes with the venue that it shows', async () => {
  const id = await makeVenue(app.db, 'Theatre')
  await makeTemporaryEvent(app.db, 'Play', { venueIds: [id] })
  const url = '/venue/theatre/?ical=1'
  expect((await readCalendar(app, url)).body).toContain('LOCATION;LANGUAGE=en:Theatre')
  await write(admin, 'update', 'venue', { id, city: 'Lyon' })
  expect((await readCalendar(app, url)).body).toContain('LOCATION;LANGUAGE=en:Theatre\\, Lyon')
})

test('the cached feed moves with the date', async () => {
  const url = '/events.ics?per_page=1'
  expect(await titlesOf(app, url)).toEqual(['Last week'])
  app.clock.now = new Date('2026-11-27T00:00:00Z')
  expect(await titlesOf(app, url)).toEqual(['Concert'])
})

test('a cancelled event stays in lists for a while after its last change', async () => {
  const modifiedAt = new Date('2026-11-20T00:00:00Z')
  await makeTemporaryEvent(app.db, 'Off', { eventStatus: 'cancelled', modifiedAt, start: '2026-12-24T10:00:00' })
  const url = '/events.ics?start_date=2026-12-24&end_date=2026-12-25'
  expect((await readCalendar(app, url)).body).toContain('STATUS:CANCELLED')
  expect(await titlesOf(app, url)).toEqual(['Off'])
  app.clock.now = new Date('2026-12-09T23:59:59Z')
  expect(await titlesOf(app, url)).toEqual(['Off'])
  app.clock.now = new Date('2026-12-10T00:00:00Z')
  expect(await titlesOf(app, url)).toEqual([])
  expect((await readCalendar(app, '/event/off/?ical=1')).body).toContain('STATUS:CANCELLED')
})

test('a locked event withholds what its page withholds, until the password is sent', async () => {
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  const text = { name: 'Secret party', description: 'At the old mill' }
  await makeTemporaryEvent(
    app.db,
    { en: text },
    { passwordKey: key, venueIds: [ids.venue], onlineUrl: 'https://a.test/room' },
  )
  const url = '/events.ics?search=secret'
  const { body } = await readCalendar(app, url)
  expect(body).toContain('SUMMARY;LANGUAGE=en:Secret party')
  expect(body).not.toMatch(/DESCRIPTION|LOCATION|CONFERENCE|X-ALT-DESC|mill/)
  const opened = await readCalendar(app, `${url}&password=sesame`)
  expect(opened.body).toContain('At the old mill')
  expect(opened.headers['cache-control']).toBe('private, no-store')
  expect((await readCalendar(app, url)).body).not.toContain('mill')
})

test('HEAD of a feed has no body', async () => {
  const reply = await app.app.inject({ method: 'HEAD', url: '/events.ics' })
  expect([reply.statusCode, reply.body, reply.headers['content-type']]).toEqual([
    ...[200, '', 'text/calendar; charset=utf-8'],
  ])
})
