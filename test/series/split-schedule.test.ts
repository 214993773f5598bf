// A schedule that is split for a change of a date and all that follow.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateToWallClock } from '../../src/basics/time.ts'
import { expandSchedule, type SeriesDate } from '../../src/calendar/series/expand-schedule.ts'
import type { SeriesScheduleInput } from '../../src/calendar/series/schedule.ts'
import { splitSchedule } from '../../src/calendar/series/split-schedule.ts'
import { runs } from '../helpers/runs.ts'
import { calendar, daily, locals, now, schedule } from '../helpers/schedules.ts'

const until = '2028-12-31T00:00:00'
const datesOf = (input: SeriesScheduleInput) => {
  const hasDates = input.recurrences.length > 0 || (input.extraDates ?? []).length > 0
  return hasDates ? expandSchedule(input, now, calendar, { until }).dates : []
}
const rulesOf = (input: SeriesScheduleInput | undefined) =>
  input?.recurrences.map(({ startsLocal, rule }) => `${startsLocal.slice(0, 10)} ${rule}`)

test.each<[string, SeriesScheduleInput, string, string[] | undefined, string[] | undefined]>([
  [
    'COUNT',
    daily('FREQ=DAILY;COUNT=10'),
    '2026-01-04T19:00:00',
    ['2026-01-01 FREQ=DAILY;COUNT=3'],
    ['2026-01-04 FREQ=DAILY;COUNT=7'],
  ],
  [
    'COUNT over a gap, which is not counted, with an excluded date, which is',
    {
      recurrences: [
        { startsLocal: '2027-03-26T02:30:00', endsLocal: '2027-03-26T03:30:00', rule: 'FREQ=DAILY;COUNT=6' },
      ],
      excludedDates: ['2027-03-27'],
    },
    '2027-03-30T02:30:00',
    ['2027-03-26 FREQ=DAILY;COUNT=3'],
    ['2027-03-30 FREQ=DAILY;COUNT=3'],
  ],
  [
    'the end one second before, in UTC',
    daily('FREQ=DAILY;UNTIL=20260110'),
    '2026-01-04T19:00:00',
    ['2026-01-01 FREQ=DAILY;UNTIL=20260104T175959Z'],
    ['2026-01-04 FREQ=DAILY;UNTIL=20260110'],
  ],
  [
    'the end on the day before',
    { ...daily('FREQ=DAILY'), allDay: true },
    '2026-01-04T00:00:00',
    ['2026-01-01 FREQ=DAILY;UNTIL=20260103'],
    ['2026-01-04 FREQ=DAILY'],
  ],
  [
    'every second week, at a date of the other week',
    daily('FREQ=WEEKLY;INTERVAL=2'),
    '2026-01-08T19:00:00',
    ['2026-01-01 FREQ=WEEKLY;INTERVAL=2;UNTIL=20260108T175959Z'],
    ['2026-01-15 FREQ=WEEKLY;INTERVAL=2'],
  ],
  [
    'a first date that the rule does not match',
    daily('FREQ=WEEKLY;BYDAY=FR;COUNT=3'),
    '2026-01-02T19:00:00',
    ['2026-01-01 FREQ=WEEKLY;BYDAY=FR;COUNT=1'],
    ['2026-01-02 FREQ=WEEKLY;BYDAY=FR;COUNT=2'],
  ],
  [
    'a rule that has ended, and one that begins later',
    {
      recurrences: [
        ...daily('FREQ=DAILY;COUNT=2').recurrences,
        {
          ...daily('').recurrences[0],
          startsLocal: '2026-02-01T19:00:00',
          endsLocal: '2026-02-01T20:00:00',
          rule: 'FREQ=DAILY;COUNT=2',
        },
      ],
    },
    '2026-02-01T19:00:00',
    ['2026-01-01 FREQ=DAILY;COUNT=2'],
    ['2026-02-01 FREQ=DAILY;COUNT=2'],
  ],
  ['the first date', daily('FREQ=DAILY'), '2026-01-01T19:00:00', undefined, undefined],
  [
    'the first date, moved forward by a clock change',
    {
      timeZone: 'Europe/Paris',
      recurrences: [{ startsLocal: '2026-03-29T02:30:00', endsLocal: '2026-03-29T04:00:00', rule: 'FREQ=DAILY' }],
    },
    '2026-03-29T03:30:00',
    undefined,
    undefined,
  ],
  [
    'the second date, after the first was deleted',
    { ...daily('FREQ=DAILY'), excludedDates: ['2026-01-01'] },
    '2026-01-02T19:00:00',
    undefined,
    undefined,
  ],
])('%s', (_name, input, at, before, after) => {
  const parts = splitSchedule(input, at, calendar)
  expect([rulesOf(parts?.before), rulesOf(parts?.after)]).toEqual([before, after])
})

test('excluded days and times stay excluded in both parts', () => {
  const input = { ...daily('FREQ=DAILY;COUNT=6'), excludedDates: ['2026-01-02', '2026-01-05', '2026-01-06T19:00:00'] }
  const parts = splitSchedule(input, '2026-01-04T19:00:00', calendar)
  const days = [parts?.before, parts?.after].map(
    (part) => part && locals(datesOf(part)).map((local) => local.slice(8, 10)),
  )
  expect(days).toEqual([['01', '03'], ['04']])
})

test('every second year, a week that begins in another year is no place to split', () => {
  const input = daily('FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO')
  expect(rulesOf(splitSchedule(input, '2028-01-03T19:00:00', calendar)?.after)).toEqual([
    '2028-01-03 FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO',
  ])
  // The Monday of the first week of 2030.
  expect(() => splitSchedule(input, '2029-12-31T19:00:00', calendar)).toThrow('BYWEEKNO')
})

test('the dates of both parts are those of the schedule, wherever it is split', () => {
  fc.assert(
    fc.property(schedule, fc.nat(), (input, index) => {
      const whole = datesOf(input)
      const at = whole[index % Math.max(whole.length, 1)]?.startsLocal
      fc.pre(at !== undefined)
      const parts = splitSchedule(input, dateToWallClock(at as Date), calendar)
      const earlier = whole.filter(({ startsLocal }) => startsLocal < (at as Date))
      if (earlier.length === 0) {
        expect(parts).toBeUndefined()
        return
      }
      const times = (dates: readonly SeriesDate[]) => dates.map(({ recurrence: _, ...date }) => date)
      const { before, after } = parts as NonNullable<typeof parts>
      expect(times(datesOf(before))).toEqual(times(earlier))
      expect(times(datesOf(after))).toEqual(times(whole.slice(earlier.length)))
      expect(locals(datesOf(after))[0]).toBe(dateToWallClock(at as Date))
    }),
    { numRuns: runs(100) },
  )
})
