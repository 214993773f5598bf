// Dates of series in the REST API: events like others, with one more key.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { ns } from '../helpers/rest.ts'

/** Creates a course of four Tuesdays, and returns its ID and those of its dates in order. */
async function createCourse() {
  const schedule = {
    timeZone: 'Europe/Paris',
    recurrences: [
      { startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-01T21:00:00', rule: 'FREQ=WEEKLY;COUNT=4' },
    ],
  }
  const { body } = await editor.graphql(
    `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) {
      series { databaseId events { nodes { databaseId } } } userErrors { path message } } }`,
    { input: { title: 'Course', slug: `course-${randomUUID()}`, status: 'PUBLISHED', schedule } },
  )
  const { series } = body.data.createEventSeries
  return {
    id: series.databaseId as number,
    ids: series.events.nodes.map(({ databaseId }: { databaseId: number }) => databaseId) as number[],
  }
}

let app: TestApp
let editor: ApiClient
let id: number
let ids: number[]

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
beforeEach(async () => {
  await app.db.event.deleteMany({})
  await app.db.content.deleteMany({})
  ;({ id, ids } = await createCourse())
})
afterAll(() => app?.close())

const list = async (query = '') => {
  const { status, body } = await app.get(`${ns}/events?start_date=2026-01-01${query}`)
  expect(status).toBe(200)
  return body
}
const dates = async (query = '') =>
  (await list(query)).events.map(({ id, title, start_date }: { id: number; title: string; start_date: string }) => [
    id,
    title,
    start_date.slice(5, 16),
  ])

describe('reading', () => {
  test('a date is an event with the page of its day, and what only dates of a series have comes last', async () => {
    const { slug } = (await app.get(`${ns}/events/${ids[0]}`)).body
    const { body } = await app.get(`${ns}/events/${ids[1]}`)
    expect(body).toMatchObject({
      id: ids[1],
      global_id: `calendar.test?id=${ids[1]}`,
      global_id_lineage: [`calendar.test?id=${ids[1]}`],
      url: `http://calendar.test/event/${slug}/2026-12-08/`,
      rest_url: `http://calendar.test${ns}/events/${ids[1]}`,
      title: 'Course',
      slug,
      start_date: '2026-12-08 19:00:00',
      utc_start_date: '2026-12-08 18:00:00',
      website: `http://calendar.test/event/${slug}/2026-12-08/`,
    })
    expect(Object.keys(body).at(-1)).toBe('series')
    expect(body.series).toEqual({
      id,
      url: `http://calendar.test/event/${slug}/`,
      rest_url: `http://calendar.test${ns}/events/?series=${id}`,
      occurrence: 'regular',
      original_start_date: '2026-12-08 19:00:00',
      label: '',
      note: '',
    })
  })

  test('a single event has no further key', async () => {
    const created = await editor.send('POST', `${ns}/events`, {
      title: 'Alone',
      ...at('2026-12-24 20:00', '2026-12-24 22:00'),
    })
    expect(created.body).not.toHaveProperty('series')
    expect(Object.keys(created.body).at(-1)).toBe('custom_fields')
  })

  test.each([
    ['the first that has not ended', '2026-12-08T19:30:00Z', '2026-12-08 19:00:00'],
    ['the next', '2026-12-08T21:00:00Z', '2026-12-15 19:00:00'],
    ['the last', '2027-06-01T00:00:00Z', '2026-12-22 19:00:00'],
  ])('by slug: %s', async (_name, now, start) => {
    const { slug } = (await app.get(`${ns}/events/${ids[0]}`)).body
    const before = app.clock.now
    app.clock.now = new Date(now)
    try {
      expect((await app.get(`${ns}/events/by-slug/${slug}`)).body.start_date).toBe(start)
      const renamed = await editor.send('POST', `${ns}/events/by-slug/${slug}`, { title: 'By slug' })
      expect([renamed.status, renamed.body.start_date]).toEqual([200, start])
    } finally {
      app.clock.now = before
    }
  })

  test('lists have each date, the first of each series, or those of a series', async () => {
    const single = await editor.send('POST', `${ns}/events`, {
      title: 'Alone',
      ...at('2026-12-24 20:00', '2026-12-24 22:00'),
    })
    expect(await list()).toMatchObject({ total: 5 })
    expect(await list('&hide_subsequent_recurrences=true')).toMatchObject({
      events: [{ id: ids[0] }, { id: single.body.id }],
      total: 2,
    })
    expect(await list('&hide_subsequent_recurrences=0')).toMatchObject({ total: 5 })
    expect(await dates(`&series=${id}&hide_subsequent_recurrences=1&start_date=2026-12-09`)).toEqual([
      [ids[2], 'Course', '12-15 19:00'],
    ])
    const page = await list(`&series=${id}&per_page=2`)
    expect([page.total, page.next_rest_url]).toEqual([4, expect.stringContaining(`series=${id}`)])
    expect(await dates('&series=1,2')).toEqual([])
    expect((await app.get(`${ns}/events?series=all&hide_subsequent_recurrences=some`)).body.data.params).toEqual({
      series: expect.any(String),
      hide_subsequent_recurrences: expect.any(String),
    })
  })
})

const at = (start_date: string, end_date: string) => ({ start_date, end_date })
const edit = (date: number, fields: object) => editor.send('PUT', `${ns}/events/${ids[date]}`, fields)

describe('writing', () => {
  test.each([
    ['a title', { title: 'Talk' }, ['Talk', 'Talk', 'Talk', 'Talk'], '12-08 19:00', 'regular'],
    [
      'dates',
      at('2026-12-09 18:00', '2026-12-09 20:00'),
      ['Course', 'Course', 'Course', 'Course'],
      '12-09 18:00',
      'changed',
    ],
    [
      'both',
      { title: 'Talk', ...at('2026-12-09 18:00', '2026-12-09 20:00') },
      ['Talk', 'Talk', 'Talk', 'Talk'],
      '12-09 18:00',
      'changed',
    ],
    [
      'dates as they are',
      { title: 'Talk', ...at('2026-12-08 19:00', '2026-12-08 21:00') },
      ['Talk', 'Talk', 'Talk', 'Talk'],
      '12-08 19:00',
      'regular',
    ],
    [
      'an instant as it is',
      { start_date: '2026-12-08T18:00:00Z' },
      ['Course', 'Course', 'Course', 'Course'],
      '12-08 19:00',
      'regular',
    ],
  ])('%s', async (_name, fields, titles, start, occurrence) => {
    const { status, body } = await edit(1, fields)
    expect([status, body.id, body.start_date?.slice(5, 16), body.series?.occurrence]).toEqual([
      200,
      ids[1],
      start,
      occurrence,
    ])
    expect(await dates()).toEqual(
      titles.map((title, index) => [
        ids[index],
        title,
        index === 1 ? start : `12-${['01', '08', '15', '22'][index]} 19:00`,
      ]),
    )
  })

  test('the whole event, as it was read, with another title changes only the title', async () => {
    await edit(1, at('2026-12-09 18:00', '2026-12-09 20:00'))
    const { body } = await app.get(`${ns}/events/${ids[1]}`)
    const names = [
      'description',
      'excerpt',
      'slug',
      'status',
      'timezone',
      'all_day',
      'start_date',
      'end_date',
      'show_map',
    ]
    const sent = Object.fromEntries(
      Object.entries(body).filter(([name, value]) => names.includes(name) && value !== ''),
    )
    expect((await edit(1, { ...sent, title: 'Talk', hide_from_listings: false, is_virtual: false })).status).toBe(200)
    expect(await dates()).toEqual([
      [ids[0], 'Talk', '12-01 19:00'],
      [ids[1], 'Talk', '12-09 18:00'],
      [ids[2], 'Talk', '12-15 19:00'],
      [ids[3], 'Talk', '12-22 19:00'],
    ])
  })

  test('another time zone is that of all dates, whose local times stay', async () => {
    await edit(1, at('2026-12-09 18:00', '2026-12-09 20:00'))
    expect((await edit(1, { timezone: 'America/New_York' })).status).toBe(200)
    expect(
      (await list()).events.map((event: Record<string, string>) => [event.start_date, event.utc_start_date]),
    ).toEqual([
      ['2026-12-01 19:00:00', '2026-12-02 00:00:00'],
      ['2026-12-09 18:00:00', '2026-12-09 23:00:00'],
      ['2026-12-15 19:00:00', '2026-12-16 00:00:00'],
      ['2026-12-22 19:00:00', '2026-12-23 00:00:00'],
    ])
  })

  test('what differs for a date already is changed for this date only', async () => {
    const address = async () =>
      (await list()).events.map(({ virtual_url }: { virtual_url?: string }) => virtual_url?.slice(-1))
    await edit(0, { is_virtual: true, virtual_url: 'https://meet.example/a' })
    expect(await address()).toEqual(['a', 'a', 'a', 'a'])
    const input = { id: ids[1], onlineUrl: 'https://meet.example/b' }
    await editor.graphql(
      'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { userErrors { message } } }',
      { input },
    )
    await edit(1, { virtual_url: 'https://meet.example/c', title: 'Talk' })
    expect(await address()).toEqual(['a', 'c', 'a', 'a'])
    await edit(0, { virtual_url: 'https://meet.example/d' })
    expect(await address()).toEqual(['d', 'c', 'd', 'd'])
  })

  test('all invalid values are reported, and nothing is written', async () => {
    const { status, body } = await edit(1, {
      title: 'Talk',
      venue: 987654,
      ...at('2026-12-01 19:00', '2026-12-01 20:00'),
    })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['venue', 'start_date']])
    expect(await dates()).toHaveLength(4)
    expect((await dates())[1]).toEqual([ids[1], 'Course', '12-08 19:00'])
  })

  test.each([
    ['DELETE', undefined],
    ['PUT', { status: 'trash' }],
  ] as const)('%s moves one date to the trash, and the series goes on without it', async (method, payload) => {
    const { status, body } = await editor.send(method, `${ns}/events/${ids[1]}`, payload)
    expect([status, body.id, body.status]).toEqual([200, ids[1], 'trash'])
    expect(body).not.toHaveProperty('series')
    expect((await dates()).map(([date]: [number]) => date)).toEqual([ids[0], ids[2], ids[3]])
    await edit(0, { title: 'Talk' })
    expect(await dates()).toHaveLength(3)
    const restored = await edit(1, { status: 'publish' })
    expect([restored.status, restored.body.title, restored.body.series]).toEqual([200, 'Course', undefined])
  })

  test('users who may not edit the series change nothing', async () => {
    const author = await app.signIn('author')
    for (const fields of [{ title: 'Mine' }, at('2026-12-09 18:00', '2026-12-09 20:00')])
      expect((await author.send('PUT', `${ns}/events/${ids[1]}`, fields)).status).toBe(403)
    expect((await app.send('PUT', `${ns}/events/${ids[1]}`, { title: 'Mine' })).status).toBe(401)
    expect((await dates())[1]).toEqual([ids[1], 'Course', '12-08 19:00'])
  })
})
