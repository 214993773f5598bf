// Recurring events of a legacy site, which shows each date as an event with the same slug, become series.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { importInto } from '../helpers/import-into.ts'
import { type LegacyItem, type LegacySite, legacyDate, legacyEvent, startLegacySite } from '../helpers/legacy-site.ts'

let app: TestApp
let site: LegacySite
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris' })
})
beforeEach(() => truncate(app.db))
afterEach(() => site?.close())
afterAll(() => app?.close())

const first = 10_000_001
const days = ['2026-10-06', '2026-12-01', '2026-12-08', '2026-12-15']
const course = () => days.map((day, index) => legacyDate(first + index, day))

const start = async (events: LegacyItem[], others: Record<string, { events: LegacyItem[] }> = {}) => {
  site = await startLegacySite({ en: { events }, ...others })
}
const run = (...languages: string[]) =>
  importInto(
    app,
    ['en', ...languages].map((language) => ({ language, url: site.rootOf(language) })),
  )

const later = { modified: '2021-01-01 10:00:00', modified_utc: '2021-01-01 09:00:00' }

/** Changes the events of the site with these IDs. */
function edit(ids: readonly number[], fields: LegacyItem) {
  const records = site.records.en
  if (records)
    records.events = records.events.map((item) =>
      ids.includes(Number(item.id)) ? { ...item, ...later, ...fields } : item,
    )
}

type Node = Readonly<Record<'databaseId' | 'title' | 'slug' | 'startsLocal' | 'occurrence' | 'eventStatus', string>> & {
  readonly series: { readonly databaseId: number } | null
}

/** Returns all events as `ID day title slug occurrence series`. Series are numbered. */
async function stored(): Promise<string[]> {
  const { body } = await app.graphql(
    '{ events(first: 50) { nodes { databaseId title slug startsLocal occurrence eventStatus series { databaseId } } } }',
    {},
  )
  expect(body.errors).toBeUndefined()
  const series: number[] = []
  return body.data.events.nodes.map(
    ({ databaseId, title, slug, startsLocal, occurrence, eventStatus, series: of }: Node) => {
      if (of && !series.includes(of.databaseId)) series.push(of.databaseId)
      const state = eventStatus === 'SCHEDULED' ? '' : ` ${eventStatus}`
      const number = of ? series.indexOf(of.databaseId) + 1 : ''
      return `${databaseId} ${startsLocal.slice(0, 16)} ${title} ${slug} ${occurrence}${number}${state}`
    },
  )
}

const dates = (values: Partial<Record<number, string>> = {}) =>
  days.map((day, index) => values[index] ?? `${first + index} ${day}T18:00 Course course EXTRA1`)

describe('a recurring event', () => {
  test('becomes a series whose dates keep the IDs of the site; importing it again changes nothing', async () => {
    await start([legacyEvent(7), ...course()])
    const { counts, notes, failure } = await run()
    expect([counts.event, notes, failure]).toEqual([
      { created: 2, updated: 0, unchanged: 0, skipped: 0 },
      [],
      undefined,
    ])
    expect((await stored()).slice(0, 4)).toEqual(dates())
    const { body } = await app.get(`/cal/events/v1/events/${first + 1}`)
    expect(body).toMatchObject({
      id: first + 1,
      slug: 'course',
      url: expect.stringMatching(/\/event\/course\/2026-12-01\/$/),
      modified_utc: '2020-02-05 09:00:00',
      date_utc: '2020-01-05 09:00:00',
    })
    site.requests.length = 0
    expect((await run()).counts.event).toEqual({ created: 0, updated: 0, unchanged: 2, skipped: 0 })
    expect(site.requests.filter((path) => /\/events\/\d+$/.test(path))).toEqual([])
  })

  test('has other records after it with the IDs of the site, also those that the site adds later', async () => {
    const other = (id: number, day: string) => legacyDate(id, day, { slug: 'other', title: 'Other' })
    await start([...course(), other(first + 4, '2026-12-02'), other(first + 5, '2026-12-09')])
    await run()
    site.records.en?.events.push(other(first + 6, '2026-12-16'), legacyDate(first + 7, '2026-12-22'))
    const { counts, notes } = await run()
    expect([counts.event.updated, notes]).toEqual([2, []])
    expect((await stored()).map((line) => Number(line.split(' ')[0])).sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => first + index),
    )
  })

  test('changes as a whole', async () => {
    await start(course())
    await run()
    edit(
      [0, 1, 2, 3].map((index) => first + index),
      { title: 'Chess', slug: 'chess' },
    )
    expect((await run()).counts.event).toMatchObject({ updated: 1, created: 0 })
    expect(await stored()).toEqual(dates().map((line) => line.replace('Course course', 'Chess chess')))
  })

  test('has dates with another time or status, and others as events of their own', async () => {
    await start(course())
    edit([first + 1], { json_ld: { eventStatus: 'https://schema.org/EventCancelled' } })
    edit([first + 2], { title: 'Tournament' })
    await run()
    expect(await stored()).toEqual(
      dates({
        1: `${first + 1} 2026-12-01T18:00 Course course EXTRA1 CANCELLED`,
        2: `${first + 2} 2026-12-08T18:00 Tournament course-2 SINGLE`,
      }),
    )
    expect((await run()).counts.event).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    edit([first + 3], { start_date: '2026-12-15 19:00:00', end_date: '2026-12-15 21:00:00' })
    edit([first], { title: 'Opening' })
    await run()
    const lines = await stored()
    expect(lines[3]).toBe(`${first + 3} 2026-12-15T19:00 Course course EXTRA1`)
    expect(lines[0]).toMatch(/^10000001 2026-10-06T18:00 Opening course-\d SINGLE$/)
  })

  test('is not written by a dry run', async () => {
    await start(course())
    const { counts, skipped } = await importInto(app, [{ language: 'en', url: site.root }], { dryRun: true })
    expect([counts.event, skipped]).toEqual([{ created: 1, updated: 0, unchanged: 0, skipped: 0 }, []])
    expect(await stored()).toEqual([])
  })

  test('goes on without a date that the site no longer has, with --prune', async () => {
    await start(course())
    await run()
    const events = course()
    if (site.records.en) site.records.en.events = events.toSpliced(2, 1)
    expect((await run()).counts.event).toMatchObject({ updated: 0, skipped: 0 })
    expect(await stored()).toEqual(dates())
    await importInto(app, [{ language: 'en', url: site.root }], { prune: true })
    expect(await stored()).toEqual(dates().toSpliced(2, 1))
    // What the site has again is an event of its own.
    if (site.records.en) site.records.en.events = events
    await run()
    expect((await stored())[2]).toMatch(/^10000003 2026-12-08T18:00 Course course-2 SINGLE$/)
  })

  test('has one date at a time, and those without a translation on their own', async () => {
    const french = course().map((item) => ({ ...item, title: 'Cours', slug: 'cours' }))
    await start([...course(), legacyDate(first + 4, '2026-12-15')], { fr: { events: french.toSpliced(1, 1) } })
    await run('fr')
    expect(await stored()).toEqual([
      ...dates({ 1: `${first + 1} 2026-12-01T18:00 Course course-2 SINGLE` }),
      expect.stringMatching(/^10000005 2026-12-15T18:00 Course course-3 SINGLE$/),
    ])
  })

  test('has texts in several languages, and days', async () => {
    const days = course().map((item) => ({ ...item, all_day: true }))
    const french = days.map((item) => ({ ...item, title: 'Cours', slug: 'cours' }))
    await start(days, { fr: { events: french } })
    expect((await run('fr')).notes).toEqual([])
    const { body } = await app.graphql(
      '{ eventSeries: events(first: 1) { nodes { translations { name slug } series { allDay extraDates { startsLocal } } } } }',
      {},
    )
    expect(body.data.eventSeries.nodes[0]).toMatchObject({
      translations: expect.arrayContaining([expect.objectContaining({ name: 'Cours', slug: 'cours' })]),
      series: { allDay: true },
    })
    expect((await run('fr')).counts.event).toMatchObject({ unchanged: 1 })
  })

  test('has more dates than the input of a client', async () => {
    const at = (index: number) => new Date(Date.UTC(2026, 10, 1 + index)).toISOString().slice(0, 10)
    await start(Array.from({ length: 250 }, (_, index) => legacyDate(first + index, at(index))))
    const { counts, skipped } = await run()
    expect([counts.event.created, skipped]).toEqual([1, []])
    site.records.en?.events.push(legacyDate(first + 250, at(250)))
    expect((await run()).counts.event.updated).toBe(1)
    expect(await app.db.event.count({ where: { series: { isNot: null } } })).toBe(251)
  })
})

test('events of an earlier import become dates with the same IDs; those edited here stay as they are', async () => {
  await start(course().map((item) => ({ ...item, url: 'https://legacy.example/event/course/' })))
  await run()
  expect((await stored()).map((line) => line.split(' ')[4])).toEqual(['SINGLE', 'SINGLE', 'SINGLE', 'SINGLE'])
  await editHere(`updateEvent(input: { id: ${first + 3}, title: "Mine" })`)
  const records = site.records.en
  if (records) records.events = course()
  const { counts } = await run()
  expect(counts.event).toMatchObject({ created: 0, updated: 1, skipped: 0 })
  const lines = await stored()
  expect(lines.slice(0, 3)).toEqual(dates().slice(0, 3))
  expect(lines[3]).toMatch(/Mine course-4 SINGLE/)
})

const all = [0, 1, 2, 3].map((index) => first + index)

/** Edits a record in this service. */
async function editHere(mutation: string) {
  const { body } = await (await app.signIn('editor')).graphql(
    `mutation { edit: ${mutation} { userErrors { message } } }`,
  )
  expect(body.data.edit.userErrors).toEqual([])
}

test('a series that was edited here stays as it is', async () => {
  await start(course())
  await run()
  const { body } = await app.graphql(`{ event(id: ${first}) { series { databaseId } } }`)
  await editHere(`updateEventSeries(input: { id: ${body.data.event.series.databaseId}, title: "Mine" })`)
  expect(await run()).toMatchObject({ skipped: [], notes: [] })
  edit(all, { title: 'Theirs' })
  const { skipped } = await run()
  expect(skipped).toEqual([expect.objectContaining({ reason: expect.stringContaining('edited in this service') })])
  expect(await stored()).toEqual(dates().map((line) => line.replace('Course', 'Mine')))
})

test('a date that was edited here keeps its changes, and the series changes', async () => {
  await start(course())
  await run()
  await editHere(`updateEvent(input: { id: ${first + 1}, eventStatus: CANCELLED })`)
  edit(all, { title: 'Theirs' })
  const { counts, notes } = await run()
  expect(counts.event).toMatchObject({ updated: 1, skipped: 0 })
  expect(notes).toEqual([expect.objectContaining({ note: expect.stringContaining('edited in this service') })])
  const lines = dates({ 1: `${first + 1} 2026-12-01T18:00 Course course EXTRA1 CANCELLED` })
  expect(await stored()).toEqual(lines.map((line) => line.replace('Course', 'Theirs')))
})
