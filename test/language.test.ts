// The language of an operation determines display, slugs and order, all by the same served text.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fallbackChain, operationLanguage } from '../src/basics/language.ts'
import { openTestApp, serve, type TestApp } from './helpers/app.ts'
import { truncate } from './helpers/db.ts'
import { makeEvent, makeTag } from './helpers/make.ts'

const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }

test.each([
  [{}, 'en'],
  [{ root: 'fr' }, 'fr'],
  [{ directive: 'es' }, 'es'],
  [{ directive: 'es', root: 'fr' }, 'es'],
  [{ parameter: 'fr' }, 'fr'],
  [{ parameter: 'fr', directive: 'es', root: 'en' }, 'fr'],
  [{ parameter: undefined, directive: undefined, root: undefined }, 'en'],
])('the language of %o is %s', (sources, language) => {
  expect(operationLanguage(sources, site)).toBe(language)
})

test.each(['de', '', 'FR', 'fr-FR', null, 0, ['fr'], { a: 'fr' }])('the parameter %o is refused', (parameter) => {
  expect(() => operationLanguage({ parameter, root: 'fr' }, site)).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT' }),
  )
})

test.each([
  ['fr', 'es', ['fr', 'en', 'es']],
  ['fr', 'fr', ['fr', 'en']],
  ['en', 'es', ['en', 'es']],
  ['en', 'en', ['en']],
])('%s of a record first written in %s is served from %o', (language, original, chain) => {
  expect(fallbackChain(language, original, site)).toEqual(chain)
})

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const roots = ['/en', '/fr', '/es'] as const

/** Names of the terms in the order of the list and in that of an event's relation, with their slugs. */
async function terms(server: TestApp, event: number, root: string) {
  const { body } = await server.graphql(
    `{ tags(first: 50) { nodes { name slug } } event(id: ${event}) { tags { name slug } } }`,
    {},
    root,
  )
  return { list: body.data.tags.nodes as Term[], relation: body.data.event.tags as Term[] }
}
interface Term {
  readonly name: string
  readonly slug: string
}

describe('with text in some languages', () => {
  let event: number
  beforeAll(async () => {
    await truncate(app.db)
    const tagIds = [
      await makeTag(app.db, { en: 'winter', fr: 'hiver', es: 'invierno' }),
      await makeTag(app.db, { en: 'summer', fr: 'été' }),
      await makeTag(app.db, { es: 'niños' }),
      await makeTag(app.db, { fr: 'œuvre', en: 'opus' }),
      await makeTag(app.db, { fr: 'zazou', es: 'ópera' }),
    ]
    event = await makeEvent(
      app.db,
      { fr: { name: 'Soirée', excerpt: 'Court' }, en: { description: 'Long' } },
      { tagIds },
    )
  })

  test.each([
    ['/en', ['niños', 'opus', 'summer', 'winter', 'zazou']],
    ['/fr', ['été', 'hiver', 'niños', 'œuvre', 'zazou']],
    ['/es', ['invierno', 'niños', 'ópera', 'opus', 'summer']],
  ])('%s orders terms by the names it shows', async (root, names) => {
    const { list, relation } = await terms(app, event, root)
    expect(list.map(({ name }) => name)).toEqual(names)
    expect(relation).toEqual(list)
  })

  test.each(roots)('%s finds terms by the slugs it shows', async (root) => {
    for (const term of (await terms(app, event, root)).list) {
      const { body } = await app.graphql(`{ tag(slug: "${term.slug}") { name slug } }`, {}, root)
      expect(body.data.tag).toEqual(term)
    }
  })

  test.each([
    ['/en', { title: 'Soirée', languages: { tag: 'fr' }, description: 'Long', excerpt: 'Court', slug: 'soiree' }],
    ['/fr', { title: 'Soirée', languages: { tag: 'fr' }, description: 'Long', excerpt: 'Court', slug: 'soiree' }],
    ['/es', { title: 'Soirée', languages: { tag: 'fr' }, description: 'Long', excerpt: 'Court', slug: 'soiree' }],
  ])('%s serves each field from the first language that has it', async (root, expected) => {
    const fields = 'title languages { tag } description excerpt slug'
    expect((await app.graphql(`{ event(id: ${event}) { ${fields} } }`, {}, root)).body.data.event).toEqual(expected)
  })

  test.each([
    ['/en', ['opus', 'summer', 'winter']],
    ['/fr', ['été', 'hiver', 'œuvre', 'zazou']],
    ['/es', ['invierno', 'niños', 'ópera']],
  ])('without fallback, %s lists and finds by slug what is written in it', async (root, names) => {
    const strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
    const { body } = await strict.graphql(
      '{ tags { totalCount nodes { name } } tagsPage { total items { name } } }',
      {},
      root,
    )
    const items = names.map((name) => ({ name }))
    expect(body.data).toEqual({
      tags: { totalCount: names.length, nodes: items },
      tagsPage: { total: names.length, items },
    })
    for (const slug of ['winter', 'ninos', 'zazou', 'ete']) {
      const served = (await app.graphql(`{ tag(slug: "${slug}") { name } }`, {}, root)).body.data.tag.name
      const { data, errors } = (await strict.graphql(`{ tag(slug: "${slug}") { name } }`, {}, root)).body
      expect([data.tag?.name, errors?.[0].extensions.code]).toEqual(
        names.includes(served) ? [served, undefined] : [undefined, 'NOT_FOUND'],
      )
    }
  })

  test('without fallback, records are found by ID and by node in every language', async () => {
    const strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
    const query = `{ event(id: ${event}) { title id } node(id: "${btoa(`Event:${event}`)}") { ... on Event { title } } }`
    for (const root of roots) {
      const { data } = (await strict.graphql(query, {}, root)).body
      expect([data.event.title, data.node.title]).toEqual(['Soirée', 'Soirée'])
    }
    expect((await strict.graphql('{ events { totalCount } }', {}, '/es')).body.data.events.totalCount).toBe(0)
  })
})

describe('order by name', () => {
  const names = [
    'Zebra',
    'zebra',
    'éclair',
    'eclair',
    'Eclair',
    'ñandú',
    'nandu',
    'ota',
    'ähnlich',
    'zz',
    'ärger',
    'az',
  ]
  const odd = [
    '-dash',
    '_under',
    '10',
    '9',
    'ßeta',
    'ssa',
    'Ωmega',
    'яблоко',
    '東京',
    'e\u0301clair',
    '(paren)',
    'a b',
    'ab',
  ]

  test('of an event and of a list agree, whatever the letters', async () => {
    await truncate(app.db)
    const tagIds = []
    for (const name of [...names, ...odd]) tagIds.push(await makeTag(app.db, name))
    const event = await makeEvent(app.db, 'Event', { tagIds })
    const { list, relation } = await terms(app, event, '')
    expect(list).toHaveLength(names.length + odd.length)
    expect(relation).toEqual(list)
  })

  test('the order does not depend on the locale of the process', () => {
    const module = fileURLToPath(new URL('../src/calendar/text/served-text.ts', import.meta.url))
    const script = `
      const { sortByName } = await import(${JSON.stringify(module)})
      const rows = ['zebra', 'ärger', 'az'].map((name, id) => ({ id, texts: [{ name }] }))
      console.log(sortByName(rows).map(({ texts }) => texts[0].name).join())`
    // Swedish has ä after z.
    const locale = 'sv_SE.UTF-8'
    const ordered = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, LC_ALL: locale, LANG: locale, NODE_OPTIONS: '' },
      encoding: 'utf8',
    })
    expect(ordered.trim()).toBe('ärger,az,zebra')
  })
})
