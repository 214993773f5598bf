// The language of the operation and the languages that texts are served in, for each kind, language, role and password.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageCode, languageOfCode } from '../../src/basics/language.ts'
import { hashRecordPassword as keyOf } from '../../src/calendar/rules/record-password.ts'
import { initializeSite } from '../../src/calendar/site/site.ts'
import { type ApiClient, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue, type Texts } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

const languages = ['en', 'fr', 'es'] as const

/** Texts, the first of which is in the original language, and the languages of title, description and excerpt. */
const records: readonly [Texts, Readonly<Record<(typeof languages)[number], readonly (string | null)[]>>][] = [
  [
    { en: { name: 'Choir', description: 'Songs' }, fr: { name: 'Chorale' }, es: { excerpt: 'Corto' } },
    { en: ['EN', 'EN', null], fr: ['FR', 'EN', null], es: ['EN', 'EN', 'ES'] },
  ],
  [
    { es: { name: 'Coro', description: 'Canciones', excerpt: 'Corto' } },
    { en: ['ES', 'ES', 'ES'], fr: ['ES', 'ES', 'ES'], es: ['ES', 'ES', 'ES'] },
  ],
  [
    { fr: { name: 'Bal', description: 'Danses', excerpt: 'Court' }, en: { name: 'Ball', excerpt: '' } },
    { en: ['EN', 'FR', null], fr: ['FR', 'FR', 'FR'], es: ['EN', 'FR', null] },
  ],
]

const makers = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }
const posts = ['event', 'venue', 'organizer'] as const
const kinds = [...posts, 'category', 'tag'] as const
type Kind = (typeof kinds)[number]

let app: TestApp
let strict: TestApp
const readers: Record<string, ApiClient> = {}
/** IDs by kind, in the order of `records`; `locked` has the texts of the first one. */
const ids: Readonly<Record<Kind, number[]>> = { event: [], venue: [], organizer: [], category: [], tag: [] }
const locked: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
  const { db } = app
  readers.visitor = app
  for (const role of ['subscriber', 'editor', 'administrator'] as const) readers[role] = await app.signIn(role)
  const passwordKey = await keyOf('sesame', app.site.passwordSalt)
  for (const [texts] of records) {
    for (const kind of posts) ids[kind].push(await makers[kind](db, texts))
    ids.category.push(await makeCategory(db, texts))
    ids.tag.push(await makeTag(db, texts))
  }
  for (const kind of posts) locked[kind] = await makers[kind](db, records[0]?.[0] ?? '', { passwordKey })
})
afterAll(async () => {
  await strict?.app.close()
  await app?.close()
})

const isPost = (kind: Kind) => kind in makers
const nameOf = (kind: Kind) => (kind === 'event' ? 'title' : 'name')
const selection = (kind: Kind) =>
  `contentLanguage languages { tag name: ${nameOf(kind)} description ${isPost(kind) ? 'excerpt' : ''} }`

const languagesOf = (kind: Kind, [name, description, excerpt]: readonly (string | null)[]) => ({
  tag: languageOfCode(name ?? ''),
  ...{ name, description },
  ...(isPost(kind) && { excerpt }),
})

describe.each(kinds)('an %s', (kind) => {
  const read = async (client: ApiClient, id: number | undefined, root: string, head = 'query') => {
    const { body } = await client.graphql(`${head} { ${kind}(id: ${id}) { ${selection(kind)} } }`, {}, root)
    return body.data[kind]
  }

  test.each(languages)('has the languages of its texts under /%s, for every role', async (language) => {
    // Each record is read by half of the roles, which are others for the next one.
    for (const [index, [, expected]] of records.entries()) {
      for (const [name, reader] of partOf(Object.entries(readers), 2, index + kinds.indexOf(kind))) {
        expect(await read(reader, ids[kind][index], `/${language}`), name).toEqual({
          contentLanguage: languageCode(language),
          languages: languagesOf(kind, expected[language]),
        })
      }
    }
  })

  test('has the same languages in a list and on a site without language fallback', async () => {
    const plural = { category: 'categories' }[kind as string] ?? `${kind}s`
    for (const language of languages) {
      const query = `{ ${plural}(first: 20) { nodes { databaseId ${selection(kind)} } } }`
      const { body } = await app.graphql(query, {}, `/${language}`)
      for (const [index, [, expected]] of records.entries()) {
        const id = ids[kind][index]
        const record = { contentLanguage: languageCode(language), languages: languagesOf(kind, expected[language]) }
        expect(body.data[plural].nodes).toContainEqual({ databaseId: id, ...record })
        expect(await read(strict, id, `/${language}`)).toEqual(record)
      }
    }
  })

  test('takes the language of @inContext', async () => {
    const head = 'query @inContext(language: ES)'
    expect(await read(app, ids[kind][0], '/fr', head)).toMatchObject({
      contentLanguage: 'ES',
      languages: { tag: 'en' },
    })
  })

  test('has the interface Translatable', async () => {
    const query = `query ($id: ID!) { node(id: $id) { ... on Translatable { id contentLanguage translations { language } } } }`
    const { body: identity } = await app.graphql(`{ ${kind}(id: ${ids[kind][0]}) { id } }`)
    const { id } = identity.data[kind]
    const { body } = await app.graphql(query, { id }, '/es')
    const translations = ['EN', 'ES', 'FR'].map((language) => ({ language }))
    expect(body.data.node).toEqual({ id, contentLanguage: 'ES', translations })
  })
})

test.each(posts)('a locked %s shows only the language of its title or name', async (kind) => {
  const withheld = { languages: languagesOf(kind, ['FR', null, null]) }
  const open = { languages: languagesOf(kind, ['FR', 'EN', null]) }
  for (const [name, reader] of Object.entries(readers)) {
    for (const [head, expected] of [
      ['query', withheld],
      ['query @inContext(password: "wrong")', withheld],
      ['query @inContext(password: "sesame")', open],
      ['query @inContext(forEditing: true)', ['editor', 'administrator'].includes(name) ? open : withheld],
    ] as const) {
      const query = `${head} { ${kind}(id: ${locked[kind]}) { ${selection(kind)} } }`
      const { body } = await reader.graphql(query, {}, '/fr')
      expect(body.data[kind], `${name}, ${head}`).toMatchObject(expected)
    }
  }
})

test('a language with a region is a value of LanguageCode', async () => {
  const site = await serve(app, { LANGUAGES: 'en,pt-br,fr' })
  try {
    const admin = await site.signIn('administrator')
    const create = `mutation ($input: CreateTagInput!) @inContext(language: PT_BR) { createTag(input: $input) {
      tag { databaseId contentLanguage languages { tag name } translations { language name } } userErrors { message } } }`
    const input = { name: 'grátis', translations: [{ language: 'FR', name: 'gratuit' }] }
    const { body } = await admin.graphql(create, { input })
    expect(body.data.createTag).toMatchObject({
      tag: {
        contentLanguage: 'PT_BR',
        languages: { tag: 'pt-br', name: 'PT_BR' },
        translations: [
          { language: 'FR', name: 'gratuit' },
          { language: 'PT_BR', name: 'grátis' },
        ],
      },
      userErrors: [],
    })
    const { headers } = await site.get(`/en/cal/events/v1/tags/${body.data.createTag.tag.databaseId}`)
    expect(headers['content-language']).toBe('pt-br')
    const unknown = await admin.graphql(create, { input: { name: 'x', translations: [{ language: 'ES' }] } })
    expect(unknown.body.errors[0].message).toContain('LanguageCode')
  } finally {
    await site.app.close()
    await initializeSite(app.db, app.settings)
  }
})

test('a language that was removed from the site is only a tag, and its translation is not listed', async () => {
  const id = await makeTag(app.db, { es: { name: 'Coro', description: 'Canciones' } })
  const site = await serve(app, { LANGUAGES: 'en,fr' })
  try {
    const query = `{ tag(id: ${id}) { name languages { tag name description } translations { language } } }`
    const languages = { tag: 'es', name: null, description: null }
    expect((await site.graphql(query)).body).toEqual({ data: { tag: { name: 'Coro', languages, translations: [] } } })
    expect((await site.get(`/cal/events/v1/tags/${id}`)).headers['content-language']).toBe('es')
  } finally {
    await site.app.close()
    await initializeSite(app.db, app.settings)
  }
})
