// The schedule of an event in mutations: local times, time zones, instants and all-day events.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'America/New_York' })
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const selection = 'startsLocal endsLocal startsAt endsAt timeZone allDay'
const shown = (local: [string, string], at: [string, string], timeZone: string, allDay = false) => ({
  ...{ startsLocal: local[0], endsLocal: local[1] },
  ...{ startsAt: `${at[0]}.000Z`, endsAt: `${at[1]}.000Z` },
  ...{ timeZone, allDay },
})
const paris = 'Europe/Paris'
const evening = { startsLocal: '2026-12-24T20:00:00', endsLocal: '2026-12-24T23:00:00', timeZone: paris }
const local: [string, string] = ['2026-12-24T20:00:00', '2026-12-24T23:00:00']
const inParis: [string, string] = ['2026-12-24T19:00:00', '2026-12-24T22:00:00']
const wholeDay: [string, string] = ['2026-12-24T00:00:00', '2026-12-24T23:59:59']

describe('the schedule of a new event', () => {
  test.each([
    ['goes by its zone', evening, shown(local, inParis, paris)],
    [
      'goes by that of the site',
      { ...evening, timeZone: null },
      shown(local, ['2026-12-25T01:00:00', '2026-12-25T04:00:00'], 'America/New_York'),
    ],
    [
      'goes by a fixed offset',
      { ...evening, timeZone: 'UTC+5:30' },
      shown(local, ['2026-12-24T14:30:00', '2026-12-24T17:30:00'], 'UTC+5:30'),
    ],
    [
      'is set by instants',
      { startsAt: '2026-12-24T19:00:00Z', endsAt: '2026-12-24T22:00:00.900Z', timeZone: paris },
      shown(local, inParis, paris),
    ],
    [
      'lasts a day',
      { ...evening, allDay: true },
      shown(wholeDay, ['2026-12-23T23:00:00', '2026-12-24T22:59:59'], paris, true),
    ],
    [
      'may start in an hour that clocks skip, which is moved on by an hour and shown like that',
      { startsLocal: '2026-03-29T02:30:00', endsLocal: '2026-03-29T05:00:00', timeZone: paris },
      shown(['2026-03-29T03:30:00', '2026-03-29T05:00:00'], ['2026-03-29T01:30:00', '2026-03-29T03:00:00'], paris),
    ],
    [
      'may start in half an hour that clocks skip',
      { startsLocal: '2026-10-04T02:15:00', endsLocal: '2026-10-04T03:00:00', timeZone: 'Australia/Lord_Howe' },
      shown(
        ['2026-10-04T02:45:00', '2026-10-04T03:00:00'],
        ['2026-10-03T15:45:00', '2026-10-03T16:00:00'],
        'Australia/Lord_Howe',
      ),
    ],
    [
      'lasts a day whose midnight clocks skip',
      { startsLocal: '2026-04-24T10:00:00', endsLocal: '2026-04-24T11:00:00', timeZone: 'Africa/Cairo', allDay: true },
      shown(
        ['2026-04-24T00:00:00', '2026-04-24T23:59:59'],
        ['2026-04-23T22:00:00', '2026-04-24T20:59:59'],
        'Africa/Cairo',
        true,
      ),
    ],
    [
      'lasts a day of which clocks skip the last hour, though its end is in that hour',
      {
        ...{ startsLocal: '2027-03-27T10:00:00', endsLocal: '2027-03-27T23:30:00' },
        ...{ timeZone: 'America/Nuuk', allDay: true },
      },
      shown(
        ['2027-03-27T00:00:00', '2027-03-27T23:59:59'],
        ['2027-03-27T02:00:00', '2027-03-28T01:59:59'],
        'America/Nuuk',
        true,
      ),
    ],
    [
      'takes the zone of the site for an empty one',
      { ...evening, timeZone: '' },
      shown(local, ['2026-12-25T01:00:00', '2026-12-25T04:00:00'], 'America/New_York'),
    ],
    [
      'goes by an offset in quarters of an hour',
      { ...evening, timeZone: 'UTC+12.75' },
      shown(local, ['2026-12-24T07:15:00', '2026-12-24T10:15:00'], 'UTC+12.75'),
    ],
    [
      'starts the first time in an hour that clocks show twice',
      { startsLocal: '2026-10-25T02:30:00', endsLocal: '2026-10-25T04:00:00', timeZone: paris },
      shown(['2026-10-25T02:30:00', '2026-10-25T04:00:00'], ['2026-10-25T00:30:00', '2026-10-25T03:00:00'], paris),
    ],
    [
      'starts the second time where the instant says so',
      { startsAt: '2026-10-25T01:30:00Z', endsAt: '2026-10-25T01:45:00Z', timeZone: paris },
      shown(['2026-10-25T02:30:00', '2026-10-25T02:45:00'], ['2026-10-25T01:30:00', '2026-10-25T01:45:00'], paris),
    ],
  ])('%s', async (_, input, expected) => {
    const { record, errors } = await write(admin, 'create', 'event', { title: 'Party', ...input }, selection)
    expect(errors).toEqual([])
    expect(record).toEqual(expected)
  })

  test.each([
    ['ends where clocks have jumped past it', { startsLocal: '2026-03-29T02:30:00', endsLocal: '2026-03-29T03:15:00' }],
    ['ends before it starts', { startsLocal: '2026-03-29T12:30:00', endsLocal: '2026-03-29T12:29:59' }],
  ])('rejects an event that %s', async (_, input) => {
    const { errors } = await write(admin, 'create', 'event', { title: 'Party', ...input, timeZone: paris })
    expect(errors).toEqual(['BAD_INPUT endsLocal'])
  })

  test.each([
    [
      'after the last year',
      '9999-12-31T23:00:00',
      '9999-12-31T23:30:00',
      'America/New_York',
      'startsLocal',
      'endsLocal',
    ],
    ['in part after it', '9999-12-31T18:00:00', '9999-12-31T23:30:00', 'America/New_York', 'endsLocal'],
    ['before the first year', '0001-01-01T00:00:00', '0001-01-01T12:00:00', 'Asia/Tokyo', 'startsLocal'],
  ])('rejects a time zone %s of UTC', async (_, startsLocal, endsLocal, timeZone, ...fields) => {
    const { errors } = await write(admin, 'create', 'event', { title: 'Party', startsLocal, endsLocal, timeZone })
    expect(errors).toEqual(fields.map((field) => `BAD_INPUT ${field}`))
  })

  test('rejects a year after 9999 in the time zone', async () => {
    const times = { startsAt: '9999-12-31T20:00:00Z', endsAt: '9999-12-31T21:00:00Z', timeZone: 'Asia/Tokyo' }
    const { errors } = await write(admin, 'create', 'event', { title: 'Party', ...times })
    expect(errors).toEqual(['BAD_INPUT startsAt', 'BAD_INPUT endsAt'])
  })

  test.each([
    ['a start, an end and a zone that there is', { timeZone: 'Mars/Base' }, ['timeZone', 'startsLocal', 'endsLocal']],
    ['a start and an end', {}, ['startsLocal', 'endsLocal']],
    ['a start', { endsLocal: local[1] }, ['startsLocal']],
  ])('reports a missing %s', async (_, input, fields) => {
    const { errors } = await write(admin, 'create', 'event', { title: 'Party', ...input })
    expect(errors).toEqual(fields.map((field) => `BAD_INPUT ${field}`))
  })
})

describe('the schedule of an updated event', () => {
  test.each([
    ['nothing', {}, shown(local, inParis, paris)],
    [
      'its zone: the wall clock stays',
      { timeZone: 'Asia/Tokyo' },
      shown(local, ['2026-12-24T11:00:00', '2026-12-24T14:00:00'], 'Asia/Tokyo'),
    ],
    [
      'its zone to none, which is that of the site',
      { timeZone: '' },
      shown(local, ['2026-12-25T01:00:00', '2026-12-25T04:00:00'], 'America/New_York'),
    ],
    [
      'its start, to an hour that the clocks of another zone skip',
      { startsLocal: '2026-03-08T02:30:00', timeZone: 'America/New_York' },
      shown(
        ['2026-03-08T03:30:00', '2026-12-24T23:00:00'],
        ['2026-03-08T07:30:00', '2026-12-25T04:00:00'],
        'America/New_York',
      ),
    ],
    [
      'its end alone',
      { endsLocal: '2026-12-25T02:00:00' },
      shown(['2026-12-24T20:00:00', '2026-12-25T02:00:00'], ['2026-12-24T19:00:00', '2026-12-25T01:00:00'], paris),
    ],
    [
      'its start alone, as an instant',
      { startsAt: '2026-12-24T18:00:00Z' },
      shown(['2026-12-24T19:00:00', '2026-12-24T23:00:00'], ['2026-12-24T18:00:00', '2026-12-24T22:00:00'], paris),
    ],
    ['whole days', { allDay: true }, shown(wholeDay, ['2026-12-23T23:00:00', '2026-12-24T22:59:59'], paris, true)],
    ['whole days and another zone', { allDay: true, timeZone: 'UTC' }, shown(wholeDay, wholeDay, 'UTC', true)],
    [
      'null, which is nothing',
      { startsLocal: null, endsAt: null, timeZone: null, allDay: null },
      shown(local, inParis, paris),
    ],
  ])('%s', async (_, change, expected) => {
    const id = await written(admin, 'create', 'event', { title: 'Party', ...evening })
    const { record, errors } = await write(admin, 'update', 'event', { id, ...change }, selection)
    expect(errors).toEqual([])
    expect(record).toEqual(expected)
  })

  test('keeps the second instant of a repeated hour when another field changes', async () => {
    const input = { title: 'Party', startsAt: '2026-10-25T01:30:00Z', endsAt: '2026-10-25T03:00:00Z', timeZone: paris }
    const id = await written(admin, 'create', 'event', input)
    const { record } = await write(
      admin,
      'update',
      'event',
      { id, endsLocal: '2026-10-25T05:00:00' },
      'startsAt endsAt',
    )
    expect(record).toEqual({ startsAt: '2026-10-25T01:30:00.000Z', endsAt: '2026-10-25T04:00:00.000Z' })
  })

  test('all-day events with a cutoff of the day', async () => {
    const late = await serve(app, { END_OF_DAY_CUTOFF: '04:00' })
    const editor = await late.signIn('editor')
    const night = {
      startsLocal: '2026-12-31T22:00:00',
      endsLocal: '2027-01-01T03:00:00',
      timeZone: 'UTC',
      allDay: true,
    }
    const { record } = await write(editor, 'create', 'event', { title: 'Night', ...night }, 'startsLocal endsLocal')
    expect(record).toEqual({ startsLocal: '2026-12-31T04:00:00', endsLocal: '2027-01-01T03:59:59' })
    await late.app.close()
  })
})
