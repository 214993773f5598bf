import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeEvent, makeImage, makeOrganizer } from '../../helpers/make.ts'

let app: TestApp
let full: number
let bare: number

beforeAll(async () => {
  app = await openTestApp()
  const { id: authorId } = await app.db.user.create({ data: { login: 'ann', name: 'Ann', role: 'author' } })
  const texts = { en: { name: 'Big', description: 'A\n\nB', excerpt: 'Short' }, fr: { name: 'Grand' } }
  const publishedAt = new Date('2026-09-01T10:00:00Z')
  full = await makeOrganizer(app.db, texts, {
    ...{ authorId, imageId: await makeImage(app.db), publishedAt, modifiedAt: publishedAt },
    ...{ phone: '+33 4', website: 'https://big.test', email: 'big@big.test' },
  })
  bare = await makeOrganizer(app.db, 'Bare')
  const of = (id: number) => ({ organizerIds: [id] })
  await makeEvent(app.db, 'Last', { ...of(full), start: '2027-01-01T10:00:00' })
  await makeEvent(app.db, 'First', { ...of(full), start: '2026-11-30T10:00:00' })
  await makeEvent(app.db, 'Going on', { ...of(full), start: '2026-11-01T10:00:00', end: '2026-11-21T13:00:00' })
  await makeEvent(app.db, 'Over', { ...of(full), start: '2026-11-21T10:00:00', end: '2026-11-21T12:00:00' })
})
afterAll(() => app?.close())

const query = `query ($id: ID!) { organizer(id: $id) {
  id databaseId languages { tag } name description descriptionHtml excerpt excerptHtml slug url status locked publishedAt modifiedAt
  author { name } image { url } translations { language name excerpt } phone website email
} }`

test('every field of a full organizer', async () => {
  const { body } = await app.graphql(query, { id: full }, '/fr')
  expect(body.errors).toBeUndefined()
  expect(body.data.organizer).toEqual({
    ...{ id: btoa(`Organizer:${full}`), databaseId: full, languages: { tag: 'fr' }, name: 'Grand', slug: 'grand' },
    ...{ description: 'A\n\nB', descriptionHtml: '<p>A</p>\n<p>B</p>', excerpt: 'Short', excerptHtml: '<p>Short</p>' },
    ...{ url: 'http://calendar.test/fr/organizer/grand/', status: 'PUBLISHED', locked: false },
    ...{ publishedAt: '2026-09-01T10:00:00.000Z', modifiedAt: '2026-09-01T10:00:00.000Z' },
    ...{ author: { name: 'Ann' }, image: { url: 'https://images.test/poster.jpg' } },
    translations: [
      { language: 'EN', name: 'Big', excerpt: 'Short' },
      { language: 'FR', name: 'Grand', excerpt: null },
    ],
    ...{ phone: '+33 4', website: 'https://big.test', email: 'big@big.test' },
  })
})

test('every field of a bare organizer', async () => {
  const { body } = await app.graphql(query, { id: bare })
  expect(body.data.organizer).toMatchObject({
    ...{ description: '', excerpt: '', author: null, image: null },
    ...{ phone: '', website: '', email: '' },
  })
})

test.each([
  ['', 'Going on, Over, First, Last'],
  ['(first: 2)', 'Going on, Over'],
  ['(last: 2)', 'First, Last'],
  ['(first: 0)', ''],
  ['(filter: { when: UPCOMING })', 'Going on, First, Last'],
  ['(first: 1, filter: { when: PAST })', 'Over'],
  ['(orderBy: { field: TITLE, direction: DESC })', 'Over, Last, Going on, First'],
  ['(first: null, filter: null, orderBy: null)', 'Going on, Over, First, Last'],
])('events%s are sorted by start', async (args, expected) => {
  const { body } = await app.graphql(`{ organizer(id: ${full}) { events${args} { nodes { title } } } }`)
  expect(body.data.organizer.events.nodes.map(({ title }: { title: string }) => title).join(', ')).toBe(expected)
})

test('the list is sorted by newest first, filtered and counted', async () => {
  const send = async (filter: string) => {
    const { body } = await app.graphql(`{
      organizers(filter: ${filter}) { totalCount nodes { databaseId } }
      organizersPage(filter: ${filter}) { total items { databaseId } }
    }`)
    const { organizers: list, organizersPage: page } = body.data
    expect([page.items, page.total]).toEqual([list.nodes, list.totalCount])
    return list.nodes.map(({ databaseId }: { databaseId: number }) => databaseId)
  }
  const { body } = await app.graphql('{ events(first: 1) { nodes { databaseId } } }')
  const event = body.data.events.nodes[0].databaseId
  expect(await send('{}')).toEqual([bare, full])
  expect(await send(`{ include: [${full}, 999] }`)).toEqual([full])
  expect(await send(`{ event: ${event} }`)).toEqual([full])
  expect(await send('{ event: 999 }')).toEqual([])
  expect(await send(`{ event: ${event}, include: [${bare}] }`)).toEqual([])
})
