// Orders of events by price, author, place, whole days and modification date.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp({ PER_PAGE_DEFAULT: '50' })
  editor = await app.signIn('editor')
  const { db } = app
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  const user = async (name: string) => (await db.user.create({ data: { login: name, name, role: 'author' } })).id
  const [zoe, eva] = [await user('Zoé'), await user('éva')]
  const hall = await makeVenue(db, { en: 'Hall', fr: 'Zénith' })
  const club = await makeVenue(db, { en: 'club', fr: 'Arène' })
  const draft = await makeVenue(db, 'A draft', { status: 'draft' })
  const ticket = (price: number) => ({ create: [{ position: 0, name: 'Seat', price, currency: 'EUR' }] })
  const event = (title: string, day: number, columns: Parameters<typeof makeEvent>[2] = {}) =>
    makeEvent(db, title, {
      ...{ start: `2026-12-0${day}T19:00:00`, modifiedAt: new Date(`2026-11-1${9 - day}T00:00:00Z`) },
      ...columns,
    })
  await event('A', 1, { cost: ['20 €'], authorId: zoe, venueIds: [draft, hall] })
  await event('B', 2, { cost: ['Free'], authorId: eva, allDay: true, venueIds: [club, hall] })
  await event('C', 3, { cost: ['Donation'], allDay: true })
  await event('D', 4, { cost: ['30 €'], tickets: ticket(9.5), authorId: zoe, venueIds: [draft] })
  await event('E', 5, { tickets: ticket(20), authorId: eva, venueIds: [hall] })
  await event('L', 6, { cost: ['1 €'], allDay: true, passwordKey: key, authorId: zoe, venueIds: [club] })
})
afterAll(() => app?.close())

interface Reading {
  readonly as?: ApiClient
  readonly root?: string
  readonly context?: string
}

const withPassword = { context: '@inContext(password: "sesame")' }

test.each<[order: string, ascending: string, descending: string, reading?: () => Reading]>([
  ['MODIFIED', 'LEDCBA', 'ABCDEL'],
  ['PRICE', 'BDAECL', 'AEDBCL'],
  ['PRICE', 'BLDAEC', 'AEDLBC', () => withPassword],
  ['AUTHOR', 'BEADLC', 'ADLBEC'],
  ['ALL_DAY', 'ADEBCL', 'BCADEL'],
  ['ALL_DAY', 'ADEBCL', 'BCLADE', () => withPassword],
  ['PLACE_NAME', 'BAECDL', 'AEBCDL'],
  ['PLACE_NAME', 'BAECDL', 'AEBCDL', () => ({ root: '/fr' })],
  ['PLACE_NAME', 'BLAECD', 'AEBLCD', () => withPassword],
  ['PLACE_NAME', 'ADBECL', 'EBADCL', () => ({ as: editor })],
])('%s: %s, descending %s', async (order, ascending, descending, reading) => {
  const { as = app, root = '', context = '' } = reading?.() ?? {}
  for (const [direction, expected] of [
    ['ASC', ascending],
    ['DESC', descending],
  ] as const) {
    const read = async (field: string, selection: string) => {
      const list = `list: ${field}, orderBy: { field: ${order}, direction: ${direction} }) { ${selection} }`
      const { body } = await as.graphql(`query ${context} { ${list} }`, undefined, root)
      expect(body.errors).toBeUndefined()
      return body.data.list
    }
    const titles = (items: readonly { readonly title: string }[]) => items.map(({ title }) => title).join('')
    const { items } = await read('eventsPage(perPage: 50', 'items { title }')
    expect(titles(items)).toBe(expected)
    for (const [count, beyond, cursor] of [
      ['first', 'after', 'endCursor'],
      ['last', 'before', 'startCursor'],
    ] as const) {
      const pages: string[] = []
      let range = `events(${count}: 2`
      while (pages.join('').length < expected.length) {
        const { nodes, pageInfo } = await read(range, 'nodes { title } pageInfo { startCursor endCursor }')
        expect(nodes.length).toBeGreaterThan(0)
        pages.push(titles(nodes))
        range = `events(${count}: 2, ${beyond}: "${pageInfo[cursor]}"`
      }
      expect((count === 'first' ? pages : pages.toReversed()).join('')).toBe(expected)
    }
  }
})

test('a cursor of another order is an error', async () => {
  const cursor = Buffer.from(JSON.stringify(['price', 'text', '2026-12-01', '2026-12-01', 1])).toString('base64url')
  const { body } = await app.graphql(`{ events(after: "${cursor}", orderBy: { field: PRICE }) { nodes { id } } }`)
  expect(body.errors[0].extensions.code).toBe('BAD_INPUT')
})

test('the order by price follows the tickets', async () => {
  const { db } = app
  const tickets = await db.contentTicket.findMany()
  onTestFinished(async () => {
    await db.contentTicket.deleteMany()
    await db.contentTicket.createMany({ data: tickets })
  })
  const titles = async () => {
    const { body } = await app.graphql('{ eventsPage(orderBy: { field: PRICE }) { items { title } } }')
    return body.data.eventsPage.items.map(({ title }: { readonly title: string }) => title).join('')
  }
  await db.contentTicket.updateMany({ where: { price: 20 }, data: { price: 0.5 } })
  expect(await titles()).toBe('BEDACL')
  await db.contentTicket.deleteMany({ where: { price: 9.5 } })
  expect(await titles()).toBe('BEADCL')
  await db.contentTicket.deleteMany()
  expect(await titles()).toBe('BADCEL')
})
