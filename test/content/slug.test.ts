import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reserveUniqueSlugs, type SlugClaim, slugify } from '../../src/calendar/text/slug.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { runs } from '../helpers/runs.ts'

test.each([
  ['Fête de la Musique', 'fete-de-la-musique'],
  ['Niños', 'ninos'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['Œuvre', 'oeuvre'],
  ['Æon', 'aeon'],
  ['Smørrebrød', 'smorrebrod'],
  ['İzmir', 'izmir'],
  ['Łódź', 'lodz'],
  ['%C5%82%c3%b3d%C5%BA', 'lodz'],
  ['Đorđe, Þór ja Ħal', 'dorde-thor-ja-hal'],
  ['Isparta ısısı', 'isparta-isisi'],
  ['L’été, lʼété, l´été', 'lete-lete-lete'],
  ['Saint‑Malo, Saint‐Malo, Saint−Malo', 'saint-malo-saint-malo-saint-malo'],
  ['Zwie\u00adbel\u200bfest\ufeff', 'zwiebelfest'],
  ['4×4', '4x4'],
  ['« Zorglub » : “tango”', 'zorglub-tango'],
  ['  Many   words  ', 'many-words'],
  ['a_b-c', 'a_b-c'],
  ['v1.2.3', 'v1-2-3'],
  ['a - b — c', 'a-b-c'],
  ['--a--', 'a'],
  ['Rock & Roll', 'rock-roll'],
  ['Rock &amp; Roll', 'rock-roll'],
  ['A <b>bold</b> move', 'a-bold-move'],
  ['A < C > D', 'a-c-d'],
  ['1 <2> 3', '1-2-3'],
  ['a <3 b, </b> c <br/> d', 'a-3-b-c-d'],
  ['What?! (really) "now"', 'what-really-now'],
  ["L'été", 'lete'],
  ['100% sure', '100-sure'],
  ['100%dance', '100dance'],
  ['50%ab off', '50ab-off'],
  ['a%20b', 'a20b'],
  ['１００％ｄａｎｃｅ', '100dance'],
  ['%e3%81%82%ab', '%e3%81%82ab'],
  ['%c3%a9t%C3%A9', 'ete'],
  ['%f0%9f%8e%89-party%ef%bc%81', 'party'],
  ['%c0%af%ed%a0%80%f5%80%80%80', ''],
  ['é', 'e'],
  ['e\u0301', 'e'],
  ['日本', '%e6%97%a5%e6%9c%ac'],
  ['が', '%e3%81%8c'],
  ['か\u3099', '%e3%81%8c'],
  ['(\u1100)\u1161', '%ea%b0%80'],
  ['%E6%97%A5', '%e6%97%a5'],
  ['مرحبا', '%d9%85%d8%b1%d8%ad%d8%a8%d8%a7'],
  ['Ёлка 5', '%d0%b5%d0%bb%d0%ba%d0%b0-5'],
  ['🎉', ''],
  ['a\0b', 'ab'],
  ['\ud800', ''],
  [' ', ''],
  ['', ''],
])('slugify(%j) is %j', (text, slug) => {
  expect(slugify(text)).toBe(slug)
})

test('slugify is idempotent, and its results are short and URL-safe', () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 120 })
  const long = fc
    .tuple(fc.string({ maxLength: 9 }), fc.constantFrom('あ', 'é日', '𐍈', 'ب'))
    .map(([a, b]) => a + b.repeat(80))
  const encoded = fc.array(fc.oneof(fc.constantFrom('%', '%e3', '%81', '%82', '%c3%a9', '%E3%81%8B%e3%82%99'), words))
  fc.assert(
    fc.property(
      fc.oneof(
        words,
        long,
        encoded.map((parts) => parts.join('')),
      ),
      (text) => {
        const slug = slugify(text)
        expect(slugify(slug)).toBe(slug)
        expect(slug.length).toBeLessThanOrEqual(200)
        expect(slug).toMatch(/^(?:[a-z0-9_%][a-z0-9_%-]*)?(?<!-)$/)
        expect(slugify(decodeURIComponent(slug))).toBe(slug)
      },
    ),
    { numRuns: 500 },
  )
})

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a long slug is cut at a character boundary, after %i letters', (letters) => {
  const slug = slugify(`${'a'.repeat(letters)}${'あ'.repeat(30)}`)
  expect(decodeURIComponent(slug)).toMatch(/^a*あ{21,22}$/)
})

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(() => truncate(app.db))

const claim = (...claims: [id: number, slug: string][]) =>
  app.db.$transaction((tx) =>
    reserveUniqueSlugs(
      tx,
      'tag',
      claims.map(([id, slug]): SlugClaim => ({ id, slug })),
    ),
  )
const tags = (count: number) =>
  app.db.tag.createManyAndReturn({ data: Array.from({ length: count }, () => ({ originalLanguage: 'en' })) })
const owners = async () =>
  (await app.db.tagSlug.findMany({ orderBy: [{ tagId: 'asc' }, { slug: 'asc' }] })).map((row) => [row.tagId, row.slug])

describe('claiming slugs', () => {
  beforeEach(() => tags(6))

  test('reserves a free slug, or the first free suffix', async () => {
    expect(await claim([1, 'jazz'])).toEqual(['jazz'])
    expect(await claim([2, 'jazz'])).toEqual(['jazz-2'])
    expect(await claim([3, 'jazz-3'])).toEqual(['jazz-3'])
    expect(await claim([4, 'jazz'])).toEqual(['jazz-4'])
    expect(await claim([5, 'jazz-2'])).toEqual(['jazz-2-2'])
  })

  test('lets a record keep its slug with suffix', async () => {
    await claim([1, 'jazz'], [2, 'jazz'])
    expect(await claim([2, 'jazz'])).toEqual(['jazz-2'])
    expect(await claim([1, 'jazz'])).toEqual(['jazz'])
    expect(await owners()).toEqual([
      [1, 'jazz'],
      [2, 'jazz-2'],
    ])
  })

  test('reserves one slug for languages with the same slug', async () => {
    expect(await claim([1, 'jazz'], [1, 'jazz'], [1, 'le-jazz'], [2, 'jazz'], [2, 'jazz'])).toEqual([
      ...['jazz', 'jazz', 'le-jazz'],
      ...['jazz-2', 'jazz-2'],
    ])
  })

  test('separates the slugs of kinds', async () => {
    const { id } = await app.db.category.create({ data: { originalLanguage: 'en' } })
    await claim([1, 'jazz'])
    expect(await app.db.$transaction((tx) => reserveUniqueSlugs(tx, 'category', [{ id, slug: 'jazz' }]))).toEqual([
      'jazz',
    ])
  })

  test('shortens the slug to make room for a suffix', async () => {
    const long = 'a'.repeat(200)
    expect(await claim([1, long], [2, long])).toEqual([long, `${'a'.repeat(198)}-2`])
  })

  test('accepts an empty list of claims', async () => {
    expect(await claim()).toEqual([])
  })

  test('gives concurrent claims different slugs', async () => {
    const slugs = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => claim([id, 'jazz'])))
    expect(slugs.flat().toSorted()).toEqual(['jazz', 'jazz-2', 'jazz-3', 'jazz-4', 'jazz-5', 'jazz-6'])
    expect((await owners()).map(([, slug]) => slug).toSorted()).toEqual(slugs.flat().toSorted())
  })
})

test('a free suffix of a very common title is found with few statements', async () => {
  await tags(200)
  const slugs = await claim(...Array.from({ length: 199 }, (_, index) => [index + 1, 'yoga'] as [number, string]))
  expect(new Set(slugs).size).toBe(199)
  app.statements.length = 0
  expect(await claim([200, 'yoga'])).toEqual(['yoga-200'])
  expect(app.statements.length).toBeLessThan(20)
})

test('each slug belongs to one record after random claims', async () => {
  const slug = fc.constantFrom('a', 'a-2', 'a-3', 'b', 'a-2-2')
  const claims = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), slug), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(claims, claims, async (first, second) => {
      await truncate(app.db)
      await tags(4)
      const results = [...(await claim(...first)), ...(await claim(...second))]
      const all = [...first, ...second]
      const owner = new Map((await owners()).map(([id, name]) => [name, id]))
      results.forEach((name, index) => {
        const [id, claims] = all[index] ?? []
        expect(owner.get(name)).toBe(id)
        expect(name.startsWith(claims ?? '?')).toBe(true)
        const same = all.findIndex(([otherId, other]) => otherId === id && other === claims)
        expect(results[same]).toBe(name)
      })
    }),
    { numRuns: runs(25) },
  )
})
