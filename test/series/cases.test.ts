// Writes of series and of their dates. The schedules of `preview.test.ts` are only expanded.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import {
  changeDate,
  createSeries,
  datesOf,
  ids,
  readFields,
  ruled,
  type Schedule,
  starts,
  tryToCreate,
  updateDate,
  updateSeries,
} from '../helpers/series.ts'
import { write, written } from '../helpers/write.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
beforeEach(() => {
  app.clock.now = new Date('2026-11-21T12:00:00Z')
})
afterAll(() => app?.close())

const create = (schedule: Schedule, input = {}) => createSeries(editor, { status: 'PUBLISHED', ...input, schedule })
const at = (day: string, time = '19:00', end = '23:00') => ({
  startsLocal: `${day}T${time}:00`,
  endsLocal: `${day}T${end}:00`,
})
/** Six Tuesdays from 5 January to 9 February. */
const tuesdays = ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=6')
const dayList = (...days: readonly string[]) => days.map((day) => `2027-${day}T19:00`)

async function createTuesdays(input = {}) {
  const series = await create(tuesdays, input)
  return { series, dates: ids(await datesOf(editor, series)) as [number, number, number, number, number, number] }
}

describe('stored dates', () => {
  const inLosAngeles = {
    ...ruled('2026-09-01T20:00', 'FREQ=DAILY;UNTIL=20260904T030000Z'),
    timeZone: 'America/Los_Angeles',
  }
  test.each<[string, Schedule, readonly string[]]>([
    [
      'COUNT comes before an excluded date',
      {
        ...ruled('2027-04-01T19:00', 'FREQ=DAILY;COUNT=3'),
        excludedDates: ['2027-04-02'],
        extraDates: [{ startsLocal: '2027-04-05T19:00:00' }],
      },
      dayList('04-01', '04-03', '04-05'),
    ],
    ['UNTIL is an instant and inclusive', inLosAngeles, ['2026-09-01T20:00', '2026-09-02T20:00', '2026-09-03T20:00']],
    ['UNTIL is a day', ruled('2027-09-01T19:00', 'FREQ=DAILY;UNTIL=20270903'), dayList('09-01', '09-02', '09-03')],
    [
      'a day is excluded, and a local time',
      { ...ruled('2027-04-01T19:00', 'FREQ=DAILY;COUNT=4'), excludedDates: ['2027-04-02', '2027-04-03T19:00'] },
      dayList('04-01', '04-04'),
    ],
    [
      'the first date counts',
      ruled('2027-01-05T19:00', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3'),
      dayList('01-05', '01-08', '01-15'),
    ],
    [
      'a local time that does not exist is left out of a rule, and moved as an extra date',
      {
        ...ruled('2027-03-27T02:30', 'FREQ=DAILY;COUNT=2', '2027-03-27T04:00'),
        extraDates: [{ startsLocal: '2027-03-28T02:30:00' }],
      },
      ['2027-03-27T02:30', '2027-03-28T03:30', '2027-03-29T02:30'],
    ],
    [
      'a rule that has no date but the first',
      ruled('2027-01-05T19:00', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3'),
      dayList('01-05'),
    ],
  ])('%s', async (_name, schedule, expected) => {
    expect(starts(await datesOf(editor, await create(schedule)))).toEqual(expected)
  })

  test('times over a change of the clocks', async () => {
    const night = await create(ruled('2027-10-23T22:00', 'FREQ=WEEKLY;COUNT=2', '2027-10-24T03:30'))
    const days = await create({ ...ruled('2027-10-30T00:00', 'FREQ=DAILY;COUNT=2', '2027-10-30T00:00'), allDay: true })
    const fields = 'startsLocal endsLocal startsAt endsAt allDay'
    const of = async (id: number) =>
      Promise.all((await datesOf(editor, id)).map((date) => readFields(editor, 'event', date.id, fields)))
    expect((await of(night))[1]).toMatchObject({
      ...{ endsLocal: '2027-10-31T03:30:00', startsAt: '2027-10-30T20:00:00.000Z', endsAt: '2027-10-31T02:30:00.000Z' },
    })
    expect(await of(days)).toMatchObject([
      { allDay: true, startsLocal: '2027-10-30T00:00:00', endsLocal: '2027-10-30T23:59:59' },
      { startsAt: '2027-10-30T22:00:00.000Z', endsAt: '2027-10-31T22:59:59.000Z' },
    ])
  })

  test.each<[string, Schedule, string]>([
    ['COUNT with UNTIL', ruled('2027-01-05T19:00', 'FREQ=DAILY;COUNT=3;UNTIL=20270301'), 'both COUNT and UNTIL'],
    ['no date', { ...ruled('2027-01-05T19:00', 'FREQ=DAILY;COUNT=1'), excludedDates: ['2027-01-05'] }, 'has no date'],
    ['nothing', {}, 'at least one recurrence or extra date'],
    ['an end before the start', ruled('2027-01-05T19:00', 'FREQ=DAILY', '2027-01-05T18:00'), 'endsLocal is before'],
    ['a day that is none', { ...tuesdays, excludedDates: ['Christmas'] }, 'Send a day such as 2026-12-24'],
    ['a day that does not exist', { ...tuesdays, excludedDates: ['2026-99-99'] }, '"2026-99-99" is neither'],
    [
      'a time that does not exist',
      { ...tuesdays, excludedDates: ['2027-01-05T24:00'] },
      '"2027-01-05T24:00" is neither',
    ],
    ['a day of the year 0', { ...tuesdays, excludedDates: ['0000-01-01'] }, '"0000-01-01" is neither'],
  ])('%s is refused', async (_name, schedule, message) => {
    const { errors } = await tryToCreate(editor, { schedule })
    expect(errors[0]).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(message) })
    expect(errors[0]?.path[0]).toBe('schedule')
  })

  test('an endless series has its dates for 24 months ahead', async () => {
    const id = await create(ruled('2026-12-01T19:00', 'FREQ=WEEKLY'))
    const read = await readFields(editor, 'eventSeries', id, 'isEndless horizon events { totalCount }')
    expect(read).toEqual({ isEndless: true, horizon: '2028-12-01T19:00:00', events: { totalCount: 105 } })
  })
})

describe('another schedule', () => {
  test.each<[string, Schedule, readonly string[], readonly number[]]>([
    [
      'another time of day',
      ruled('2027-01-05T19:30', 'FREQ=WEEKLY;COUNT=6'),
      ['01-05', '01-12', '01-19', '01-26', '02-02', '02-09'].map((day) => `2027-${day}T19:30`),
      [0, 1, 2, 3, 4, 5],
    ],
    [
      'another day of the week',
      ruled('2027-01-06T19:00', 'FREQ=WEEKLY;COUNT=6'),
      dayList('01-06', '01-13', '01-20', '01-27', '02-03', '02-10'),
      [0, 1, 2, 3, 4, 5],
    ],
    ['fewer dates', ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=2'), dayList('01-05', '01-12'), [0, 1]],
    [
      'every second week',
      ruled('2027-01-05T19:00', 'FREQ=WEEKLY;INTERVAL=2;COUNT=3'),
      dayList('01-05', '01-19', '02-02'),
      [0, 2, 4],
    ],
  ])('%s keeps the IDs', async (_name, schedule, expected, kept) => {
    const { series, dates } = await createTuesdays()
    expect(await updateSeries(editor, { id: series, schedule })).toEqual([])
    const after = await datesOf(editor, series)
    expect(starts(after)).toEqual(expected)
    expect(ids(after)).toEqual(kept.map((index) => dates[index]))
  })

  test('dates that have begun stay, and a deleted date does not come back', async () => {
    const { series, dates } = await createTuesdays()
    await changeDate(editor, 'delete', 'THIS', { id: dates[4] })
    app.clock.now = new Date('2027-01-14T12:00:00Z')
    await updateSeries(editor, { id: series, schedule: ruled('2027-01-05T18:00', 'FREQ=WEEKLY;COUNT=6') })
    const after = await datesOf(editor, series)
    expect(starts(after)).toEqual([
      ...dayList('01-05', '01-12'),
      ...['2027-01-19T18:00', '2027-01-26T18:00', '2027-02-09T18:00'],
    ])
    expect(ids(after)).toEqual([0, 1, 2, 3, 5].map((index) => dates[index]))
    const { excludedDates } = await readFields(editor, 'eventSeries', series, 'excludedDates')
    expect(excludedDates).toEqual(['2027-02-02'])
  })

  test('a changed date without a place becomes an event of its own', async () => {
    const { series, dates } = await createTuesdays()
    await updateDate(editor, 'THIS', { id: dates[5], dateNote: 'Bring a cake.' })
    await updateSeries(editor, { id: series, schedule: ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=3') })
    expect(ids(await datesOf(editor, series))).toEqual(dates.slice(0, 3))
    expect(await readFields(editor, 'event', dates[5], 'title startsLocal occurrence')).toEqual({
      ...{ title: 'Course', startsLocal: '2027-02-09T19:00:00', occurrence: 'SINGLE' },
    })
    expect(await readFields(editor, 'event', dates[4], 'title')).toBeNull()
  })

  test('another time zone keeps local times and IDs', async () => {
    const { series, dates } = await createTuesdays()
    await updateSeries(editor, { id: series, schedule: { ...tuesdays, timeZone: 'America/New_York' } })
    const after = await datesOf(editor, series)
    expect([ids(after), starts(after)[0]]).toEqual([dates, '2027-01-05T19:00'])
    expect(await readFields(editor, 'event', dates[0], 'startsAt timeZone')).toEqual({
      ...{ startsAt: '2027-01-06T00:00:00.000Z', timeZone: 'America/New_York' },
    })
  })
})

describe('one date', () => {
  test('a moved date keeps its time and ID when the series changes, and is on its new day only', async () => {
    const { series, dates } = await createTuesdays()
    await updateDate(editor, 'THIS', { id: dates[1], ...at('2027-01-14', '20:00') })
    await updateSeries(editor, { id: series, schedule: ruled('2027-01-05T18:30', 'FREQ=WEEKLY;COUNT=6') })
    const after = await datesOf(editor, series)
    expect(ids(after)).toEqual(dates)
    expect(after[1]).toEqual({ id: dates[1], startsLocal: '2027-01-14T20:00:00', occurrence: 'CHANGED' })
    const days = async (from: string, to = from) => {
      const filter = { series: [series], startsLocal: { gte: `${from}T00:00:00`, lte: `${to}T23:59:59` } }
      const query = 'query ($filter: EventFilter) { events(filter: $filter) { totalCount } }'
      return (await app.graphql(query, { filter })).body.data?.events.totalCount
    }
    expect(await days('2027-01-12')).toBe(0)
    expect(await days('2027-01-14')).toBe(1)
  })

  test('a date cannot move onto another of its series, but onto one of another series', async () => {
    const { dates } = await createTuesdays()
    const other = await createTuesdays()
    expect(await updateDate(editor, 'THIS', { id: dates[1], ...at('2027-01-19') })).toMatchObject([
      { code: 'BAD_INPUT', path: ['startsLocal'], message: 'The series has another date at 2027-01-19T19:00:00.' },
    ])
    expect(await updateDate(editor, 'THIS', { id: dates[1], ...at('2027-01-20') })).toEqual([])
    expect(await updateDate(editor, 'THIS', { id: other.dates[1], ...at('2027-01-20') })).toEqual([])
  })

  test('two dates of a day have numbers in their URLs', async () => {
    const { dates } = await createTuesdays({ slug: 'numbered' })
    await updateDate(editor, 'THIS', { id: dates[1], ...at('2027-01-19', '10:00', '12:00') })
    const urls = await Promise.all(dates.slice(0, 3).map((id) => readFields(editor, 'event', id, 'url')))
    expect(urls.map(({ url }) => new URL(url).pathname)).toEqual([
      ...['/event/numbered/2027-01-05/', '/event/numbered/2027-01-19/', '/event/numbered/2027-01-19/2/'],
    ])
  })

  test('a cancelled date is a change', async () => {
    const { series, dates } = await createTuesdays()
    await updateDate(editor, 'THIS', { id: dates[2], eventStatus: 'CANCELLED', dateLabel: 'storm' })
    expect(await readFields(app, 'event', dates[2], 'eventStatus dateLabel occurrence')).toEqual({
      ...{ eventStatus: 'CANCELLED', dateLabel: 'storm', occurrence: 'CHANGED' },
    })
    await updateDate(editor, 'ALL', { id: dates[0], onlineUrl: 'https://stream.test/', attendanceMode: 'MIXED' })
    expect(await readFields(app, 'event', dates[2], 'eventStatus onlineUrl')).toEqual({
      ...{ eventStatus: 'CANCELLED', onlineUrl: 'https://stream.test/' },
    })
    await updateDate(editor, 'THIS', { id: dates[2], eventStatus: 'SCHEDULED', dateLabel: null })
    expect((await datesOf(editor, series))[2]?.occurrence).toBe('REGULAR')
  })

  test('a date that moves back to its place is regular again', async () => {
    const { series, dates } = await createTuesdays()
    await updateDate(editor, 'THIS', { id: dates[2], ...at('2027-01-20') })
    await updateDate(editor, 'THIS', { id: dates[2], ...at('2027-01-19') })
    await updateDate(editor, 'ALL', { id: dates[0], ...at('2027-01-05', '18:00', '20:00') })
    expect((await datesOf(editor, series))[2]).toEqual({
      ...{ id: dates[2], startsLocal: '2027-01-19T18:00:00', occurrence: 'REGULAR' },
    })
  })

  test.each(['ALL', 'FOLLOWING'] as const)(
    'times change with more excluded dates than a client may send: %s',
    async (scope) => {
      const day = (index: number) => new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10)
      const excludedDates = Array.from({ length: 200 }, (_, index) => day(index + 1))
      const series = await create({ ...ruled('2027-01-01T19:00', 'FREQ=DAILY;COUNT=204'), excludedDates })
      const dates = ids(await datesOf(editor, series))
      await changeDate(editor, 'delete', 'THIS', { id: dates[2] })
      const id = scope === 'ALL' ? dates[0] : dates[1]
      expect(await updateDate(editor, scope, { id, ...at(day(scope === 'ALL' ? 0 : 201), '18:00') })).toEqual([])
      expect((await datesOf(editor, series))[0]?.startsLocal).toContain(scope === 'ALL' ? 'T18:00' : 'T19:00')
      const tooMany = { ...tuesdays, excludedDates: [...excludedDates, '2028-01-01'] }
      expect((await updateSeries(editor, { id: series, schedule: tooMany }))[0]?.message).toContain('at most 200')
    },
  )

  test('a title of its own makes a date an event of its own, with the same ID', async () => {
    const { series, dates } = await createTuesdays({ slug: 'course-of-own' })
    expect(await updateDate(editor, 'THIS', { id: dates[3], title: 'Special evening' })).toEqual([])
    expect(await readFields(app, 'event', dates[3], 'title occurrence series { title } description')).toMatchObject({
      ...{ title: 'Special evening', occurrence: 'SINGLE', series: null },
    })
    expect(ids(await datesOf(app, series))).toEqual(dates.filter((id) => id !== dates[3]))
    expect((await readFields(app, 'eventSeries', series, 'title excludedDates')).excludedDates).toEqual([
      '2027-01-26T19:00:00',
    ])
  })
})

describe('a deleted extra date leaves the schedule', () => {
  test.each<[string, Schedule]>([
    ['of whole days', { allDay: true, extraDates: [{ startsLocal: '2027-01-08T10:00:00' }] }],
    ['at a time that the clocks skip', { extraDates: [{ startsLocal: '2027-03-28T02:30:00' }] }],
  ])('%s', async (_name, part) => {
    const series = await create({ ...ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=2'), ...part })
    const extra = (await datesOf(editor, series)).find(({ occurrence }) => occurrence === 'EXTRA')
    expect(await changeDate(editor, 'delete', 'THIS', { id: extra?.id })).toEqual([])
    expect(await readFields(editor, 'eventSeries', series, 'extraDates { startsLocal }')).toEqual({ extraDates: [] })
  })
})

describe('what a date has already changes nothing', () => {
  test.each<[string, Record<string, unknown>]>([
    ['the title', { title: 'Course' }],
    ['texts', { description: '<p>Long</p>', excerpt: 'Short', slug: 'unchanged' }],
    ['the state of the post', { status: 'PUBLISHED', publishedAt: '2026-11-21T12:00:00.000Z' }],
    ['columns', { website: 'https://example.test/', cost: ['12'], showMap: true, parentId: null, imageId: null }],
  ])('%s', async (_name, fields) => {
    const texts = { description: '<p>Long</p>', excerpt: 'Short', slug: 'unchanged' }
    const { dates } = await createTuesdays({ ...texts, website: 'https://example.test/', cost: ['12'], showMap: true })
    const slug = (await readFields(editor, 'event', dates[1], 'slug')).slug
    const sent = { id: dates[1], ...fields, ...('slug' in fields && { slug }), dateLabel: 'premiere' }
    expect(await updateDate(editor, 'THIS', sent)).toEqual([])
    expect(await readFields(app, 'event', dates[1], 'occurrence dateLabel')).toEqual({
      ...{ occurrence: 'CHANGED', dateLabel: 'premiere' },
    })
  })

  test('the author', async () => {
    const { dates } = await createTuesdays()
    const { author } = await readFields(editor, 'event', dates[1], 'author { id }')
    expect(await updateDate(editor, 'THIS', { id: dates[1], authorId: author.id })).toEqual([])
    expect(await readFields(app, 'event', dates[1], 'occurrence')).toEqual({ occurrence: 'REGULAR' })
  })
})

describe('this and following', () => {
  test('COUNT is divided, and later changes are kept', async () => {
    const series = await create(ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=10'))
    const dates = ids(await datesOf(editor, series))
    await updateDate(editor, 'THIS', { id: dates[5], ...at('2027-02-11') })
    await updateDate(editor, 'THIS', { id: dates[6], eventStatus: 'CANCELLED' })
    expect(await updateDate(editor, 'FOLLOWING', { id: dates[3], title: 'Advanced course' })).toEqual([])
    const fields = 'series { databaseId title recurrences { rule } }'
    const { series: rest } = await readFields(editor, 'event', dates[3] ?? 0, fields)
    expect(rest).toMatchObject({ title: 'Advanced course', recurrences: [{ rule: 'FREQ=WEEKLY;COUNT=7' }] })
    expect(await readFields(editor, 'eventSeries', series, 'title recurrences { rule }')).toEqual({
      ...{ title: 'Course', recurrences: [{ rule: 'FREQ=WEEKLY;COUNT=3' }] },
    })
    expect(ids(await datesOf(editor, series))).toEqual(dates.slice(0, 3))
    const after = await datesOf(editor, rest.databaseId)
    expect(ids(after)).toEqual(dates.slice(3))
    expect(after[2]).toMatchObject({ startsLocal: '2027-02-11T19:00:00', occurrence: 'CHANGED' })
    expect(await readFields(editor, 'event', dates[6] ?? 0, 'eventStatus')).toEqual({ eventStatus: 'CANCELLED' })
  })

  test('from the second date on, after the first was deleted, is the whole series', async () => {
    const { series, dates } = await createTuesdays()
    await changeDate(editor, 'delete', 'THIS', { id: dates[0] })
    expect(await updateDate(editor, 'FOLLOWING', { id: dates[1], title: 'Later course' })).toEqual([])
    expect(await readFields(editor, 'event', dates[1], 'series { databaseId title }')).toEqual({
      series: { databaseId: series, title: 'Later course' },
    })
    expect(ids(await datesOf(editor, series))).toEqual(dates.slice(1))
  })

  test('other times are those of the rest', async () => {
    const { series, dates } = await createTuesdays()
    expect(await updateDate(editor, 'FOLLOWING', { id: dates[2], ...at('2027-01-20', '18:00', '20:00') })).toEqual([])
    expect(starts(await datesOf(editor, series))).toEqual(dayList('01-05', '01-12'))
    const { series: rest } = await readFields(editor, 'event', dates[2], 'series { databaseId }')
    const after = await datesOf(editor, rest.databaseId)
    expect(ids(after)).toEqual(dates.slice(2))
    expect(starts(after)).toEqual(['01-20', '01-27', '02-03', '02-10'].map((day) => `2027-${day}T18:00`))
  })

  test('deleting the rest ends the series', async () => {
    const { series, dates } = await createTuesdays()
    expect(await changeDate(editor, 'delete', 'FOLLOWING', { id: dates[2] })).toEqual([])
    expect(ids(await datesOf(editor, series))).toEqual(dates.slice(0, 2))
    expect(await readFields(editor, 'event', dates[4], 'title')).toBeNull()
    const { isEndless, recurrences } = await readFields(editor, 'eventSeries', series, 'isEndless recurrences { rule }')
    expect([isEndless, recurrences]).toEqual([false, [{ rule: 'FREQ=WEEKLY;COUNT=2' }]])
  })
})

describe('all', () => {
  test('other times move every date that was not moved', async () => {
    const { series, dates } = await createTuesdays()
    await updateDate(editor, 'THIS', { id: dates[1], ...at('2027-01-14', '20:00') })
    expect(await updateDate(editor, 'ALL', { id: dates[3], ...at('2027-01-27', '19:30', '21:00') })).toEqual([])
    const after = await datesOf(editor, series)
    expect(ids(after)).toEqual(dates)
    expect(starts(after)).toEqual([
      ...['2027-01-06T19:30', '2027-01-14T20:00', '2027-01-20T19:30', '2027-01-27T19:30', '2027-02-03T19:30'],
      '2027-02-10T19:30',
    ])
    expect(await readFields(editor, 'eventSeries', series, 'recurrences { startsLocal endsLocal rule }')).toEqual({
      recurrences: [
        { startsLocal: '2027-01-06T19:30:00', endsLocal: '2027-01-06T21:00:00', rule: 'FREQ=WEEKLY;COUNT=6' },
      ],
    })
  })

  test('other times move the dates of one rule, and what is excluded of it', async () => {
    const rule = (day: string) => ruled(`2027-01-${day}T19:00`, 'FREQ=WEEKLY;COUNT=4').recurrences?.[0]
    const recurrences = [rule('05'), rule('07')].flatMap((each) => each ?? [])
    const series = await create({
      ...{ timeZone: 'Europe/Paris', recurrences, excludedDates: ['2027-01-12T19:00:00', '2027-01-14', '2027-01-21'] },
    })
    const dates = ids(await datesOf(editor, series))
    expect(await updateDate(editor, 'ALL', { id: dates[1], ...at('2027-01-08', '20:00') })).toEqual([])
    const after = await datesOf(editor, series)
    expect(ids(after)).toEqual(dates)
    expect(starts(after).map((start) => start.slice(5))).toEqual([
      ...['01-05T19:00', '01-08T20:00', '01-19T19:00', '01-26T19:00', '01-29T20:00'],
    ])
    expect((await readFields(editor, 'eventSeries', series, 'excludedDates')).excludedDates).toEqual([
      ...['2027-01-12T19:00:00', '2027-01-15T20:00:00', '2027-01-22T20:00:00'],
    ])
  })

  test.each([
    ['the first of a daily rule to the next day', 'FREQ=DAILY;COUNT=4', 'ALL', 0, '2027-01-06'],
    ['a date of a daily rule a month later', 'FREQ=DAILY;COUNT=4', 'FOLLOWING', 2, '2027-02-07'],
    ['a date of a weekly rule to another week', 'FREQ=WEEKLY;COUNT=4', 'ALL', 3, '2027-02-11'],
    ['a date of a monthly rule to another day', 'FREQ=MONTHLY;COUNT=4', 'ALL', 2, '2027-03-28'],
  ] as const)('dates that move together keep their IDs: %s', async (_, rule, scope, index, day) => {
    const series = await create(ruled('2027-01-05T19:00', rule))
    const before = ids(await datesOf(editor, series))
    const id = before[index] ?? 0
    await updateDate(editor, 'THIS', { id, eventStatus: 'CANCELLED' })
    expect(await updateDate(editor, scope, { id, ...at(day, '20:00') })).toEqual([])
    expect(await readFields(app, 'event', id, 'startsLocal eventStatus')).toEqual({
      ...{ startsLocal: `${day}T20:00:00`, eventStatus: 'CANCELLED' },
    })
    const rest = await readFields(editor, 'event', id, 'series { databaseId }')
    const after = [
      ...(scope === 'ALL' ? [] : ids(await datesOf(editor, series))),
      ...ids(await datesOf(editor, rest.series.databaseId)),
    ]
    expect(after).toEqual(before)
  })

  test('a deleted date moves with the others, and its place is free for the one before it', async () => {
    const series = await create(ruled('2027-01-05T19:00', 'FREQ=DAILY;COUNT=4'))
    const dates = ids(await datesOf(editor, series))
    await changeDate(editor, 'delete', 'THIS', { id: dates[2] })
    await updateDate(editor, 'ALL', { id: dates[0], ...at('2027-01-06') })
    expect((await datesOf(editor, series)).map(({ id, startsLocal }) => [id, startsLocal.slice(5, 10)])).toEqual([
      ...[
        [dates[0], '01-06'],
        [dates[1], '01-07'],
        [dates[3], '01-09'],
      ],
    ])
  })

  test.each([
    ['to days that are over', 'FREQ=WEEKLY;COUNT=6', '2026-11-10'],
    ['to a day that the rule does not have in that month', 'FREQ=MONTHLY;COUNT=4', '2027-03-04'],
  ])('a move of all dates %s is refused, because it would end the date', async (_, rule, day) => {
    const series = await create(ruled('2027-01-05T19:00', rule))
    const before = await datesOf(editor, series)
    const [error] = await updateDate(editor, 'ALL', { id: before[1]?.id, ...at(day) })
    expect(error).toMatchObject({ code: 'BAD_INPUT', path: ['startsLocal'] })
    expect(await datesOf(editor, series)).toEqual(before)
  })

  test('other times of an extra date are refused', async () => {
    const series = await create({ ...tuesdays, extraDates: [{ startsLocal: '2027-01-02T19:00:00' }] })
    const [extra] = ids(await datesOf(editor, series))
    expect(await updateDate(editor, 'ALL', { id: extra, ...at('2027-01-02', '20:00') })).toMatchObject([
      { code: 'BAD_INPUT', path: ['startsLocal'] },
    ])
  })

  test('a title is written once per language', async () => {
    const { series, dates } = await createTuesdays()
    await updateSeries(editor, { id: series, title: 'Cours' }, '/fr')
    expect(await updateDate(editor, 'ALL', { id: dates[0], title: 'New title' })).toEqual([])
    const titles = await Promise.all(dates.map((id) => readFields(app, 'event', id, 'title')))
    expect(new Set(titles.map(({ title }) => title))).toEqual(new Set(['New title']))
    const rows = await app.db.$queryRaw`
      SELECT language, name FROM content_text WHERE content_id IN (SELECT content_id FROM event WHERE id = ANY (${dates})) ORDER BY 1`
    expect(rows).toEqual([
      ...[
        { language: 'en', name: 'New title' },
        { language: 'es', name: 'New title' },
        { language: 'fr', name: 'Cours' },
      ],
    ])
  })

  test('trash and restore', async () => {
    const { series, dates } = await createTuesdays({ slug: 'trashed-course' })
    expect(await changeDate(editor, 'trash', 'ALL', { id: dates[0] })).toEqual([])
    expect(await readFields(app, 'event', dates[3], 'title')).toBeNull()
    expect(await readFields(app, 'eventSeries', series, 'title')).toBeNull()
    expect(await changeDate(editor, 'trash', 'ALL', { id: dates[0] })).toMatchObject([{ code: 'TRASHED' }])
    expect(await changeDate(editor, 'restore', 'ALL', { id: dates[5] })).toEqual([])
    expect(ids(await datesOf(app, series))).toEqual(dates)
    expect(await readFields(app, 'event', dates[3], 'slug')).toEqual({ slug: 'trashed-course' })
  })

  test('delete', async () => {
    const { series, dates } = await createTuesdays({ categories: [{ nameOrSlug: 'Deleted courses' }] })
    const detached = dates[5]
    await updateDate(editor, 'THIS', { id: detached, title: 'Party' })
    expect(await changeDate(editor, 'delete', 'ALL', { id: dates[1] })).toEqual([])
    expect(await readFields(editor, 'eventSeries', series, 'title')).toBeNull()
    expect(await readFields(editor, 'event', dates[0], 'title')).toBeNull()
    expect(await readFields(app, 'event', detached, 'title categories { count }')).toEqual({
      ...{ title: 'Party', categories: [{ count: 1 }] },
    })
    const [left] = await app.db.$queryRaw<object[]>`
      SELECT (SELECT count(*)::int FROM content WHERE id = ${series}) AS contents,
        (SELECT count(*)::int FROM content_text WHERE content_id = ${series}) AS texts`
    expect(left).toEqual({ contents: 0, texts: 0 })
  })
})

test('one date in the trash is an event of its own', async () => {
  const { series, dates } = await createTuesdays()
  expect(await changeDate(editor, 'trash', 'THIS', { id: dates[2] })).toEqual([])
  expect(ids(await datesOf(app, series))).toEqual(dates.filter((id) => id !== dates[2]))
  expect(await readFields(app, 'event', dates[2], 'title')).toBeNull()
  expect(await changeDate(editor, 'restore', 'THIS', { id: dates[2] })).toEqual([])
  expect(await readFields(app, 'event', dates[2], 'title occurrence')).toEqual({
    title: 'Course',
    occurrence: 'SINGLE',
  })
})

test('the last date takes its series with it', async () => {
  const series = await create(ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=2'))
  for (const id of ids(await datesOf(editor, series)))
    expect(await changeDate(editor, 'delete', 'THIS', { id })).toEqual([])
  expect(await readFields(editor, 'eventSeries', series, 'title')).toBeNull()
})

describe('permissions', () => {
  test('visitors, subscribers and other authors may change nothing', async () => {
    const { series, dates } = await createTuesdays()
    const [subscriber, author] = [await app.signIn('subscriber'), await app.signIn('author')]
    for (const [client, code] of [
      [app, 'UNAUTHENTICATED'],
      [subscriber, 'FORBIDDEN'],
      [author, 'FORBIDDEN'],
    ] as const) {
      const refused = [expect.objectContaining({ code })]
      expect(await updateSeries(client, { id: series, title: 'Mine' })).toEqual(refused)
      expect(
        await updateSeries(client, { id: series, schedule: ruled('2027-01-05T20:00', 'FREQ=DAILY;COUNT=2') }),
      ).toEqual(refused)
      for (const scope of ['THIS', 'FOLLOWING', 'ALL'] as const) {
        const id = dates[2]
        expect(await updateDate(client, scope, { id, title: 'Mine' })).toEqual(refused)
        expect(await updateDate(client, scope, { id, eventStatus: 'CANCELLED' })).toEqual(refused)
        expect(await changeDate(client, 'trash', scope, { id })).toEqual(refused)
        expect(await changeDate(client, 'delete', scope, { id })).toEqual(refused)
      }
      if (client !== author) expect((await tryToCreate(client, { schedule: tuesdays })).errors).toEqual(refused)
    }
    expect(ids(await datesOf(app, series))).toEqual(dates)
  })

  test('authors change their own series', async () => {
    const author = await app.signIn('author')
    const series = await createSeries(author, { schedule: tuesdays })
    expect(await updateSeries(author, { id: series, title: 'Mine' })).toEqual([])
    const [first] = ids(await datesOf(author, series))
    expect(await updateDate(author, 'FOLLOWING', { id: first, title: 'Mine too' })).toEqual([])
  })

  test('a series that does not exist', async () => {
    expect(await updateSeries(editor, { id: 999_999, title: 'None' })).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})

test('ifUnmodifiedSince is compared with the series for more than one date', async () => {
  const { series, dates } = await createTuesdays()
  const { modifiedAt } = await readFields(editor, 'eventSeries', series, 'modifiedAt')
  app.clock.now = new Date('2026-11-21T13:00:00Z')
  await updateSeries(editor, { id: series, title: 'Changed' })
  const { modifiedAt: since } = await readFields(editor, 'eventSeries', series, 'modifiedAt')
  const conflict = [expect.objectContaining({ code: 'CONFLICT' })]
  for (const scope of ['THIS', 'FOLLOWING', 'ALL'] as const)
    expect(await updateDate(editor, scope, { id: dates[2], title: 'Late', ifUnmodifiedSince: modifiedAt })).toEqual(
      conflict,
    )
  expect(await updateSeries(editor, { id: series, title: 'Late', ifUnmodifiedSince: modifiedAt })).toEqual(conflict)
  expect(await changeDate(editor, 'delete', 'ALL', { id: dates[2], ifUnmodifiedSince: modifiedAt })).toEqual(conflict)
  expect(await updateDate(editor, 'ALL', { id: dates[2], title: 'In time', ifUnmodifiedSince: since })).toEqual([])
  const { modifiedAt: last } = await readFields(editor, 'eventSeries', series, 'modifiedAt')
  expect(await updateDate(editor, 'FOLLOWING', { id: dates[2], title: 'Rest', ifUnmodifiedSince: last })).toEqual([])
  const { series: rest } = await readFields(editor, 'event', dates[2], 'series { modifiedAt }')
  expect(await changeDate(editor, 'trash', 'FOLLOWING', { id: dates[4], ifUnmodifiedSince: rest.modifiedAt })).toEqual(
    [],
  )
})

test('concurrent writes of a series all take effect', async () => {
  const { series, dates } = await createTuesdays()
  const writes = await Promise.all([
    updateSeries(editor, { id: series, schedule: ruled('2027-01-05T19:30', 'FREQ=WEEKLY;COUNT=8') }),
    updateSeries(editor, { id: series, title: 'Concurrent' }),
    updateDate(editor, 'THIS', { id: dates[1], eventStatus: 'CANCELLED' }),
    updateDate(editor, 'ALL', { id: dates[3], website: 'https://example.test/' }),
    changeDate(editor, 'delete', 'THIS', { id: dates[4] }),
    updateDate(editor, 'THIS', { id: dates[5], dateLabel: 'last show' }),
  ])
  expect(writes).toEqual([[], [], [], [], [], []])
  const after = await datesOf(app, series)
  expect(ids(after).slice(0, 5)).toEqual(dates.filter((id) => id !== dates[4]))
  expect(after).toHaveLength(7)
  expect(after[1]?.occurrence).toBe('CHANGED')
  expect(await readFields(app, 'eventSeries', series, 'title website')).toEqual({
    ...{ title: 'Concurrent', website: 'https://example.test/' },
  })
})

test('the slug of a series names its next date, else the last', async () => {
  const { dates } = await createTuesdays({ slug: 'by-slug' })
  app.clock.now = new Date('2027-01-20T12:00:00Z')
  const cancel = { currentSlug: 'by-slug', eventStatus: 'CANCELLED' }
  expect(await updateDate(editor, 'THIS', cancel)).toEqual([])
  expect(await readFields(app, 'event', dates[3], 'eventStatus')).toEqual({ eventStatus: 'CANCELLED' })
  app.clock.now = new Date('2028-01-01T12:00:00Z')
  await updateDate(editor, 'THIS', cancel)
  expect(await readFields(app, 'event', dates[5], 'eventStatus')).toEqual({ eventStatus: 'CANCELLED' })
})

test('a series ends when its only date becomes an event of its own', async () => {
  const series = await create(ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=1'))
  const [date] = ids(await datesOf(editor, series))
  await updateDate(editor, 'THIS', { id: date, title: 'Alone' })
  expect(await app.db.series.count({ where: { id: series } })).toBe(0)
  expect(await readFields(app, 'event', date ?? 0, 'title occurrence')).toEqual({
    title: 'Alone',
    occurrence: 'SINGLE',
  })
})

test('a schedule without a date to come is refused', async () => {
  const { series, dates } = await createTuesdays()
  const schedule = ruled('2026-01-05T19:00', 'FREQ=WEEKLY;COUNT=2')
  expect(await updateSeries(editor, { id: series, schedule })).toMatchObject([
    { code: 'BAD_INPUT', path: ['schedule'] },
  ])
  expect(ids(await datesOf(editor, series))).toEqual(dates)
})

test('a slug that is taken gets a number', async () => {
  await write(editor, 'create', 'event', { title: 'Chess', slug: 'chess', status: 'PUBLISHED', ...at('2027-01-05') })
  const series = await create(tuesdays, { title: 'Chess' })
  expect((await readFields(app, 'eventSeries', series, 'slug')).slug).toBe('chess-2')
})

test('a series that is not published is invisible', async () => {
  const { series, dates } = await createTuesdays({ status: 'DRAFT' })
  expect(await readFields(app, 'eventSeries', series, 'title')).toBeNull()
  expect(await readFields(app, 'event', dates[0], 'title')).toBeNull()
  const { body } = await app.graphql('query ($ids: [ID!]!) { events(filter: { series: $ids }) { totalCount } }', {
    ids: [String(series)],
  })
  expect(body.data?.events.totalCount ?? 0).toBe(0)
})

test('a series with a password withholds what its dates say', async () => {
  const { series, dates } = await createTuesdays({ password: 'sesame', website: 'https://secret.test/' })
  await updateDate(editor, 'THIS', { id: dates[0], dateLabel: 'premiere', dateNote: 'secret' })
  await updateSeries(editor, { id: series, categories: [{ nameOrSlug: 'Secret courses' }] })
  expect(await readFields(app, 'event', dates[0], 'dateLabel dateNote website categories { name }')).toMatchObject({
    ...{ dateLabel: null, dateNote: null, website: null },
  })
})

test('a date of a series is not created by an operation that is only checked', async () => {
  const count = () => app.db.event.count()
  const before = await count()
  const { errors } = await tryToCreate(editor, { schedule: tuesdays, imageId: '999999', title: 'Checked' })
  expect(errors.length).toBeGreaterThan(0)
  expect(await count()).toBe(before)
})

describe('an update locks events once', () => {
  const locksOf = async (update: () => Promise<unknown>) => {
    app.statements.length = 0
    expect(await update()).toEqual([])
    return app.statements.filter((text) => /FROM "?event"? .*FOR UPDATE/s.test(text)).length
  }

  test('that are no dates of a series', async () => {
    const id = await written(editor, 'create', 'event', { title: 'Concert', ...at('2027-01-05') })
    expect(await locksOf(() => updateDate(editor, 'THIS', { id, title: 'Festival' }))).toBe(1)
  })

  test('of a series', async () => {
    const { series, dates } = await createTuesdays()
    expect(await locksOf(() => updateDate(editor, 'THIS', { id: dates[0], dateLabel: 'Premiere' }))).toBe(1)
    expect(await locksOf(() => updateSeries(editor, { id: series, title: 'Class' }))).toBe(1)
  })
})
