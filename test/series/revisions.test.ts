// Revisions of a series, and of its dates, which stay dates of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeSeries, makeVenue } from '../helpers/make.ts'
import { restoreRevision, revisionsOf, write } from '../helpers/revisions.ts'
import {
  changeDate,
  createSeries,
  datesOf,
  ids,
  readFields,
  ruled,
  starts,
  updateDate,
  updateSeries,
} from '../helpers/series.ts'

let app: TestApp
let editor: ApiClient
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
beforeEach(() => {
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
})
afterAll(() => app?.close())

test('the times, state, label and note of a date', async () => {
  const { id: series, dates } = await makeSeries(app.db, 'Course')
  const [id = 0] = dates
  const read = async () => {
    const fields = 'startsLocal endsLocal eventStatus dateLabel dateNote series { databaseId }'
    return (await editor.graphql(`{ event(id: ${id}) { ${fields} } }`)).body.data.event
  }
  const move = (day: string, others: object) =>
    write(editor, 'updateEvent', { id, startsLocal: `${day}T18:00:00`, endsLocal: `${day}T20:00:00`, ...others })
  await move('2026-12-02', { dateLabel: 'Premiere', dateNote: 'In the garden' })
  const first = await read()
  await move('2026-12-03', { eventStatus: 'POSTPONED', dateLabel: 'Second night', dateNote: null })
  const second = await read()
  await move('2026-12-04', { eventStatus: 'SCHEDULED', dateLabel: null })
  const third = await read()
  expect([third.dateLabel, third.dateNote]).toEqual([null, null])
  const [newest, middle, older] = await revisionsOf(editor, 'event', id)
  for (const [revision, expected] of [
    [older, first],
    [middle, second],
    [newest, third],
  ] as const) {
    const { userErrors } = await restoreRevision(editor, { kind: 'EVENT', id: String(id), revisionId: revision?.id })
    expect(userErrors).toEqual([])
    expect(await read()).toEqual(expected)
    expect(expected.series).toEqual({ databaseId: series })
  }
})

test('a date that was moved is a regular one again', async () => {
  const id = await createSeries(editor, { schedule: tuesdays })
  const before = await datesOf(editor, id)
  const date = before[1]?.id ?? 0
  const move = { startsLocal: '2027-01-13T18:00:00', endsLocal: '2027-01-13T20:00:00' }
  for (const input of [{ dateLabel: 'Premiere' }, { dateLabel: null, ...move }])
    expect(await updateDate(editor, 'THIS', { id: date, ...input })).toEqual([])
  const [, labelled] = await revisionsOf(editor, 'event', date)
  const input = { kind: 'EVENT', id: String(date), revisionId: labelled?.id, fields: ['startsLocal', 'endsLocal'] }
  expect((await restoreRevision(editor, input)).userErrors).toEqual([])
  expect(await datesOf(editor, id)).toEqual(before)
})

test.each([
  ['the former title', ['title']],
  ['the former content', undefined],
])('an event that became a series gets %s back, and leaves the series', async (_name, fields) => {
  const id = await write(editor, 'createEvent', { title: 'Chess', status: 'PUBLISHED', ...evening })
  await write(editor, 'updateEvent', { id, title: 'Chess night' })
  await write(editor, 'updateEvent', { id, schedule: tuesdays })
  const read = (date: number) => readFields(editor, 'event', date, 'title slug uid series { databaseId }')
  const { slug, uid, series } = await read(id)
  const created = (await revisionsOf(editor, 'event', id)).at(-1)
  const input = { kind: 'EVENT', id: String(id), revisionId: created?.id }
  expect((await restoreRevision(editor, { ...input, fields: ['slug'] })).userErrors).toMatchObject([
    { path: ['fields'], message: expect.stringMatching(/^fields can contain (?!.*\bslug\b)/) },
  ])
  expect((await restoreRevision(editor, { ...input, fields })).userErrors).toEqual([])
  const restored = await read(id)
  expect(restored).toMatchObject({ title: 'Chess', series: null })
  expect([restored.slug, restored.uid]).not.toEqual([slug, uid])
  const [first] = await datesOf(editor, series.databaseId)
  expect(await read(first?.id ?? 0)).toMatchObject({ title: 'Chess night', slug, series })
})

const evening = { startsLocal: '2027-01-05T19:00:00', endsLocal: '2027-01-05T20:00:00' }
const tuesdays = ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=4')

describe('a series', () => {
  const text = (title: string) => ({ title, translations: [{ language: 'FR', name: `${title} (fr)` }] })
  /** Creates a series, changes it, and returns it with the input that restores what it was. */
  async function createChanged(first: object, second: object, client = editor) {
    const id = await createSeries(client, { ...text('Course'), status: 'PUBLISHED', schedule: tuesdays, ...first })
    const [created] = await revisionsOf(client, 'eventSeries', id)
    const before = await datesOf(client, id)
    expect(await updateSeries(client, { id, ...second })).toEqual([])
    return { id, before, input: { kind: 'SERIES', id: String(id), revisionId: created?.id } }
  }

  test('gets a title in one language back, as one change', async () => {
    const { id, input } = await createChanged({}, { ...text('Class'), website: 'https://example.org/' })
    const { record, userErrors } = await restoreRevision(editor, { ...input, languages: ['FR'] })
    expect([userErrors, record]).toMatchObject([[], { databaseId: id }])
    expect(await readFields(editor, 'eventSeries', id, 'title website translation(language: FR) { title }')).toEqual({
      title: 'Class',
      website: 'https://example.org/',
      translation: { title: 'Course (fr)' },
    })
    const [latest, ...others] = await revisionsOf(editor, 'eventSeries', id)
    expect(others).toHaveLength(2)
    expect(latest?.changes).toEqual([{ field: 'title', language: 'FR', before: 'Class (fr)', after: 'Course (fr)' }])
  })

  test('gets its schedule back, with the same IDs', async () => {
    const { id, before, input } = await createChanged(
      {},
      { schedule: ruled('2027-01-06T18:00', 'FREQ=WEEKLY;COUNT=4') },
    )
    const moved = await datesOf(editor, id)
    expect([ids(moved), starts(moved)[0]]).toEqual([ids(before), '2027-01-06T18:00'])
    expect((await restoreRevision(editor, { ...input, fields: ['schedule'] })).userErrors).toEqual([])
    expect(await datesOf(editor, id)).toEqual(before)
    const [latest, ...others] = await revisionsOf(editor, 'eventSeries', id)
    expect([others.length, latest?.changes.map(({ field }) => field)]).toEqual([2, ['schedule']])
  })

  test('gets back its time zone and extra dates, but no date that was deleted', async () => {
    const extraDates = [{ startsLocal: '2027-02-06T10:00:00' }]
    const { id, before, input } = await createChanged(
      { schedule: { ...tuesdays, extraDates } },
      { schedule: { ...tuesdays, timeZone: 'America/New_York' } },
    )
    await changeDate(editor, 'delete', 'THIS', { id: before[1]?.id })
    expect((await restoreRevision(editor, input)).userErrors).toEqual([])
    const after = await datesOf(editor, id)
    expect(starts(after)).toEqual(starts(before).toSpliced(1, 1))
    expect(ids(after).slice(0, 3)).toEqual(ids(before).toSpliced(1, 1).slice(0, 3))
    expect(await readFields(editor, 'eventSeries', id, 'timeZone excludedDates')).toEqual({
      timeZone: 'Europe/Paris',
      excludedDates: ['2027-01-12'],
    })
  })

  test('gets its links, prices and state back', async () => {
    const [hall, loft] = [await makeVenue(app.db, 'Hall'), await makeVenue(app.db, 'Loft')]
    const first = {
      ...{ venues: [{ id: `${hall}` }, { id: `${loft}` }], categories: [{ nameOrSlug: 'Courses' }] },
      ...{ tags: [{ nameOrSlug: 'Chess' }], cost: ['Free'], tickets: [{ name: 'A', price: '9.90', currency: 'EUR' }] },
    }
    const { before, input } = await createChanged(first, {
      ...{ venues: [{ id: `${loft}` }], categories: [], tags: [], cost: ['5 EUR'], tickets: [] },
      ...{ eventStatus: 'CANCELLED', status: 'DRAFT' },
    })
    expect((await restoreRevision(editor, input)).userErrors).toEqual([])
    const fields =
      'status eventStatus costEntries venues { name } categories { name } tags { name } tickets { name price }'
    for (const id of ids(before)) {
      expect(await readFields(editor, 'event', id, fields)).toEqual({
        ...{ status: 'PUBLISHED', eventStatus: 'SCHEDULED', costEntries: ['Free'] },
        ...{
          venues: [{ name: 'Hall' }, { name: 'Loft' }],
          categories: [{ name: 'Courses' }],
          tags: [{ name: 'Chess' }],
        },
        tickets: [{ name: 'A', price: '9.90' }],
      })
    }
  })

  test('is not restored if a venue is gone, or its later dates are a series of their own', async () => {
    const venue = await makeVenue(app.db, 'Barn')
    const { id, before, input } = await createChanged({ venues: [{ id: `${venue}` }] }, { venues: [], title: 'Class' })
    await write(editor, 'deleteVenue', { id: `${venue}` })
    const gone = await restoreRevision(editor, input)
    expect(gone.userErrors).toMatchObject([
      { code: 'BAD_INPUT', path: ['revisionId', 'venues'], message: expect.stringContaining(`(${venue})`) },
    ])
    await updateDate(editor, 'FOLLOWING', { id: before[2]?.id, title: 'Rest' })
    const split = await restoreRevision(editor, { ...input, fields: ['schedule'] })
    expect(split.userErrors).toMatchObject([
      { path: ['revisionId', 'schedule'], message: expect.stringContaining('schedule: ') },
    ])
    expect((await restoreRevision(editor, { ...input, fields: ['title'] })).userErrors).toEqual([])
    expect(await readFields(editor, 'eventSeries', id, 'title')).toEqual({ title: 'Course' })
    expect(ids(await datesOf(editor, id))).toEqual(ids(before).slice(0, 2))
  })

  test('is restored from the trash', async () => {
    const { id, before, input } = await createChanged({}, { title: 'Class' })
    await changeDate(editor, 'trash', 'ALL', { id: before[0]?.id })
    expect((await restoreRevision(editor, { ...input, fields: ['title'] })).userErrors).toMatchObject([
      { code: 'TRASHED', message: 'This series is in the trash.' },
    ])
    expect((await restoreRevision(editor, input)).userErrors).toEqual([])
    expect(await readFields(app, 'eventSeries', id, 'title')).toEqual({ title: 'Course' })
  })

  test('is restored by those who may update it, and unless it was changed since', async () => {
    const author = await app.signIn('author')
    const own = await createChanged({}, { title: 'Class' }, author)
    expect((await restoreRevision(author, own.input)).userErrors).toEqual([])
    const { id, input } = await createChanged({}, { title: 'Class' })
    expect((await restoreRevision(author, input)).userErrors).toMatchObject([{ code: 'FORBIDDEN' }])
    expect((await restoreRevision(app, input)).userErrors).toMatchObject([{ code: 'UNAUTHENTICATED' }])
    const foreign = { ...input, revisionId: own.input.revisionId }
    expect((await restoreRevision(editor, foreign)).userErrors).toMatchObject([{ path: ['revisionId'] }])
    const { modifiedAt } = await readFields(editor, 'eventSeries', id, 'modifiedAt')
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await updateSeries(editor, { id, website: 'https://example.org/' })
    const late = await restoreRevision(editor, { ...input, ifUnmodifiedSince: modifiedAt })
    expect(late.userErrors).toMatchObject([
      { code: 'CONFLICT', message: expect.stringContaining('The editor changed website.') },
    ])
    expect(await readFields(editor, 'eventSeries', id, 'title')).toEqual({ title: 'Class' })
  })
})
