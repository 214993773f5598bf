// A single event becomes a date of a series, and a date a single event: `schedule` of `updateEvent`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeImage, makeVenue } from '../helpers/make.ts'
import {
  createSeries,
  datesOf,
  ids,
  readFields,
  ruled,
  type Schedule,
  starts,
  updateSeries,
} from '../helpers/series.ts'

let app: TestApp
let editor: ApiClient
let image: number
let venue: number

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
  image = await makeImage(app.db)
  venue = await makeVenue(app.db, 'Library')
})
afterAll(() => app?.close())

const tuesdays = { excludedDates: ['2027-01-19'], ...ruled('2027-01-12T18:00', 'FREQ=WEEKLY;COUNT=4') }
const contentFields =
  'slug status image { databaseId } venues { name } categories { name } costEntries tickets { name price } translations { language title }'

async function update(input: object, client = editor) {
  const { body } = await client.graphql(
    `mutation ($input: UpdateEventInput!) {
      updateEvent(input: $input) { event { databaseId series { databaseId uid } } userErrors { code path message } } }`,
    { input },
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.updateEvent
}

const withLists = (schedule: Schedule) => ({ recurrences: [], ...schedule })
const repeat = async (id: number, schedule: Schedule, input = {}) => {
  const { event, userErrors } = await update({ id, schedule: withLists(schedule), ...input })
  if (userErrors.length > 0) throw new Error(JSON.stringify(userErrors))
  return event.series.databaseId as number
}

let count = 0
async function createEvent(input = {}): Promise<number> {
  count++
  const values = {
    ...{ title: 'Chess', slug: `chess-${count}`, status: 'PUBLISHED', imageId: String(image), cost: ['5'] },
    ...{ startsLocal: '2027-01-12T18:00:00', endsLocal: '2027-01-12T20:00:00', timeZone: 'Europe/Paris' },
    ...{ venues: [{ id: String(venue) }], categories: [{ nameOrSlug: 'Courses' }] },
    tickets: [{ name: 'Seat', price: '5.00', currency: 'EUR' }],
    translations: [{ language: 'FR', name: 'Échecs' }],
  }
  const { body } = await editor.graphql(
    'mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { databaseId } userErrors { message } } }',
    { input: { ...values, ...input } },
  )
  return body.data.createEvent.event.databaseId
}

const countOfCourses = async () => {
  const { body } = await editor.graphql('{ categories(filter: { search: "Courses" }) { nodes { count } } }')
  return body.data.categories.nodes[0].count
}

describe('a single event', () => {
  test('becomes the first date of a series, which has all of its content', async () => {
    const id = await createEvent()
    const before = await readFields(editor, 'event', id, contentFields)
    const counted = await countOfCourses()
    const series = await repeat(id, tuesdays)
    const dates = await datesOf(editor, series)
    expect(starts(dates)).toEqual(['2027-01-12T18:00', '2027-01-26T18:00', '2027-02-02T18:00'])
    expect(ids(dates)[0]).toBe(id)
    for (const date of ids(dates)) expect(await readFields(editor, 'event', date, contentFields)).toEqual(before)
    expect(await countOfCourses()).toBe(counted + 2)
    const { body } = await editor.graphql(`{ event(slug: "${before.slug}") { databaseId } }`)
    expect(body.data.event).toEqual({ databaseId: id })
    expect(await updateSeries(editor, { id: String(series), title: 'Chess for all' })).toEqual([])
    expect(await readFields(editor, 'event', id, 'title')).toEqual({ title: 'Chess for all' })
  })

  test.each<[string, Schedule, string]>([
    ['keeps its day', ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=3'), '2027-01-12T19:00'],
    ['moves to the first date', ruled('2027-03-03T19:00', 'FREQ=WEEKLY;COUNT=3'), '2027-03-03T19:00'],
    [
      'becomes an extra date',
      {
        timeZone: 'Europe/Paris',
        extraDates: ['11', '12'].map((day) => ({
          startsLocal: `2027-01-${day}T10:00:00`,
          endsLocal: `2027-01-${day}T11:00:00`,
        })),
      },
      '2027-01-12T10:00',
    ],
  ])('%s', async (_name, schedule, expected) => {
    const id = await createEvent()
    const dates = await datesOf(editor, await repeat(id, schedule))
    expect(starts(dates.filter((date) => date.id === id))).toEqual([expected])
  })

  test('is changed by the same input, and shows its earlier revisions', async () => {
    const id = await createEvent()
    const { modifiedAt } = await readFields(editor, 'event', id, 'modifiedAt')
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await repeat(id, tuesdays, { title: 'Chess course', ifUnmodifiedSince: modifiedAt })
    expect(await readFields(editor, 'event', id, 'title')).toEqual({ title: 'Chess course' })
    const fields =
      'revisions(first: 5) { nodes { action changes { field before after } } } series { revisions(first: 5) { nodes { action changes { field after } } } }'
    const { revisions, series } = await readFields(editor, 'event', id, fields)
    expect(revisions.nodes).toMatchObject([{ action: 'UPDATED' }, { action: 'CREATED' }])
    expect(revisions.nodes[0].changes.map(({ field }: { field: string }) => field)).not.toContain('title')
    expect(revisions.nodes[1].changes).toContainEqual({ field: 'title', before: null, after: 'Chess' })
    expect(series.revisions.nodes).toMatchObject([{ action: 'CREATED' }])
    expect(series.revisions.nodes[0].changes).toContainEqual({ field: 'title', after: 'Chess course' })
  })

  test('keeps its UID and its sequence for calendars', async () => {
    const id = await createEvent({ uid: 'course-7@example.org', sequence: 4 })
    await repeat(id, tuesdays)
    expect(await readFields(editor, 'event', id, 'series { uid sequence }')).toEqual({
      series: { uid: 'course-7@example.org', sequence: 5 },
    })
  })

  test('keeps the UID that it has by default, which no date has that leaves the series', async () => {
    const id = await createEvent()
    const { uid } = await readFields(editor, 'event', id, 'uid')
    const series = await repeat(id, tuesdays)
    expect(await readFields(editor, 'event', id, 'series { uid }')).toEqual({ series: { uid } })
    expect(await updateSeries(editor, { id: String(series), uid })).toEqual([])
    const { payload } = await app.app.inject({ url: '/events.ics' })
    expect(payload.split('\r\n').filter((line) => line === `UID:${uid}`)).toHaveLength(1)
    await update({ id, schedule: null })
    expect((await readFields(editor, 'event', id, 'uid')).uid).not.toBe(uid)
  })

  test('is refused as a series that is wrong, by those who may not change it, and if it was changed since', async () => {
    const id = await createEvent()
    const schedule = withLists(tuesdays)
    const problem = async (input: object, client = editor) => {
      const { userErrors } = await update({ id, ...input }, client)
      return [userErrors[0].code, ...userErrors[0].path]
    }
    expect(await problem({ schedule, startsLocal: '2027-01-12T18:00:00' })).toEqual(['BAD_INPUT', 'schedule'])
    expect(await problem({ schedule, timeZone: 'Asia/Tokyo' })).toEqual(['BAD_INPUT', 'schedule'])
    expect(await problem({ schedule: withLists({}) })).toEqual(['BAD_INPUT', 'schedule', 'recurrences'])
    expect(await problem({ schedule, ifUnmodifiedSince: '2020-01-01T00:00:00Z' })).toEqual(['CONFLICT'])
    expect((await problem({ schedule }, await app.signIn('author')))[0]).toBe('FORBIDDEN')
    expect(await readFields(editor, 'event', id, 'series { databaseId }')).toEqual({ series: null })
  })
})

describe('a date of a series', () => {
  test('that is the last one becomes a single event, with the URL of the series', async () => {
    const id = await createEvent({ uid: 'course-8@example.org' })
    const before = await readFields(editor, 'event', id, `${contentFields} url`)
    const series = await repeat(id, {
      timeZone: 'Europe/Paris',
      extraDates: [{ startsLocal: '2027-01-12T18:00:00', endsLocal: '2027-01-12T20:00:00' }],
    })
    const { event, userErrors } = await update({ id, schedule: null })
    expect({ event, userErrors }).toEqual({ event: { databaseId: id, series: null }, userErrors: [] })
    expect(await readFields(editor, 'event', id, `${contentFields} url`)).toEqual(before)
    expect(await readFields(editor, 'event', id, 'uid')).toEqual({ uid: 'course-8@example.org' })
    expect(await readFields(editor, 'eventSeries', series, 'title')).toBeNull()
  })

  test('becomes a single event of another time, and the series goes on without it', async () => {
    const series = await createSeries(editor, { schedule: tuesdays })
    const [first = 0, ...others] = ids(await datesOf(editor, series))
    await update({ id: first, schedule: null, startsLocal: '2027-01-13T10:00:00', endsLocal: '2027-01-13T11:00:00' })
    expect(await readFields(editor, 'event', first, 'startsLocal series { databaseId }')).toEqual({
      ...{ startsLocal: '2027-01-13T10:00:00', series: null },
    })
    expect(ids(await datesOf(editor, series))).toEqual(others)
  })

  test('of a draft becomes the only one with the scope ALL, with the URL and the UID of the series', async () => {
    const id = await createEvent({ status: 'DRAFT', uid: 'course-9@example.org' })
    const before = await readFields(editor, 'event', id, `${contentFields} url uid`)
    const series = await repeat(id, { timeZone: 'Europe/Paris', ...tuesdays })
    const others = ids(await datesOf(editor, series)).filter((other) => other !== id)
    expect(others).toHaveLength(2)
    const single = { schedule: null, scope: 'ALL' }
    expect((await update({ id, ...single }, await app.signIn('author'))).userErrors).toMatchObject([{ path: [] }])
    expect(ids(await datesOf(editor, series))).toEqual([id, ...others])
    const { event, userErrors } = await update({ id, ...single })
    expect({ event, userErrors }).toEqual({ event: { databaseId: id, series: null }, userErrors: [] })
    expect(await readFields(editor, 'event', id, `${contentFields} url uid`)).toEqual(before)
    expect(await app.db.event.count({ where: { id: { in: others } } })).toBe(0)
  })

  test('of a published series keeps the others with the scope ALL, unless it is the only one', async () => {
    const series = await createSeries(editor, { schedule: tuesdays })
    const dates = ids(await datesOf(editor, series))
    const { userErrors } = await update({ id: dates[0], schedule: null, scope: 'ALL' })
    expect(userErrors).toEqual([
      { code: 'BAD_INPUT', path: ['schedule'], message: expect.stringContaining('send the scope THIS') },
    ])
    expect(ids(await datesOf(editor, series))).toEqual(dates)
    const one = await createSeries(editor, { schedule: ruled('2027-01-12T18:00', 'FREQ=WEEKLY;COUNT=1') })
    const [only = 0] = ids(await datesOf(editor, one))
    expect((await update({ id: only, schedule: null, scope: 'ALL' })).event).toEqual({ databaseId: only, series: null })
  })

  test.each(['THIS', 'ALL', 'FOLLOWING', 'BY_FIELD'])('gets no schedule with the scope %s', async (scope) => {
    const series = await createSeries(editor, { schedule: tuesdays })
    const dates = ids(await datesOf(editor, series))
    const { userErrors } = await update({ id: dates[0], scope, schedule: withLists(tuesdays) })
    expect(userErrors).toEqual([
      { code: 'BAD_INPUT', path: ['schedule'], message: expect.stringContaining('updateEventSeries') },
    ])
    expect(ids(await datesOf(editor, series))).toEqual(dates)
  })
})
