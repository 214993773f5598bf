// Which occurrences keep their IDs and changes when the schedule of a series changes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateToWallClock, shiftWallClock, toWallClock, wallClockToDate } from '../../src/basics/time.ts'
import { expandSchedule } from '../../src/calendar/series/expand-schedule.ts'
import { type DatePlan, type ExistingOccurrence, planDates } from '../../src/calendar/series/plan-dates.ts'
import type { SeriesScheduleInput } from '../../src/calendar/series/schedule.ts'
import { runs } from '../helpers/runs.ts'
import { calendar, locals, now, schedule } from '../helpers/schedules.ts'

type Changes = Readonly<Record<string, Partial<ExistingOccurrence>>>
const timeZone = 'Europe/Paris'

/** Occurrences as a schedule has them. IDs count from 1; `changes` are by original start. */
const occurrencesOf = (input: SeriesScheduleInput, changes: Changes = {}): ExistingOccurrence[] =>
  expandSchedule(input, now, calendar, { until: '2027-06-30T00:00:00' }).dates.map((date, index) => {
    const own = changes[dateToWallClock(date.startsLocal)]
    return { ...date, id: index + 1, originalStartsLocal: date.startsLocal, changed: [], ...own }
  })

function plan(
  existing: readonly ExistingOccurrence[],
  before: SeriesScheduleInput,
  after: SeriesScheduleInput,
  at = now,
) {
  const options = { from: `${at.toISOString().slice(0, 10)}T00:00:00`, until: '2027-06-30T00:00:00' }
  const excludedBefore = expandSchedule(before, at, calendar, options).excluded
  const zone = after.timeZone ?? timeZone
  return planDates(existing, expandSchedule(after, at, calendar, options), { now: at, timeZone: zone, excludedBefore })
}

/** IDs of occurrences that stay as they are, because they have begun. */
const pastOf = ({ kept, deleted, detached }: DatePlan, existing: readonly ExistingOccurrence[]) => {
  const others = new Set([...kept.map(({ id }) => id), ...deleted, ...detached])
  return existing.flatMap(({ id }) => (others.has(id) ? [] : id))
}

/** `1>2027-01-05T19` for an occurrence that keeps its ID, with `*` if its times move. */
const keptOf = ({ kept }: DatePlan) =>
  kept.map(
    ({ id, date, movesTimes }) => `${id}>${dateToWallClock(date.startsLocal).slice(5, 16)}${movesTimes ? '*' : ''}`,
  )

/** From Tuesday, 6 January 2026. */
const weekly = (rule = 'FREQ=WEEKLY;COUNT=3', startsLocal = '2026-01-06T19:00:00', excludedDates: string[] = []) => ({
  timeZone,
  recurrences: [{ startsLocal, endsLocal: shiftWallClock(startsLocal, 3_600_000), rule }],
  excludedDates,
})
const cancelled = { changed: ['status'] }
const times = (startsLocal: string) => ({
  changed: ['times'],
  ...{ startsLocal: wallClockToDate(startsLocal), startsAt: wallClockToDate(startsLocal) },
})

describe('IDs', () => {
  test.each<[string, SeriesScheduleInput, SeriesScheduleInput, string[]]>([
    ['an unchanged schedule', weekly(), weekly(), ['1>01-06T19:00', '2>01-13T19:00', '3>01-20T19:00']],
    [
      'another time of day',
      weekly(),
      weekly('FREQ=WEEKLY;COUNT=3', '2026-01-06T19:30:00'),
      ['1>01-06T19:30*', '2>01-13T19:30*', '3>01-20T19:30*'],
    ],
    [
      'Tuesday to Wednesday',
      weekly(),
      weekly('FREQ=WEEKLY;COUNT=3', '2026-01-07T19:00:00'),
      ['1>01-07T19:00*', '2>01-14T19:00*', '3>01-21T19:00*'],
    ],
    [
      'Sunday to Monday, in weeks that begin on Sunday',
      weekly('FREQ=WEEKLY;COUNT=2', '2026-01-11T19:00:00'),
      weekly('FREQ=WEEKLY;WKST=SU;COUNT=2', '2026-01-12T19:00:00'),
      ['1>01-12T19:00*', '2>01-19T19:00*'],
    ],
    [
      'one of two days of the week',
      weekly('FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4'),
      weekly('FREQ=WEEKLY;BYDAY=WE,TH;COUNT=4', '2026-01-07T19:00:00'),
      ['1>01-07T19:00*', '2>01-08T19:00', '3>01-14T19:00*', '4>01-15T19:00'],
    ],
    [
      'another day of the month',
      weekly('FREQ=MONTHLY;COUNT=2'),
      weekly('FREQ=MONTHLY;COUNT=2', '2026-01-20T19:00:00'),
      ['1>01-20T19:00*', '2>02-20T19:00*'],
    ],
    [
      'another day of the year',
      weekly('FREQ=YEARLY;COUNT=2'),
      weekly('FREQ=YEARLY;COUNT=2', '2026-03-01T19:00:00'),
      ['1>03-01T19:00*', '2>03-01T19:00*'],
    ],
  ])('%s', (_name, before, after, expected) => {
    const result = plan(occurrencesOf(before), before, after)
    expect(keptOf(result)).toEqual(expected)
    expect({ ...result, kept: [] }).toEqual({
      kept: [],
      added: [],
      deleted: [],
      detached: [],
      excludedDates: [],
    })
  })

  test('fewer dates: what has no changes is deleted, what has is detached', () => {
    const existing = occurrencesOf(weekly('FREQ=WEEKLY;COUNT=4'), { '2026-01-27T19:00:00': cancelled })
    const result = plan(existing, weekly(), weekly('FREQ=WEEKLY;COUNT=2'))
    expect([result.kept.length, result.deleted, result.detached]).toEqual([2, [3], [4]])
  })
})

describe('changes of single dates', () => {
  test('an occurrence that was moved keeps its times, and its original start follows the schedule', () => {
    const existing = occurrencesOf(weekly(), { '2026-01-13T19:00:00': times('2026-01-15T11:00:00') })
    const { kept } = plan(existing, weekly(), weekly('FREQ=WEEKLY;COUNT=3', '2026-01-06T19:30:00'))
    expect(kept.map(({ id, movesTimes, movesOriginal }) => [id, movesTimes, movesOriginal])).toEqual([
      [1, true, true],
      [2, false, true],
      [3, true, true],
    ])
  })

  test('one that was moved before today and has taken place is not made again', () => {
    const existing = occurrencesOf(weekly(), { '2026-01-13T19:00:00': times('2026-01-08T11:00:00') })
    const at = new Date('2026-01-10T12:00:00Z')
    const result = plan(existing, weekly(), weekly('FREQ=WEEKLY;COUNT=3', '2026-01-07T19:00:00'), at)
    expect([keptOf(result), pastOf(result, existing), result.added]).toEqual([
      ...[['2>01-14T19:00', '3>01-21T19:00*'], [1], []],
    ])
    const other = plan(existing, weekly(), weekly('FREQ=DAILY;COUNT=1'), at)
    expect([pastOf(other, existing), other.deleted]).toEqual([[1, 2], [3]])
  })
})

describe('today', () => {
  const twice = (first: string, second: string): SeriesScheduleInput => ({
    timeZone,
    recurrences: [first, second].flatMap((time) => weekly('FREQ=DAILY;COUNT=2', `2026-01-06T${time}:00`).recurrences),
  })
  const at = new Date('2026-01-06T14:00:00Z')
  test.each([
    ['dates that have begun stay', twice('10:00', '19:00'), twice('11:00', '19:30'), ['2>01-06T19:30*'], []],
    ['a day has one date', weekly('FREQ=DAILY;COUNT=1', '2026-01-06T10:00:00'), weekly('FREQ=DAILY;COUNT=1'), [], []],
    ['the earlier date goes', twice('10:00', '19:00'), weekly('FREQ=DAILY;COUNT=1'), ['2>01-06T19:00'], []],
    [
      'an extra date of today is added',
      weekly('FREQ=DAILY;COUNT=1', '2026-01-06T10:00:00'),
      {
        ...weekly('FREQ=DAILY;COUNT=1', '2026-01-06T10:00:00'),
        extraDates: [{ startsLocal: '2026-01-06T20:00:00', endsLocal: '2026-01-06T21:00:00' }],
      },
      [],
      ['2026-01-06T20:00:00'],
    ],
  ])('%s', (_name, before, after, kept, added) => {
    const existing = occurrencesOf(before)
    const result = plan(existing, before, after, at)
    expect(keptOf(result).filter((text) => text.includes('01-06'))).toEqual(kept)
    expect([pastOf(result, existing), locals(result.added)]).toEqual([[1], added])
  })
})

describe('excluded dates', () => {
  const existing = (before: SeriesScheduleInput) => occurrencesOf(before)
  test.each<[string, SeriesScheduleInput, SeriesScheduleInput, string[]]>([
    [
      'a day, another time',
      weekly(undefined, undefined, ['2026-01-13']),
      weekly(undefined, '2026-01-06T19:30:00'),
      ['2026-01-13'],
    ],
    [
      'a local time, another time',
      weekly(undefined, undefined, ['2026-01-13T19:00:00']),
      weekly(undefined, '2026-01-06T19:30:00'),
      ['2026-01-13'],
    ],
    [
      'another day of the week',
      weekly(undefined, undefined, ['2026-01-13']),
      weekly(undefined, '2026-01-07T19:00:00'),
      ['2026-01-14'],
    ],
    [
      'a local time of a day with several dates',
      {
        timeZone,
        recurrences: [...weekly().recurrences, ...weekly(undefined, '2026-01-06T10:00:00').recurrences],
        excludedDates: ['2026-01-13T10:00:00'],
      },
      { timeZone, recurrences: [...weekly().recurrences, ...weekly(undefined, '2026-01-06T11:00:00').recurrences] },
      ['2026-01-13T11:00:00'],
    ],
    [
      'excluded by the new schedule, too',
      weekly(undefined, undefined, ['2026-01-13']),
      weekly('FREQ=WEEKLY;BYDAY=TU,WE', undefined, ['2026-01-13']),
      [],
    ],
  ])('%s', (_name, before, after, expected) => {
    const result = plan(existing(before), before, after)
    expect(result.excludedDates).toEqual(expected)
    const excludedDates = [...(after.excludedDates ?? []), ...result.excludedDates]
    const dates = expandSchedule({ ...after, excludedDates }, now, calendar, { until: '2027-06-30T00:00:00' }).dates
    expect(locals([...result.kept.map(({ date }) => date), ...result.added]).sort()).toEqual(locals(dates))
  })
})

describe('any schedules', () => {
  const few = { numRuns: runs(100, 4) }
  const changes = fc.array(fc.constantFrom([], [], [], ['status'], ['times'], ['label']), {
    minLength: 1,
    maxLength: 10,
  })
  const day = fc.integer({ min: 0, max: 300 }).map((days) => new Date(now.getTime() + days * 86_400_000 + 50_000_000))
  const changedOf = (input: SeriesScheduleInput, lists: readonly (readonly string[])[]) =>
    occurrencesOf(input).map((each, index) => ({ ...each, changed: lists[index % lists.length] ?? [] }))

  test('each ID and each date once, no change is lost, original starts stay unique', () => {
    fc.assert(
      fc.property(schedule, schedule, changes, day, (before, after, lists, at) => {
        const existing = changedOf(before, lists)
        const result = plan(existing, before, { ...after, timeZone: before.timeZone }, at)
        const { kept, added, deleted, detached } = result
        const past = pastOf(result, existing)
        expect(kept.length + deleted.length + detached.length + past.length).toBe(existing.length)
        const local = toWallClock(at, before.timeZone ?? timeZone)
        const isComing = ({ startsAt, originalStartsLocal }: ExistingOccurrence) =>
          startsAt > at && dateToWallClock(originalStartsLocal) > local
        expect(existing.filter((each) => past.includes(each.id) && isComing(each))).toEqual([])
        expect(deleted.filter((id) => existing[id - 1]?.changed.length)).toEqual([])
        const starts = [...locals([...kept.map(({ date }) => date), ...added])]
        const stayed = past.map((id) => dateToWallClock(existing[id - 1]?.originalStartsLocal as Date))
        expect(new Set([...starts, ...stayed]).size).toBe(starts.length + stayed.length)
      }),
      few,
    )
  })

  test('an unchanged schedule changes nothing', () => {
    fc.assert(
      fc.property(schedule, changes, day, (input, lists, at) => {
        const { kept, added, deleted, detached, excludedDates } = plan(changedOf(input, lists), input, input, at)
        expect([added, deleted, detached, excludedDates]).toEqual([[], [], [], []])
        expect(kept.filter(({ movesTimes, movesOriginal }) => movesTimes || movesOriginal)).toEqual([])
      }),
      few,
    )
  })

  test('half an hour later for all keeps all IDs', () => {
    fc.assert(
      fc.property(schedule, changes, (input, lists) => {
        const evening = (minutes: string): SeriesScheduleInput => ({
          ...{ timeZone: input.timeZone, excludedDates: (input.excludedDates ?? []).map((each) => each.slice(0, 10)) },
          recurrences: input.recurrences.map(({ startsLocal, rule }) => {
            const at = `${startsLocal.slice(0, 10)}T19:${minutes}:00`
            return { startsLocal: at, endsLocal: at, rule }
          }),
        })
        const result = plan(changedOf(evening('00'), lists), evening('00'), evening('30'))
        expect([result.added, result.deleted, result.detached, result.excludedDates]).toEqual([[], [], [], []])
        for (const { date, movesOriginal } of result.kept)
          expect([dateToWallClock(date.startsLocal).slice(11), movesOriginal]).toEqual(['19:30:00', true])
      }),
      few,
    )
  })
})
