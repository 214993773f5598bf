// Filters by the languages that titles and names were written in. The oracle compares them with the other filters.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashRecordPassword as keyOf } from '../../src/calendar/rules/record-password.ts'
import { kinds } from '../../src/kinds.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue, type Texts } from '../helpers/make.ts'

const makers = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer, category: makeCategory, tag: makeTag }
const recordKinds = ['event', 'venue', 'organizer', 'category', 'tag'] as const
type Kind = (typeof recordKinds)[number]

const records: Readonly<Record<string, Texts>> = {
  english: 'Fair',
  both: { en: 'Choir', fr: 'Chorale' },
  three: { fr: 'Bal', es: 'Baile', en: 'Ball' },
  // The description is no translation of the title, and the slug is none either.
  described: { en: 'Walk', fr: { description: 'Marche' }, es: { slug: 'paseo' } },
  spanish: { es: 'Coro' },
}

let app: TestApp
const ids: Record<string, Record<number, string>> = {}

beforeAll(async () => {
  app = await openTestApp()
  for (const kind of recordKinds) {
    const named = await Promise.all(
      Object.entries(records).map(async ([name, texts]) => [await makers[kind](app.db, texts), name] as const),
    )
    ids[kind] = Object.fromEntries(named)
  }
})
afterAll(() => app?.close())

const namesOf = (kind: Kind, nodes: readonly { readonly databaseId: number }[]) =>
  nodes.map(({ databaseId }) => ids[kind]?.[databaseId]).sort()

/** The names of the records that the filter selects. */
async function select(client: ApiClient, kind: Kind, filter: string) {
  const { plural } = kinds[kind]
  const query = `{ ${plural}(first: 50, filter: { ${filter} }) { totalCount nodes { databaseId } } }`
  const { body } = await client.graphql(query)
  expect(body.errors).toBeUndefined()
  const { nodes, totalCount } = body.data[plural]
  expect(totalCount).toBe(nodes.length)
  return namesOf(kind, nodes)
}

const cases: readonly [filter: string, names: readonly string[]][] = [
  ['translatedInto: [FR]', ['both', 'three']],
  ['translatedInto: FR', ['both', 'three']],
  ['translatedInto: [FR, ES]', ['both', 'spanish', 'three']],
  ['translatedInto: [EN]', ['both', 'described', 'english', 'three']],
  ['missingTranslation: [FR]', ['described', 'english', 'spanish']],
  ['missingTranslation: [FR, ES]', ['both', 'described', 'english', 'spanish']],
  ['missingTranslation: [EN]', ['spanish']],
  ['translatedInto: [FR], missingTranslation: [ES]', ['both']],
  ['translatedInto: []', []],
  ['missingTranslation: []', []],
  ['translatedInto: null, missingTranslation: null', Object.keys(records).sort()],
]

test.each(recordKinds)('lists of %s are filtered in the same way in every language', async (kind) => {
  const { plural } = kinds[kind]
  const lists = cases.map(
    ([filter], n) => `list${n}: ${plural}(first: 50, filter: { ${filter} }) { totalCount nodes { databaseId } }`,
  )
  for (const root of ['', '/fr', '/es']) {
    const { body } = await app.graphql(`{ ${lists.join(' ')} }`, {}, root)
    expect(body.errors).toBeUndefined()
    for (const [n, [filter, names]] of cases.entries()) {
      const { totalCount, nodes } = body.data[`list${n}`]
      expect(totalCount, filter).toBe(names.length)
      expect(namesOf(kind, nodes), filter).toEqual(names)
    }
  }
})

test.each(['event', 'venue', 'organizer'] as const)(
  'a locked %s is found, and one that may not be seen is not',
  async (kind) => {
    const passwordKey = await keyOf('sesame', app.site.passwordSalt)
    const french = { en: 'Late', fr: 'Tardif' }
    const made = [
      await makers[kind](app.db, french, { passwordKey }),
      await makers[kind](app.db, french, { status: 'private' }),
      await makers[kind](app.db, french, { status: 'trash', trashedFrom: 'publish' }),
    ]
    const names = ['locked', 'private', 'trashed']
    const own = ids[kind] ?? {}
    for (const [index, id] of made.entries()) own[id] = names[index] ?? ''
    const administrator = await app.signIn('administrator')
    const filter = 'translatedInto: [FR]'
    expect(await select(app, kind, filter)).toEqual(['both', 'locked', 'three'])
    expect(await select(administrator, kind, filter)).toEqual(['both', 'locked', 'private', 'three'])
    for (const id of made) await app.db[kind as 'event'].delete({ where: { id } })
  },
)

test('a cached list changes when a title is translated', async () => {
  const administrator = await app.signIn('administrator')
  const id = await makeTag(app.db, 'late')
  const own = ids.tag ?? {}
  own[id] = 'new'
  expect(await select(app, 'tag', 'missingTranslation: [FR], search: "late"')).toEqual(['new'])
  const update = `mutation { updateTag(input: { id: ${id}, translations: [{ language: FR, name: "tardif" }] }) { userErrors { message } } }`
  expect((await administrator.graphql(update)).body.data.updateTag.userErrors).toEqual([])
  expect(await select(app, 'tag', 'missingTranslation: [FR], search: "late"')).toEqual([])
  await app.db.tag.delete({ where: { id } })
})
