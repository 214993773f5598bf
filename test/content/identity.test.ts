// Single reads of public records by ID, global ID and slug, for every kind.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

const kinds = ['event', 'venue', 'organizer', 'category', 'tag'] as const
type Kind = (typeof kinds)[number]
const isTerm = (kind: Kind) => kind === 'category' || kind === 'tag'
const ids = {} as Record<Kind | 'image', number>

beforeAll(async () => {
  app = await openTestApp()
  const japanese = { name: 'Nombre', slug: '%e6%97%a5%e6%9c%ac' }
  const slugs = { en: { name: 'Name', slug: 'own-slug' }, fr: 'Été à Paris', es: japanese }
  ids.event = await makeEvent(app.db, slugs)
  ids.venue = await makeVenue(app.db, slugs)
  ids.organizer = await makeOrganizer(app.db, slugs)
  ids.category = await makeCategory(app.db, slugs)
  ids.tag = await makeTag(app.db, slugs)
  ids.image = await makeImage(app.db)
})
afterAll(() => app?.close())

const typeName = (kind: Kind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}`
const opaque = (kind: Kind) => btoa(`${typeName(kind)}:${ids[kind]}`)

describe.each(kinds)('%s', (kind) => {
  const send = async (args: string, root = '') =>
    (await app.graphql(`{ record: ${kind}(${args}) { id databaseId } }`, {}, root)).body

  test.each([
    ['number', () => `id: ${ids[kind]}`],
    ['number as text', () => `id: "${ids[kind]}"`],
    ['opaque ID', () => `id: "${opaque(kind)}"`],
    ['slug', () => 'slug: "own-slug"'],
    ['slug of another language', () => 'slug: "ete-a-paris"'],
    ['slug of another script', () => 'slug: "%e6%97%a5%e6%9c%ac"'],
    ['slug in capital bytes', () => 'slug: "%E6%97%A5%E6%9C%AC"'],
    ['slug as it is shown in a browser', () => 'slug: "日本"'],
    ['slug as it may be typed', () => 'slug: "Own Slug"'],
    ['slug, ID null', () => 'slug: "own-slug", id: null'],
  ])('is found by %s in every language', async (_, args) => {
    for (const root of ['', '/fr', '/es']) {
      expect(await send(args(), root)).toEqual({ data: { record: { id: opaque(kind), databaseId: ids[kind] } } })
    }
  })

  test('is found by nodes, in the order of the IDs', async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`
    const missing = btoa(`${typeName(kind)}:999`)
    const { body } = await app.graphql(query, { ids: [missing, opaque(kind), opaque('event'), opaque(kind)] })
    const record = { __typename: typeName(kind), id: opaque(kind) }
    expect(body.data).toEqual({ nodes: [null, record, { __typename: 'Event', id: opaque('event') }, record] })
    expect(body.errors).toMatchObject([{ path: ['nodes', 0], extensions: { code: 'NOT_FOUND', kind, by: 'id' } }])
  })

  test.each([
    ['unknown number', 'id: 999', 'id'],
    ['unknown slug', 'slug: "nothing"', 'slug'],
    ['number beyond all', 'id: "99999999999"', 'id'],
  ])('is not found by an %s', async (_, args, by) => {
    const { data, errors } = await send(args)
    expect([data, errors[0].extensions]).toEqual([{ record: null }, { code: 'NOT_FOUND', kind, by }])
  })

  test('is distinguished from other kinds in the same ID sequence', async () => {
    const others = [...kinds, 'image' as const].filter(
      (other) => other !== kind && (other === 'image' ? !isTerm(kind) : isTerm(other) === isTerm(kind)),
    )
    expect(others).toHaveLength(isTerm(kind) ? 1 : 3)
    for (const actual of others) {
      const { errors } = await send(`id: ${ids[actual]}`)
      expect(errors[0].extensions).toEqual({ code: 'WRONG_KIND', kind, actual })
      const alone = await app.graphql(`{ node(id: "${btoa(`${typeName(kind)}:${ids[actual]}`)}") { id } }`)
      expect(alone.body.errors[0].extensions).toEqual({ code: 'WRONG_KIND', kind, actual })
    }
  })

  test.each(['Image', 'User', 'Credential'])('is not found by a global ID of the type %s', async (type) => {
    const { data, errors } = await send(`id: "${btoa(`${type}:1`)}"`)
    expect([data, errors[0].extensions]).toEqual([
      { record: null },
      { code: 'WRONG_KIND', kind, actual: type.toLowerCase() },
    ])
    expect(errors[0].message).toMatch(/^This is the ID of an? \w+\. Send the ID of an? \w+\.$/)
  })
})

describe('an ID that no record can have', () => {
  const opaqueText = (text: string) => Buffer.from(text).toString('base64')
  const invalid = ['', '!!!', '12', '日本', opaqueText('Event:'), opaqueText('Nothing:1'), opaqueText('Event:-1')]

  test.each([...invalid, opaqueText('Node:1'), opaqueText('RecordStatus:1'), opaqueText('__proto__:1')])(
    'is null in its place among others, with an error of its own: %j',
    async (id) => {
      const event = opaqueText(`Event:${ids.event}`)
      const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
      const { body } = await app.graphql(query, { ids: [event, id, event] })
      expect(body.data).toEqual({ nodes: [{ id: event }, null, { id: event }] })
      expect(body.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: 'BAD_INPUT' } }])
      const alone = (await app.graphql('query ($id: ID!) { node(id: $id) { id } }', { id })).body
      expect(alone.data).toEqual({ node: null })
      expect(alone.errors).toMatchObject([{ path: ['node'], extensions: { code: 'BAD_INPUT' } }])
    },
  )
})
