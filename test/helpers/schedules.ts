// Schedules for property tests.
import fc from 'fast-check'
import { addDays, dateToWallClock } from '../../src/basics/time.ts'
import type { SeriesScheduleInput } from '../../src/calendar/series/schedule.ts'

export const now = new Date('2026-01-01T00:00:00Z')
export const calendar = { siteTimeZone: 'Europe/Paris', endOfDayCutoff: '00:00' }

export const locals = (dates: readonly { readonly startsLocal: Date }[]) =>
  dates.map(({ startsLocal }) => dateToWallClock(startsLocal))

/** A schedule from 1 January 2026. */
export const daily = (rule: string, time = '19:00:00') => ({
  recurrences: [{ startsLocal: `2026-01-01T${time}`, endsLocal: `2026-01-01T${time}`, rule }],
})

const day = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')
const someOf = <Value>(values: fc.Arbitrary<Value>, maxLength: number) =>
  fc.uniqueArray(values, { minLength: 1, maxLength }).map((list) => list.join(','))
const optional = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.option(value, { nil: undefined }).map((text) => (text === undefined ? '' : `;${name}=${text}`))
const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''))

const interval = optional('INTERVAL', fc.integer({ min: 1, max: 4 }))
const ordinalDay = fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, -1, -2), day).map(([n, name]) => `${n}${name}`)
const monthDay = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(-1, -2, -31))
const months = someOf(fc.integer({ min: 1, max: 12 }), 3)
const end = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 40 }).map((count) => `;COUNT=${count}`),
  fc.constantFrom(';UNTIL=20260615', ';UNTIL=20270101T100000Z', ';UNTIL=20260329T003000Z'),
)

/** Rules of the kinds that all libraries expand in the same way. */
const simple = fc.oneof(
  join(fc.constant('FREQ=DAILY'), interval),
  join(
    fc.constant('FREQ=WEEKLY'),
    interval,
    optional('BYDAY', someOf(day, 4)),
    optional('WKST', fc.constantFrom('MO', 'SU')),
  ),
  join(fc.constant('FREQ=MONTHLY;BYMONTHDAY='), someOf(monthDay, 3), interval),
  join(fc.constant('FREQ=MONTHLY;BYDAY='), ordinalDay, interval),
  join(fc.constant('FREQ=YEARLY'), interval),
)
const other = fc.oneof(
  join(fc.constant('FREQ=MONTHLY;BYDAY='), someOf(ordinalDay, 3), interval),
  join(fc.constant('FREQ=DAILY'), interval, optional('BYDAY', someOf(day, 4)), optional('BYMONTH', months)),
  join(fc.constant('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS='), someOf(fc.constantFrom(1, 2, -1, -2), 2), interval),
  join(fc.constant('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS='), someOf(fc.constantFrom(1, 3, -1, -2), 2), interval),
  join(fc.constant('FREQ=MONTHLY;BYMONTHDAY=13;BYDAY='), someOf(day, 3), interval),
  join(fc.constant('FREQ=YEARLY;BYMONTH='), months, optional('BYDAY', someOf(ordinalDay, 2)), interval),
  join(
    fc.constant('FREQ=YEARLY;BYWEEKNO='),
    someOf(fc.integer({ min: 1, max: 53 }), 3),
    optional('BYDAY', someOf(day, 2)),
  ),
  join(fc.constant('FREQ=YEARLY;BYYEARDAY='), someOf(fc.integer({ min: 1, max: 366 }), 3), interval),
)

export const rule = fc
  .tuple(
    fc.oneof(
      simple.map((text) => ({ text, isSimple: true })),
      other.map((text) => ({ text, isSimple: false })),
    ),
    end,
  )
  .map(([{ text, isSimple }, suffix]) => ({
    text: `${text}${suffix}`,
    isSimple: isSimple && !suffix.includes('UNTIL'),
  }))

const time = fc.constantFrom('00:30:00', '02:30:00', '10:00:00', '19:00:00')
const dayOf2026 = fc.integer({ min: 0, max: 200 }).map((days) => addDays('2026-01-01T00:00:00', days).slice(0, 10))
export const startOn = fc.tuple(dayOf2026, time).map(([date, at]) => `${date}T${at}`)

const recurrence = fc
  .tuple(startOn, fc.integer({ min: 0, max: 2 }), rule)
  .map(([startsLocal, days, { text }]) => ({ startsLocal, endsLocal: addDays(startsLocal, days), rule: text }))

export const schedule: fc.Arbitrary<SeriesScheduleInput> = fc.record({
  timeZone: fc.constantFrom('Europe/Paris', 'America/New_York', 'Africa/Cairo', 'UTC'),
  allDay: fc.boolean(),
  recurrences: fc.array(recurrence, { minLength: 1, maxLength: 3 }),
  extraDates: fc.array(
    startOn.map((startsLocal) => ({ startsLocal, endsLocal: `${startsLocal.slice(0, 10)}T23:30:00` })),
    { maxLength: 3 },
  ),
  excludedDates: fc.array(fc.oneof(dayOf2026, startOn), { maxLength: 6 }),
})
