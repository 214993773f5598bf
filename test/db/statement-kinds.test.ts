// What a statement is recorded to read is what the database reads for it, and what its triggers notify.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { models } from '../../src/engine/postgres/data-model.ts'
import { findStatementKinds, tableKind } from '../../src/engine/reads/statement-kinds.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  const links = {
    venueIds: [await makeVenue(app.db, 'Hall', { city: 'Gent' })],
    organizerIds: [await makeOrganizer(app.db, 'Club')],
    categoryIds: [await makeCategory(app.db, 'Music')],
    tagIds: [await makeTag(app.db, 'late')],
  }
  for (const name of ['Concert', 'Another concert']) await makeEvent(app.db, name, links)
})
afterAll(() => app?.close())

const tables = [...models.values()].map(({ table }) => table.replaceAll('"', ''))

test('rows belong to the kind and the record that the triggers of their table notify', async () => {
  const { rows } = await app.database.pool.query<{ table: string; notified: string }>(`
    SELECT trim(both '"' FROM tgrelid::regclass::text) AS "table",
      split_part(encode(tgargs, 'escape'), '\\000', 1) || '.' || split_part(encode(tgargs, 'escape'), '\\000', 2) AS notified
    FROM pg_trigger WHERE tgname = 'log_update'`)
  expect(rows.length).toBeGreaterThan(20)
  for (const { table, notified } of rows) {
    const { kind, column } = tableKind(table) ?? {}
    // A change of a series is notified as one of its events.
    expect([table, `${kind}.${column}`]).toEqual([table, notified.replace(/^series/, 'event')])
  }
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

const relationsOf = (plan: Plan): string[] => [plan['Relation Name'] ?? [], (plan.Plans ?? []).map(relationsOf)].flat(2)

const near = 'near: { center: { latitude: 51, longitude: 4 } }'
const queries = [
  '{ events(orderBy: { field: TITLE }) { totalCount nodes { title author { name } image { url } venues { city } } } }',
  '{ events(filter: { search: "consert", when: UPCOMING }, orderBy: { field: RELEVANCE }) { nodes { title } } }',
  '{ events(filter: { cities: ["Gent"], categories: ["music"], tags: ["late"] }) { nodes { categories { count url } } } }',
  ...['PRICE', 'AUTHOR', 'PLACE_NAME', 'ALL_DAY'].map(
    (field) => `{ events(orderBy: { field: ${field} }) { totalCount nodes { title } } }`,
  ),
  `{ events(filter: { ${near} }, orderBy: { field: DISTANCE }) { nodes { title } } }`,
  '{ events { nodes { related { title } next { title } previous { title } jsonLd } } }',
  '{ eventFacets { totalCount categories { count category { name } } tags { count } venues { count } organizers { count } cities { count } months { count } languages { count } prices { count } } }',
  '{ eventCalendar(from: "today", to: "+9 days") { totalCount days { events { title } } } }',
  '{ searchSuggestions(prefix: "con") { text } }',
  '{ searchSuggestions(prefix: "concrt") { text } }',
  '{ venues(filter: { onlyWithUpcoming: true }) { nodes { name events { totalCount nodes { title } } } } }',
  '{ categories(filter: { hideEmpty: true }, orderBy: { field: COUNT }) { nodes { name events { nodes { title } } } } }',
  '{ images { nodes { url translations { title } } } sitemapParts { kind } sitemapPages(kind: EVENT, part: 1) { url } }',
]

test('statements are recorded to read each kind that the database reads for them', async ({ skip }) => {
  const { rows: versions } = await app.database.pool.query('SHOW server_version_num')
  // GENERIC_PLAN explains a statement without its values.
  if (Number(versions[0].server_version_num) < 160_000) skip()
  app.statements.length = 0
  for (const query of queries) expect((await app.graphql(query)).body.errors, query).toBeUndefined()
  const statements = new Set(app.statements.filter((text) => /^\s*(SELECT|WITH|\()/.test(text)))
  expect(statements.size).toBeGreaterThan(30)
  const checked = new Set<string>()
  for (const text of statements) {
    const { rows } = await app.database.pool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
    const relations = relationsOf(rows[0]['QUERY PLAN'][0].Plan).filter((name) => tables.includes(name))
    for (const name of relations) checked.add(name)
    expect(findStatementKinds(text).kinds, text).toEqual(
      expect.arrayContaining(relations.map((name) => tableKind(name)?.kind)),
    )
  }
  expect(checked.size).toBeGreaterThan(15)
})
