// Which events a user can filter by: by status (contract e.4, QUIRK-28), and by what a password withholds (c.15).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import type { Status } from '../../src/generated/prisma/enums.ts'
import { type ApiClient, now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
const statuses: Status[] = ['publish', 'future', 'draft', 'pending', 'private', 'trash']
let app: TestApp
const clients: Record<string, ApiClient> = {}

beforeAll(async () => {
  app = await openTestApp()
  clients.visitor = app
  for (const role of ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const) {
    const user = await app.signIn(role)
    clients[role] = user
    if (role !== 'contributor' && role !== 'author') continue
    for (const status of statuses) await make(`${role}'s ${status}`, status, user.id)
  }
  for (const status of statuses) await make(status, status)
})
afterAll(() => app.close())

const later = new Date('2027-01-01T00:00:00Z')
const make = (name: string, status: Status, authorId?: number) =>
  makeEvent(app.db, name, { status, authorId, ...(status === 'future' && { publishedAt: later }) })

async function seen(role: string, query: string): Promise<string[]> {
  const { status, body } = await (clients[role] as ApiClient).get(`${ns}/events?per_page=50&${query}`)
  expect([role, query, status]).toEqual([role, query, 200])
  expect(body.total).toBe(body.events.length)
  return body.events.map((event: { title: string }) => event.title).sort()
}

/** Limits the results to events of this file. */
const isOfStatus = (title: string) => statuses.some((status) => title.endsWith(status))

const everybodys = (...names: string[]) => names.flatMap((name) => [name, `author's ${name}`, `contributor's ${name}`])
const published = everybodys('publish')
const own = (role: string, ...names: string[]) => [...published, ...names.map((name) => `${role}'s ${name}`)]

describe('status', () => {
  it('of an event at the moment of its publication is no longer future', async () => {
    const id = await makeEvent(app.db, 'Now', { status: 'future', publishedAt: now })
    expect(await seen('editor', `include=${id}&status=publish`)).toEqual(['Now'])
    expect(await seen('editor', `include=${id}&status=future`)).toEqual([])
    await app.db.event.delete({ where: { id } })
  })

  it.each([
    ['visitor', '', published],
    ['visitor', 'status=publish', published],
    ['visitor', 'status[]=publish', published],
    ['subscriber', '', published],
    ['subscriber', 'status=publish', published],
    ['contributor', '', own('contributor', 'future', 'draft', 'pending', 'private')],
    ['contributor', 'status=draft', ["contributor's draft"]],
    ['contributor', 'status=draft,%20pending', ["contributor's draft", "contributor's pending"]],
    ['contributor', 'status=private', ["contributor's private"]],
    ['author', '', own('author', 'future', 'draft', 'pending', 'private')],
    ['author', 'status[]=draft&status[]=future', ["author's draft", "author's future"]],
    ['editor', '', everybodys('publish', 'future', 'draft', 'pending', 'private')],
    ['editor', 'status=publish,future,draft,pending,private,trash', everybodys(...statuses)],
    ['editor', 'status=trash', everybodys('trash')],
    ['editor', 'status=publish', published],
    ['editor', 'status=publish,publish', published],
    ['editor', 'status=private,trash', everybodys('private', 'trash')],
    ['administrator', '', everybodys('publish', 'future', 'draft', 'pending', 'private')],
    ['administrator', 'status=future', everybodys('future')],
  ])('%s with %j', async (role, query, expected) => {
    expect((await seen(role, query)).filter(isOfStatus)).toEqual(expected.toSorted())
  })

  it.each(['any', 'publish,any', 'invented', 'draft,invented', 'inherit', 'auto-draft', '', ',', 'Draft'])(
    '%j is rejected even for editors',
    async (value) => {
      for (const role of ['contributor', 'editor']) {
        const { status, body } = await (clients[role] as ApiClient).get(`${ns}/events?status=${value}`)
        expect([role, status, Object.keys(body.data?.params ?? {})]).toEqual([role, 400, ['status']])
      }
    },
  )

  it.each(['draft', 'publish,draft', 'publish,%20draft', 'trash', 'private', 'any'])(
    '%j is rejected for users who cannot edit',
    async (value) => {
      for (const role of ['visitor', 'subscriber']) {
        const { status, body } = await (clients[role] as ApiClient).get(`${ns}/events?status=${value}`)
        expect([role, status, Object.keys(body.data?.params ?? {})]).toEqual([role, 400, ['status']])
      }
    },
  )

  it('a scheduled event is published at its publication date', async () => {
    await makeEvent(app.db, 'arrived', { status: 'future' })
    expect(await seen('visitor', 'search=arrived')).toEqual(['arrived'])
    expect(await seen('editor', 'search=arrived&status=publish')).toEqual(['arrived'])
    expect(await seen('editor', 'search=arrived&status=future')).toEqual([])
  })
})

describe('fields that a password withholds', () => {
  const twin: Record<string, number> = {}
  beforeAll(async () => {
    const { db } = app
    const lock = { passwordKey: await hashRecordPassword('open', app.site.passwordSalt) }
    twin.venue = await makeVenue(db, 'Hall', { latitude: 10, longitude: 20 })
    twin.organizer = await makeOrganizer(db, 'Club')
    twin.category = await makeCategory(db, { en: { name: 'Music', slug: 'music' } })
    twin.tag = await makeTag(db, 'free')
    const links = { venueIds: [twin.venue], organizerIds: [twin.organizer] }
    const terms = { categoryIds: [twin.category], tagIds: [twin.tag] }
    const tickets = { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] }
    const shown = { imageId: await makeImage(db), website: 'https://hush.test', cost: ['9'], featured: true, tickets }
    const rich = { en: { name: 'Locked rich', description: 'hush', excerpt: 'hush' } }
    await makeEvent(db, rich, { ...lock, ...links, ...terms, ...shown })
    await makeEvent(db, 'Locked poor', lock)
    await makeEvent(db, rich, { ...lock, ...links, ...terms, ...shown, status: 'draft' })
    // An unprotected event that the same filters return.
    await makeEvent(db, { en: { ...rich.en, name: 'Unlocked' } }, { ...links, ...terms, ...shown })
  })

  // The oracle compares every filter for every role, with locked events.
  it.each([
    'search=hush',
    'featured=1',
    'geoloc=1',
    'venue={venue}',
    'categories=music',
    'geoloc_lat=10&geoloc_lng=20',
  ])('are not searchable by %s', async (query) => {
    const requested = query.replace(/\{(\w+)\}/g, (_, word: string) => String(twin[word]))
    expect(await seen('visitor', requested)).toEqual(['Unlocked'])
  })

  it.each(['search=locked%20-hush', 'featured=0', 'geoloc=0'])('do not exclude the event from %s', async (query) => {
    const titles = (await seen('visitor', query)).filter((title) => title.startsWith('Locked'))
    // A flag and its opposite return the same for the protected event.
    expect([[], ['Locked poor', 'Locked rich']]).toContainEqual(titles)
  })

  it('the event is found by its visible fields', async () => {
    expect(await seen('visitor', '')).toEqual(expect.arrayContaining(['Locked poor', 'Locked rich', 'Unlocked']))
    expect(await seen('visitor', 'starts_after=2026-12-02')).not.toContain('Locked rich')
    expect(await seen('visitor', 'starts_after=2026-11-30')).toContain('Locked rich')
  })

  it('the event is found by words of its visible title', async () => {
    for (const role of ['visitor', 'subscriber', 'contributor']) {
      expect([role, await seen(role, 'search=rich')]).toEqual([role, ['Locked rich']])
      expect([role, await seen(role, 'search=LOCKED%20-unlocked')]).toEqual([role, ['Locked poor', 'Locked rich']])
      expect([role, await seen(role, 'search=locked%20-rich%20-unlocked')]).toEqual([role, ['Locked poor']])
    }
    expect(await seen('visitor', 'search=rich&password=open')).toEqual(['Locked rich'])
  })

  it('the event is found with its password', async () => {
    expect(await seen('visitor', 'search=hush&password=open')).toEqual(['Locked rich', 'Unlocked'])
    expect(await seen('visitor', 'search=locked%20-hush&password=open')).toEqual(['Locked poor'])
    expect(await seen('visitor', 'search=hush&password=wrong')).toEqual(['Unlocked'])
    expect(await seen('visitor', 'featured=1&password=open')).toEqual(['Locked rich', 'Unlocked'])
  })
})
