// When events are, as writes say it (contract b.6 to b.8, h.6, h.11, QUIRK-6 to 9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { encodings, errorOf, invalid, ns } from '../helpers/rest.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'America/New_York' })
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

const create = (fields: object | string) => admin.send('POST', `${ns}/events`, fields)
const edit = (id: number, fields: object | string) => admin.send('PATCH', `${ns}/events/${id}`, fields)

type Times = readonly [start: string, end: string, startInUtc: string, endInUtc: string]
const timesOf = (body: Record<string, string>) => [
  body.start_date,
  body.end_date,
  body.utc_start_date,
  body.utc_end_date,
]

describe.each(encodings)('by %s', (_name, encode) => {
  it.each<[string, string | number, string | number, Times]>([
    [
      'Europe/Paris',
      '2026-07-01 19:00',
      '2026-07-01 21:00',
      ['2026-07-01 19:00:00', '2026-07-01 21:00:00', '2026-07-01 17:00:00', '2026-07-01 19:00:00'],
    ],
    [
      'Asia/Hong_Kong',
      '2026-07-01',
      '2026-07-02',
      ['2026-07-01 00:00:00', '2026-07-02 00:00:00', '2026-06-30 16:00:00', '2026-07-01 16:00:00'],
    ],
    [
      'Australia/Sydney',
      '2026-01-01T10:00:00',
      '2026/01/01 11:00',
      ['2026-01-01 10:00:00', '2026-01-01 11:00:00', '2025-12-31 23:00:00', '2026-01-01 00:00:00'],
    ],
    [
      '',
      '2026-01-01 10:00',
      '2026-01-01 11:00',
      ['2026-01-01 10:00:00', '2026-01-01 11:00:00', '2026-01-01 15:00:00', '2026-01-01 16:00:00'],
    ],
    [
      'Europe/Paris',
      '2026-07-01T19:00:00Z',
      '2026-07-01T21:00:00+01:00',
      ['2026-07-01 21:00:00', '2026-07-01 22:00:00', '2026-07-01 19:00:00', '2026-07-01 20:00:00'],
    ],
    [
      'UTC+5:30',
      1_764_547_200,
      '@1764550800',
      ['2025-12-01 05:30:00', '2025-12-01 06:30:00', '2025-12-01 00:00:00', '2025-12-01 01:00:00'],
    ],
    [
      'UTC-5',
      '2026-07-01 10:00',
      '2026-07-01 11:00',
      ['2026-07-01 10:00:00', '2026-07-01 11:00:00', '2026-07-01 15:00:00', '2026-07-01 16:00:00'],
    ],
    [
      'EST',
      '2026-07-01 10:00',
      '2026-07-01 11:00',
      ['2026-07-01 10:00:00', '2026-07-01 11:00:00', '2026-07-01 15:00:00', '2026-07-01 16:00:00'],
    ],
    [
      '+02:00',
      '2018-02-30',
      '2018-03-03',
      ['2018-03-02 00:00:00', '2018-03-03 00:00:00', '2018-03-01 22:00:00', '2018-03-02 22:00:00'],
    ],
    [
      'America/New_York',
      '2030-03-10 02:30',
      '2030-03-10 05:00',
      ['2030-03-10 03:30:00', '2030-03-10 05:00:00', '2030-03-10 07:30:00', '2030-03-10 09:00:00'],
    ],
    [
      'UTC',
      '2030-W10-2 16:00',
      '2030-064T17:00',
      ['2030-03-05 16:00:00', '2030-03-05 17:00:00', '2030-03-05 16:00:00', '2030-03-05 17:00:00'],
    ],
    [
      'UTC+5.75',
      '0001-01-02',
      '9999-12-31',
      ['0001-01-02 00:00:00', '9999-12-31 00:00:00', '0001-01-01 18:15:00', '9999-12-30 18:15:00'],
    ],
    [
      'Pacific/Kiritimati',
      'tomorrow 9am',
      '+2 days',
      ['2026-11-23 09:00:00', '2026-11-24 02:00:00', '2026-11-22 19:00:00', '2026-11-23 12:00:00'],
    ],
  ])('%s: %s to %s', async (timezone, start_date, end_date, times) => {
    const { status, body } = await create(encode({ title: 'Dated', timezone, start_date, end_date }))
    expect([status, timesOf(body)]).toEqual([201, times])
    expect(body.timezone).toBe(timezone || 'America/New_York')
    const [year, month, day] = times[2].split(/[- :]/)
    expect(body.utc_start_date_details).toMatchObject({ year, month, day })
  })

  it('all-day events with and without a cutoff', async () => {
    const fields = { title: 'Days', start_date: '2026-12-01 02:00', end_date: '2026-12-02 01:00', all_day: true }
    const { body } = await create(encode(fields))
    expect(body).toMatchObject({ all_day: true, start_date: '2026-12-01 00:00:00', end_date: '2026-12-02 23:59:59' })
    expect(body).toMatchObject({ utc_start_date: '2026-12-01 05:00:00', utc_end_date: '2026-12-03 04:59:59' })
    const late = (await serve(app, { END_OF_DAY_CUTOFF: '03:00' })).as(admin)
    const shifted = await late.send('POST', `${ns}/events`, encode(fields))
    expect(shifted.body).toMatchObject({ start_date: '2026-11-30 03:00:00', end_date: '2026-12-02 02:59:59' })
  })
})

it.each([
  ['Europe/Paris', 'CEST'],
  ['europe/paris', 'CEST'],
  ['UTC', 'UTC'],
  ['UTC+2', 'UTC+2'],
  ['UTC-5.5', 'UTC-5.5'],
  ['UTC+14', 'UTC+14'],
  ['UTC+5.75', 'UTC+5.75'],
  ['UTC-12.75', 'UTC-12.75'],
  ['America/New_York', 'EDT'],
  ['-5', '-05'],
])('the time zone %s is returned unchanged, abbreviated %s', async (timezone, timezone_abbr) => {
  const { body } = await create({ title: 'Zoned', timezone, start_date: '2026-07-01', end_date: '2026-07-01' })
  expect(body).toMatchObject({ timezone, timezone_abbr })
})

const make = async (fields: object = {}): Promise<number> => {
  const times = { start_date: '2026-07-01 19:00', end_date: '2026-07-01 21:00', timezone: 'Europe/Paris' }
  return (await create({ title: 'Choir', ...times, ...fields })).body.id
}

it.each<[object, Times]>([
  [
    { start_date: '2026-07-01 18:00' },
    ['2026-07-01 18:00:00', '2026-07-01 21:00:00', '2026-07-01 16:00:00', '2026-07-01 19:00:00'],
  ],
  [
    { end_date: '2026-07-02' },
    ['2026-07-01 19:00:00', '2026-07-02 00:00:00', '2026-07-01 17:00:00', '2026-07-01 22:00:00'],
  ],
  [{ timezone: 'UTC' }, ['2026-07-01 19:00:00', '2026-07-01 21:00:00', '2026-07-01 19:00:00', '2026-07-01 21:00:00']],
  // That of the site, New York.
  [{ timezone: '' }, ['2026-07-01 19:00:00', '2026-07-01 21:00:00', '2026-07-01 23:00:00', '2026-07-02 01:00:00']],
  [
    { timezone: '', start_date: 'tomorrow 9am', end_date: '2026-11-23T00:00:00Z' },
    ['2026-11-22 09:00:00', '2026-11-22 19:00:00', '2026-11-22 14:00:00', '2026-11-23 00:00:00'],
  ],
  [{ timezone: null }, ['2026-07-01 19:00:00', '2026-07-01 21:00:00', '2026-07-01 17:00:00', '2026-07-01 19:00:00']],
  [{ all_day: true }, ['2026-07-01 00:00:00', '2026-07-01 23:59:59', '2026-06-30 22:00:00', '2026-07-01 21:59:59']],
  [
    { start_date: '2026-07-01T18:00:00Z' },
    ['2026-07-01 20:00:00', '2026-07-01 21:00:00', '2026-07-01 18:00:00', '2026-07-01 19:00:00'],
  ],
  [
    { start_date: '2026-07-01 20:00', end_date: '2026-07-01T18:30:00Z' },
    ['2026-07-01 20:00:00', '2026-07-01 20:30:00', '2026-07-01 18:00:00', '2026-07-01 18:30:00'],
  ],
  [
    { start_date: '2026-07-01 20:00', timezone: 'UTC+3' },
    ['2026-07-01 20:00:00', '2026-07-01 21:00:00', '2026-07-01 17:00:00', '2026-07-01 18:00:00'],
  ],
  [
    { start_date: 'today', end_date: 'tomorrow' },
    ['2026-11-21 00:00:00', '2026-11-22 00:00:00', '2026-11-20 23:00:00', '2026-11-21 23:00:00'],
  ],
])('an update of only %j', async (fields, times) => {
  const { status, body } = await edit(await make(), fields)
  expect([status, timesOf(body)]).toEqual([200, times])
})

it('an all-day event stays one after an update of its dates', async () => {
  const id = await make({ all_day: true })
  const { body } = await edit(id, { end_date: '2026-07-03 10:00' })
  expect(body).toMatchObject({ all_day: true, start_date: '2026-07-01 00:00:00', end_date: '2026-07-03 23:59:59' })
  expect((await edit(id, { title: 'Other' })).body).toMatchObject({ all_day: true, end_date: '2026-07-03 23:59:59' })
  expect((await edit(id, { all_day: false })).body).toMatchObject({ all_day: false, end_date: '2026-07-03 23:59:59' })
})

it.each<[object, Times]>([
  [
    { start_date: '2026-07-05 10:00', end_date: '2026-07-04' },
    ['2026-07-05 10:00:00', '2026-07-05 10:00:00', '2026-07-05 08:00:00', '2026-07-05 08:00:00'],
  ],
  [
    { start_date: '2026-07-05 10:00', end_date: '2026-07-04', all_day: 1 },
    ['2026-07-05 00:00:00', '2026-07-05 23:59:59', '2026-07-04 22:00:00', '2026-07-05 21:59:59'],
  ],
  [
    { start_date: '2026-07-05 10:00', end_date: '2026-07-05T07:00:00Z' },
    ['2026-07-05 10:00:00', '2026-07-05 10:00:00', '2026-07-05 08:00:00', '2026-07-05 08:00:00'],
  ],
])('an end before the start in the same request moves to the start: %j', async (fields, times) => {
  const edited = await edit(await make(), fields)
  expect([edited.status, timesOf(edited.body)]).toEqual([200, times])
  const created = await create({ title: 'New', timezone: 'Europe/Paris', ...fields })
  expect([created.status, timesOf(created.body)]).toEqual([201, times])
})

it('an end before the stored start is rejected and nothing is written', async () => {
  const id = await make()
  expect(errorOf(await edit(id, { end_date: '2026-07-01 18:00', title: 'No' }))).toEqual(invalid('end_date'))
  expect(errorOf(await edit(id, { start_date: '2026-07-02', title: 'No' }))).toEqual(invalid('end_date'))
  expect((await app.get(`${ns}/events/${id}`)).body).toMatchObject({
    title: 'Choir',
    start_date: '2026-07-01 19:00:00',
  })
})

it.each([
  [{ start_date: '0001-01-01', timezone: 'Asia/Tokyo' }, 'start_date'],
  [{ end_date: '9999-12-31', all_day: true, timezone: 'America/New_York' }, 'end_date'],
  [{ start_date: '0001-01-01', end_date: '9999-12-31', all_day: true, timezone: 'UTC+1' }, 'start_date'],
  [{ date: '9999-12-31' }, 'date'],
  [{ date_utc: '0001-01-01' }, 'date_utc'],
  // In 2020 these were within them.
  [{ start_date: '+7975 years' }, 'start_date'],
  [{ end_date: '+7975 years' }, 'end_date'],
  [{ date: '+7975 years' }, 'date'],
])('dates outside of the years 1 to 9999 in any time zone are rejected: %j', async (fields, named) => {
  const times = { start_date: '2026-07-01 19:00', end_date: '2026-07-01 21:00' }
  expect(errorOf(await create({ title: 'Far', ...times, ...fields }))).toEqual(invalid(named))
})

it('times in a skipped hour are accepted', async () => {
  const gap = { timezone: 'Europe/Paris', start_date: '2026-03-29 02:45', end_date: '2026-03-29 03:15' }
  const { status, body } = await create({ title: 'Gap', ...gap })
  expect(status).toBe(201)
  expect(body.utc_end_date >= body.utc_start_date).toBe(true)
})
