// Every path to a venue or organizer that the caller may not see, or of which a password withholds fields.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const secret = 'hush'
const tomorrow = new Date(now.getTime() + 86_400_000)

const kinds = {
  venue: {
    list: 'venues',
    make: makeVenue,
    withheld: {
      ...{ address: secret, city: secret, country: secret, province: secret, state: secret, stateProvince: secret },
      ...{ zip: secret, phone: secret, website: `https://${secret}.test/` },
    },
    fields: `description descriptionHtml excerpt excerptHtml image { url } translations { description }
      address city country province state stateProvince zip phone website latitude longitude showMap showMapLink`,
  },
  organizer: {
    list: 'organizers',
    make: makeOrganizer,
    withheld: { phone: secret, email: secret, website: `https://${secret}.test/` },
    fields: `description descriptionHtml excerpt excerptHtml image { url } translations { description }
      phone email website`,
  },
} as const
type Kind = keyof typeof kinds

interface Fixture {
  readonly record: number
  readonly event: number
}

async function createFixture(kind: Kind, columns: object): Promise<Fixture> {
  await truncate(app.db)
  const { make, withheld } = kinds[kind]
  const other = await make(app.db, 'Other')
  const imageId = await makeImage(app.db, `https://images.test/${secret}.jpg`)
  const texts = { en: { name: 'Record', description: secret, excerpt: secret } }
  const record = await make(app.db, texts, { ...withheld, imageId, ...columns })
  const links = kind === 'venue' ? { venueIds: [record, other] } : { organizerIds: [record, other] }
  return { record, event: await makeEvent(app.db, 'Event', links) }
}

const queries = (kind: Kind, { record, event }: Fixture): Record<string, string> => {
  const { list, fields } = kinds[kind]
  return {
    list: `{ ${list} { nodes { name ${fields} } } }`,
    'list by page': `{ ${list}Page { items { name ${fields} } } }`,
    total: `{ ${list} { totalCount } }`,
    'total of the pages': `{ ${list}Page(perPage: 1) { total totalPages } }`,
    include: `{ ${list}(filter: { include: [${record}] }) { nodes { name } } }`,
    'filter by event': `{ ${list}(filter: { event: ${event} }) { totalCount nodes { name } } }`,
    'relation of the event': `{ event(id: ${event}) { ${list} { name ${fields} } } }`,
    'relation in a list': `{ events { nodes { ${list} { name ${fields} } } } }`,
    'filter of events': `{ events(filter: { ${list}: [${record}] }) { totalCount nodes { title } } }`,
  }
}

const addresses = (kind: Kind, { event }: Fixture): Record<string, string> => ({
  'legacy list': `/${kinds[kind].list}`,
  'inside a legacy list': '/events',
  'inside a legacy event': `/events/${event}`,
})

async function send(kind: Kind, fixture: Fixture): Promise<Record<string, string>> {
  const results: Record<string, string> = {}
  for (const [name, query] of Object.entries(queries(kind, fixture))) {
    const { body } = await app.graphql(query)
    expect(body.errors, name).toBeUndefined()
    results[name] = JSON.stringify(body.data)
  }
  for (const [name, address] of Object.entries(addresses(kind, fixture))) {
    const { status, body } = await app.get(`/cal/events/v1${address}`)
    expect(status, name).toBe(200)
    results[name] = JSON.stringify(body)
  }
  return results
}

const names = Object.keys({
  ...queries('venue', { record: 0, event: 0 }),
  ...addresses('venue', { record: 0, event: 0 }),
})

type Columns = () => object | Promise<object>

const states: [string, Columns, { differs: boolean; tells: boolean }][] = [
  ['published', () => ({}), { differs: true, tells: true }],
  ['draft', () => ({ status: 'draft' }), { differs: false, tells: false }],
  ['pending', () => ({ status: 'pending' }), { differs: false, tells: false }],
  ['private', () => ({ status: 'private' }), { differs: false, tells: false }],
  ['scheduled', () => ({ status: 'future', publishedAt: tomorrow }), { differs: false, tells: false }],
  ['trashed', () => ({ status: 'trash' }), { differs: false, tells: false }],
  [
    'locked',
    async () => ({ passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) }),
    { differs: true, tells: false },
  ],
]

const shownStates = states.filter(([, , { differs }]) => differs)
/** Shared by the kinds, for which the rules are the same. */
const hiddenStates = states.filter(([, , { differs }]) => !differs)

describe.each(Object.keys(kinds) as Kind[])('%s', (kind) => {
  let deleted: Record<string, string>
  beforeAll(async () => {
    const fixture = await createFixture(kind, {})
    await (kind === 'venue' ? app.db.venue : (app.db.organizer as never as typeof app.db.venue)).delete({
      where: { id: fixture.record },
    })
    deleted = await send(kind, fixture)
  })

  const turn = Object.keys(kinds).indexOf(kind)
  describe.each([...shownStates, ...partOf(hiddenStates, 2, turn)])('that is %s', (_, columns, { differs, tells }) => {
    let there: Record<string, string>
    beforeAll(async () => {
      there = await send(kind, await createFixture(kind, await columns()))
    })

    test.each(names)('%s', (name) => {
      if (differs) expect(there[name]).not.toBe(deleted[name])
      else expect(there[name]).toBe(deleted[name])
    })

    test('withheldFields lists the withheld fields', () => {
      expect(names.some((name) => there[name]?.includes(secret))).toBe(tells)
    })
  })
})

test.each(['venue', 'organizer'] as const)(
  'the list of each %s is filtered by author and modification date',
  async (kind) => {
    await truncate(app.db)
    const { list, make } = kinds[kind]
    const author = await app.signIn('author')
    const old = await make(app.db, 'Old', { authorId: author.id ?? 0, modifiedAt: new Date('2020-01-01T00:00:00Z') })
    const recent = await make(app.db, 'Recent', { modifiedAt: new Date('2026-01-01T00:00:00Z') })
    const find = async (filter: string) => {
      const { body } = await app.graphql(`{ ${list}(filter: { ${filter} }) { nodes { databaseId } totalCount } }`)
      return body.errors ?? body.data[list].nodes.map(({ databaseId }: { databaseId: number }) => databaseId)
    }
    expect(await find(`authors: [${author.id}]`)).toEqual([old])
    expect(await find('authors: []')).toEqual([])
    expect(await find('modifiedAt: { gte: "2025-01-01T00:00:00Z" }')).toEqual([recent])
    expect(await find('modifiedAt: { lt: "2025-01-01T00:00:00Z" }')).toEqual([old])
    expect((await find('modifiedAt: {}')).sort()).toEqual([old, recent].sort())
    expect(await find('authors: ["x"]')).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }])
    expect(await find(`authors: [99999], mustExist: true`)).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }])
  },
)
