// Properties of the expansion of schedules: in parts, within limits, and compared with another library.
import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { dateToWallClock, shiftWallClock, wallClockToDate } from '../../src/basics/time.ts'
import { expandSchedule } from '../../src/calendar/series/expand-schedule.ts'
import { runs } from '../helpers/runs.ts'
import { calendar, daily, locals, now, rule, schedule, startOn } from '../helpers/schedules.ts'

const few = { numRuns: runs(100, 5) }

describe('ranges', () => {
  test('the dates of a schedule are those of two ranges', () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: 0, max: 700 }), (input, days) => {
        const split = shiftWallClock('2026-01-01T12:00:00', days * 86_400_000)
        const whole = expandSchedule(input, now, calendar, { until: '2027-12-31T00:00:00' })
        const first = expandSchedule(input, now, calendar, { until: split })
        const from = shiftWallClock(split, 1000)
        const second = expandSchedule(input, now, calendar, { from, until: '2027-12-31T00:00:00' })
        expect([...first.dates, ...second.dates]).toEqual(whole.dates)
        expect([...first.excluded, ...second.excluded].sort()).toEqual([...whole.excluded].sort())
      }),
      few,
    )
  })

  test('an expansion that was cut continues where it stopped', () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: 1, max: 40 }), (input, maxDates) => {
        const until = '2027-06-30T00:00:00'
        const whole = locals(expandSchedule({ ...input, extraDates: [] }, now, calendar, { until }).dates)
        const parts: string[] = []
        for (let from = '', isCut = true; isCut; ) {
          const part = expandSchedule({ ...input, extraDates: [] }, now, calendar, { from, until, maxDates })
          parts.push(...locals(part.dates))
          isCut = part.computedUntil !== until && part.computedUntil !== from
          from = shiftWallClock(part.computedUntil ?? until, 1000)
        }
        expect(parts.slice(0, whole.length)).toEqual(whole.slice(0, parts.length))
      }),
      few,
    )
  })

  test('a range ends at the horizon, but extra dates do not', () => {
    const extraDates = [{ startsLocal: '2031-01-01T19:00:00' }]
    const { dates, computedUntil, isEndless } = expandSchedule(
      { ...daily('FREQ=DAILY'), extraDates },
      now,
      { ...calendar, seriesHorizonMonths: 2 },
      { from: '2026-02-25T00:00:00' },
    )
    expect(locals(dates)).toEqual([
      ...['25', '26', '27', '28'].map((day) => `2026-02-${day}T19:00:00`),
      '2026-03-01T19:00:00',
      '2031-01-01T19:00:00',
    ])
    expect([computedUntil, isEndless]).toEqual(['2026-03-01T19:00:00', true])
  })
})

describe('limits', () => {
  test('a series with an end is expanded whole, up to 10,000 dates', () => {
    const { dates, computedUntil } = expandSchedule(daily('FREQ=DAILY;COUNT=10000'), now, calendar)
    expect([dates.length, computedUntil]).toEqual([10_000, undefined])
    const cut = expandSchedule(daily('FREQ=DAILY;UNTIL=20991231'), now, calendar)
    expect([cut.dates.length, cut.computedUntil]).toEqual([10_001, '2053-05-19T19:00:00'])
  })

  test('rules share the limit in the order of their dates', () => {
    const recurrences = [...daily('FREQ=DAILY').recurrences, ...daily('FREQ=DAILY', '09:00:00').recurrences]
    const { dates } = expandSchedule({ recurrences }, now, calendar, { maxDates: 4 })
    expect(locals(dates).map((local) => local.slice(8, 13))).toEqual(['01T09', '01T19', '02T09', '02T19', '03T09'])
  })
})

test('whole days do not depend on where a day ends', () => {
  const input = { allDay: true, ...daily('FREQ=DAILY;COUNT=2', '00:00:00'), excludedDates: ['2026-01-02'] }
  const { dates, excluded } = expandSchedule(input, now, { ...calendar, endOfDayCutoff: '06:00' })
  expect(dates.map(({ startsLocal, endsLocal }) => [startsLocal, endsLocal].map(dateToWallClock))).toEqual([
    ['2026-01-01T06:00:00', '2026-01-02T05:59:59'],
  ])
  expect(excluded).toEqual(['2026-01-02T06:00:00'])
})

test('a schedule can consist of extra dates', () => {
  const extraDates = ['02', '01', '02'].map((day) => ({
    startsLocal: `2026-05-${day}T10:00:00`,
    endsLocal: `2026-05-${day}T11:00:00`,
  }))
  const { dates } = expandSchedule({ recurrences: [], extraDates }, now, calendar)
  expect(locals(dates)).toEqual(['2026-05-01T10:00:00', '2026-05-02T10:00:00'])
  expect(() => expandSchedule({ recurrences: [] }, now, calendar)).toThrow('at least one recurrence or extra date')
})

test('the dates of a rule are those of ical.js', () => {
  fc.assert(
    fc.property(rule, startOn, ({ text, isSimple }, startsLocal) => {
      // ical.js does not count a first date that the rule does not match, and is wrong about some parts.
      fc.pre(isSimple)
      const recurrences = [{ startsLocal, endsLocal: startsLocal, rule: text }]
      const found = locals(expandSchedule({ timeZone: 'UTC', recurrences }, now, calendar).dates).slice(0, 30)
      const until = wallClockToDate('2028-01-01T00:00:00')
      const iterator = ICAL.Recur.fromString(text.replace(/;COUNT=\d+/, '')).iterator(
        ICAL.Time.fromDateTimeString(startsLocal),
      )
      const expected = new Set([startsLocal])
      const count = Number(/COUNT=(\d+)/.exec(text)?.[1] ?? 30)
      for (let next = iterator.next(); next && expected.size < Math.min(count, 30); next = iterator.next()) {
        if (wallClockToDate(next.toString()) > until) break
        expected.add(next.toString())
      }
      expect(found.filter((local) => local < '2028')).toEqual([...expected].filter((local) => local < '2028'))
    }),
    few,
  )
})
