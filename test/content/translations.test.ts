// Translations of a record: all of them, and the one in a language.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashRecordPassword as keyOf } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue, type Texts } from '../helpers/make.ts'
import { party, write } from '../helpers/write.ts'

const base = 'http://calendar.test'
const posts = ['event', 'venue', 'organizer'] as const
const kinds = [...posts, 'category', 'tag'] as const
type Kind = (typeof kinds)[number]
const makers = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer, category: makeCategory, tag: makeTag }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
})
beforeEach(() => truncate(app.db))
afterAll(() => app?.close())

const texts: Texts = {
  en: { name: 'Choir', description: 'Songs\n\nand more', excerpt: 'Short\n\nlines' },
  fr: { name: 'Chorale' },
  es: { description: 'Canciones' },
}
const fields = 'language name title description descriptionHtml excerpt excerptHtml slug url'

async function read(client: ApiClient, kind: Kind, id: number, selection: string, head = 'query') {
  const { body } = await client.graphql(`${head} { ${kind}(id: ${id}) { ${selection} } }`)
  expect(body.errors).toBeUndefined()
  return body.data[kind]
}

const path = (kind: Kind) => (kind === 'category' ? 'events/category' : kind)
const isPost = (kind: Kind) => kind !== 'category' && kind !== 'tag'

describe.each(kinds)('the translation of one language: %s', (kind) => {
  test('is the same as in the list of all translations, and null if nothing is written in it', async () => {
    const id = await makers[kind](app.db, texts)
    const { translations, ...one } = await read(
      app,
      kind,
      id,
      `translations { ${fields} } EN: translation(language: EN) { ${fields} } FR: translation(language: FR) { ${fields} } ES: translation(language: ES) { ${fields} }`,
    )
    expect(translations).toEqual([one.EN, one.ES, one.FR])
    const excerpt = isPost(kind) ? 'Short\n\nlines' : null
    expect(one.EN).toEqual({
      ...{ language: 'EN', name: 'Choir', title: 'Choir', excerpt, slug: 'choir' },
      ...{ description: 'Songs\n\nand more', descriptionHtml: '<p>Songs</p>\n<p>and more</p>' },
      excerptHtml: excerpt && '<p>Short</p>\n<p>lines</p>',
      url: `${base}/${path(kind)}/choir/`,
    })
    expect(one.FR).toMatchObject({ language: 'FR', name: 'Chorale', description: null, excerptHtml: null })
    expect(one.ES).toMatchObject({ language: 'ES', name: null, title: null, description: 'Canciones', slug: null })
    const english = await makers[kind](app.db, 'Fair')
    expect(await read(app, kind, english, 'translation(language: FR) { name }')).toEqual({ translation: null })
  })

  test('is gone with the last of its texts, and with its slug', async () => {
    const editor = await app.signIn('editor')
    const isNamed = kind === 'event' ? 'title' : 'name'
    const { record } = await write(editor, 'create', kind, {
      ...(kind === 'event' && party),
      ...{ [isNamed]: 'Choir', translations: [{ language: 'FR', name: 'Chorale', description: 'Chants' }] },
    })
    const id = Number(record?.databaseId)
    const change = async (text: object) => {
      expect((await write(editor, 'update', kind, { id, translations: [{ language: 'FR', ...text }] })).errors).toEqual(
        [],
      )
      return (await read(app, kind, id, 'translations { language slug }')).translations
    }
    const english = { language: 'EN', slug: 'choir' }
    expect(await change({ name: null })).toEqual([english, { language: 'FR', slug: 'chorale' }])
    expect(await change({ description: null })).toEqual([english])
    expect(await change({ slug: 'chant' })).toEqual([english, { language: 'FR', slug: 'chant' }])
  })

  test('has the URL that the record has in this language', async () => {
    const id = await makers[kind](app.db, texts)
    for (const language of ['EN', 'FR', 'ES']) {
      const { url } = await read(app, kind, id, 'url', `query @inContext(language: ${language})`)
      expect(await read(app, kind, id, `translation(language: ${language}) { url }`)).toEqual({ translation: { url } })
    }
  })

  test('has no URL in a language without a page, on a site without language fallback', async () => {
    const strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
    try {
      const id = await makers[kind](app.db, texts)
      expect((await read(strict, kind, id, 'translations { language url }')).translations).toEqual([
        { language: 'EN', url: `${base}/${path(kind)}/choir/` },
        { language: 'ES', url: null },
        { language: 'FR', url: `${base}/fr/${path(kind)}/chorale/` },
      ])
    } finally {
      await strict.app.close()
    }
  })

  test('is what the operation wrote last', async () => {
    const admin = await app.signIn('administrator')
    const id = await makers[kind](app.db, texts)
    const name = kind === 'event' ? 'title' : 'name'
    const Kind = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
    const update = (alias: string, text: string) =>
      `${alias}: update${Kind}(input: { id: ${id}, ${name}: "${text}" }) { ${kind} { translation(language: EN) { name } } }`
    const { body } = await admin.graphql(`mutation { ${update('a', 'One')} ${update('b', 'Two')} }`)
    expect([body.data.a[kind].translation.name, body.data.b[kind].translation.name]).toEqual(['One', 'Two'])
  })
})

test('the URL of a category contains its ancestors in the language of the translation', async () => {
  const music = await makeCategory(app.db, { en: 'Music', fr: 'Musique' })
  const jazz = await makeCategory(app.db, { en: 'Jazz', fr: 'Le jazz', es: 'El jazz' }, music)
  expect((await read(app, 'category', jazz, 'translations { url }')).translations).toEqual([
    { url: `${base}/events/category/music/jazz/` },
    { url: `${base}/es/events/category/music/el-jazz/` },
    { url: `${base}/fr/events/category/musique/le-jazz/` },
  ])
})

test.each(posts)('the URL of a %s in the trash contains its ID', async (kind) => {
  const admin = await app.signIn('administrator')
  const id = await makers[kind](app.db, texts, { status: 'trash', trashedFrom: 'publish' })
  expect((await read(admin, kind, id, 'translation(language: FR) { url }')).translation).toEqual({
    url: `${base}/fr/?p=${id}`,
  })
})

test.each(posts)('a locked %s shows no translation until it is unlocked', async (kind) => {
  const passwordKey = await keyOf('sesame', app.site.passwordSalt)
  const id = await makers[kind](app.db, texts, { passwordKey })
  const selection = 'translation(language: FR) { name url }'
  const open = { translation: { name: 'Chorale', url: `${base}/fr/${kind}/chorale/` } }
  const [author, editor] = [await app.signIn('author'), await app.signIn('editor')]
  for (const reader of [app, author, editor]) {
    expect(await read(reader, kind, id, selection)).toEqual({ translation: null })
    expect(await read(reader, kind, id, selection, 'query @inContext(password: "x")')).toEqual({ translation: null })
    expect(await read(reader, kind, id, selection, 'query @inContext(password: "sesame")')).toEqual(open)
    const forEditing = await read(reader, kind, id, selection, 'query @inContext(forEditing: true)')
    expect(forEditing).toEqual(reader === editor ? open : { translation: null })
  }
})
