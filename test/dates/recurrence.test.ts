// Recurrence rules: the examples of RFC 5545 (3.8.5.3), and rules that other libraries get wrong.
import { expect, test } from 'vitest'
import { createExpansionBudget, expandRule } from '../../src/basics/dates/recurrence.ts'
import { parseRule, type RecurrenceRule } from '../../src/basics/dates/recurrence-rule.ts'

const ruleOf = (text: string): RecurrenceRule => {
  const rule = parseRule(text)
  if (typeof rule === 'string') throw new Error(rule)
  return rule
}

function expand(start: string, text: string, options: { zone?: string; from?: string; until?: string } = {}) {
  const [local, isDate] = [start.length === 10 ? `${start}T00:00:00` : start, start.length === 10]
  const { zone = 'America/New_York', from = local, until = '2100-01-01T00:00:00' } = options
  const ruleStart = { local, isDate, isOccurrence: true, zoneAt: () => zone }
  return expandRule(ruleOf(text), ruleStart, { from, until }, createExpansionBudget()).starts
}

/** The first dates, as many as expected. */
const days = (start: string, text: string, count: number) =>
  expand(`${start}T09:00:00`, text, { until: `${Number(start.slice(0, 4)) + 40}-01-01T00:00:00` })
    .slice(0, count)
    .map((local) => local.slice(0, 10))
const times = (start: string, text: string) => expand(start, text).map((local) => local.slice(5, 16))

/** `1997-09-02 04 10-05`: each date repeats the parts that it does not name. */
function datesOf(text: string): string[] {
  const dates: string[] = []
  for (const part of text.split(/\s+/)) dates.push(`${dates.at(-1) ?? ''}`.slice(0, 10 - part.length) + part)
  return dates
}

test.each([
  // Daily
  ['1997-09-02', 'FREQ=DAILY;COUNT=10', '1997-09-02 03 04 05 06 07 08 09 10 11'],
  ['1997-12-22', 'FREQ=DAILY;UNTIL=19971224T000000Z', '1997-12-22 23'],
  ['1997-09-02', 'FREQ=DAILY;INTERVAL=2;COUNT=4', '1997-09-02 04 06 08'],
  ['1997-09-02', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-09-02 12 22 10-02 12'],
  ['1998-01-30', 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1', '1998-01-30 31 1999-01-01 02'],
  // Weekly
  ['1997-09-02', 'FREQ=WEEKLY;COUNT=10', '1997-09-02 09 16 23 30 10-07 14 21 28 11-04'],
  ['1997-09-02', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU', '1997-09-02 16 30 10-14 28 11-11 25'],
  ['1997-09-02', 'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', '1997-09-02 04 09 11 16 18 23 25 30 10-02'],
  [
    '1997-09-01',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1997-09-01 03 05 15 17 19 29',
  ],
  ['1997-09-02', 'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '1997-09-02 04 16 18 30 10-02 14 16'],
  ['1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08-05 10 19 24'],
  ['1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08-05 17 19 31'],
  ['2016-01-04', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1', '2016-01-04 08 11 15'],
  // Monthly
  [
    '1997-09-05',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '1997-09-05 10-03 11-07 12-05 1998-01-02 02-06 03-06 04-03 05-01 06-05',
  ],
  [
    '1997-09-07',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1997-09-07 28 11-02 30 1998-01-04 25 03-01 29 05-03 31',
  ],
  ['1997-09-22', 'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', '1997-09-22 10-20 11-17 12-22 1998-01-19 02-16'],
  ['1997-09-28', 'FREQ=MONTHLY;BYMONTHDAY=-3', '1997-09-28 10-29 11-28 12-29 1998-01-29 02-26'],
  ['1997-09-02', 'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15', '1997-09-02 15 10-02 15 11-02 15 12-02 15 1998-01-02 15'],
  ['1997-09-30', 'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1', '1997-09-30 10-01 31 11-01 30 12-01 31 1998-01-01 31 02-01'],
  ['1997-09-10', 'FREQ=MONTHLY;INTERVAL=18;COUNT=4;BYMONTHDAY=10,11,12,13', '1997-09-10 11 12 13'],
  ['1997-09-02', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU', '1997-09-02 09 16 23 30 11-04 11 18 25 1998-01-06'],
  ['1998-02-13', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-02-13 03-13 11-13 1999-08-13 2000-10-13'],
  ['1997-09-13', 'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13', '1997-09-13 10-11 11-08 12-13 1998-01-10 02-07'],
  ['1997-09-04', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997-09-04 10-07 11-06'],
  [
    '1997-09-29',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '1997-09-29 10-30 11-27 12-30 1998-01-29 02-26 03-30',
  ],
  ['2026-01-31', 'FREQ=MONTHLY;COUNT=3', '2026-01-31 03-31 05-31'],
  ['2007-01-15', 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007-01-15 30 02-15 03-15 30'],
  ['2026-01-31', 'FREQ=MONTHLY;BYDAY=5SA;COUNT=3', '2026-01-31 05-30 08-29'],
  ['2014-01-31', 'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4', '2014-01-31 03-01 31 05-01'],
  ['2013-02-10', 'RSCALE=CHINESE;FREQ=YEARLY;COUNT=4', '2013-02-10 2014-01-31 2015-02-19 2016-02-08'],
  // Yearly
  ['1997-06-10', 'FREQ=YEARLY;COUNT=10;BYMONTH=6,7', '1997-06-10 07-10 1998-06-10 07-10 1999-06-10 07-10'],
  ['1997-03-10', 'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3', '1997-03-10 1999-01-10 02-10 03-10 2001-01-10'],
  [
    '1997-01-01',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '1997-01-01 04-10 07-19 2000-01-01 04-09 07-18',
  ],
  ['1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', '1997-05-19 1998-05-18 1999-05-17'],
  ['1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05-12 1998-05-11 1999-05-17'],
  ['1997-03-13', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '1997-03-13 20 27 1998-03-05 12 19 26 1999-03-04'],
  [
    '1997-06-05',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8;COUNT=14',
    '1997-06-05 12 19 26 07-03 10 17 24 31 08-07 14 21 28 1998-06-04',
  ],
  [
    '1996-11-05',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '1996-11-05 2000-11-07 2004-11-02',
  ],
  ['2024-02-29', 'FREQ=YEARLY;COUNT=3', '2024-02-29 2028-02-29 2032-02-29'],
  ['2026-12-31', 'FREQ=YEARLY;BYYEARDAY=-1,-2;COUNT=3', '2026-12-31 2027-12-30 31'],
  ['2024-12-31', 'FREQ=YEARLY;BYYEARDAY=366;COUNT=2', '2024-12-31 2028-12-31'],
  ['1997-12-29', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '1997-12-29 1999-01-04 2000-01-03 2001-01-01'],
  ['2020-12-28', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', '2020-12-28 2026-12-28 2032-12-27'],
  ['2026-12-27', 'FREQ=YEARLY;BYDAY=-1SU', '2026-12-27 2027-12-26 2028-12-31'],
  ['2000-12-30', 'FREQ=YEARLY;BYDAY=53SA', '2000-12-30 2005-12-31 2011-12-31'],
  ['2000-01-01', 'FREQ=YEARLY;BYYEARDAY=1,100;BYDAY=SA', '2000-01-01 2005-01-01 2010-04-10'],
  ['2003-10-28', 'FREQ=YEARLY;BYMONTHDAY=28,29;BYDAY=-10WE,-10TU', '2003-10-28 29 2008-10-28 29 2009-10-28'],
  ['2026-01-05', 'FREQ=YEARLY;BYDAY=MO;BYSETPOS=1,-1', '2026-01-05 12-28 2027-01-04 12-27 2028-01-03'],
  // DTSTART counts as the first even if the rule does not match it.
  ['2026-12-01', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3', '2026-12-01 04 11'],
  ['2026-12-05', 'FREQ=DAILY;UNTIL=20260101T000000Z', '2026-12-05'],
  // As some programs write rules
  ['2026-12-01', ' freq=weekly; byday=tu , th;COUNT=3;', '2026-12-01 03 08'],
  ['2026-12-01', 'FREQ=DAILY;COUNT=2;BYDAY=;X-COLOR=RED', '2026-12-01 02'],
])('%s %s', (start, rule, expected) => {
  const dates = datesOf(expected)
  expect(days(start, rule, dates.length)).toEqual(dates)
})

test.each([
  ['1997-09-02T09:00:00', 'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000', '09-02T09:00 09-02T12:00 09-02T15:00'],
  ['1997-09-02T09:00:00', 'FREQ=MINUTELY;INTERVAL=15;COUNT=3', '09-02T09:00 09-02T09:15 09-02T09:30'],
  ['1997-09-02T09:00:00', 'FREQ=MINUTELY;INTERVAL=90;COUNT=4', '09-02T09:00 09-02T10:30 09-02T12:00 09-02T13:30'],
  ['1997-09-02T16:40:00', 'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,16;COUNT=3', '09-02T16:40 09-03T09:00 09-03T09:20'],
  [
    '2026-02-02T09:00:00',
    'FREQ=DAILY;BYDAY=MO;BYHOUR=9,17;BYMONTH=2;COUNT=4',
    '02-02T09:00 02-02T17:00 02-09T09:00 02-09T17:00',
  ],
  ['2026-12-01T08:00:00', 'FREQ=DAILY;BYHOUR=9;COUNT=3', '12-01T08:00 12-01T09:00 12-02T09:00'],
  // UNTIL: an instant, a local time, a day, a day with an unreadable time
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260903T000000Z', '09-01T20:00 09-02T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260902T235959Z', '09-01T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260902T200000', '09-01T20:00 09-02T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260902T195959', '09-01T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260902', '09-01T20:00 09-02T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=2026-09-02', '09-01T20:00 09-02T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260902T996060Z', '09-01T20:00 09-02T20:00'],
  ['2026-09-01T20:00:00', 'FREQ=DAILY;UNTIL=20260902T2000-0400', '09-01T20:00 09-02T20:00'],
  // Days without times
  ['2026-12-07', 'FREQ=DAILY;UNTIL=20261208', '12-07T00:00 12-08T00:00'],
  ['2026-12-07', 'FREQ=DAILY;UNTIL=20261208T235959Z', '12-07T00:00 12-08T00:00'],
  ['2026-12-07', 'FREQ=DAILY;UNTIL=20261208T050000Z', '12-07T00:00 12-08T00:00'],
  ['2026-12-07', 'FREQ=DAILY;BYHOUR=9;UNTIL=20261208T000000', '12-07T00:00 12-08T00:00'],
  ['2026-12-07T10:00:00', 'FREQ=DAILY;COUNT=5;UNTIL=20261208T235900Z', '12-07T10:00 12-08T10:00'],
])('%s %s', (start, rule, expected) => {
  expect(times(start, rule)).toEqual(expected.split(' '))
})

test.each([
  ['Europe/Paris', '2027-03-27T02:30:00', 'FREQ=DAILY;COUNT=3', '03-27T02:30 03-29T02:30 03-30T02:30'],
  ['Africa/Cairo', '2027-04-23T00:30:00', 'FREQ=WEEKLY;COUNT=3', '04-23T00:30 05-07T00:30 05-14T00:30'],
  ['Europe/Amsterdam', '2020-10-24T02:30:00', 'FREQ=DAILY;UNTIL=20201025T010000Z', '10-24T02:30 10-25T02:30'],
  ['Pacific/Apia', '2011-12-29T10:00:00', 'FREQ=DAILY;COUNT=3', '12-29T10:00 12-31T10:00 01-01T10:00'],
  [
    'America/Los_Angeles',
    '2026-09-01T20:00:00',
    'FREQ=DAILY;UNTIL=20260904T030000Z',
    '09-01T20:00 09-02T20:00 09-03T20:00',
  ],
  [
    'Europe/Paris',
    '2027-03-28T01:00:00',
    'FREQ=MINUTELY;INTERVAL=30;COUNT=4',
    '03-28T01:00 03-28T01:30 03-28T03:00 03-28T03:30',
  ],
  ['Africa/Cairo', '2027-04-29', 'FREQ=DAILY;COUNT=3', '04-29T00:00 04-30T00:00 05-01T00:00'],
])('%s: no occurrence at a time that the zone skips (%s %s)', (zone, start, rule, expected) => {
  expect(expand(start, rule, { zone }).map((local) => local.slice(5, 16))).toEqual(expected.split(' '))
})

test('only occurrences within the window are returned, counted from the start', () => {
  const window = { from: '2026-11-30T00:00:00', until: '2026-12-31T23:59:59' }
  const expandFrom = (rule: string) => expand('1990-01-01T10:00:00', rule, window).map((local) => local.slice(0, 10))
  expect(expandFrom('FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH')).toEqual([
    ...['2026-11-30', '2026-12-03', '2026-12-21', '2026-12-24'],
  ])
  expect(expandFrom('FREQ=WEEKLY;COUNT=1928')).toEqual(['2026-11-30', '2026-12-07'])
  expect(expandFrom('FREQ=WEEKLY;UNTIL=20261207T090000Z')).toEqual(['2026-11-30'])
})

test.each([
  ['', 'FREQ is missing'],
  ['INTERVAL=2', 'FREQ is missing'],
  ['FREQ=FORTNIGHTLY', 'FREQ=FORTNIGHTLY is not a part of a rule'],
  ['FREQ=DAILY;BYEASTER=0', 'BYEASTER=0 is not a part of a rule'],
  ['FREQ=DAILY;BYMONTH=13', 'BYMONTH=13 needs RSCALE'],
  ['FREQ=DAILY;BYHOUR=24', 'BYHOUR=24 is not a part of a rule'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL=0 is not a part of a rule'],
  ['FREQ=DAILY;COUNT=-1', 'COUNT=-1 is not a part of a rule'],
  ['FREQ=DAILY;UNTIL=never', 'UNTIL=NEVER is not a part of a rule'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ occurs twice'],
  ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY MUST NOT be used when FREQ is WEEKLY'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY with numeric value MUST NOT be used unless FREQ is MONTHLY or YEARLY'],
  ['FREQ=DAILY;BYSETPOS=1', 'BYSETPOS MUST be used with another BYxxx rule part'],
  ['RSCALE=CHINESE;FREQ=DAILY', 'RSCALE=CHINESE is supported with FREQ=YEARLY only'],
  ['FREQ=YEARLY;BYDAY=MO,20TU', 'BYDAY=MO,20TU is not supported'],
])('the rule %j cannot be read: %s', (rule, reason) => {
  expect(parseRule(rule)).toBe(reason)
})

test('a rule says what it should not contain', () => {
  expect(ruleOf('FREQ=DAILY;COUNT=3;UNTIL=20261207T996060Z').notes).toEqual([
    'UNTIL=20261207T996060Z is not a time: it was read as the end of that day.',
    'A rule cannot have both COUNT and UNTIL: it was read to end with the first of them.',
  ])
})

test.each([
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=YEARLY;INTERVAL=100000', false],
  ['FREQ=MONTHLY;INTERVAL=9999999', false],
  ['FREQ=DAILY;INTERVAL=99999999999999999999', false],
  ['FREQ=SECONDLY', true],
  ['FREQ=MINUTELY;BYSECOND=1;BYSETPOS=2', true],
  ['FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8;BYMINUTE=1,2,3,4,5,6,7,8;BYSECOND=1,2,3,4,5,6,7,8', true],
  ['FREQ=SECONDLY;COUNT=999999999', true],
])('the endless or impossible rule %s ends within the limits', (rule, isCut) => {
  const budget = createExpansionBudget()
  const start = { local: '2026-12-01T10:00:00', isDate: false, isOccurrence: true, zoneAt: () => 'UTC' }
  const window = { from: '2026-12-01T00:00:00', until: '2028-11-21T23:59:59' }
  const expansion = expandRule(ruleOf(rule), start, window, budget)
  expect(expansion.isCut).toBe(isCut)
  expect(expansion.starts.length).toBeLessThanOrEqual(10_001)
})

test('BYWEEKNO without BYDAY means the weekday of the start, wherever the window begins', () => {
  const text = 'FREQ=YEARLY;BYWEEKNO=16'
  const from = (day: string) => expand('2026-04-18T09:00:00', text, { from: day, until: '2029-01-01T00:00:00' })
  expect(from('2026-01-01T00:00:00')).toEqual(['2026-04-18T09:00:00', '2027-04-24T09:00:00', '2028-04-22T09:00:00'])
  expect(from('2028-02-29T12:00:00')).toEqual(['2028-04-22T09:00:00'])
})
