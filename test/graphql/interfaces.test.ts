// Fragments on the interfaces Post, Term, Translatable and Payload, with compiled execution and graphql-js side by side.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { asker, cacheStatus } from '../helpers/cache-hits.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let admin: ApiClient & { readonly id: number }
const ids = {} as Record<'event' | 'venue' | 'organizer' | 'category' | 'tag', number>

beforeAll(async () => {
  app = await openTestApp({ EXECUTION: 'verify' })
  admin = await app.signIn('administrator')
  const { db } = app
  const imageId = await makeImage(db)
  ids.venue = await makeVenue(db, { en: { name: 'Pier', slug: 'pier', description: 'By the sea' } }, { imageId })
  ids.organizer = await makeOrganizer(db, 'Club')
  ids.category = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  ids.tag = await makeTag(db, 'Free')
  ids.event = await makeEvent(db, 'Concert', {
    ...{ venueIds: [ids.venue], organizerIds: [ids.organizer], categoryIds: [ids.category], tagIds: [ids.tag] },
    ...{ imageId, authorId: admin.id },
  })
})
afterAll(() => app?.close())

const postFragment = `fragment Common on Post {
  __typename id databaseId url slug status locked descriptionHtml author { name } image { url } languages { tag description }
  translations { language name }
}`
const termFragment = `fragment Group on Term {
  __typename databaseId name url count languages { tag } translation(language: FR) { name } viewerCanUpdate
}`
const bodyOf = (fragment: string) => fragment.slice(fragment.indexOf('{') + 1, fragment.lastIndexOf('}'))
const globalId = (type: string, id: number) => btoa(`${type}:${id}`)

const query = (common: string, group: string) => `{
  event(id: ${ids.event}) { ${common} venues { ${common} } organizers { ${common} } categories { ${group} } tags { ${group} } }
  venues(first: 5) { nodes { ${common} } }
}`

test('a fragment on an interface selects the same as its fields, for the same cost', async () => {
  const headers = { 'GraphQL-Cost': '1' }
  const spread = query('...Common', '...Group') + postFragment + termFragment
  const plain = query(bodyOf(postFragment), bodyOf(termFragment))
  const [bySpread, byFields] = [await app.graphql(spread, {}, '', headers), await app.graphql(plain, {}, '', headers)]
  expect(bySpread.body).toEqual(byFields.body)
  expect(bySpread.body.data.event).toMatchObject({
    ...{ __typename: 'Event', databaseId: ids.event, author: { name: expect.any(String) } },
    venues: [
      { __typename: 'Venue', descriptionHtml: expect.stringContaining('By the sea'), languages: { description: 'EN' } },
    ],
    organizers: [{ __typename: 'Organizer', image: null }],
    categories: [{ name: 'Music', count: 1, translation: { name: 'Musique' } }],
    tags: [{ __typename: 'Tag', translation: null }],
  })
  expect(bySpread.headers['graphql-cost']).toBe(byFields.headers['graphql-cost'])
})

test('interfaces nest, and aliases and directives apply to each type', async () => {
  const text = `query ($with: Boolean!) {
    nodes(ids: ["${globalId('Event', ids.event)}", "${globalId('Venue', ids.venue)}", "${globalId('Tag', ids.tag)}"]) {
      __typename
      ... on Translatable { contentLanguage languages { tag } ... on Post { address: url picture: image @include(if: $with) { url } } }
      ... on Term { name count }
    }
  }`
  const { body } = await app.graphql(text, { with: true })
  const [event, venue, tag] = body.data.nodes
  expect(event).toMatchObject({ __typename: 'Event', picture: { url: expect.any(String) }, languages: { tag: 'en' } })
  expect(venue).toMatchObject({ __typename: 'Venue', address: expect.stringMatching(/\/venue\/pier\/?$/) })
  expect(tag).toEqual({
    __typename: 'Tag',
    contentLanguage: 'EN',
    languages: { tag: 'en' },
    name: expect.any(String),
    count: 1,
  })
  expect((await app.graphql(text, { with: false })).body.data.nodes[0]).not.toHaveProperty('picture')
})

describe('a cached response is replaced when what a fragment on an interface reads changes', () => {
  test.each([
    ['image', () => `{ event(id: ${ids.event}) { ... on Post { image { altText } } } }`, () => imageText],
    [
      'node',
      () => `{ node(id: "${globalId('Venue', ids.venue)}") { ... on Post { image { altText } } } }`,
      () => imageText,
    ],
    ['term', () => `{ event(id: ${ids.event}) { tags { ... on Term { name } } } }`, () => tagName],
  ])('%s', async (_name, text, write) => {
    const ask = asker(() => app).graph(text())
    const before = await ask()
    expect(cacheStatus(await ask())).toContain('hit')
    await admin.graphql(write()())
    expect((await ask()).body).not.toEqual(before.body)
  })
  let changes = 0
  const imageText = () => {
    changes += 1
    return `mutation { updateImage(input: { id: 1, altText: "Text ${changes}" }) { ...Errors } } ${errors}`
  }
  const tagName = () => `mutation { updateTag(input: { id: ${ids.tag}, name: "Gratis" }) { ...Errors } } ${errors}`
})

const errors = 'fragment Errors on Payload { userErrors { code path } }'

test('every mutation returns a Payload', async () => {
  const { body } = await admin.graphql(`mutation {
    updateEvent(input: { id: 999999, title: "x" }) { ...Errors event { id } }
    deleteTag(input: { id: 999999 }) { ...Errors }
    createUser(input: { login: "", name: "x", role: AUTHOR }) { __typename ... on Payload { ...Errors } }
  } ${errors}`)
  expect(body.data.updateEvent).toEqual({ userErrors: [{ code: 'NOT_FOUND', path: ['id'] }], event: null })
  expect(body.data.deleteTag).toEqual({ userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] })
  expect(body.data.createUser).toEqual({
    __typename: 'UserPayload',
    userErrors: [{ code: 'BAD_INPUT', path: ['login'] }],
  })
  const { body: schema } = await app.graphql(`{
    __schema { mutationType { fields { type { interfaces { name } } } } }
  }`)
  const fields: { type: { interfaces: object[] } }[] = schema.data.__schema.mutationType.fields
  expect(fields.length).toBeGreaterThan(20)
  for (const { type } of fields) expect(type.interfaces).toEqual([{ name: 'Payload' }])
})
