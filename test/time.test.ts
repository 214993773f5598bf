import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dateToWallClock,
  endOfDay,
  formatOffset,
  isUtc,
  isZone,
  startOfDay,
  toInstant,
  toWallClock,
  wallClockToDate,
  zoneAbbreviation,
} from '../src/basics/time.ts'
import { runs } from './helpers/runs.ts'

const allZones = Intl.supportedValuesOf('timeZone')
const zone = fc.constantFrom(...allZones.filter((_, index) => index % 8 === 0), 'Australia/Lord_Howe', 'UTC-5.5', '-5')
const second = fc.integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 })
const instant = second.map((seconds) => new Date(seconds * 1000))
const wallClock = instant.map((date) => date.toISOString().slice(0, 19))

describe('isUtc', () => {
  test.each([
    ...['UTC', 'utc', 'UTC+0', 'UTC-0', 'UTC+00:00', '+00:00', '-0'],
    ...['Etc/UTC', 'GMT', 'gmt', 'Etc/GMT0', 'Zulu'],
  ])('%s always shows UTC', (zone) => expect(isUtc(zone)).toBe(true))

  test.each([
    'UTC+1',
    'UTC+0.25',
    '-00:30',
    'Etc/GMT+1',
    'Europe/London',
    'Africa/Abidjan',
    'Atlantic/Reykjavik',
    'WET',
  ])('%s does not, or did not always', (zone) => expect(isUtc(zone)).toBe(false))

  test('no time zone with another offset counts as UTC', () => {
    const times = [-3e12, 0, 1.75e12].map((time) => new Date(time))
    const shifted = allZones.filter((zone) =>
      times.some((time) => toWallClock(time, zone) !== toWallClock(time, 'UTC')),
    )
    expect(shifted.filter(isUtc)).toEqual([])
    expect(shifted.length).toBeGreaterThan(300)
  })
})

test.each([
  ['UTC+5.75', '2026-01-01T05:45:00'],
  ['UTC+8.75', '2026-01-01T08:45:00'],
  ['UTC-12.75', '2025-12-31T11:15:00'],
  ['UTC-0.25', '2025-12-31T23:45:00'],
])('midnight of UTC by the fixed offset %s is %s', (zone, wallClock) => {
  const midnight = new Date('2026-01-01T00:00:00Z')
  expect(toWallClock(midnight, zone)).toBe(wallClock)
  expect(toInstant(wallClock, zone)).toEqual(midnight)
  expect(zoneAbbreviation(midnight, zone)).toBe(zone)
})

describe('isZone', () => {
  test.each([
    ...[
      'UTC',
      'utc',
      'Europe/Paris',
      'europe/paris',
      'AMERICA/ARGENTINA/BUENOS_AIRES',
      'Etc/GMT+5',
      'GMT',
      'US/Eastern',
    ],
    ...[
      'UTC+2',
      'UTC-5',
      'UTC+0',
      'UTC-0',
      'UTC+05',
      'UTC-5.5',
      'UTC+5.25',
      'UTC+5.75',
      'UTC-0.75',
      'UTC+12.75',
      'UTC+5:30',
      'UTC-5:30',
      'UTC+14',
      'UTC-14:00',
      'utc+2',
    ],
    ...['+02:00', '-5', '+5', '-0330', '+14:00', '+530'],
    ...['EST', 'est', 'EDT', 'CET', 'CEST', 'PST', 'IST', 'AEST', 'ChST'],
  ])('takes %j', (text) => expect(isZone(text)).toBe(true))

  test.each([
    ...[
      'UTC+',
      'UTC-',
      'UTC+foo',
      'UTC+14:01',
      'UTC+14.5',
      'UTC+15',
      'UTC-15',
      'UTC+5:3',
      'UTC+5:60',
      'UTC+5.2',
      'UTC+5.50',
      'UTC+14.25',
    ],
    ...['UTC2', 'UTC 2', 'UTC+2 ', ' UTC', 'UTC+-2', 'UTC+5:30:00', 'UTC+0530', 'UTC+٢', 'UTCfoo'],
    ...[
      '',
      ' ',
      'Foo/Bar',
      'Europe',
      'Europe_Paris',
      'Europe/Paris ',
      'Asia/\u212Aolkata',
      'E\u017FT',
      'LMT',
      'Z',
      'A',
    ],
    ...['5', '2:00', '+', '+15', '+14:01', '-5.5', '+2:60', '--5', '__proto__', 'constructor', 'Europe/Paris\0'],
    'x'.repeat(1_000_000),
  ])('refuses %j', (text) => {
    expect(isZone(text)).toBe(false)
    expect(() => toWallClock(new Date(0), text)).toThrow(RangeError)
  })

  test('knows every zone of the runtime', () => {
    expect(allZones.filter((name) => !isZone(name) || !isZone(name.toLowerCase()))).toEqual([])
  })

  test('converts times correctly for thousands of spellings of one zone', () => {
    const spelling = (bits: number) =>
      Array.from('america/new_york', (letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter)).join('')
    for (let bits = 0; bits < 3000; bits++) {
      expect(toWallClock(new Date(0), spelling(bits))).toBe('1969-12-31T19:00:00')
    }
  })
})

describe('toInstant and toWallClock', () => {
  test.each([
    ['2026-07-01T10:00:00', 'UTC', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00:00', 'UTC+2', '2026-07-01T08:00:00Z'],
    ['2026-07-01T10:00:00', 'UTC-5', '2026-07-01T15:00:00Z'],
    ['2026-07-01T10:00:00', 'UTC-5.5', '2026-07-01T15:30:00Z'],
    ['2026-07-01T10:00:00', 'UTC-5:30', '2026-07-01T15:30:00Z'],
    ['2026-07-01T10:00:00', 'UTC+5:30', '2026-07-01T04:30:00Z'],
    ['2026-07-01T10:00:00', 'UTC-0:30', '2026-07-01T10:30:00Z'],
    ['2026-07-01T10:00:00', '-5', '2026-07-01T15:00:00Z'],
    ['2026-07-01T10:00:00', '+02:00', '2026-07-01T08:00:00Z'],
    ['2026-07-01T10:00:00', 'EST', '2026-07-01T15:00:00Z'],
    ['2026-07-01T10:00:00', 'edt', '2026-07-01T14:00:00Z'],
    ['2026-07-01T10:00:00', 'PST', '2026-07-01T18:00:00Z'],
    ['2026-07-01T10:00:00', 'CET', '2026-07-01T08:00:00Z'],
    ['2026-01-01T10:00:00', 'europe/PARIS', '2026-01-01T09:00:00Z'],
    ['2026-07-01T10:00:00', 'Europe/Paris', '2026-07-01T08:00:00Z'],
    ['2026-07-01T10:00:00', 'Asia/Kolkata', '2026-07-01T04:30:00Z'],
    ['2500-07-01T10:00:00', 'Europe/Paris', '2500-07-01T08:00:00Z'],
    ['1960-07-01T10:00:00', 'Europe/Paris', '1960-07-01T09:00:00Z'],
    ['2498-07-01T10:00:00', 'Europe/Paris', '2498-07-01T08:00:00Z'],
    ['2499-07-01T10:00:00', 'Australia/Sydney', '2499-07-01T00:00:00Z'],
    ['9998-12-31T10:00:00', 'Australia/Sydney', '9998-12-30T23:00:00Z'],
    ['9999-12-31T23:30:00', 'America/New_York', '+010000-01-01T04:30:00Z'],
  ])('%s in %s is %s', (text, name, expected) => {
    expect(toInstant(text, name)).toEqual(new Date(expected))
    expect(toWallClock(new Date(expected), name)).toBe(text)
  })

  test.each([
    ['Europe/Paris', '2026-03-29T02:30:00', '2026-03-29T01:30:00Z', '2026-03-29T03:30:00'],
    ['Europe/Paris', '2026-03-29T02:00:00', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00'],
    ['America/New_York', '2026-03-08T02:30:00', '2026-03-08T07:30:00Z', '2026-03-08T03:30:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00Z', '2026-10-04T02:45:00'],
    ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00Z', '2011-12-31T12:00:00'],
  ])('moves forward what %s skips: %s', (name, skipped, expected, shown) => {
    expect(toInstant(skipped, name)).toEqual(new Date(expected))
    expect(toWallClock(toInstant(skipped, name), name)).toBe(shown)
  })

  test.each([
    ['Europe/Paris', '2026-10-25T02:30:00', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'],
  ])('takes the first of what %s shows twice: %s', (name, twice, first, other) => {
    expect(toInstant(twice, name)).toEqual(new Date(first))
    expect(toWallClock(new Date(first), name)).toBe(twice)
    expect(toWallClock(new Date(other), name)).toBe(twice)
  })

  test.each([
    ['Europe/Paris', '2026-03-29T01:59:59', '2026-03-29T00:59:59Z'],
    ['Europe/Paris', '2026-03-29T03:00:00', '2026-03-29T01:00:00Z'],
    ['Europe/Paris', '2026-10-25T01:59:59', '2026-10-24T23:59:59Z'],
    ['Europe/Paris', '2026-10-25T03:00:00', '2026-10-25T02:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:30:00', '2026-10-03T15:30:00Z'],
    ['Pacific/Apia', '2011-12-31T00:00:00', '2011-12-30T10:00:00Z'],
  ])('is exact at the edge of a change: %s %s', (name, text, expected) => {
    expect(toInstant(text, name)).toEqual(new Date(expected))
    expect(toWallClock(new Date(expected), name)).toBe(text)
  })

  test('come back to the same wall clock, or to a later one where it was skipped', () => {
    fc.assert(
      fc.property(wallClock, zone, (text, name) => {
        const instant = toInstant(text, name)
        const shown = toWallClock(instant, name)
        if (shown === text) return
        const skipped = wallClockToDate(shown).getTime() - wallClockToDate(text).getTime()
        expect(skipped).toBeGreaterThan(0)
        const justBefore = new Date(instant.getTime() - skipped)
        expect(toWallClock(justBefore, name) < text).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('agree with Intl', () => {
    const formats = new Map<string, Intl.DateTimeFormat>()
    const byIntl = (date: Date, timeZone: string) => {
      const format =
        formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
      formats.set(timeZone, format)
      return format.format(date).replace(' ', 'T')
    }
    const named = zone.filter((name) => name.includes('/'))
    // Of later years the rules may be newer than those of the runtime.
    const past = instant.filter((date) => date.getTime() < Date.UTC(2026, 0, 1))
    fc.assert(
      fc.property(past, named, (date, name) => toWallClock(date, name) === byIntl(date, name)),
      { numRuns: runs(2000) },
    )
  })

  test.each(['', 'foo', '2026-13-01T00:00:00', '2026-01-01T25:00:00'])('refuse the wall clock %j', (text) => {
    expect(() => toInstant(text, 'Europe/Paris')).toThrow(RangeError)
  })
})

describe('abbreviation and offsetText', () => {
  const winter = new Date('2026-01-15T12:00:00Z')
  const summer = new Date('2026-07-15T12:00:00Z')

  test.each([
    ['America/New_York', 'EST', '-05:00', 'EDT', '-04:00'],
    ['europe/paris', 'CET', '+01:00', 'CEST', '+02:00'],
    ['CET', 'CET', '+01:00', 'CEST', '+02:00'],
    ['Europe/London', 'GMT', '+00:00', 'BST', '+01:00'],
    ['Asia/Kolkata', 'IST', '+05:30', 'IST', '+05:30'],
    ['Pacific/Guam', 'ChST', '+10:00', 'ChST', '+10:00'],
    ['EST', 'EST', '-05:00', 'EST', '-05:00'],
    ['edt', 'EDT', '-04:00', 'EDT', '-04:00'],
    ['UTC', 'UTC', '+00:00', 'UTC', '+00:00'],
    ['Etc/UTC', 'UTC', '+00:00', 'UTC', '+00:00'],
    ['UTC+2', 'UTC+2', '+02:00', 'UTC+2', '+02:00'],
    ['UTC-5:30', 'UTC-5:30', '-05:30', 'UTC-5:30', '-05:30'],
    ['+05:30', '+0530', '+05:30', '+0530', '+05:30'],
    ['-5', '-05', '-05:00', '-05', '-05:00'],
    ['America/Sao_Paulo', '-03', '-03:00', '-03', '-03:00'],
    // Zones without an abbreviation today, although they had one.
    ['Europe/Istanbul', '+03', '+03:00', '+03', '+03:00'],
    ['Europe/Minsk', '+03', '+03:00', '+03', '+03:00'],
    ['Asia/Singapore', '+08', '+08:00', '+08', '+08:00'],
    ['Asia/Tehran', '+0330', '+03:30', '+0330', '+03:30'],
    ['Asia/Kathmandu', '+0545', '+05:45', '+0545', '+05:45'],
    ['Africa/Casablanca', '+01', '+01:00', '+01', '+01:00'],
    ['Pacific/Apia', '+13', '+13:00', '+13', '+13:00'],
    ['Australia/Lord_Howe', '+11', '+11:00', '+1030', '+10:30'],
    ['Etc/GMT+5', '-05', '-05:00', '-05', '-05:00'],
    ['Antarctica/Troll', '+00', '+00:00', '+02', '+02:00'],
    ['Europe/Moscow', 'MSK', '+03:00', 'MSK', '+03:00'],
    ['Europe/Dublin', 'GMT', '+00:00', 'IST', '+01:00'],
    ['Asia/Tokyo', 'JST', '+09:00', 'JST', '+09:00'],
    ['Africa/Johannesburg', 'SAST', '+02:00', 'SAST', '+02:00'],
    ['Pacific/Honolulu', 'HST', '-10:00', 'HST', '-10:00'],
    ['Australia/Sydney', 'AEDT', '+11:00', 'AEST', '+10:00'],
  ])('of %s', (name, winterText, winterOffset, summerText, summerOffset) => {
    expect(zoneAbbreviation(winter, name)).toBe(winterText)
    expect(formatOffset(winter, name)).toBe(winterOffset)
    expect(zoneAbbreviation(summer, name)).toBe(summerText)
    expect(formatOffset(summer, name)).toBe(summerOffset)
  })

  test('in years beyond the tables', () => {
    expect(zoneAbbreviation(new Date('2700-07-01T00:00:00Z'), 'Europe/Paris')).toBe('CEST')
    expect(zoneAbbreviation(new Date('2700-01-01T00:00:00Z'), 'Europe/Paris')).toBe('CET')
  })

  test('rounds local mean time', () => {
    expect(formatOffset(new Date('1850-01-01T00:00:00Z'), 'Europe/Paris')).toBe('+00:09')
  })

  test('the offset is what lies between instant and wall clock', () => {
    fc.assert(
      fc.property(instant, zone, (date, name) => {
        expect(new Date(`${toWallClock(date, name)}${formatOffset(date, name)}`)).toEqual(date)
      }),
    )
  })

  test('the abbreviation is letters or an offset, for every zone', () => {
    const form = /^([A-Za-z]{3,5}|[+-]\d\d(\d\d)?)$/
    expect(allZones.filter((name) => !form.test(zoneAbbreviation(summer, name)))).toEqual([])
  })
})

describe('days and wall clocks', () => {
  test.each([
    ['2026-03-29', '00:00', '2026-03-29T00:00:00', '2026-03-29T23:59:59'],
    ['2026-12-31', '02:00', '2026-12-31T02:00:00', '2027-01-01T01:59:59'],
    ['2024-02-28', '06:30', '2024-02-28T06:30:00', '2024-02-29T06:29:59'],
  ])('%s with the cutoff %s', (date, cutoff, start, end) => {
    expect(startOfDay(date, cutoff)).toBe(start)
    expect(endOfDay(date, cutoff)).toBe(end)
  })

  test.each([
    ['2026-03-28T02:30:00', 1, '2026-03-29T02:30:00'],
    ['2026-01-01T00:00:00', -1, '2025-12-31T00:00:00'],
    ['2024-02-28T23:59:59', 2, '2024-03-01T23:59:59'],
  ])('%s and %d days', (from, days, to) => expect(addDays(from, days)).toBe(to))

  test.each([
    ['2026-01-31T10:00:00', 1, '2026-02-28T10:00:00'],
    ['2024-01-31T10:00:00', 1, '2024-02-29T10:00:00'],
    ['2026-03-31T00:00:00', -1, '2026-02-28T00:00:00'],
    ['2026-11-15T23:59:59', 24, '2028-11-15T23:59:59'],
  ])('%s and %d months', (from, months, to) => expect(addMonths(from, months)).toBe(to))

  test('a wall clock and its date are the same in any process zone', () => {
    expect(wallClockToDate('2026-03-29T02:30:00')).toEqual(new Date(Date.UTC(2026, 2, 29, 2, 30)))
    expect(dateToWallClock(new Date(Date.UTC(2026, 2, 8, 2, 30, 0, 999)))).toBe('2026-03-08T02:30:00')
    fc.assert(fc.property(wallClock, (text) => dateToWallClock(wallClockToDate(text)) === text))
  })
})
