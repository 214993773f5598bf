// The former names of RecordStatus are accepted, and never returned.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
let editor: ApiClient
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const create = `mutation ($input: CreateVenueInput!) {
  createVenue(input: $input) { venue { databaseId status } userErrors { message } } }`

const tomorrow = () => new Date(app.clock.now.getTime() + 86_400_000).toISOString()

describe.each([
  ['PUBLISH', 'PUBLISHED', () => undefined],
  ['FUTURE', 'SCHEDULED', tomorrow],
])('%s', (former, current, publication) => {
  test(`is accepted as ${current}, and returned as ${current}`, async () => {
    for (const status of [former, current]) {
      const { createVenue } = (
        await editor.graphql(create, { input: { name: 'Hall', status, publishedAt: publication() } })
      ).body.data
      expect(createVenue).toMatchObject({ venue: { status: current }, userErrors: [] })
      const { databaseId } = createVenue.venue
      const one = `include: [${databaseId}], status:`
      const list = (filter: string) => `venues(filter: { ${filter} }) { nodes { status } }`
      const { body } = await editor.graphql(
        `query ($filter: VenueFilter) {
            former: ${list(`${one} [${former}]`)} current: ${list(`${one} ${current}`)}
            byVariable: venues(filter: $filter) { nodes { status } } other: ${list(`${one} [DRAFT]`)} }`,
        { filter: { include: [databaseId], status: [former] } },
      )
      const found = { nodes: [{ status: current }] }
      expect(body).toEqual({ data: { former: found, current: found, byVariable: found, other: { nodes: [] } } })
    }
  })
})

test('the former names are deprecated', async () => {
  const { body } = await app.graphql(`{ __type(name: "RecordStatus") {
    current: enumValues { name } all: enumValues(includeDeprecated: true) { name isDeprecated } } }`)
  const { current, all } = body.data.__type
  expect(current.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'DRAFT',
    'PENDING',
    'PRIVATE',
    'PUBLISHED',
    'SCHEDULED',
    'TRASH',
  ])
  const deprecated = all.filter(({ isDeprecated }: { isDeprecated: boolean }) => isDeprecated)
  expect(deprecated.map(({ name }: { name: string }) => name).toSorted()).toEqual(['FUTURE', 'PUBLISH'])
})
