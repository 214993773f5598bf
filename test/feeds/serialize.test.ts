// iCalendar of any event: ical.js reads back what was written, in every time zone.
import fc from 'fast-check'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { describe, expect, test } from 'vitest'
import type { Feed } from '../../src/apis/feeds/format.ts'
import { icalendarFormat } from '../../src/apis/feeds/icalendar/calendar.ts'
import { addDays, endOfDay, startOfDay, toInstant, toWallClock } from '../../src/basics/time.ts'
import type { FeedEventFragment } from '../../src/generated/graphql/graphql.ts'
import { leastCpuTime } from '../helpers/cpu.ts'
import { eventsOf } from '../helpers/icalendar.ts'

const feed: Feed = {
  ...{ title: 'Calendar', siteName: 'Calendar', url: 'https://a.test/events.ics', pageUrl: 'https://a.test/' },
  ...{ language: 'en', siteTimeZone: 'UTC', isSingle: false, hasSeries: true },
  now: new Date('2026-11-21T12:00:00Z'),
  until: new Date('2026-12-21T12:00:00Z'),
}

const plain: FeedEventFragment = {
  ...{ databaseId: 1, uid: '1@a.test', sequence: 0, status: 'PUBLISHED', locked: false, title: 'Event' },
  ...{ publishedAt: feed.now, modifiedAt: feed.now, url: 'https://a.test/event/event/' },
  ...{ descriptionHtml: '', excerptHtml: '', languages: { tag: 'en', description: null, excerpt: null } },
  ...{ startsAt: feed.now, endsAt: feed.now, startsLocal: '2026-11-21T12:00:00', endsLocal: '2026-11-21T12:00:00' },
  ...{
    timeZone: 'UTC',
    timeZoneAbbreviation: 'UTC',
    allDay: false,
    eventStatus: 'SCHEDULED',
    attendanceMode: 'OFFLINE',
    onlineUrl: null,
  },
  ...{ website: null, cost: null, image: null, venues: [], organizers: [], categories: [], tags: [], customFields: [] },
  ...{ originalStartsLocal: null, dateLabel: null, dateNote: null, series: null },
}

function write(events: readonly FeedEventFragment[]): string {
  const ordered = events.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  const until = new Date(Math.max(...events.map(({ endsAt }) => endsAt.getTime())))
  const serializer = icalendarFormat.serializer({ ...feed, until })
  return `${serializer.head()}${ordered.map((event) => serializer.item(event)).join('')}${serializer.tail(undefined)}`
}

const timed = (id: number, timeZone: string, startsAt: Date, hours = 2): FeedEventFragment => {
  const endsAt = new Date(startsAt.getTime() + hours * 3_600_000)
  const [startsLocal, endsLocal] = [toWallClock(startsAt, timeZone), toWallClock(endsAt, timeZone)]
  return { ...plain, uid: `${id}@a.test`, timeZone, startsAt, endsAt, startsLocal, endsLocal }
}

const zones = [
  ...Intl.supportedValuesOf('timeZone'),
  ...['UTC', 'UTC+5:30', 'UTC-3', '-05:30', 'utc+0', 'europe/dublin', 'CEST', 'Etc/GMT+12'],
]

/** ical.js knows time zones only from the file. It ignores the seconds of offsets, which the last zone had until 1972. */
const instants = fc
  .integer({ min: Date.UTC(1973, 0), max: Date.UTC(2034, 0) })
  .map((time) => new Date(Math.floor(time / 1000) * 1000))

const instantsOf = (text: string) =>
  Object.fromEntries(
    eventsOf(text).map(({ uid, startDate, endDate }) => [uid, [startDate.toJSDate(), endDate.toJSDate()]]),
  )

const expectInstants = (events: readonly FeedEventFragment[]) =>
  expect(instantsOf(write(events))).toEqual(
    Object.fromEntries(events.map(({ uid, startsAt, endsAt }) => [uid, [startsAt, endsAt]])),
  )

describe('times', () => {
  test('any times in any time zones are read back as the same instants', () => {
    const event = fc.record({ zone: fc.constantFrom(...zones), at: instants, hours: fc.constantFrom(1, 30, 5000) })
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 4 }), (draws) => {
        expectInstants(draws.map(({ zone, at, hours }, index) => timed(index, zone, at, hours)))
      }),
      { numRuns: 150 },
    )
  })

  test.each(['UTC', '+02:00', 'UTC+5.5', '-05:30', 'CEST', 'Etc/GMT-2', 'Europe/Paris'])(
    'node-ical reads times in the zone %s as the same instants',
    (zone) => {
      const [event] = Object.values(nodeIcal.sync.parseICS(write([timed(1, zone, feed.now)]))).filter(
        (component) => component?.type === 'VEVENT',
      )
      expect(event?.start.toISOString()).toBe(feed.now.toISOString())
    },
  )

  test('every hour around a change of the clocks is read back, also in a repeated hour', () => {
    const changes: [string, string][] = [
      ['Europe/Paris', '2026-10-25T01:00:00Z'],
      ['Europe/Paris', '2027-03-28T01:00:00Z'],
      ['Europe/Dublin', '2026-10-25T01:00:00Z'],
      ['Africa/Casablanca', '2027-02-07T02:00:00Z'],
      ['America/New_York', '2007-03-11T07:00:00Z'],
      ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
      ['Asia/Pyongyang', '2018-05-04T15:00:00Z'],
    ]
    for (const [zone, change] of changes) {
      const hours = [-26, -2, -1, -0.5, 0, 0.5, 1, 2, 26]
      expectInstants(hours.map((hour, index) => timed(index, zone, new Date(Date.parse(change) + hour * 3_600_000), 1)))
    }
  })

  test('the rules of a zone are those of the years of its events', () => {
    const text = write([
      timed(1, 'America/New_York', new Date('2005-05-01T12:00:00Z')),
      timed(2, 'America/New_York', new Date('2009-05-01T12:00:00Z')),
    ])
    expect(text.match(/RRULE:.*/g)).toEqual([
      'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
    ])
    expect(text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1)
  })

  test('times in UTC and at a fixed offset are in UTC', () => {
    for (const zone of ['UTC+5:30', '+05:30', 'IST', 'utc+5.5']) {
      const offset = write([timed(1, zone, feed.now)])
      expect(offset).toContain(`DTSTART:20261121T120000Z\r\nDTEND:20261121T140000Z\r\nX-TIMEZONE:${zone}\r\n`)
      expect(offset).not.toContain('VTIMEZONE')
    }
    const utc = write([timed(1, 'Etc/UTC', feed.now)])
    expect(utc).toContain('DTSTART:20261121T120000Z')
    expect(utc).not.toContain('VTIMEZONE')
  })

  test('the days of any all-day event are dates, whenever days begin', () => {
    const days = fc.record({
      first: instants.map((date) => date.toISOString().slice(0, 10)),
      length: fc.integer({ min: 1, max: 400 }),
      cutoff: fc.constantFrom('00:00', '04:30', '23:00'),
      zone: fc.constantFrom(...zones),
    })
    fc.assert(
      fc.property(days, ({ first, length, cutoff, zone }) => {
        const last = addDays(`${first}T00:00:00`, length - 1).slice(0, 10)
        const [startsLocal, endsLocal] = [startOfDay(first, cutoff), endOfDay(last, cutoff)]
        const [startsAt, endsAt] = [toInstant(startsLocal, zone), toInstant(endsLocal, zone)]
        const text = write([{ ...plain, allDay: true, timeZone: zone, startsLocal, endsLocal, startsAt, endsAt }])
        const end = addDays(`${last}T00:00:00`, 1).slice(0, 10)
        expect(text).toContain(`DTSTART;VALUE=DATE:${first.replaceAll('-', '')}\r\n`)
        expect(text).toContain(`DTEND;VALUE=DATE:${end.replaceAll('-', '')}\r\n`)
        expect(text).not.toContain('VTIMEZONE')
      }),
      { numRuns: 100 },
    )
  })
})

describe('texts', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom(
        'a',
        'é',
        '漢',
        '👩‍👩‍👧',
        '"',
        '^',
        ',',
        ';',
        ':',
        '\\',
        '\n',
        '\r',
        '\t',
        '\0',
        '\u2028',
        ' ',
      ),
      maxLength: 120,
    }),
  )
  const clean = (value: string) =>
    value
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      .replace(/(?![\t\n])\p{Cc}/gu, '')
      .trim()

  test('an imported event keeps its address and price, and one of this site has the URL of its page', () => {
    const foreign = { ...plain, website: 'https://b.test/concert', cost: { text: '5 €, or a cake' } }
    const [own, imported, withoutWebsite] = eventsOf(
      write([
        { ...foreign, uid: `${plain.databaseId}@a.test` },
        { ...foreign, uid: 'concert@b.test' },
        { ...foreign, uid: 'dance@b.test', website: null },
      ]),
    )
    const propertyOf = (event: typeof own, name: string) => event?.component.getFirstPropertyValue(name) ?? null
    expect([own, imported, withoutWebsite].map((event) => propertyOf(event, 'url'))).toEqual([
      plain.url,
      'https://b.test/concert',
      plain.url,
    ])
    expect(propertyOf(own, 'x-cost')).toBeNull()
    expect(String(propertyOf(imported, 'x-cost')).replaceAll('\\', '')).toBe('5 €, or a cake')
  })

  test('any title, name and address is read back, in lines of at most 75 octets', () => {
    fc.assert(
      fc.property(text, text, text, (title, name, city) => {
        const venue = { databaseId: 2, name, languages: { tag: 'fr' }, address: '', zip: '', city, stateProvince: '' }
        const organizer = {
          databaseId: 3,
          name,
          languages: { tag: 'fr' },
          url: 'https://a.test/',
          email: 'a@a.test',
          phone: '',
        }
        const written = write([
          {
            ...{ ...plain, title },
            venues: [{ ...venue, country: '', coordinates: { latitude: 1.5, longitude: -2.25 } }],
            organizers: [{ ...organizer, website: '' }],
            tags: [{ databaseId: 4, name, languages: { tag: 'fr' } }],
          },
        ])
        for (const line of written.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(written.isWellFormed()).toBe(true)
        expect(written.match(/(?![\t\r\n])\p{Cc}|\r(?!\n)|(?<!\r)\n/u)).toBeNull()
        const [event] = eventsOf(written)
        expect(event?.summary ?? '').toBe(clean(title))
        const place = [name, city].filter(Boolean).join(', ')
        expect(event?.location ?? '').toBe(clean(place.replace(/\s+/g, ' ')))
        const organizers = event?.component.getFirstProperty('organizer')?.getFirstParameter('cn') ?? ''
        // ical.js takes a backslash in a parameter for an escape.
        const withoutBackslash = (value: unknown) => String(value).replaceAll('\\', '')
        expect(withoutBackslash(organizers)).toBe(withoutBackslash(clean(name).replace(/\s+/g, ' ')))
      }),
      { numRuns: 200 },
    )
  })

  test('no text begins a property or a component of its own', () => {
    const attack = 'x\r\nATTACH:https://evil.test/\r\nEND:VEVENT\r\nBEGIN:VALARM'
    const link = { databaseId: 4, name: attack, languages: { tag: 'en' } }
    const venue = { ...link, address: attack, zip: attack, city: attack, stateProvince: attack, country: attack }
    const written = write([
      {
        ...{ ...plain, title: attack, uid: attack, url: attack, onlineUrl: attack, descriptionHtml: attack },
        image: { databaseId: 5, url: attack, mimeType: attack, fileSize: 1 },
        venues: [{ ...venue, coordinates: { latitude: 1, longitude: 2 } }],
        organizers: [{ ...link, url: attack, email: attack, phone: attack, website: attack }],
        ...{ categories: [link], tags: [link], customFields: [{ key: 'location', value: attack }] },
      },
    ])
    const calendar = ICAL.Component.fromString(written)
    expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vevent'])
    const [event] = calendar.getAllSubcomponents('vevent')
    expect(event?.getAllSubcomponents()).toEqual([])
    expect(event?.getAllProperties('attach')).toEqual([])
  })
})

describe('properties', () => {
  const lineOf = (event: Partial<FeedEventFragment>, name: string) =>
    write([{ ...plain, ...event }])
      .replace(/\r\n /g, '')
      .split('\r\n')
      .filter((line) => line.startsWith(name))

  test.each([
    ['SCHEDULED', 'CONFIRMED'],
    ['CANCELLED', 'CANCELLED'],
    ['POSTPONED', 'TENTATIVE'],
    ['RESCHEDULED', 'CONFIRMED'],
    ['MOVED_ONLINE', 'CONFIRMED'],
  ] as const)('the status %s is %s', (eventStatus, status) => {
    expect(lineOf({ eventStatus }, 'STATUS')).toEqual([`STATUS:${status}`])
  })

  test('a description has a plain text that keeps paragraphs, lists and links, and its HTML', () => {
    const descriptionHtml =
      '<p>First &amp; <b>bold</b>,<br />next line</p>\n<ul><li>One</li><li><a href="https://b.test/?a=1&amp;b=2">Two</a></li></ul><p><a href="https://c.test">c.test</a> <a href="mailto:a@a.test">a@a.test</a></p>'
    const languages = { tag: 'en', description: 'FR', excerpt: null } as const
    expect(lineOf({ descriptionHtml, languages }, 'DESCRIPTION')).toEqual([
      'DESCRIPTION;LANGUAGE=fr:First & bold\\,\\nnext line\\n\\n- One\\n- Two (https://b.test/?a=1&b=2)\\n\\nc.test a@a.test',
    ])
    const [alternative = ''] = lineOf({ descriptionHtml, languages }, 'X-ALT-DESC')
    expect(alternative).toMatch(/^X-ALT-DESC;FMTTYPE=text\/html;LANGUAGE=fr:<p>First &amp\\; <b>bold<\/b>\\,<br \/>/)
  })

  test('links and images of a description that name no host are on this site', () => {
    const descriptionHtml = '<p><a href="/tag/free/">Free</a> <a href="//b.test/">b</a> <img src="/images/a.png" /></p>'
    expect(lineOf({ descriptionHtml }, 'DESCRIPTION').join()).toContain('Free (https://a.test/tag/free/)')
    const [alternative] = lineOf({ descriptionHtml }, 'X-ALT-DESC')
    for (const part of ['"https://a.test/tag/free/"', '"//b.test/"', '"https://a.test/images/a.png"']) {
      expect(alternative).toContain(part)
    }
  })

  test('an excerpt that replaces a missing description has its own language', () => {
    const languages = { tag: 'en', description: null, excerpt: 'FR' } as const
    const lines = ['DESCRIPTION', 'X-ALT-DESC'].flatMap((name) => lineOf({ excerptHtml: 'Bref', languages }, name))
    expect(lines).toEqual(['DESCRIPTION;LANGUAGE=fr:Bref', 'X-ALT-DESC;FMTTYPE=text/html;LANGUAGE=fr:Bref'])
  })

  test('an event without a venue keeps the location of an import', () => {
    const customFields = [{ key: 'location', value: 'Behind the church' }]
    expect(lineOf({ customFields }, 'LOCATION')).toEqual(['LOCATION;LANGUAGE=en:Behind the church'])
    expect(lineOf({ customFields: [{ key: 'location', value: 12 }] }, 'LOCATION')).toEqual([])
  })

  test('a venue has one line, coordinates and the form that Apple reads', () => {
    const place = { address: '1, Rue A', zip: '69001', city: 'Lyon', stateProvince: '', country: 'France' }
    const coordinates = { latitude: 45.5, longitude: 4.25 }
    const venue = { databaseId: 2, name: 'Hall', languages: { tag: 'fr' }, ...place, coordinates }
    const venues = [venue]
    expect(lineOf({ venues }, 'LOCATION')).toEqual(['LOCATION;LANGUAGE=fr:Hall\\, 1\\, Rue A\\, 69001 Lyon\\, France'])
    expect(lineOf({ venues }, 'GEO')).toEqual(['GEO:45.5;4.25'])
    expect(lineOf({ venues }, 'X-APPLE')).toEqual([
      'X-APPLE-STRUCTURED-LOCATION;X-ADDRESS="Hall, 1, Rue A, 69001 Lyon, France";X-TITLE=Hall;VALUE=URI:geo:45.5,4.25',
    ])
  })

  test('the organizer is a URI: an e-mail address, the website, or the page', () => {
    const organizer = { databaseId: 3, name: 'Club', languages: { tag: 'en' }, url: 'https://a.test/organizer/club/' }
    const contact = { email: '', phone: '', website: '' }
    const line = (more: Partial<typeof contact>) =>
      lineOf({ organizers: [{ ...organizer, ...contact, ...more }] }, 'ORGANIZER')
    expect(line({ email: 'a@a.test', website: 'https://c.test/' })).toEqual([
      'ORGANIZER;CN=Club;LANGUAGE=en:mailto:a@a.test',
    ])
    expect(line({ website: 'https://c.test/' })).toEqual(['ORGANIZER;CN=Club;LANGUAGE=en:https://c.test/'])
    expect(line({ website: 'not a URL' })).toEqual(['ORGANIZER;CN=Club;LANGUAGE=en:https://a.test/organizer/club/'])
    expect(lineOf({ organizers: [{ ...organizer, ...contact, phone: '+1 2' }] }, 'CONTACT')).toEqual([
      'CONTACT;LANGUAGE=en:Club\\, +1 2',
    ])
  })

  test('images and online meetings have the properties of RFC 7986', () => {
    const image = { databaseId: 5, url: 'https://a.test/a.png', mimeType: 'image/png', fileSize: 1 }
    expect(lineOf({ image }, 'IMAGE')).toEqual(['IMAGE;DISPLAY=BADGE;FMTTYPE=image/png;VALUE=URI:https://a.test/a.png'])
    expect(lineOf({ onlineUrl: 'https://b.test/room;1,2' }, 'CONFERENCE')).toEqual([
      'CONFERENCE;LABEL=Event;LANGUAGE=en;VALUE=URI:https://b.test/room;1,2',
    ])
  })

  test('days are free time, times are busy, and a cancelled event is free', () => {
    expect(lineOf({}, 'TRANSP')).toEqual(['TRANSP:OPAQUE'])
    expect(lineOf({ allDay: true }, 'TRANSP')).toEqual(['TRANSP:TRANSPARENT'])
    expect(lineOf({ eventStatus: 'CANCELLED' }, 'TRANSP')).toEqual(['TRANSP:TRANSPARENT'])
  })

  test('an event without a duration has no end', () => {
    expect(lineOf({}, 'DTEND')).toEqual([])
    expect(
      lineOf({ startsLocal: '2026-11-21T00:00:00', endsLocal: '2026-11-21T00:00:00', allDay: true }, 'DTEND'),
    ).toEqual(['DTEND;VALUE=DATE:20261122'])
  })
})

test('the calendar has the names, the address and the interval that clients read', () => {
  const text = icalendarFormat
    .serializer({ ...feed, title: 'Jazz, etc.', language: 'fr', siteTimeZone: 'europe/paris' })
    .head()
  expect(text.split('\r\n')).toEqual([
    ...['BEGIN:VCALENDAR', 'PRODID:-//event-calendar-gateway//Calendar//FR', 'VERSION:2.0', 'CALSCALE:GREGORIAN'],
    ...['METHOD:PUBLISH', 'NAME;LANGUAGE=fr:Jazz\\, etc.', 'X-WR-CALNAME:Jazz\\, etc.', 'X-WR-TIMEZONE:Europe/Paris'],
    ...['URL:https://a.test/', 'SOURCE;VALUE=URI:https://a.test/events.ics', 'REFRESH-INTERVAL;VALUE=DURATION:PT1H'],
    ...['X-PUBLISHED-TTL:PT1H', ''],
  ])
})

test('long descriptions are converted in a time that grows with their length', () => {
  for (const part of ['<a href="', '<p', '<a href="x">', '<li>', '&', '<br ', '</a ']) {
    const text = (count: number) => write([{ ...plain, descriptionHtml: part.repeat(count) }])
    expect(text(80_000).length).toBeGreaterThan(text(20_000).length)
    // Some machines count CPU time in steps of four milliseconds.
    const short = Math.max(
      5000,
      leastCpuTime(() => text(20_000)),
    )
    // Four times the length: quadratic time would take sixteen times as long.
    expect(leastCpuTime(() => text(80_000)) / short).toBeLessThan(10)
  }
})
