// Text in several languages: each is written separately, and removed by null.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageCode } from '../../src/basics/language.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { runs } from '../helpers/runs.ts'
import { type Kind, party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const kinds = ['event', 'venue', 'organizer', 'category', 'tag'] as const
const nameField = (kind: Kind) => (kind === 'event' ? 'title' : 'name')
let created = 0
function bare(kind: Kind): Readonly<Record<string, unknown>> {
  created += 1
  return { ...(kind === 'event' ? party : {}), [nameField(kind)]: `First ${created}` }
}
const translations = 'translations { language name description slug }'

describe.each(kinds)('%s', (kind) => {
  test('a translation is added, changed and removed', async () => {
    const first = bare(kind)
    const name = first[nameField(kind)]
    const id = await written(admin, 'create', kind, first)
    const selection = `shown: ${nameField(kind)} languages { tag } ${translations}`
    const change = async (fields: object) => {
      const { record, errors } = await write(admin, 'update', kind, {
        id,
        translations: [{ language: 'FR', ...fields }],
      })
      expect([record === null, errors]).toEqual([false, []])
      return read(admin, kind, id, selection, '/fr')
    }
    const en = { language: 'EN', name, description: null, slug: `first-${created}` }
    const fr = { language: 'FR', name: `Premier ${created}`, description: null, slug: `premier-${created}` }
    expect(await change({ name: fr.name })).toEqual({
      shown: fr.name,
      languages: { tag: 'fr' },
      translations: [en, fr],
    })
    expect((await change({ description: 'Texte' })).translations).toEqual([en, { ...fr, description: 'Texte' }])
    expect(await change({ name: null, slug: null })).toEqual({
      ...{ shown: name, languages: { tag: 'en' } },
      translations: [en, { language: 'FR', name: null, description: 'Texte', slug: null }],
    })
    expect((await change({ description: null })).translations).toEqual([en])
  })

  test('text is written in the language of the operation, and other languages fall back', async () => {
    const id = await written(admin, 'create', kind, { ...bare(kind), description: 'Words' })
    const n = created
    await write(admin, 'update', kind, { id, [nameField(kind)]: `Nombre ${n}` }, 'databaseId', '/es')
    const selection = `shown: ${nameField(kind)} description languages { tag }`
    const words = { description: 'Words' }
    expect(await read(admin, kind, id, selection, '/es')).toEqual({
      shown: `Nombre ${n}`,
      ...words,
      languages: { tag: 'es' },
    })
    expect(await read(admin, kind, id, selection, '/fr')).toEqual({
      shown: `First ${n}`,
      ...words,
      languages: { tag: 'en' },
    })
  })

  test('a record falls back to its original language', async () => {
    const id = await written(admin, 'create', kind, { ...bare(kind) }, '/es')
    const shown = { shown: `First ${created}`, languages: { tag: 'es' } }
    for (const root of ['', '/fr', '/es']) {
      expect(await read(admin, kind, id, `shown: ${nameField(kind)} languages { tag }`, root)).toEqual(shown)
    }
  })
})

test.each(kinds)('a removed slug is derived from the name again: %s', async (kind) => {
  const id = await written(admin, 'create', kind, bare(kind))
  const slugs = { shown: `first-${created}` }
  for (const input of [{ slug: null }, { translations: [{ language: 'FR', name: `Premier ${created}` }] }]) {
    const { errors } = await write(admin, 'update', kind, { id, ...input })
    expect(errors).toEqual([])
    expect(await read(admin, kind, id, 'shown: slug', '/en')).toEqual(slugs)
  }
})

describe('descriptions of terms are plain text in every language', () => {
  test.each(['category', 'tag'] as const)('%s', async (kind) => {
    const plain = 'a < b & <i>c</i>'
    const id = await written(admin, 'create', kind, {
      ...{ name: `Plain ${kind}`, description: plain },
      translations: [{ language: 'FR', name: `Simple ${kind}`, description: plain, excerpt: 'none' }],
    })
    const { translations } = await read(admin, kind, id, 'translations { language description excerpt }')
    expect(translations).toEqual([
      { language: 'EN', description: plain, excerpt: null },
      { language: 'FR', description: plain, excerpt: null },
    ])
  })
})

const languages = ['en', 'fr', 'es'] as const
const word = fc.stringMatching(/^[a-zé ]{0,12}[a-z]$/).map((text) => text.trim())
const change = fc.record({
  language: fc.constantFrom(...languages),
  asOperation: fc.boolean(),
  fields: fc.record(
    { name: word, description: fc.option(word), excerpt: fc.option(word), slug: fc.option(word) },
    { requiredKeys: [] },
  ),
})

test('search of a long text tolerates a cut at any character', async () => {
  // Search expands the ligature to two letters.
  const description = `ﬁ${'x'.repeat(99_997)}😀`
  const input = { title: 'Party', description, startsLocal: '2026-12-24T20:00:00', endsLocal: '2026-12-24T23:00:00' }
  const { record, errors } = await write(admin, 'create', 'event', input, 'description')
  expect([record?.description, errors]).toEqual([description, []])
})

test('writing one language never changes other translations', async () => {
  const selection = 'translations { language name description excerpt slug }'
  type Own = { readonly language: string }
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const id = await written(admin, 'create', 'venue', { name: 'Hall' })
      for (const { language, asOperation, fields } of changes) {
        const code = languageCode(language)
        const others = async () => {
          const { translations: all } = await read(admin, 'venue', id, selection)
          return (all as Own[]).filter((text) => text.language !== code)
        }
        const before = await others()
        const input = asOperation ? fields : { translations: [{ language: code, ...fields }] }
        const { errors } = await write(admin, 'update', 'venue', { id, ...input }, 'databaseId', `/${language}`)
        expect(errors).toEqual([])
        expect(await others()).toEqual(before)
      }
    }),
    {
      numRuns: runs(25),
      // Regression: writing English restored a removed French slug.
      examples: [
        [
          [
            { language: 'fr', asOperation: false, fields: { name: 'a', description: 'd' } },
            { language: 'fr', asOperation: true, fields: { slug: null } },
            { language: 'en', asOperation: true, fields: { slug: 'b' } },
          ],
        ],
      ],
    },
  )
})
