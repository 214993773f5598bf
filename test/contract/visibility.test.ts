// Responses to anonymous users for records that are not public (contract d.3, d.5, QUIRK-20, QUIRK-42).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  app.clock.now = now
  await truncate(app.db)
})
afterAll(() => app.close())

const past = new Date('2026-01-01T00:00:00Z')
const nextHour = new Date(now.getTime() + 3_600_000)

const makers = { events: makeEvent, venues: makeVenue, organizers: makeOrganizer }
const kinds = [
  ['events', 'event'],
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const

const statusAndCode = async (path: string) => {
  const { status, body } = await app.get(`${ns}${path}`)
  return [status, body.code ?? body.status]
}
const listed = async (plural: string) => {
  const { body } = await app.get(`${ns}/${plural}`)
  return [body.total, body[plural].map(({ id }: { id: number }) => id)]
}

describe.each(kinds)('%s', (plural, kind) => {
  it.each([
    ['draft', past],
    ['pending', past],
    ['private', past],
    ['future', nextHour],
    ['publish', nextHour],
  ] as const)('%s as of %s', async (status, publishedAt) => {
    const id = await makers[plural](app.db, 'Secret', { status, publishedAt })
    expect(await listed(plural)).toEqual([0, []])
    const rejected = [403, `${kind}-not-accessible`]
    expect(await statusAndCode(`/${plural}/${id}`)).toEqual(rejected)
    expect(await statusAndCode(`/${plural}/by-slug/secret`)).toEqual(rejected)
    expect(await statusAndCode(`/${plural}/${id}?password=x`)).toEqual(rejected)
    const { body } = await app.get(`${ns}/${plural}/${id}`)
    expect(JSON.stringify(body)).not.toContain('Secret')
  })

  it('in the trash are not accessible', async () => {
    const id = await makers[plural](app.db, 'Gone', { status: 'trash', trashedFrom: 'publish' })
    const code = kind === 'event' ? 'event-no-longer-available' : `${kind}-not-accessible`
    expect(await statusAndCode(`/${plural}/${id}`)).toEqual([403, code])
    expect(await listed(plural)).toEqual([0, []])
  })

  it('that are scheduled become visible at their publication date', async () => {
    const id = await makers[plural](app.db, 'Soon', { status: 'future', publishedAt: nextHour })
    app.clock.now = new Date(nextHour.getTime() - 1)
    expect(await statusAndCode(`/${plural}/${id}`)).toEqual([403, `${kind}-not-accessible`])
    app.clock.now = nextHour
    expect(await statusAndCode(`/${plural}/${id}`)).toEqual([200, 'publish'])
    expect(await listed(plural)).toEqual([1, [id]])
    const { body } = await app.get(`${ns}/${plural}/${id}`)
    expect(body).toHaveProperty('json_ld')
  })

  it('that are scheduled are always in exactly one list by status', async () => {
    const id = await makers[plural](app.db, 'Soon', { status: 'future', publishedAt: nextHour })
    const editor = await app.signIn('editor')
    const inStatus = async (status: string) => {
      const { body } = await editor.get(`${ns}/${plural}?status=${status}`)
      return body[plural].map((record: { id: number }) => record.id)
    }
    for (const [time, scheduled, published] of [
      [new Date(nextHour.getTime() - 1), [id], []],
      [nextHour, [], [id]],
    ] as const) {
      app.clock.now = time
      expect([await inStatus('future'), await inStatus('publish')]).toEqual([scheduled, published])
    }
  })
})

it('hidden events can be read by ID and slug, but are not listed', async () => {
  const id = await makeEvent(app.db, 'Hidden', { hideFromListings: true, featured: true })
  for (const path of [`/events/${id}`, '/events/by-slug/hidden'])
    expect(await statusAndCode(path)).toEqual([200, 'publish'])
  for (const query of ['', `?include=${id}`, '?featured=1', '?start_date=2020-01-01']) {
    const { body } = await app.get(`${ns}/events${query}`)
    expect([query, body.total, body.events]).toEqual([query, 0, []])
  }
})

describe('in an event', () => {
  const hidden = [
    { status: 'draft' as const },
    { status: 'pending' as const },
    { status: 'private' as const },
    { status: 'trash' as const },
    { status: 'future' as const, publishedAt: nextHour },
  ]

  it.each(hidden)('venues and organizers are not shown as %j', async (columns) => {
    const venueIds = [await makeVenue(app.db, 'Secret hall', columns), await makeVenue(app.db, 'Hall')]
    const organizerIds = [await makeOrganizer(app.db, 'Secret club', columns), await makeOrganizer(app.db, 'Club')]
    const id = await makeEvent(app.db, 'Choir', { venueIds, organizerIds })
    for (const path of [`/events/${id}`, '/events']) {
      const { body } = await app.get(`${ns}${path}`)
      const event = body.events?.[0] ?? body
      expect(event.venue.id).toBe(venueIds[1])
      expect(event.organizer.map((each: { id: number }) => each.id)).toEqual([organizerIds[1]])
      expect(JSON.stringify(body)).not.toContain('Secret')
    }
  })

  it('a single venue that is not public is omitted', async () => {
    const venueIds = [await makeVenue(app.db, 'Secret hall', { status: 'draft' })]
    const id = await makeEvent(app.db, 'Choir', { venueIds })
    expect((await app.get(`${ns}/events/${id}`)).body.venue).toEqual([])
  })
})
