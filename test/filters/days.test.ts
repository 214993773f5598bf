// The filters `startsOn` and `between`: events by whole days.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'
import { makeTemporaryEvent } from '../helpers/make-temporary.ts'

let app: TestApp
/** Compares the local time of each event. */
let paris: TestApp

beforeAll(async () => {
  app = await openTestApp()
  paris = await serve(app, { SITE_TIMEZONE: 'Europe/Paris' })
  const make = (name: string, start: string, end: string, timeZone = 'Europe/Paris', allDay = false) =>
    makeEvent(app.db, name, { start, end, timeZone, allDay })
  await make('party', '2026-11-30T20:00:00', '2026-12-01T00:00:00')
  await make('instant', '2026-12-01T00:00:00', '2026-12-01T00:00:00')
  await make('morning', '2026-12-01T09:00:00', '2026-12-01T10:00:00')
  await make('festival', '2026-11-28T00:00:00', '2026-12-02T23:59:59', 'Europe/Paris', true)
  await make('night', '2026-12-01T22:00:00', '2026-12-02T03:00:00')
  await make('second', '2026-12-02T23:59:59', '2026-12-02T23:59:59')
  await make('tokyo', '2026-12-03T00:30:00', '2026-12-03T01:00:00', 'Asia/Tokyo')
  await make('today', '2026-11-21T20:00:00', '2026-11-21T21:00:00')
  await make('tomorrow', '2026-11-22T20:00:00', '2026-11-22T21:00:00')
  await make('clocks', '2026-10-25T00:00:00', '2026-10-25T23:59:59', 'Europe/Paris', true)
})
afterAll(async () => {
  await paris.app.close()
  await app.close()
})

async function titles(filter: string, site = paris): Promise<string[]> {
  const query = `{ events(first: 50, filter: { ${filter} }, orderBy: { field: START_LOCAL }) { totalCount nodes { title } } }`
  const { body } = await site.graphql(query)
  expect(body.errors).toBeUndefined()
  expect(body.data.events.totalCount).toBe(body.data.events.nodes.length)
  return body.data.events.nodes.map((event: { title: string }) => event.title)
}

describe('events that start on a day', () => {
  it.each([
    ['2026-12-01', ['instant', 'morning', 'night']],
    ['1 December 2026', ['instant', 'morning', 'night']],
    ['2026-12-01 23:30', ['instant', 'morning', 'night']],
    ['2026-12-02', ['second']],
    ['2026-12-03', ['tokyo']],
    ['2026-10-25', ['clocks']],
    ['today', ['today']],
    ['tomorrow', ['tomorrow']],
    ['sunday', ['tomorrow']],
    ['last day of this month', ['party']],
    ['+10 days', ['instant', 'morning', 'night']],
    ['2026-12-01T23:30:00-05:00', ['second']],
  ])('%s', async (day, expected) => {
    expect(await titles(`startsOn: "${day}"`)).toEqual(expected)
    expect(await titles(`between: { from: "${day}", to: "${day}", match: STARTING }`)).toEqual(expected)
  })

  it('with a cutoff, until after midnight', async () => {
    const site = await serve(app, { SITE_TIMEZONE: 'Europe/Paris', END_OF_DAY_CUTOFF: '06:00' })
    expect(await titles('startsOn: "2026-12-02"', site)).toEqual(['second', 'tokyo'])
    expect(await titles('startsOn: "2026-11-30"', site)).toEqual(['party', 'instant'])
    await site.app.close()
  })
})

const december = 'from: "2026-12-01", to: "2026-12-02"'

describe('events between two days', () => {
  it.each([
    [december, ['instant', 'morning', 'night', 'second']],
    [`${december}, match: WITHIN`, ['instant', 'morning', 'night', 'second']],
    [`${december}, match: null`, ['instant', 'morning', 'night', 'second']],
    [`${december}, match: STARTING`, ['instant', 'morning', 'night', 'second']],
    [`${december}, match: OVERLAPPING`, ['festival', 'instant', 'morning', 'night', 'second']],
    ['from: "2026-11-29", to: "2026-11-29", match: OVERLAPPING', ['festival']],
    ['from: "2026-11-30", to: "2026-11-30", match: OVERLAPPING', ['festival', 'party']],
    ['from: "2026-11-30", to: "2026-11-30", match: STARTING', ['party']],
    ['from: "2026-11-30", to: "2026-11-30"', []],
    ['from: "2026-12-02"', ['second', 'tokyo']],
    ['from: "2026-12-02", match: OVERLAPPING', ['festival', 'night', 'second', 'tokyo']],
    ['to: "2026-11-22"', ['clocks', 'today', 'tomorrow']],
    ['to: "2026-11-28", match: STARTING', ['clocks', 'today', 'tomorrow', 'festival']],
    ['to: "2026-11-28", match: OVERLAPPING', ['clocks', 'today', 'tomorrow', 'festival']],
    ['from: "today", to: "+1 week"', ['today', 'tomorrow']],
    [
      'from: "first day of next month", to: "last day of next month"',
      ['instant', 'morning', 'night', 'second', 'tokyo'],
    ],
    ['from: "2026-12-02", to: "2026-12-01"', []],
    ['from: "2026-12-03", to: "9999-12-31"', ['tokyo']],
    ['from: "0001-01-01", to: "2026-11-21"', ['clocks', 'today']],
    ['from: "0001-01-01", to: "2026-11-28", match: OVERLAPPING', ['clocks', 'today', 'tomorrow', 'festival']],
  ])('{ %s }', async (range, expected) => {
    expect(await titles(`between: { ${range} }`)).toEqual(expected)
  })

  it('without bounds, every event', async () => {
    expect(await titles('between: {}')).toHaveLength(10)
    expect(await titles('between: { match: OVERLAPPING }')).toHaveLength(10)
    expect(await titles('between: null, startsOn: null')).toHaveLength(10)
  })

  it('together with other filters', async () => {
    expect(await titles(`between: { ${december} }, startsOn: "2026-12-02"`)).toEqual(['second'])
    expect(await titles(`between: { ${december} }, startsLocal: { gte: "2026-12-01T09:00:00" }`)).toEqual([
      'morning',
      'night',
      'second',
    ])
    expect(await titles(`between: { ${december} }, search: "night"`)).toEqual(['night'])
  })
})

describe('with a time zone, days are those of the zone', () => {
  it.each([
    ['Europe/Paris', december, ['instant', 'morning', 'night', 'second', 'tokyo']],
    ['local', december, ['morning', 'night', 'second', 'instant']],
    ['local', 'from: "2026-12-02", to: "2026-12-02", match: STARTING', ['second']],
    ['local', 'from: "2026-12-03", to: "2026-12-03"', ['tokyo']],
    ['local', 'from: "today", to: "today", match: STARTING', ['today']],
    ['Asia/Tokyo', december, ['party', 'instant', 'morning', 'night']],
    ['Asia/Tokyo', 'from: "2026-12-03", to: "2026-12-03"', ['second', 'tokyo']],
    ['America/New_York', 'from: "2026-11-30", to: "2026-11-30"', ['party', 'instant']],
    ['America/New_York', 'from: "2026-11-30", to: "2026-11-30", match: STARTING', ['party', 'instant']],
    ['America/New_York', 'from: "2026-12-02", to: "2026-12-02", match: OVERLAPPING', ['festival', 'second', 'tokyo']],
    ['UTC+9', 'from: "2026-12-03", to: "2026-12-03"', ['second', 'tokyo']],
    // At the current time it is already the 22nd in Kiritimati.
    ['Pacific/Kiritimati', 'from: "yesterday", to: "yesterday", match: STARTING', []],
    ['Pacific/Kiritimati', 'from: "today", to: "today", match: STARTING', ['today']],
    ['Etc/GMT+12', 'from: "today", to: "today", match: STARTING', ['today']],
    // An instant is the day that it has in the zone.
    ['Asia/Tokyo', 'from: "2026-12-02T15:00:00Z", to: "2026-12-02T15:00:00Z"', ['second', 'tokyo']],
    ['Europe/Paris', 'from: "2026-10-25", to: "2026-10-25"', ['clocks']],
    ['Asia/Tokyo', 'from: "9999-12-31"', []],
    ['America/New_York', 'from: "0001-01-01", to: "2026-11-21"', ['clocks', 'today']],
  ])('%s: { %s }', async (timeZone, range, expected) => {
    const filter = `between: { ${range}, timeZone: "${timeZone}" }`
    expect((await titles(filter)).toSorted()).toEqual(expected.toSorted())
    // It does not depend on the zone of the site.
    expect((await titles(filter, app)).toSorted()).toEqual(expected.toSorted())
  })
})

test('a site in UTC, and one that shows all events in its zone, compares with the time there', async () => {
  const site = await serve(app, { SITE_TIMEZONE: 'Asia/Tokyo', SHOW_IN_SITE_TIMEZONE: 'true' })
  const filter = 'startsOn: "2026-12-02"'
  expect(await titles(filter)).toEqual(['second'])
  expect(await titles(filter, app)).toEqual(['second', 'tokyo'])
  expect(await titles(filter, site)).toEqual(['night'])
  await site.app.close()
})

test('the events of a venue are filtered by days like all events', async () => {
  const venueIds = [await makeVenue(app.db, 'Hall')]
  await makeTemporaryEvent(app.db, 'at the hall', { start: '2027-02-01T20:00:00', timeZone: 'Europe/Paris', venueIds })
  await makeTemporaryEvent(app.db, 'at the hall later', {
    start: '2027-02-02T20:00:00',
    timeZone: 'Europe/Paris',
    venueIds,
  })
  const filter = '{ between: { from: "2027-01-31", to: "1 February 2027" } }'
  const query = `query ($id: ID) { venue(id: $id) { events(filter: ${filter}) { totalCount nodes { title jsonLd } } } }`
  const { body } = await paris.graphql(query, { id: venueIds[0] })
  expect(body.errors).toBeUndefined()
  expect(body.data.venue.events).toMatchObject({
    totalCount: 1,
    nodes: [{ title: 'at the hall', jsonLd: { name: 'at the hall', location: { name: 'Hall' } } }],
  })
})

describe('invalid days', () => {
  const codeOf = async (filter: string) => {
    const { body } = await paris.graphql(`{ events(filter: { ${filter} }) { totalCount } }`)
    expect(body.errors).toHaveLength(1)
    return body.errors[0]
  }

  it.each(['', 'someday', '2026-13-01', 'tomorrow or so', '9'.repeat(40)])('the text "%s" is rejected', async (day) => {
    for (const filter of [`startsOn: "${day}"`, `between: { from: "${day}" }`, `between: { to: "${day}" }`]) {
      expect((await codeOf(filter)).message, filter).toContain(
        'must be a day in the years 1 to 9999, such as 2026-05-01, today, +1 week or monday next week.',
      )
    }
    const query = 'query ($day: DayExpression) { events(filter: { startsOn: $day }) { totalCount } }'
    expect((await paris.graphql(query, { day })).body.errors[0].message).toContain('must be a day')
    expect((await paris.graphql(query, { day: 20261201 })).body.errors[0].message).toContain('must be a day')
  })

  it('the errors of all fields are reported together, with what is allowed', async () => {
    const filter = 'startsOn: "+9000 years", between: { from: "-3000 years", to: "+9000 years" }, status: [DRAFT]'
    const { extensions } = await codeOf(filter)
    expect(extensions).toMatchObject({
      code: 'BAD_INPUT',
      fields: {
        startsOn: 'startsOn must be a day in the years 1 to 9999.',
        between: 'from must be a day in the years 1 to 9999. to must be a day in the years 1 to 9999.',
        status: expect.any(String),
      },
    })
  })

  it.each(['Paris', '', 'Europe/Nowhere', '+25:00'])('the time zone "%s" is rejected', async (timeZone) => {
    expect((await codeOf(`between: { from: "today", timeZone: "${timeZone}" }`)).extensions).toMatchObject({
      code: 'BAD_INPUT',
      fields: { between: expect.stringContaining('timeZone must be an IANA time zone') },
    })
  })
})
