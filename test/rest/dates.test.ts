import { describe, expect, it } from 'vitest'
import { dateDetails, legacyDate, legacyInstant, parseDate } from '../../src/rest/dates.ts'

describe('parseDate reads a wall clock as it is written', () => {
  it.each([
    ['2018-01-01', '2018-01-01T00:00:00'],
    ['2018-1-1', '2018-01-01T00:00:00'],
    ['2018-01-01 16:00', '2018-01-01T16:00:00'],
    ['2018-01-01 16:05:09', '2018-01-01T16:05:09'],
    ['2018-01-01T10:00:00', '2018-01-01T10:00:00'],
    ['2018-01-01 9:30', '2018-01-01T09:30:00'],
    ['2018/03/04', '2018-03-04T00:00:00'],
    ['2018/03/04T05:06', '2018-03-04T05:06:00'],
    ['2018/03/04 05:06:07', '2018-03-04T05:06:07'],
    ['  2018-01-01  ', '2018-01-01T00:00:00'],
    ['2018-01-01 24:00', '2018-01-02T00:00:00'],
    ['1970-01-01 00:00:00', '1970-01-01T00:00:00'],
    ['0050-01-01', '0050-01-01T00:00:00'],
    ['9998-12-31 23:59:59', '9998-12-31T23:59:59'],
  ])('%s', (text, wallClock) => {
    expect(parseDate(text)).toEqual({ wallClock })
  })
})

describe('parseDate takes what no calendar reaches for its first or last day', () => {
  it.each([
    ['-99999999999', '0001-01-02T00:00:00'],
    ['0000-01-01', '0001-01-02T00:00:00'],
    ['0001-01-01T00:00:00+14:00', '0001-01-02T00:00:00'],
    ['9999-12-31', '9999-12-30T23:59:59'],
    ['9999-12-31T23:59:59-12:00', '9999-12-30T23:59:59'],
  ])('%s', (text, wallClock) => {
    expect(parseDate(text)?.wallClock).toBe(wallClock)
  })
})

describe('parseDate lets days past the end of a month roll over', () => {
  it.each([
    ['2018-02-30', '2018-03-02T00:00:00'],
    ['2020-02-30', '2020-03-01T00:00:00'],
    ['2018-04-31 10:00', '2018-05-01T10:00:00'],
  ])('%s', (text, wallClock) => {
    expect(parseDate(text)).toEqual({ wallClock })
  })
})

describe('parseDate knows the instant of a value with an offset and of a timestamp', () => {
  it.each([
    ['2018-01-01T10:00:00Z', '2018-01-01T10:00:00Z'],
    ['2018-01-01 10:00:00z', '2018-01-01T10:00:00Z'],
    ['2018-01-01T10:00:00+02:00', '2018-01-01T08:00:00Z'],
    ['2018-01-01T10:00:00-0530', '2018-01-01T15:30:00Z'],
    ['2018-01-01T00:30:00+14:00', '2017-12-31T10:30:00Z'],
    ['2018-01-01 10:00 +02:00', '2018-01-01T08:00:00Z'],
    ['1514764800', '2018-01-01T00:00:00Z'],
    ['@1514764800', '2018-01-01T00:00:00Z'],
    ['2018', '1970-01-01T00:33:38Z'],
    ['20180101', '1970-08-22T13:35:01Z'],
    ['-86400', '1969-12-31T00:00:00Z'],
    ['0', '1970-01-01T00:00:00Z'],
  ])('%s', (text, instant) => {
    expect(parseDate(text)).toEqual({ wallClock: instant.slice(0, -1), instant: new Date(instant) })
  })
})

describe('parseDate refuses', () => {
  it.each([
    '',
    ' ',
    'foo',
    'a',
    'not a valid date string',
    '"2018-01-01"',
    '2018-13-01',
    '2018-00-01',
    '2018-01-00',
    '2018-01-32',
    '2018-01-01 25:00',
    '2018-01-01 10:60',
    '2018-01-01 10:00:60',
    '2018-01-01 10',
    '2018-01-01Tomorrow',
    '2018-01-01\0',
    "2018-01-01' OR 1=1",
    '2018-01-01T10:00:00+99',
    '٢٠١٨-٠١-٠١',
    '@',
    '-',
    '--5',
    '1514764800000000',
    '99999-01-01',
  ])('%j', (text) => {
    expect(parseDate(text)).toBeUndefined()
  })

  it('long hostile text at once', () => {
    const started = performance.now()
    expect(parseDate(`2018-01-01${' '.repeat(100_000)}x`)).toBeUndefined()
    expect(parseDate('-'.repeat(100_000))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('dates in answers', () => {
  it('are a wall clock with a space', () => {
    expect(legacyDate('2026-12-01T19:00:00')).toBe('2026-12-01 19:00:00')
  })

  it.each([
    ['UTC', '2026-07-01 03:04:05'],
    ['America/New_York', '2026-06-30 23:04:05'],
    ['Asia/Kolkata', '2026-07-01 08:34:05'],
    ['Pacific/Kiritimati', '2026-07-01 17:04:05'],
  ])('show an instant by the clocks of %s', (zone, expected) => {
    expect(legacyInstant(new Date('2026-07-01T03:04:05.678Z'), zone)).toBe(expected)
  })

  it('are cut into text parts that keep their zeros', () => {
    expect(dateDetails('2017-01-05 04:03:06')).toEqual({
      year: '2017',
      month: '01',
      day: '05',
      hour: '04',
      minutes: '03',
      seconds: '06',
    })
  })
})
