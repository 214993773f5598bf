import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeCategory, makeEvent } from '../../helpers/make.ts'

let app: TestApp
const ids: Record<string, number> = {}
let event: number

beforeAll(async () => {
  app = await openTestApp()
  ids.Music = await makeCategory(app.db, { en: { name: 'Music', description: 'All of it' }, fr: 'Musique' })
  ids.Jazz = await makeCategory(app.db, 'Jazz', ids.Music)
  ids.Bebop = await makeCategory(app.db, { en: 'Bebop', fr: 'Bibope' }, ids.Jazz)
  ids.Art = await makeCategory(app.db, 'Art', ids.Music)
  ids.Empty = await makeCategory(app.db, 'Empty')
  const { Bebop = 0, Art = 0 } = ids
  event = await makeEvent(app.db, 'Concert', { categoryIds: [Bebop] })
  await makeEvent(app.db, 'Over', { start: '2020-01-01T10:00:00', categoryIds: [Bebop, Art] })
})
afterAll(() => app?.close())

test('every field of a category', async () => {
  const query = `{ category(id: ${ids.Music}) {
    id databaseId languages { tag } name description slug url count parent { name } children { nodes { name } }
    translations { language name description excerpt slug }
  } }`
  const { body } = await app.graphql(query, {}, '/fr')
  const text = { language: 'EN', name: 'Music', description: 'All of it', excerpt: null, slug: 'music' }
  expect(body.data.category).toEqual({
    ...{ id: btoa(`Category:${ids.Music}`), databaseId: ids.Music, languages: { tag: 'fr' }, name: 'Musique' },
    ...{ description: 'All of it', slug: 'musique', url: 'http://calendar.test/fr/events/category/musique/' },
    ...{ count: 0, parent: null, children: { nodes: [{ name: 'Art' }, { name: 'Jazz' }] } },
    translations: [text, { language: 'FR', name: 'Musique', description: null, excerpt: null, slug: 'musique' }],
  })
})

test.each([
  ['', 'http://calendar.test/events/category/music/jazz/bebop/'],
  ['/fr', 'http://calendar.test/fr/events/category/musique/jazz/bibope/'],
])('the URL contains all ancestors in the language of %j', async (root, url) => {
  const { body } = await app.graphql(`{ category(id: ${ids.Bebop}) { url count parent { name } } }`, {}, root)
  expect(body.data.category).toEqual({ url, count: 2, parent: { name: 'Jazz' } })
})

test.each([
  ['', 'Over Concert'],
  ['(filter: { when: UPCOMING })', 'Concert'],
  ['(first: 1)', 'Over'],
])('events%s are those of the category without descendants', async (args, expected) => {
  const send = async (id = 0) =>
    (await app.graphql(`{ category(id: ${id}) { events${args} { nodes { title } } } }`)).body.data.category.events.nodes
      .map(({ title }: { title: string }) => title)
      .join(' ')
  expect(await send(ids.Bebop)).toBe(expected)
  expect(await send(ids.Jazz)).toBe('')
})

test.each<[string, () => string, string]>([
  ['nothing', () => '', 'Art Bebop Empty Jazz Music'],
  ['include', () => `include: [${ids.Jazz}, ${ids.Art}]`, 'Art Jazz'],
  ['exclude', () => `exclude: [${ids.Jazz}, ${ids.Art}]`, 'Bebop Empty Music'],
  ['exclude of nothing', () => 'exclude: []', 'Art Bebop Empty Jazz Music'],
  ['a parent', () => `parent: ${ids.Music}`, 'Art Jazz'],
  ['no parent', () => 'isRoot: true', 'Empty Music'],
  ['an event', () => `event: ${event}`, 'Bebop'],
  ['use, their parts counted', () => 'hideEmpty: true', 'Art Bebop Jazz Music'],
  ['anything', () => 'hideEmpty: false', 'Art Bebop Empty Jazz Music'],
  ['use and a parent', () => 'hideEmpty: true, isRoot: true', 'Music'],
])('filtered by %s', async (_, filter, expected) => {
  const { body } = await app.graphql(`{
    categories(filter: { ${filter()} }) { totalCount nodes { name } }
    categoriesPage(filter: { ${filter()} }) { total items { name } }
  }`)
  const { categories, categoriesPage } = body.data
  expect(categories.nodes.map(({ name }: { name: string }) => name).join(' ')).toBe(expected)
  expect(categoriesPage.items).toEqual(categories.nodes)
  const count = expected.split(' ').length
  expect([categories.totalCount, categoriesPage.total]).toEqual([count, count])
})
