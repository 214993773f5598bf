// Single reads of hidden records by ID, slug and global ID, in both APIs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp

const makers = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }
type Kind = keyof typeof makers
const kinds = Object.keys(makers) as Kind[]
const collections = { event: 'events', venue: 'venues', organizer: 'organizers' }

const tomorrow = new Date(now.getTime() + 86_400_000)
const yesterday = new Date(now.getTime() - 86_400_000)

/** Columns of a record, and the error code of single reads; undefined if they succeed. */
const states = {
  published: [{}, undefined],
  'scheduled, after its publication date': [{ status: 'future', publishedAt: yesterday }, undefined],
  draft: [{ status: 'draft' }, 'NOT_ACCESSIBLE'],
  pending: [{ status: 'pending' }, 'NOT_ACCESSIBLE'],
  private: [{ status: 'private' }, 'NOT_ACCESSIBLE'],
  scheduled: [{ status: 'future', publishedAt: tomorrow }, 'NOT_ACCESSIBLE'],
  'published from tomorrow on': [{ publishedAt: tomorrow }, 'NOT_ACCESSIBLE'],
  trashed: [{ status: 'trash' }, 'TRASHED'],
} as const
type State = keyof typeof states

const legacy: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  event: { NOT_ACCESSIBLE: 'event-not-accessible', TRASHED: 'event-no-longer-available' },
  venue: { NOT_ACCESSIBLE: 'venue-not-accessible', TRASHED: 'venue-not-accessible' },
  organizer: { NOT_ACCESSIBLE: 'organizer-not-accessible', TRASHED: 'organizer-not-accessible' },
}

const ids = new Map<string, number>()
const slugOf = (state: string) => state.replace(/\W+/g, '-')

beforeAll(async () => {
  app = await openTestApp()
  for (const kind of kinds) {
    for (const [state, [columns]] of Object.entries(states)) {
      const texts = { en: { name: 'Name', slug: slugOf(state) }, fr: { name: 'Nom', slug: `fr-${slugOf(state)}` } }
      ids.set(`${kind} ${state}`, await makers[kind](app.db, texts, columns))
    }
  }
})
afterAll(() => app?.close())

const cases = kinds.flatMap((kind) => (Object.keys(states) as State[]).map((state) => [kind, state] as const))

// Each record is read in half of the ways, and in the others in another kind or state.
describe.each(cases)('%s that is %s', (kind, state) => {
  const turn = kinds.indexOf(kind) + Object.keys(states).indexOf(state)
  const [, code] = states[state]
  const id = () => ids.get(`${kind} ${state}`) ?? 0
  const opaque = () => Buffer.from(`${kind[0]?.toUpperCase()}${kind.slice(1)}:${id()}`).toString('base64')

  const ways: [string, () => string][] = [
    ['by ID', () => `id: ${id()}`],
    ['by opaque ID', () => `id: "${opaque()}"`],
    ['by slug of another language', () => `slug: "fr-${slugOf(state)}"`],
    ['by slug', () => `slug: "${slugOf(state)}"`],
  ]
  test.each(partOf(ways, 2, turn))('%s', async (_, argument) => {
    const { body } = await app.graphql(`{ record: ${kind}(${argument()}) { databaseId } }`)
    expect(body.errors?.[0].extensions).toEqual(code && { code, kind })
    expect(body.data.record).toEqual(code ? null : { databaseId: id() })
  })

  test('by node', async () => {
    const { body } = await app.graphql('query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }', {
      id: opaque(),
    })
    const record = code ? null : { id: opaque() }
    expect(body.data).toEqual({ node: record, nodes: [record] })
    const errors = (body.errors ?? []).map(({ path, extensions }: { path: unknown[]; extensions: object }) => [
      path,
      extensions,
    ])
    const extensions = { code, kind }
    // The fields run concurrently, so their errors have no fixed order.
    const byDepth = errors.toSorted(([one]: [unknown[]], [other]: [unknown[]]) => one.length - other.length)
    const expected = [
      [['node'], extensions],
      [['nodes', 0], extensions],
    ]
    expect(byDepth).toEqual(code ? expected : [])
  })

  const paths: [string, () => string][] = [
    ['number', () => String(id())],
    ['slug', () => `by-slug/${slugOf(state)}`],
  ]
  test.each(partOf(paths, 2, turn))('in REST, by %s', async (_, path) => {
    const { status, body } = await app.get(`/cal/events/v1/${collections[kind]}/${path()}`)
    if (code) expect([status, body.code]).toEqual([403, legacy[kind][code]])
    else expect([status, body.id]).toEqual([200, id()])
  })
})

test('without language fallback, a slug finds no record that has no text in the language', async () => {
  const strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
  const codes = ['published', 'scheduled, after its publication date', 'draft'].map(async (state) => {
    const { body } = await strict.graphql(`{ event(slug: "${slugOf(state)}") { title } }`, {}, '/es')
    return body.errors[0].extensions.code
  })
  expect(await Promise.all(codes)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_ACCESSIBLE'])
})

describe('a record with a password', () => {
  const key = () => hashRecordPassword('sesame', app.site.passwordSalt)

  test.each(kinds)('is a masked %s without the password, and complete with it', async (kind) => {
    const texts = { en: { name: 'Locked', description: 'Inside' }, fr: 'Fermé' }
    const id = await makers[kind](app.db, texts, { passwordKey: await key() })
    const name = kind === 'event' ? 'title' : 'name'
    const send = (directive: string) =>
      app.graphql(`query ${directive} { record: ${kind}(id: ${id}) {
        name: ${name} locked description descriptionHtml excerpt image { url } translations { language } website
      } }`)
    const masked = { description: null, descriptionHtml: null, excerpt: null, image: null, website: null }
    const closed = { name: 'Locked', locked: true, ...masked, translations: [] }
    expect((await send('')).body.data.record).toEqual(closed)
    expect((await send('@inContext(password: "other")')).body.data.record).toEqual(closed)
    expect((await send('@inContext(password: "sesame")')).body.data.record).toMatchObject({
      ...{ locked: false, description: 'Inside', descriptionHtml: '<p>Inside</p>', excerpt: '' },
      translations: [{ language: 'EN' }, { language: 'FR' }],
    })
  })

  test('is an event that REST rejects without the password', async () => {
    const id = await makeEvent(app.db, 'Locked', { passwordKey: await key() })
    const send = async (query: string) => (await app.get(`/cal/events/v1/events/${id}${query}`)).status
    expect([await send(''), await send('?password=other'), await send('?password=sesame')]).toEqual([403, 403, 200])
  })

  test('is found by filters and relations with the password', async () => {
    const venue = await makeVenue(app.db, 'Safe')
    await makeEvent(app.db, 'Locked', { venueIds: [venue], featured: true, passwordKey: await key() })
    const send = (directive: string) =>
      app.graphql(`query ${directive} { venue(id: ${venue}) { events { nodes { title } } }
        events(filter: { venues: [${venue}], featured: true }) { totalCount } }`)
    expect((await send('')).body.data).toEqual({ venue: { events: { nodes: [] } }, events: { totalCount: 0 } })
    expect((await send('@inContext(password: "sesame")')).body.data).toEqual({
      venue: { events: { nodes: [{ title: 'Locked' }] } },
      events: { totalCount: 1 },
    })
  })
})
