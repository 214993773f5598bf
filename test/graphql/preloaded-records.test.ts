// The read engine and Prisma's own engine return the same records to every viewer.
import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword as keyOf } from '../../src/calendar/rules/record-password.ts'
import { onRead } from '../../src/engine/postgres/query.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { createSchema } from '../../src/schema.ts'
import { createContext } from '../../src/service/context.ts'
import { type ApiClient, now, openTestApp, serve, type TestApp, unverified } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'
import type { TestUser } from '../helpers/users.ts'

let app: TestApp
const readers: Record<string, ApiClient> = {}
const prismaReaders: Record<string, ApiClient> = {}
const engines: string[] = []
const days = (number: number) => new Date(now.getTime() + number * 86_400_000)

beforeAll(async () => {
  app = await openTestApp(unverified)
  const { db } = app
  const author = await app.signIn('author')
  Object.assign(readers, { visitor: app, author })
  for (const role of ['subscriber', 'contributor', 'editor'] as const) readers[role] = await app.signIn(role)
  onRead(db, (engine) => engines.push(engine))
  const prisma = createClient(app.database.pool, { readEngine: 'prisma' })
  const viaPrisma = await serve({ ...app, db: prisma }, { EXECUTION: 'graphql-js' })
  for (const [name, reader] of Object.entries(readers)) {
    prismaReaders[name] = 'authorization' in reader ? viaPrisma.as(reader as TestUser & ApiClient) : viaPrisma
  }
  const passwordKey = await keyOf('sesame', app.site.passwordSalt)
  const states = [
    {},
    { status: 'draft' as const, authorId: author.id },
    { status: 'draft' as const },
    { status: 'private' as const, authorId: author.id },
    { status: 'trash' as const, trashedFrom: 'publish' as const, authorId: author.id },
    { status: 'future' as const, publishedAt: days(1) },
    { status: 'future' as const, publishedAt: days(-1), authorId: author.id },
    { passwordKey },
    { passwordKey, authorId: author.id },
  ]
  const imageId = await makeImage(db)
  const places = { address: '"1", \\ Rue\n', latitude: 48.85661, longitude: -2.35222, imageId }
  const venueIds: number[] = []
  const organizerIds: number[] = []
  for (const [n, state] of states.entries()) {
    venueIds.push(
      await makeVenue(db, n % 2 ? `Hall ${n}` : { fr: { name: `Salle ${n}`, description: 'é\n\n"x"' } }, {
        ...places,
        ...state,
      }),
    )
    organizerIds.push(await makeOrganizer(db, { en: `Club ${n}`, es: `Peña ${n}` }, { email: 'a@b.test', ...state }))
  }
  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  const categoryIds = [music, await makeCategory(db, 'Jazz', music)]
  const tagIds = [await makeTag(db, { fr: 'gratuit' }), await makeTag(db, 'loud')]
  const parentId = await makeEvent(db, 'Festival', {
    customFields: [{ key: 'k', label: 'L', value: { a: [1.5, null] } }],
  })
  for (const [n, state] of states.entries()) {
    await makeEvent(
      db,
      n % 2 ? { en: { name: `Gig ${n}`, description: '<p>Loud</p>', excerpt: 'now' }, fr: `Soirée ${n}` } : `Show ${n}`,
      {
        ...{ venueIds: [...venueIds].reverse(), organizerIds, categoryIds, tagIds, parentId, imageId },
        ...{ cost: ['$5', '10'], website: n % 2 ? '' : null, featured: n % 3 === 0 },
        ...{ start: `2026-12-0${n + 1}T19:30:00`, timeZone: n % 2 ? 'America/New_York' : 'UTC+5:30' },
        ...state,
      },
    )
  }
})
afterAll(() => app?.close())

const post =
  'id databaseId contentLanguage languages { tag description excerpt } slug url status locked publishedAt modifiedAt description descriptionHtml excerpt author { name login } image { url width sizes { name url } } translations { language name }'
const venue = `${post} name address city latitude longitude showMap`
const organizer = `${post} name phone email website`
const term =
  'id databaseId contentLanguage languages { tag name description } name slug description url count translations { language name }'
const event = `${post} title startsAt endsAt startsLocal endsLocal timeZone timeZoneAbbreviation allDay website featured
  customFields { key label value } cost { text values } venues { ${venue} } organizers { ${organizer} }
  categories { ${term} parent { name slug url } } tags { ${term} }`

const selections = {
  'events by page': `eventsPage(perPage: 20) { total items { ${event} #? } }`,
  'the second page': `eventsPage(page: 2, perPage: 3) { total totalPages items { title #? } }`,
  'events by cursor': `events(first: 20) { totalCount nodes { ${event} #? } edges { cursor node { title } } pageInfo { hasNextPage } }`,
  'events by title': `events(orderBy: { field: TITLE, direction: DESC }) { edges { cursor node { title #? } } }`,
  'events by filters': `eventsPage(filter: { status: [PUBLISHED], featured: true, when: UPCOMING }) { total items { title #? } }`,
  'venues and organizers': `venues { nodes { ${venue} #? } } organizersPage { total items { ${organizer} } }`,
  terms: `categories { nodes { ${term} parent { id } #? } } tagsPage(orderBy: { field: COUNT }) { total items { ${term} } }`,
}

const options = [
  '',
  '@inContext(language: FR)',
  '@inContext(password: "sesame", language: ES)',
  '@inContext(forEditing: true)',
]

/** The query alone, and with a directive, with which the selection cannot be memoized. */
const variantsOf = (fields: string, option: string) => [
  `query ${option} { ${fields.replace('#?', '')} }`,
  `query ($yes: Boolean = true) ${option} { ${fields.replace('#?', '__typename @skip(if: $yes)')} }`,
]

/** Half of the readers send one variant each, or all of them both with PROPERTY_RUNS=all. */
async function expectSame(variants: readonly string[], turn: number): Promise<void> {
  for (const [index, [name, reader]] of partOf(Object.entries(readers), 2, turn).entries()) {
    for (const query of partOf(variants, 2, Math.floor(turn / 2) + index)) {
      engines.length = 0
      const { body } = await reader.graphql(query)
      expect(new Set(engines), name).toEqual(new Set(['compiled']))
      expect(body.errors, name).toBeUndefined()
      expect(body, name).toEqual((await prismaReaders[name]?.graphql(query))?.body)
    }
  }
}

describe.each(Object.entries(selections))('%s', (list, fields) => {
  const turn = Object.keys(selections).indexOf(list)
  test.each(options)('%s', (option) => expectSame(variantsOf(fields, option), turn + options.indexOf(option)))
})

test.each(['event', 'venue', 'organizer', 'category', 'tag'] as const)('each %s alone', async (kind) => {
  const fields = { event, venue, organizer, category: `${term} parent { name }`, tag: term }[kind]
  const rows: { id: number }[] = await (app.db[kind] as unknown as typeof app.db.tag).findMany({ select: { id: true } })
  for (const { id } of rows) {
    // The successive records have all states: each of them is read by others in each kind.
    for (const [name, reader] of partOf(Object.entries(readers), 3, id)) {
      const query = `{ ${kind}(id: ${id}) { ${fields} } }`
      const { body } = await reader.graphql(query)
      expect(body.data, name).toEqual((await prismaReaders[name]?.graphql(query))?.body.data)
    }
  }
})

test('no two fields select different records of one relation', async () => {
  const context = await createContext({ ...app, now: () => now }, { viewer: undefined, language: 'en' })
  type Query = Readonly<Record<string, unknown>>
  const nested = (query: unknown) => (typeof query === 'function' ? query({}, context) : query)
  for (const type of Object.values(createSchema(['en']).getTypeMap())) {
    if (!isObjectType(type)) continue
    const queries = new Map<string, string>()
    for (const { name, extensions } of Object.values(type.getFields())) {
      const preload = extensions.pothosPrismaSelect
      if (preload === undefined) continue
      const { select } = (typeof preload === 'function' ? preload({}, context, nested) : { select: preload }) as {
        select: Query
      }
      for (const [relation, query] of Object.entries(select ?? {})) {
        if (typeof query !== 'object' || query === null) continue
        const { select: _, ...which } = query as Query
        const text = JSON.stringify(which)
        expect(queries.get(relation) ?? text, `${type.name}.${name}`).toBe(text)
        queries.set(relation, text)
      }
    }
  }
})
