// The schedule of a series as iCalendar.
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { dateToWallClock } from '../../src/basics/time.ts'
import { expandSchedule } from '../../src/calendar/series/expand-schedule.ts'
import type { SeriesScheduleInput } from '../../src/calendar/series/schedule.ts'
import { formatSeries } from '../../src/calendar/series/schedule-text.ts'
import { runs } from '../helpers/runs.ts'
import { calendar, daily, locals, now, rule, startOn } from '../helpers/schedules.ts'

test('the rules of a series share one budget: those that take long to search are not formatted', () => {
  const rules = (count: number) => ({
    recurrences: Array(count).fill(daily('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30').recurrences[0]),
  })
  expect(format(rules(1))?.rules).toHaveLength(1)
  expect(format(rules(20))).toBeUndefined()
})

/** The series with all dates of its schedule, or those that `isStored` selects. */
function format(input: SeriesScheduleInput, isStored: (local: string) => boolean = () => true) {
  const { dates, computedUntil } = expandSchedule(input, now, calendar)
  const stored = dates.map((date, id) => ({
    ...{ ...date, id, originalStartsLocal: date.startsLocal, changedFields: [], hideFromListings: false },
  }))
  const shown = stored.filter(({ startsLocal }) => isStored(dateToWallClock(startsLocal)))
  return formatSeries(input, shown, computedUntil, calendar)
}

const linesOf = (input: SeriesScheduleInput) => format(input)?.rules.map((text) => text.split('\n'))

test.each<[string, SeriesScheduleInput, string[][] | undefined]>([
  [
    'a time zone, UNTIL in UTC, excluded days that the rule has',
    { ...daily('FREQ=WEEKLY;UNTIL=20260630'), excludedDates: ['2026-01-15', '2026-01-16', '2026-01-22T19:00:00'] },
    [
      [
        'DTSTART;TZID=Europe/Paris:20260101T190000',
        'RRULE:FREQ=WEEKLY;UNTIL=20260630T215959Z',
        'EXDATE;TZID=Europe/Paris:20260115T190000',
        'EXDATE;TZID=Europe/Paris:20260122T190000',
      ],
    ],
  ],
  [
    'whole days',
    { ...daily('FREQ=DAILY;BYHOUR=10;UNTIL=20260630T100000Z'), allDay: true, excludedDates: ['2026-01-15'] },
    [
      [
        'DTSTART;VALUE=DATE:20260101',
        'DTEND;VALUE=DATE:20260102',
        'RRULE:FREQ=DAILY;UNTIL=20260630',
        'EXDATE;VALUE=DATE:20260115',
      ],
    ],
  ],
  [
    'UTC',
    { ...daily('FREQ=DAILY;COUNT=3'), timeZone: 'UTC' },
    [['DTSTART:20260101T190000Z', 'RRULE:FREQ=DAILY;COUNT=3']],
  ],
  ['a zone without a name', { ...daily('FREQ=DAILY'), timeZone: 'UTC+2' }, undefined],
  [
    'a first date that the rule does not match',
    {
      timeZone: 'Europe/Paris',
      recurrences: [
        { startsLocal: '2026-01-06T19:00:00', endsLocal: '2026-01-06T20:00:00', rule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' },
      ],
    },
    [
      [
        'DTSTART;TZID=Europe/Paris:20260106T190000',
        'DTEND;TZID=Europe/Paris:20260106T200000',
        'RRULE:FREQ=DAILY;COUNT=1',
      ],
      [
        'DTSTART;TZID=Europe/Paris:20260109T190000',
        'DTEND;TZID=Europe/Paris:20260109T200000',
        'RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=2',
      ],
    ],
  ],
])('%s', (_name, input, expected) => {
  expect(linesOf(input)).toEqual(expected)
})

test('extra dates take events of their own', () => {
  const extraDates = [{ startsLocal: '2026-05-01T19:30:00', endsLocal: '2026-05-01T20:00:00' }]
  const { rules, otherDates } = format({ ...daily('FREQ=DAILY;COUNT=200'), extraDates }) ?? {}
  expect(rules).toHaveLength(1)
  expect(otherDates).toEqual([{ databaseId: 121, rule: null }])
})

test('without its first dates, a series starts later; without others, it excludes them', () => {
  const { rules } = format(daily('FREQ=DAILY;COUNT=5'), (local) => !/01-0[124]/.test(local)) ?? {}
  expect(rules).toEqual([
    [
      'DTSTART;TZID=Europe/Paris:20260103T190000',
      'RRULE:FREQ=DAILY;COUNT=3',
      'EXDATE;TZID=Europe/Paris:20260104T190000',
    ].join('\n'),
  ])
})

test('a rule whose dates another one gives from some day on ends before it', () => {
  const [own] = daily('FREQ=DAILY').recurrences
  const earlier = { startsLocal: '2025-12-30T19:00:00', endsLocal: '2025-12-30T20:00:00', rule: 'FREQ=DAILY' }
  expect(linesOf({ ...daily('FREQ=DAILY'), recurrences: own ? [own, earlier] : [] })?.[1]).toEqual([
    'DTSTART;TZID=Europe/Paris:20251230T190000',
    'DTEND;TZID=Europe/Paris:20251230T200000',
    'RRULE:FREQ=DAILY;UNTIL=20251231T180000Z',
  ])
})

test('ical.js reads the dates of the schedule', () => {
  const recurrence = fc
    .tuple(
      rule.filter(({ isSimple }) => isSimple),
      startOn,
    )
    .map(([{ text }, startsLocal]) => ({ startsLocal, endsLocal: startsLocal, rule: text }))
  const excluded = fc.array(
    startOn.map((local) => local.slice(0, 10)),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(fc.array(recurrence, { minLength: 1, maxLength: 3 }), excluded, (recurrences, excludedDates) => {
      const input = { timeZone: 'UTC', recurrences, excludedDates }
      const read = (linesOf(input) ?? []).flatMap((lines) => {
        const text = ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
        const iterator = new ICAL.Event(new ICAL.Component(ICAL.parse(text))).iterator()
        const found: string[] = []
        for (let next = iterator.next(); next && next.year < 2028; next = iterator.next())
          found.push(next.toString().slice(0, 19))
        return found
      })
      const { dates } = expandSchedule(input, now, calendar, { until: '2027-12-31T23:59:59' })
      expect([...new Set(read)].sort()).toEqual(locals(dates))
    }),
    { numRuns: runs(100) },
  )
})
