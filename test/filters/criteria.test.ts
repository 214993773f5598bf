// Criteria of lists of events: price, place, author, all-day, modification date, exclusion and alternatives.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import type { TestUser } from '../helpers/users.ts'

let app: TestApp
let author: TestUser
const ids = { music: 0, jazz: 0, art: 0, outdoors: 0, hall: 0, club: 0, secretHall: 0, parent: 0 }

beforeAll(async () => {
  app = await openTestApp({ PER_PAGE_DEFAULT: '50' })
  const { db } = app
  author = await app.signIn('author')
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  ids.music = await makeCategory(db, 'Music')
  ids.jazz = await makeCategory(db, 'Jazz', ids.music)
  ids.art = await makeCategory(db, 'Art')
  ids.outdoors = await makeTag(db, 'Outdoors')
  ids.hall = await makeVenue(
    db,
    { en: 'Town Hall', fr: 'Hôtel de Ville' },
    { city: 'Orléans', address: '1, Place Étape' },
  )
  ids.club = await makeVenue(db, 'Cellar', { city: 'New York', address: '5 Hall Street' })
  ids.secretHall = await makeVenue(db, 'Garden', { city: 'Orléans', passwordKey: key })
  const draftHall = await makeVenue(db, 'Draft hall', { city: 'Orléans', status: 'draft' })
  const ticket = (price: number, currency: string) => ({ create: [{ position: 0, name: 'Seat', price, currency }] })
  const event = (title: string, day: number, columns: Parameters<typeof makeEvent>[2] = {}) =>
    makeEvent(db, title, { start: `2026-12-${String(day).padStart(2, '0')}T19:00:00`, ...columns })
  ids.parent = await event('A free', 1, { cost: ['Free'], venueIds: [ids.hall], categoryIds: [ids.music] })
  await event('B zero', 2, { cost: ['0 €'], venueIds: [ids.club], categoryIds: [ids.jazz], parentId: ids.parent })
  await event('C ten', 3, { cost: ['€10'], venueIds: [ids.hall, ids.club], tagIds: [ids.outdoors] })
  await event('D range', 4, { cost: ['20 – 45 €'], categoryIds: [ids.art], allDay: true, uid: 'd@example.org' })
  await event('E dollars', 5, { cost: ['$5'], authorId: author.id, venueIds: [ids.secretHall] })
  await event('F bare', 6, { cost: ['7'], authorId: author.id, venueIds: [draftHall] })
  await event('G seats', 7, { tickets: ticket(8, 'EUR'), modifiedAt: new Date('2026-11-20T00:00:00Z') })
  await event('H children', 8, { cost: ['Free', '12 €'] })
  await event('I unknown', 9, { cost: ['Donation'], categoryIds: [ids.art] })
  await event('J locked', 10, {
    ...{ cost: ['€1'], passwordKey: key, allDay: true, venueIds: [ids.hall], categoryIds: [ids.music] },
  })
})
afterAll(() => app?.close())

type Filter = Readonly<Record<string, unknown>>

/** The first letters of the titles. */
async function find(filter: Filter, { as = app, root = '', context = '' }: FindOptions = {}): Promise<string> {
  const query = `query ($filter: EventFilter) ${context} {
    page: eventsPage(filter: $filter) { total items { title } }
    list: events(filter: $filter) { totalCount }
  }`
  const { body } = await as.graphql(query, { filter }, root)
  expect(body.errors).toBeUndefined()
  const { items, total } = body.data.page
  expect([items.length, body.data.list.totalCount]).toEqual([total, total])
  return items.map(({ title }: { title: string }) => title[0]).join('')
}

interface FindOptions {
  readonly as?: ApiClient
  readonly root?: string
  readonly context?: string
}

const withPassword = { context: '@inContext(password: "sesame")' }

describe('the price', () => {
  test.each<[Filter, string]>([
    [{}, 'ABCDEFGHIJ'],
    [{ free: true }, 'AB'],
    [{ free: false }, 'CDEFGH'],
    [{ upTo: 0 }, 'ABH'],
    [{ upTo: 8 }, 'ABEFGH'],
    [{ upTo: 7.999 }, 'ABEFH'],
    [{ upTo: 1e300 }, 'ABCDEFGH'],
    [{ upTo: 10, currency: 'EUR' }, 'ABCGH'],
    [{ upTo: 10, currency: 'eur' }, 'ABCGH'],
    [{ upTo: 10, currency: '€' }, 'ABCGH'],
    [{ upTo: 20, currency: 'EUR' }, 'ABCDGH'],
    // The default currency is the dollar.
    [{ upTo: 10, currency: 'USD' }, 'ABEFH'],
    [{ currency: 'CHF' }, 'ABH'],
    [{ currency: '$' }, 'ABEFH'],
    [{ free: false, currency: 'EUR' }, 'CDGH'],
    [{ free: false, upTo: 10, currency: '$' }, 'EF'],
    [{ free: true, currency: 'EUR', upTo: 10 }, 'AB'],
  ])('%j selects %s', async (price, titles) => {
    expect(await find({ price })).toBe(titles)
  })

  test('of a locked event needs its password', async () => {
    expect(await find({ price: { upTo: 5, currency: 'EUR' } }, withPassword)).toBe('ABHJ')
  })

  test.each(['\0', 'EU\0', '\u{1b}', '\ud800', ' '])('has no currency %j', async (currency) => {
    const query = 'query ($currency: String) { eventsPage(filter: { price: { currency: $currency } }) { total } }'
    const [error] = (await app.graphql(query, { currency })).body.errors
    expect(error.extensions.fields).toEqual({
      price: 'currency must be an ISO 4217 code such as EUR, or a symbol such as €.',
    })
  })

  test('must not be negative, and the currency must look like one', async () => {
    const query = '{ eventsPage(filter: { price: { upTo: -1, currency: "two words" } }) { total } }'
    const [error] = (await app.graphql(query)).body.errors
    expect(error.extensions).toEqual({
      code: 'BAD_INPUT',
      fields: {
        price: 'upTo must be 0 or greater. currency must be an ISO 4217 code such as EUR, or a symbol such as €.',
      },
    })
  })

  test('follows each change of the cost', async () => {
    const editor = await app.signIn('editor')
    const id = await makeEvent(app.db, 'Z moved', { start: '2027-01-01T10:00:00' })
    const update = (cost: string[]) =>
      editor.graphql(
        'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { id } userErrors { message } } }',
        { input: { id: String(id), cost } },
      )
    const only = { include: [String(id)], price: { upTo: 1500 } }
    for (const [cost, found] of [
      [['1,500'], 'Z'],
      [['1,500.50'], ''],
      [['<b>3</b> €'], 'Z'],
      [[], ''],
      [['9'.repeat(400)], ''],
      [['Entrée libre'], 'Z'],
    ] as const) {
      expect((await update([...cost])).body.data.updateEvent.userErrors).toEqual([])
      expect(await find(only), cost.join()).toBe(found)
    }
    await app.db.event.delete({ where: { id } })
  })
})

describe('the place', () => {
  test.each<[Filter, string, FindOptions]>([
    [{ cities: ['orleans'] }, 'AC', {}],
    [{ cities: [' ORLÉANS ', 'new york'] }, 'ABC', {}],
    [{ cities: ['york'] }, '', {}],
    [{ cities: [] }, '', {}],
    [{ cities: ['Orléans'] }, 'ACEJ', withPassword],
    [{ placeName: 'hall' }, 'ABC', {}],
    [{ placeName: 'hall orléans' }, 'AC', {}],
    [{ placeName: '"town hall"' }, 'AC', {}],
    [{ placeName: 'hall -york' }, 'AC', {}],
    [{ placeName: 'etape' }, 'AC', {}],
    [{ placeName: 'garden' }, 'E', {}],
    [{ placeName: 'garden orleans' }, '', {}],
    [{ placeName: 'garden orleans' }, 'E', withPassword],
    [{ placeName: 'hotel' }, '', {}],
    [{ placeName: 'hotel' }, 'AC', { root: '/fr' }],
    [{ placeName: ' ' }, 'ABCDEFGHIJ', {}],
    [{ placeName: '100%' }, '', {}],
  ])('%j selects %s', async (filter, titles, options) => {
    expect(await find(filter, options)).toBe(titles)
  })

  test('of a draft is found by those who may read it', async () => {
    expect(await find({ cities: ['Orléans'] }, { as: await app.signIn('editor') })).toBe('ACF')
  })
})

test('authors, whole days and the modification date select events', async () => {
  expect(await find({ authors: [String(author.id)] })).toBe('EF')
  expect(await find({ authors: [btoa(`User:${author.id}`), '999999'] })).toBe('EF')
  expect(await find({ allDay: true })).toBe('D')
  expect(await find({ allDay: true }, withPassword)).toBe('DJ')
  expect(await find({ allDay: false })).toBe('ABCEFGHI')
  expect(await find({ modifiedAt: { gte: '2026-11-20T00:00:00Z' } })).toBe('G')
  expect(await find({ modifiedAt: { lt: '2026-11-20T00:00:00Z' }, price: { free: true } })).toBe('AB')
})

describe('exclusion and alternatives', () => {
  test.each<[Filter, string]>([
    // Locked events are neither in a category nor outside of it.
    [{ not: { categories: ['music'] } }, 'CDEFGHI'],
    [{ not: { not: { categories: ['music'] } } }, 'AB'],
    [{ not: { venues: [] } }, 'ABCDEFGHI'],
    [{ not: { cities: ['Orléans'] } }, 'BDEFGHI'],
    [{ not: { price: { free: true } } }, 'CDEFGHI'],
    [{ not: { price: { upTo: 10 } } }, 'DI'],
    [{ not: { allDay: true } }, 'ABCEFGHI'],
    [{ not: { located: false } }, ''],
    // These fields are visible while an event is locked.
    [{ not: { when: 'PAST' } }, 'ABCDEFGHIJ'],
    [{ not: { search: 'locked' } }, 'ABCDEFGHI'],
    [{ not: { include: ['1'] } }, 'ABCDEFGHIJ'],
    [{ not: { uids: ['d@example.org'] } }, 'ABCEFGHIJ'],
    [{ not: { startsOn: '2026-12-03' } }, 'ABDEFGHIJ'],
    [{ not: { locked: true } }, 'ABCDEFGHI'],
    [{ not: { startsLocal: { gte: '2026-12-03T00:00:00' }, endsLocal: { lt: '2026-12-06T00:00:00' } } }, 'ABFGHIJ'],
    // Excluded by what everybody sees, whatever the category.
    [{ not: { categories: ['music'], search: 'other' } }, 'ABCDEFGHIJ'],
    [{ any: [{ categories: ['art'] }, { tags: ['outdoors'] }] }, 'CDI'],
    [{ any: [{ categories: ['music'] }, { startsOn: '2026-12-10' }] }, 'ABJ'],
    [{ any: [] }, ''],
    [{ not: {} }, ''],
    [{ not: { any: [] } }, 'ABCDEFGHIJ'],
    [{ any: [{}] }, 'ABCDEFGHIJ'],
    [{ categories: ['art'], any: [{ allDay: true }, { price: { free: true } }] }, 'D'],
    [{ not: { any: [{ categories: ['art'] }, { venues: ['0'] }] } }, 'ABCEFGH'],
    [{ any: [{ not: { categories: ['art'] } }, { search: 'unknown' }] }, 'ABCEFGHI'],
  ])('%j selects %s', async (filter, titles) => {
    expect(await find(filter)).toBe(titles)
  })

  test('events without a parent or an author are outside of any', async () => {
    expect(await find({ not: { parent: String(ids.parent) } })).toBe('ACDEFGHIJ')
    expect(await find({ not: { authors: [String(author.id)] } })).toBe('ABCDGHIJ')
  })

  test('the password opens locked events for them, too', async () => {
    expect(await find({ not: { categories: ['art'] } }, withPassword)).toBe('ABCEFGHJ')
    expect(await find({ not: { categories: ['music'] } }, withPassword)).toBe('CDEFGHI')
  })

  test('a status is a criterion among the events of the list', async () => {
    const editor = await app.signIn('editor')
    const draft = await makeEvent(app.db, 'X draft', { start: '2027-02-01T10:00:00', status: 'draft' })
    const trashed = await makeEvent(app.db, 'Y trashed', { start: '2027-02-02T10:00:00', status: 'trash' })
    expect(await find({ not: { status: ['PUBLISHED'] } }, { as: editor })).toBe('X')
    expect(await find({ any: [{ status: ['DRAFT', 'TRASH'] }, { allDay: true }] }, { as: editor })).toBe('DX')
    expect(await find({ status: ['TRASH', 'DRAFT'], not: { status: ['DRAFT'] } }, { as: editor })).toBe('Y')
    expect(await find({ not: { allDay: true } })).toBe('ABCEFGHI')
    await app.db.event.deleteMany({ where: { id: { in: [draft, trashed] } } })
  })
})

describe('errors', () => {
  const errorsOf = async (filter: Filter) => {
    const { body } = await app.graphql('query ($filter: EventFilter) { eventsPage(filter: $filter) { total } }', {
      filter,
    })
    return body.errors[0].extensions
  }
  const nested = (depth: number): Filter => (depth === 0 ? {} : { not: nested(depth - 1) })

  test('name the path of each invalid criterion', async () => {
    expect(
      await errorsOf({
        venues: ['x y'],
        not: { price: { upTo: -1 } },
        any: [{}, { venues: ['z z'], not: { between: { from: '2026-01-01', timeZone: 'Nowhere' } } }],
      }),
    ).toEqual({
      code: 'BAD_INPUT',
      fields: {
        venues: 'Invalid ID. Send the `id` or the `databaseId` of a venue.',
        'not.price': 'filter.not.price: upTo must be 0 or greater.',
        'any.1.venues': 'filter.any.1.venues: Invalid ID. Send the `id` or the `databaseId` of a venue.',
        'any.1.not.between':
          'filter.any.1.not.between: timeZone must be an IANA time zone such as Europe/Paris, an offset such as UTC+5:30, or local.',
      },
    })
  })

  test.each<[string, Filter, Filter]>([
    [
      'hideFromListings within',
      { not: { hideFromListings: true } },
      {
        'not.hideFromListings':
          'filter.not.hideFromListings: hideFromListings applies to the whole list. Set it outside of not and any.',
      },
    ],
    [
      'a status that visitors may not list',
      { any: [{ status: ['DRAFT'] }] },
      {
        'any.0.status': 'filter.any.0.status: Without the right to write, only published records can be listed.',
      },
    ],
    [
      'unknown records',
      { mustExist: true, any: [{ tags: ['nothing'] }, { authors: ['999999'] }] },
      {
        'any.0.tags': 'filter.any.0.tags: Unknown: nothing.',
        'any.1.authors': 'filter.any.1.authors: Unknown: 999999.',
      },
    ],
    ['deep nesting', nested(5), { not: 'Filters in not and any can be at most 4 deep.' }],
    [
      'many filters',
      { any: Array.from({ length: 21 }, () => ({})) },
      {
        any: 'At most 20 filters are allowed in not and any.',
      },
    ],
  ])('%s', async (_, filter, fields) => {
    expect(await errorsOf(filter)).toEqual({ code: 'BAD_INPUT', fields })
  })

  test('the limits themselves are allowed', async () => {
    expect(await find(nested(4))).toBe('ABCDEFGHIJ')
    expect(await find({ any: Array.from({ length: 20 }, () => ({})) })).toBe('ABCDEFGHIJ')
  })
})
