// Extension of the contract: events that people attend online have `is_virtual`, `virtual_url` and `virtual_video_source`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeEvent } from '../../helpers/make.ts'
import { encodings, newRecord, ns } from '../../helpers/rest.ts'
import { read } from '../../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const room = 'https://example.org/room?a=1&b=2'
const virtual = (virtual_url: string | null = null) => ({ is_virtual: true, virtual_url, virtual_video_source: '' })
const names = Object.keys(virtual())
const virtualFields = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => /virtual/.test(name)))

describe('responses', () => {
  test('an event on site has no field of virtual events, with a URL too', async () => {
    const id = await makeEvent(app.db, 'On site', { onlineUrl: room })
    const { body } = await app.get(`${ns}/events/${id}`)
    expect(Object.keys(body).slice(-2)).toEqual(['custom_fields', 'json_ld'])
  })

  test.each(['online', 'mixed'] as const)('an event with the attendance mode %s has the fields', async (mode) => {
    const id = await makeEvent(app.db, 'Web', { attendanceMode: mode, onlineUrl: room })
    const single = (await app.get(`${ns}/events/${id}`)).body
    expect(virtualFields(single)).toEqual(virtual(room))
    expect(Object.keys(single).slice(-5)).toEqual(['custom_fields', ...names, 'json_ld'])
    const [listed] = (await app.get(`${ns}/events?include=${id}`)).body.events
    expect(virtualFields(listed)).toEqual(virtual(room))
    expect(Object.keys(listed).slice(-4)).toEqual(['custom_fields', ...names])
  })

  test('a virtual event without a URL has a null URL', async () => {
    const id = await makeEvent(app.db, 'Web', { attendanceMode: 'online' })
    expect(virtualFields((await app.get(`${ns}/events/${id}`)).body)).toEqual(virtual())
  })

  test('quotes in a URL are percent-encoded', async () => {
    const id = await makeEvent(app.db, 'Web', { attendanceMode: 'online', onlineUrl: 'https://example.org/?q="a"' })
    const { body } = await app.get(`${ns}/events/${id}`)
    expect(body.virtual_url).toBe('https://example.org/?q=%22a%22')
  })

  test('a password withholds the URL of a virtual event', async () => {
    const id = await makeEvent(app.db, 'Locked', {
      ...{ attendanceMode: 'online', onlineUrl: room },
      passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt),
    })
    const listed = async (query: string) => (await app.get(`${ns}/events?include=${id}${query}`)).body.events[0]
    expect(virtualFields(await listed(''))).toEqual(virtual())
    expect(virtualFields(await listed('&password=sesame'))).toEqual(virtual(room))
  })

  test('a cancelled event stays in lists', async () => {
    const id = await makeEvent(app.db, 'Cancelled', { eventStatus: 'cancelled', start: '2026-12-05T19:00:00' })
    const { body } = await app.get(`${ns}/events?start_date=2026-12-05&end_date=2026-12-05`)
    expect(body.events.map((event: { id: number }) => event.id)).toEqual([id])
  })
})

describe.each(encodings)('requests as %s', (_name, encode) => {
  const create = (fields: object) =>
    admin.send('POST', `${ns}/events`, encode({ ...newRecord('events', 'Web'), ...fields }))
  const update = async (id: number, fields: object) => {
    const { status, body } = await admin.send('PUT', `${ns}/events/${id}`, encode(fields))
    expect(status).toBe(200)
    return virtualFields(body)
  }

  test('create virtual events and change them', async () => {
    const { status, body } = await create({ is_virtual: true, virtual_url: room })
    expect([status, virtualFields(body)]).toEqual([201, virtual(room)])
    expect(await update(body.id, { title: 'Renamed' })).toEqual(virtual(room))
    expect(await update(body.id, { virtual_url: '' })).toEqual(virtual())
    expect(await update(body.id, { is_virtual: '0' })).toEqual({})
    expect(await update(body.id, { is_virtual: '1', virtual_url: room })).toEqual(virtual(room))
  })

  test('leave an event on site and online as it is', async () => {
    const id = await makeEvent(app.db, 'Both', { attendanceMode: 'mixed', onlineUrl: room })
    expect(await update(id, { is_virtual: true, virtual_url: room })).toEqual(virtual(room))
    expect(await read(app, 'event', id, 'attendanceMode onlineUrl')).toEqual({
      attendanceMode: 'MIXED',
      onlineUrl: room,
    })
  })

  test('are rejected with an invalid value', async () => {
    const { status, body } = await create({ is_virtual: 'perhaps', virtual_url: 'mailto:a@example.org' })
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['is_virtual', 'virtual_url'],
    ])
  })
})

test('a virtual event is unchanged when its response is written back', async () => {
  for (const attendanceMode of ['offline', 'online', 'mixed'] as const) {
    for (const onlineUrl of [null, room, 'https://example.org/?a=1&amp;b=%20']) {
      const id = await makeEvent(app.db, 'Web', { attendanceMode, onlineUrl })
      const before = await read(app, 'event', id, 'attendanceMode onlineUrl')
      const { body } = await app.get(`${ns}/events/${id}`)
      expect((await admin.send('PUT', `${ns}/events/${id}`, virtualFields(body))).status).toBe(200)
      expect(await read(app, 'event', id, 'attendanceMode onlineUrl')).toEqual(before)
    }
  }
})
