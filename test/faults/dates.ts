import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'Calendar programs keep the old time of an event that new time zone data move',
    file: 'src/calendar/event/recompute-zones.ts',
    find: ', sequence: { increment: 1 } }',
    replace: ' }',
    tests: ['test/cli/zones.test.ts'],
  },
  {
    title: 'A local time that the clocks skip moves back instead of forward',
    file: 'src/basics/time.ts',
    find: 'offsetAt(time - before) !== before && offsetAt(time - after) === after',
    replace: 'offsetAt(time - before) !== before',
    tests: ['test/time.test.ts'],
  },
  {
    title: 'A change of the time zone alone keeps the instants of an event',
    file: 'src/calendar/event/schedule.ts',
    find: 'before.timeZone === timeZone ? { clock, instant: before[`${edge}sAt`] } : fromWallClock(clock, timeZone)',
    replace: "timeZone === '' ? fromWallClock(clock, timeZone) : { clock, instant: before[`${edge}sAt`] }",
    tests: ['test/writing/graphql-schedule.test.ts'],
  },
  {
    title: 'New time zone data move an event from the second to the first of two repeated hours',
    file: 'src/calendar/event/schedule.ts',
    find: 'return toWallClock(instant, timeZone) === clock ? instant : toInstant(clock, timeZone)',
    replace: 'return toInstant(clock, timeZone)',
    tests: ['test/cli/zones.test.ts'],
  },
  {
    title: 'A cached response about today changes at midnight in UTC, not in the time zone',
    file: 'src/basics/dates/whole-days.ts',
    find: 'toInstant(`${addDays(toWallClock(now, zone), 1).slice(0, 10)}T00:00:00`, zone)',
    replace: "toInstant(`${addDays(toWallClock(now, zone), 1).slice(0, 10)}T00:00:00`, 'UTC')",
    tests: ['test/cache/expiry.test.ts'],
  },
  {
    title: 'A calendar leaves out an event of 31 days during which the clocks are set back',
    file: 'src/calendar/event/days.ts',
    find: 'Date.parse(start) - 32 * dayMs',
    replace: 'Date.parse(start) - 31 * dayMs',
    tests: ['test/filters/calendar-days.test.ts'],
  },
  {
    title: 'The calendar shows an event that ends at midnight on the next day, too',
    file: 'src/calendar/event/calendar-statement.ts',
    find: "width_bucket(ending - interval '1 second', (SELECT bounds FROM range))",
    replace: 'width_bucket(ending, (SELECT bounds FROM range))',
    tests: ['test/filters/calendar-days.test.ts'],
  },
  {
    title: 'The year 70 of two digits is 2070',
    file: 'src/basics/dates/date-patterns.ts',
    find: 'Number(year) < 70',
    replace: 'Number(year) <= 70',
    tests: ['test/dates/natural-date.test.ts'],
  },
  {
    title: 'Relative times with strict_dates count from the time in UTC',
    file: 'src/apis/rest/events/window.ts',
    find: "toWallClock(now, strict ? calendar.siteTimeZone : 'UTC')",
    replace: "toWallClock(now, strict ? 'UTC' : calendar.siteTimeZone)",
    tests: ['test/contract/filters-dates.test.ts'],
  },
  {
    title: 'The month page shows no time for an event after midnight, where days end later',
    file: 'src/apis/pages/month.ts',
    find: 'addDays(local, local.slice(11, 16) < endOfDayCutoff ? -1 : 0)',
    replace: 'addDays(local, local.slice(11, 16) < endOfDayCutoff ? 0 : 0)',
    tests: ['test/pages/calendar.test.ts'],
  },
]
