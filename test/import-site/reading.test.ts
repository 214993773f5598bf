// How a legacy site is read: pages, failures, and the oddities of real sites.
import { afterEach, expect, test } from 'vitest'
import { createImportFindings } from '../../src/tools/import-site/findings.ts'
import { readSite } from '../../src/tools/import-site/read-site.ts'
import { createSiteClient, type SiteClientOptions } from '../../src/tools/import-site/site-client.ts'
import type { AnyRecord, SourceEvent } from '../../src/tools/import-site/source-records.ts'
import {
  jsonReply,
  type LegacyRecords,
  type LegacySite,
  legacyEvent,
  legacyOrganizer,
  legacyTerm,
  legacyUser,
  legacyVenue,
  startLegacySite,
} from '../helpers/legacy-site.ts'

let site: LegacySite
afterEach(() => site.close())

const start = async (records: Record<string, Partial<LegacyRecords>>) => {
  site = await startLegacySite(records)
  return site
}

const fast = { firstDelay: 5, attempts: 3 }

/** Reads the site in the language of its first root, and in those of `languages`. */
async function read(url = site.root, options: SiteClientOptions = {}, languages: readonly string[] = []) {
  const findings = createImportFindings()
  const client = createSiteClient({ ...fast, ...options })
  const others = languages.map((language) => ({ language, url: site.rootOf(language) }))
  const source = await readSite(
    client,
    {
      addresses: [{ language: Object.keys(site.records)[0] ?? 'en', url }, ...others],
      siteTimeZone: 'Europe/Paris',
      currency: { defaultCurrencySymbol: '$', defaultCurrencyPosition: 'prefix' },
      details: false,
    },
    findings,
  )
  return { ...source, ...findings.problems() }
}

const idsOf = (records: readonly AnyRecord[], kind: AnyRecord['kind']) =>
  records.filter((record) => record.kind === kind).map(({ id }) => id)

const events = (records: readonly AnyRecord[]): SourceEvent[] => records.filter((record) => record.kind === 'event')

const onDay = (day: string) => ({
  start_date: `${day} 20:00:00`,
  end_date: `${day} 21:00:00`,
  utc_start_date: `${day} 19:00:00`,
  utc_end_date: `${day} 20:00:00`,
})

async function readEventWith(fields: Record<string, unknown>) {
  await start({ en: { events: [legacyEvent(1, fields)] } })
  const { records, ...problems } = await read()
  return { event: events(records)[0], ...problems }
}

test('past events, future events and all pages are read, and parents come before children', async () => {
  const many = Array.from({ length: 120 }, (_, index) => legacyEvent(1000 + index))
  await start({
    en: {
      events: [legacyEvent(1, onDay('1999-12-31')), legacyEvent(2, onDay('2067-02-26')), ...many],
      venues: [legacyVenue(10)],
      organizers: [legacyOrganizer(11)],
      categories: [legacyTerm(3, { parent: 9 }), legacyTerm(9), legacyTerm(12, { parent: 77 })],
      tags: [legacyTerm(4)],
    },
  })
  const { records, seen, notes, ...problems } = await read()
  expect(idsOf(records, 'event')).toHaveLength(122)
  expect(idsOf(records, 'event')).toEqual(expect.arrayContaining([1, 2, 1119]))
  expect(idsOf(records, 'category')).toEqual([9, 12, 3])
  expect(notes).toMatchObject([{ kind: 'category', id: 12, note: expect.stringContaining('parent 77') }])
  expect(seen.get('event')?.size).toBe(122)
  expect(problems).toMatchObject({ skipped: [], lossyFields: [], notJoined: [], warnings: [] })
  expect(site.requestHeaders[0]?.['user-agent']).toBe('event-calendar-gateway')
})

test('credentials read what is not published, and are not sent to another origin', async () => {
  const drafts = [
    legacyEvent(1, { status: 'draft', date_utc: '0000-00-00 00:00:00' }),
    legacyEvent(2, { status: 'private' }),
  ]
  await start({ en: { events: [...drafts, legacyEvent(3)] } })
  expect(idsOf((await read()).records, 'event')).toEqual([3])
  const { records } = await read(site.root, { credentials: legacyUser })
  expect(events(records).map(({ id, status }) => [id, status])).toEqual([
    [1, 'draft'],
    [2, 'private'],
    [3, 'publish'],
  ])
  const wrong = { user: 'editor', password: 'secret-secret' }
  const error: Error = await read(site.root, { credentials: wrong }).catch((reason) => reason)
  expect(error.message).toContain('401')
  expect(error.message).not.toContain('secret')

  const other = await startLegacySite({ en: { events: [legacyEvent(3)] } })
  site.odd = (url) => ({ status: 302, headers: { location: `${other.url}${url.pathname}${url.search}` }, body: '' })
  await expect(read(site.root, { credentials: legacyUser })).rejects.toThrow(other.url)
  expect(other.requestHeaders.map(({ authorization }) => authorization)).not.toContainEqual(expect.anything())
  await other.close()
})

test.each([
  '',
  '/',
  '/wp-json',
  '/wp-json/',
  '/wp-json/tribe/events/v1/',
  '/?rest_route=/tribe/events/v1',
  '/wp-json/tribe/events/v1/events',
])('the site is found by the URL with the path %j', async (path) => {
  await start({ en: { events: Array.from({ length: 60 }, (_, index) => legacyEvent(index + 1)) } })
  expect(idsOf((await read(`${site.url}${path}`)).records, 'event')).toHaveLength(60)
})

test('a site whose events are all past is found, although its usual list does not exist', async () => {
  await start({ en: { events: [legacyEvent(1, onDay('2001-01-01'))] } })
  site.odd = (url) =>
    url.searchParams.has('start_date') || !url.pathname.endsWith('/events')
      ? undefined
      : jsonReply({ code: 'event-archive-page-not-found', message: '' }, 404)
  expect(idsOf((await read(site.root)).records, 'event')).toEqual([1])
})

test('a site without links to its interface is asked at the usual addresses', async () => {
  await start({ en: { events: [legacyEvent(1)] } })
  site.odd = (url) => {
    if (url.pathname.includes('wp-json')) return { status: 404, headers: {}, body: '<h1>Not found</h1>' }
    return url.search ? undefined : { status: 200, headers: {}, body: '<h1>Home</h1>' }
  }
  expect(idsOf((await read(site.url)).records, 'event')).toEqual([1])
})

test.each([
  [
    'a site without REST interface',
    () => ({ status: 200, headers: {}, body: '<h1>Hello</h1>' }),
    /no REST interface at .*wp-json/,
  ],
  [
    'another REST interface',
    () => jsonReply({ namespaces: ['wp/v2'], routes: {} }),
    /not the REST interface of a calendar/,
  ],
  ['a site that is out of order', () => jsonReply({ code: 'broken' }, 500), /status 500/],
  ['a site that needs a login', () => jsonReply({ code: 'rest_forbidden' }, 401), /status 401 rest_forbidden.*--user/],
] as const)('%s is an error that says so', async (_, odd, message) => {
  await start({ en: {} })
  site.odd = odd
  await expect(read(site.url)).rejects.toThrow(message)
})

test('an address that is not a URL, or contains a password, is an error without the password', async () => {
  await start({ en: {} })
  await expect(read('example.org')).rejects.toThrow('"example.org" is not an http or https URL')
  const error: Error = await read(site.root.replace('://', '://ada:secret@')).catch((reason) => reason)
  expect(error.message).toMatch(/--user/)
  expect(error.message).not.toContain('secret')
})

test('failures that pass are repeated: resets, status 500 and 429, half documents', async () => {
  await start({ en: { events: Array.from({ length: 130 }, (_, index) => legacyEvent(index + 1)) } })
  site.odd = (url, count, usual) => {
    const page = url.searchParams.get('page')
    if (count > 1 || !url.pathname.endsWith('/events')) return undefined
    if (page === '1') return { status: 429, headers: { 'retry-after': '0' }, body: '' }
    if (page === '2') return 'reset'
    return page === '3' ? { ...usual, body: usual.body.slice(0, usual.body.length / 2) } : undefined
  }
  const { records, warnings } = await read()
  expect([idsOf(records, 'event').length, warnings]).toEqual([130, []])
})

test.each([
  [
    'status 500',
    (page: string | null) => (page === '2' ? jsonReply({ code: 'critical' }, 500) : undefined),
    /page=2: the response has status 500: critical/,
  ],
  [
    'HTML',
    (page: string | null) => (page === '2' ? { status: 200, headers: {}, body: '<p>Error</p>' } : undefined),
    /page=2: the response is HTML instead of JSON/,
  ],
  [
    'half a document',
    (page: string | null) => (page === '2' ? { status: 200, headers: {}, body: '{"events":[{"id":1}' } : undefined),
    /page=2: the response is not complete/,
  ],
  [
    'no list',
    (page: string | null) => (page === '2' ? jsonReply({ posts: [] }) : undefined),
    /page=2: the response has no list events/,
  ],
  [
    'a Retry-After of an hour',
    (page: string | null) => (page === '2' ? jsonReply({}, 503, { 'retry-after': '3600' }) : undefined),
    /wait 3600 seconds/,
  ],
] as const)('a page with %s that stays is an error with its address', async (_, odd, message) => {
  await start({ en: { events: Array.from({ length: 120 }, (_, index) => legacyEvent(index + 1)) } })
  site.odd = (url) => odd(url.searchParams.get('page'))
  await expect(read()).rejects.toThrow(message)
})

test('text before a JSON document and a byte order mark are ignored, and reported', async () => {
  await start({ en: { events: [legacyEvent(1)] } })
  site.odd = (_url, _count, usual) => ({
    ...usual,
    body: `\ufeff<br />\n<b>Warning</b>: Undefined index in x.php on line 3<br />\n${usual.body}`,
  })
  const { records, warnings } = await read()
  expect(idsOf(records, 'event')).toEqual([1])
  expect(warnings).toEqual([expect.stringContaining('Undefined index')])
})

test('a list that changes while it is read is read again', async () => {
  await start({
    en: {
      events: Array.from({ length: 100 }, (_, index) => legacyEvent(index + 1, onDay('2031-01-01'))),
    },
  })
  site.odd = (url, count) => {
    // An event that is added moves the last of each page to the next page.
    if (url.pathname.endsWith('/events') && url.searchParams.get('page') === '1' && count === 1) {
      queueMicrotask(() => site.records.en?.events.unshift(legacyEvent(500, onDay('2030-01-01'))))
    }
    return undefined
  }
  const { records, warnings, seen } = await read()
  expect([idsOf(records, 'event').length, seen.get('event')?.size, warnings]).toEqual([101, 101, []])
})

test('a list that lacks announced records is reported, and its kind is not pruned', async () => {
  await start({ en: { events: [legacyEvent(1), legacyEvent(2)] } })
  site.odd = (url, _count, usual) =>
    url.pathname.endsWith('/events')
      ? { ...usual, body: String(usual.body).replace('"total":2', '"total":3') }
      : undefined
  const { records, warnings, seen } = await read()
  expect(idsOf(records, 'event')).toEqual([1, 2])
  expect(warnings).toEqual([expect.stringContaining('announces 3 records, but it contains 2')])
  expect([...seen.keys()]).not.toContain('event')
})

test('a site cannot refer to a server of the private network', async () => {
  const other = await startLegacySite({ en: { events: [legacyEvent(3)] } })
  await start({ en: {} })
  const address = other.url.replace('127.0.0.1', 'localhost')
  site.odd = (url) => ({ status: 302, headers: { location: `${address}${url.pathname}${url.search}` }, body: '' })
  await expect(read(site.root)).rejects.toThrow(
    `redirects to ${new URL(address).host}, which is not a server with a public address.`,
  )
  const link = `<${address}/wp-json/>; rel="https://api.w.org/"`
  site.odd = (url) => ({ status: url.pathname === '/' ? 200 : 404, headers: { link }, body: '<h1>Home</h1>' })
  await expect(read(site.url)).rejects.toThrow(`It refers to ${address}/wp-json/, whose`)
  expect(other.requestHeaders).toEqual([])
  await other.close()
})

test('a list without totals ends at the first page that is empty, past the end, or repeated', async () => {
  await start({ en: { events: Array.from({ length: 100 }, (_, index) => legacyEvent(index + 1)) } })
  const withoutTotals = (text: string) => text.replace(/,"next_rest_url":"[^"]*"|,"total(_pages)?":\d+/g, '')
  site.odd = (_url, _count, usual) => ({ status: usual.status, headers: {}, body: withoutTotals(String(usual.body)) })
  expect(idsOf((await read()).records, 'event')).toHaveLength(100)
  site.odd = (url) => {
    if (!url.pathname.endsWith('/events') || url.searchParams.get('per_page') === '1') return undefined
    return { status: 200, headers: {}, body: JSON.stringify({ events: site.records.en?.events.slice(0, 50) }) }
  }
  expect(idsOf((await read()).records, 'event')).toHaveLength(50)
})

test('titles and names are decoded, and HTML stays as the site sent it', async () => {
  const { event } = await readEventWith({
    title: 'Moomins&#8217; Sea &amp; <em>Adventures</em>',
    description: '<p>Tea &amp; cake</p>',
    website: 'https://example.org/?a=1&amp;b=2',
  })
  expect(event?.texts.en).toMatchObject({ name: 'Moomins’ Sea & Adventures', description: '<p>Tea &amp; cake</p>' })
  expect(event?.website).toBe('https://example.org/?a=1&b=2')
})

test('an event without a website of its own has none', async () => {
  expect((await readEventWith({})).event?.website).toBeUndefined()
  await site.close()
  expect((await readEventWith({ website: '' })).event?.website).toBe('')
})

test.each([
  ['$10 – $25', { values: ['10', '25'] }, ['10', '25']],
  ['$6.00', { currency_position: 'prefix', values: ['6.00'] }, ['6.00']],
  ['Free', { values: ['free'] }, ['Free']],
  [
    'Free – 30€',
    { currency_symbol: '€', currency_position: 'postfix', values: ['0', '20', '30'] },
    ['0€', '20€', '30€'],
  ],
  ['From 5 &euro; at the door', {}, ['From 5 € at the door']],
  ['', { values: [] }, []],
] as const)('the cost %j becomes entries that show the same', async (cost, details, entries) => {
  const { event } = await readEventWith({ cost, cost_details: details })
  expect(event?.cost).toEqual(entries)
})

test('numbers, booleans and missing values are read in each spelling', async () => {
  await start({
    en: {
      events: [
        legacyEvent(1, {
          id: '1',
          author: 7,
          all_day: 'true',
          featured: '1',
          sticky: 1,
          show_map: '0',
          venue: {
            id: '10',
            venue: 'Nested &amp; alone',
            zip: 30306,
            geo_lat: '33.5',
            geo_lng: -84.25,
            website: 'mlb.example/x',
          },
          organizer: { id: 11, organizer: 'One object' },
          image: { url: '/uploads/a.png?x=1&amp;y=2' },
          categories: [
            { slug: 'term-3', name: 'Term 3' },
            { slug: 'unknown', name: 'Unknown' },
          ],
          custom_fields: { color: { label: 'Colour', value: ['red', 'blue'] } },
          is_virtual: true,
          virtual_url: 'https://meet.example/1',
          itc_court: ['1|2'],
        }),
      ],
      categories: [legacyTerm(3)],
    },
  })
  const { records, lossyFields } = await read()
  expect(events(records)[0]).toMatchObject({
    author: 7,
    allDay: true,
    featured: true,
    sticky: true,
    showMap: false,
    venues: [10],
    organizers: [11],
    categories: [3, expect.any(Number)],
    image: { id: undefined, url: `${site.url}/uploads/a.png?x=1&y=2` },
    customFields: [{ key: 'color', label: 'Colour', value: ['red', 'blue'] }],
    attendanceMode: 'online',
    onlineUrl: 'https://meet.example/1',
  })
  expect(records.find(({ kind }) => kind === 'venue')).toMatchObject({
    id: 10,
    zip: '30306',
    coordinates: { latitude: 33.5, longitude: -84.25 },
    website: 'http://mlb.example/x',
    texts: { en: { name: 'Nested & alone' } },
  })
  expect(lossyFields.map(({ kind, field, count }) => `${kind}.${field} ${count}`).sort()).toEqual([
    'event.itc_court 1',
    'venue.website 1',
  ])
})

test.each([
  ['without an ID', { id: undefined }, 'no ID'],
  ['without a title', { title: '<b></b>' }, 'no title'],
  ['without a start', { start_date: undefined, utc_start_date: '0000-00-00 00:00:00' }, 'no start_date'],
  ['of another status', { status: 'tribe-ignored' }, 'tribe-ignored'],
  ['behind a password', { show_map: null, all_day: null }, 'password'],
  ['in a language that is not imported', { lang: 'de' }, 'language de'],
] as const)('an event %s is skipped with the reason', async (_, fields, reason) => {
  await start({ en: { events: [legacyEvent(1, fields), legacyEvent(2)] } })
  const { records, skipped } = await read()
  expect(idsOf(records, 'event')).toEqual([2])
  expect(skipped).toEqual([expect.objectContaining({ kind: 'event', reason: expect.stringContaining(reason) })])
})

test.each([
  [
    'the wall clock decides against the instant',
    { utc_start_date: '2031-05-02 12:00:00' },
    { startsLocal: '2031-05-02T19:00:00', startsAt: undefined, timeZone: 'Europe/Paris' },
    /utc_start_date is/,
  ],
  [
    'the instant decides in a repeated hour',
    { start_date: '2031-10-26 02:30:00', utc_start_date: '2031-10-26 01:30:00', end_date: '2031-10-26 03:30:00' },
    { startsAt: new Date('2031-10-26T01:30:00Z') },
    undefined,
  ],
  [
    'an event without a zone gets the one that fits its instant',
    { timezone: '' },
    { timeZone: 'Europe/Paris' },
    /no time zone/,
  ],
  [
    'an unknown zone becomes its offset',
    { timezone: 'Mars/Base', utc_start_date: '2031-05-02 13:30:00' },
    { timeZone: 'UTC+5:30', startsLocal: '2031-05-02T19:00:00' },
    /Mars\/Base/,
  ],
  [
    'an event without an end ends at its start',
    { end_date: undefined, utc_end_date: undefined },
    { endsLocal: '2031-05-02T19:00:00' },
    /no end/,
  ],
  [
    'an end before the start becomes the start',
    { end_date: '2031-05-01 19:00:00', utc_end_date: '2031-05-01 17:00:00' },
    { endsLocal: '2031-05-02T19:00:00' },
    /before its start/,
  ],
  [
    'a missing wall clock follows from the instant',
    { start_date: undefined },
    { startsLocal: '2031-05-02T19:00:00' },
    undefined,
  ],
  [
    'a time that a clock change skips moves on',
    {
      ...{ start_date: '2031-03-30 02:30:00', utc_start_date: '2031-03-30 01:30:00' },
      ...{ end_date: '2031-03-30 04:00:00', utc_end_date: '2031-03-30 02:00:00' },
    },
    { startsLocal: '2031-03-30T02:30:00', startsAt: new Date('2031-03-30T01:30:00Z') },
    /start 2031-03-30T02:30:00 does not exist in Europe\/Paris; it became 2031-03-30T03:30:00/,
  ],
  [
    'a zone such as UTC+0 stays',
    { timezone: 'UTC+0', utc_start_date: '2031-05-02 19:00:00', utc_end_date: '2031-05-02 21:00:00' },
    { timeZone: 'UTC+0' },
    undefined,
  ],
] as const)('%s', async (_, fields, expected, note) => {
  const { event, notes } = await readEventWith(fields)
  expect(event).toMatchObject(expected)
  expect(notes.map((each) => each.note)).toEqual(note ? [expect.stringMatching(note)] : [])
})
