import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeEvent, makeTag } from '../../helpers/make.ts'

let app: TestApp
const ids: Record<string, number> = {}
let event: number

beforeAll(async () => {
  app = await openTestApp()
  ids.late = await makeTag(app.db, { en: { name: 'late', description: 'After ten' }, es: 'tarde' })
  ids.free = await makeTag(app.db, 'free')
  ids.unused = await makeTag(app.db, 'unused')
  const { late = 0, free = 0 } = ids
  event = await makeEvent(app.db, 'Concert', { tagIds: [late, free] })
  await makeEvent(app.db, 'Over', { start: '2020-01-01T10:00:00', tagIds: [late] })
})
afterAll(() => app?.close())

test('every field of a tag', async () => {
  const query = `{ tag(id: ${ids.late}) {
    id databaseId languages { tag } name description slug url count events { nodes { title } }
    translations { language name description descriptionHtml excerpt slug }
  } }`
  const { body } = await app.graphql(query, {}, '/es')
  expect(body.data.tag).toEqual({
    ...{
      id: btoa(`Tag:${ids.late}`),
      databaseId: ids.late,
      languages: { tag: 'es' },
      name: 'tarde',
      description: 'After ten',
    },
    ...{
      slug: 'tarde',
      url: 'http://calendar.test/es/tag/tarde/',
      count: 2,
      events: { nodes: [{ title: 'Over' }, { title: 'Concert' }] },
    },
    translations: [
      {
        ...{ language: 'EN', name: 'late', description: 'After ten', descriptionHtml: '<p>After ten</p>' },
        ...{ excerpt: null, slug: 'late' },
      },
      { language: 'ES', name: 'tarde', description: null, descriptionHtml: null, excerpt: null, slug: 'tarde' },
    ],
  })
})

test.each([
  ['', 'Over Concert'],
  ['(filter: { when: UPCOMING })', 'Concert'],
  ['(first: 1)', 'Over'],
])('events%s are those with the tag', async (args, expected) => {
  const { body } = await app.graphql(`{ tag(id: ${ids.late}) { events${args} { nodes { title } } } }`)
  expect(body.data.tag.events.nodes.map(({ title }: { title: string }) => title).join(' ')).toBe(expected)
})

test.each<[string, () => string, string]>([
  ['nothing', () => '', 'free late unused'],
  ['include', () => `include: [${ids.late}, 999]`, 'late'],
  ['exclude', () => `exclude: [${ids.late}]`, 'free unused'],
  ['an event', () => `event: ${event}`, 'free late'],
  ['use', () => 'hideEmpty: true', 'free late'],
  ['anything', () => 'hideEmpty: false', 'free late unused'],
  ['use and exclude', () => `hideEmpty: true, exclude: [${ids.free}]`, 'late'],
])('filtered by %s', async (_, filter, expected) => {
  const { body } = await app.graphql(`{
    tags(filter: { ${filter()} }) { totalCount nodes { name } }
    tagsPage(filter: { ${filter()} }) { total items { name } }
  }`)
  const { tags, tagsPage } = body.data
  expect(tags.nodes.map(({ name }: { name: string }) => name).join(' ')).toBe(expected)
  expect(tagsPage.items).toEqual(tags.nodes)
  const count = expected.split(' ').length
  expect([tags.totalCount, tagsPage.total]).toEqual([count, count])
})
