import { describe, expect, it } from 'vitest'
import { formatLegacyDate, formatLegacyInstant, toDateParts } from '../../src/apis/rest/text.ts'

describe('dates in responses', () => {
  it('are a wall clock with a space', () => {
    expect(formatLegacyDate('2026-12-01T19:00:00')).toBe('2026-12-01 19:00:00')
  })

  it.each([
    ['UTC', '2026-07-01 03:04:05'],
    ['America/New_York', '2026-06-30 23:04:05'],
    ['Asia/Kolkata', '2026-07-01 08:34:05'],
    ['Pacific/Kiritimati', '2026-07-01 17:04:05'],
  ])('show an instant in the time zone %s', (zone, expected) => {
    expect(formatLegacyInstant(new Date('2026-07-01T03:04:05.678Z'), zone)).toBe(expected)
  })

  it('are split into parts with leading zeros', () => {
    expect(toDateParts('2017-01-05 04:03:06')).toEqual({
      year: '2017',
      month: '01',
      day: '05',
      hour: '04',
      minutes: '03',
      seconds: '06',
    })
  })
})
