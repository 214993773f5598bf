// Which statements are prepared, and how many at most.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStatementNamer } from '../src/engine/postgres/prepared-statements.ts'
import { openTestApp, type TestApp, unverified } from './helpers/app.ts'
import { recorderOf } from './helpers/large-plans.ts'
import { makeEvent, makeVenue } from './helpers/make.ts'

let app: TestApp
// Names that one test uses up are those of its connections.
beforeEach(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', ...unverified })
  const venueIds = [await makeVenue(app.db, 'Hall')]
  for (const title of ['One', 'Two', 'Three']) await makeEvent(app.db, title, { venueIds })
})
afterEach(() => app.close())

/** The prepared statements of all connections of the pool. */
async function preparedStatements(): Promise<string[]> {
  const clients = await Promise.all(
    Array.from({ length: app.database.pool.totalCount }, () => app.database.pool.connect()),
  )
  const lists = await Promise.all(
    clients.map((client) => client.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')),
  )
  for (const client of clients) client.release()
  return lists.flatMap(({ rows }) => rows.map(({ statement }) => statement))
}

test('reads by ID use prepared statements, and lists do not', async () => {
  for (const url of ['', '?search=o', '?featured=false'].map((query) => `/cal/events/v1/events${query}`)) {
    const first = await app.get(url)
    for (let n = 0; n < 6; n += 1) expect((await app.get(url)).body).toEqual(first.body)
  }
  const query = '{ events { nodes { title children(first: 3) { nodes { title } } } } }'
  for (let n = 0; n < 6; n += 1) await app.graphql(query)
  const byIds = / WHERE "?(t0|r)"?\."?id"? = /
  // The statements that wrote the records of this test are prepared, too.
  const statements = (await preparedStatements()).filter((statement) => !/^\s*(INSERT|UPDATE|WITH)\s/.test(statement))
  expect(statements.filter((statement) => byIds.test(statement))).not.toEqual([])
  expect(statements.filter((statement) => !byIds.test(statement))).toEqual([])
})

test('many different lists do not use up the limit of prepared statements', async () => {
  const bounds = ['gt', 'gte', 'lt', 'lte']
  const ways = [...Array(110).keys()].map((n) => {
    const range = (part: number) => bounds.filter((_, place) => part & (1 << place)).map((name) => `${name}: $at`)
    return `query ($at: DateTime = "2026-12-01T00:00:00Z") { eventsPage(filter: {
      startsAt: { ${range(n & 15)} }, endsAt: { ${range(n >> 4)} } }) { items { databaseId } } }`
  })
  for (const query of ways) for (let times = 0; times < 3; times++) await app.graphql(query)
  const { body } = await app.graphql('{ events(first: 1) { nodes { databaseId } } }')
  const later = `{ event(id: ${body.data.events.nodes[0].databaseId}) { timeZone allDay } }`
  for (let times = 0; times < 5; times++) await app.graphql(later)
  expect(
    (await preparedStatements()).filter((statement) => /"time_zone".*"all_day"|"all_day".*"time_zone"/.test(statement)),
  ).not.toEqual([])
})

test('the plan of related events costs as much for any values, so that it is not made each time', async () => {
  const { nodes } = (await app.graphql('{ events { nodes { databaseId } } }')).body.data.events
  const query = `{ event(id: ${nodes[0].databaseId}) { related { databaseId } } }`
  const statements = await recorderOf(app).record(() => app.graphql(query))
  const ranking = statements.find(({ text }) => text.includes('score DESC'))
  const literals = ranking?.values?.map((value) => `'${value}'`)
  const client = await app.database.pool.connect()
  try {
    await client.query(`PREPARE ranking AS ${ranking?.text}`)
    const costs: Record<string, number> = {}
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`)
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE ranking(${literals?.join()})`)
      costs[mode] = rows[0]['QUERY PLAN'][0].Plan['Total Cost']
    }
    // PostgreSQL adds more than 1 to the costs of a plan that it makes each time.
    expect(costs.force_generic_plan).toBeLessThan((costs.force_custom_plan ?? 0) + 1)
  } finally {
    await client.query('RESET plan_cache_mode; DEALLOCATE ranking')
    client.release()
  }
})

const lookup = (n: number) => ({
  sql: `SELECT ${n} LEFT JOIN LATERAL (x) AS y ON true WHERE "t0"."id" IN ($1)`,
  args: [],
})

test('writes and lookups of IDs are prepared, other raw statements are not', () => {
  const name = createStatementNamer()
  const nameOf = (sql: string) => [1, 2, 3].map(() => name({ sql, args: [], argTypes: [] })).at(-1)
  expect(nameOf('INSERT INTO "public"."tag" ("original_language") VALUES ($1)')).toBe('write-0')
  expect(nameOf('\n  WITH reserved AS (INSERT INTO tag_slug SELECT $1) INSERT INTO tag_text SELECT $2')).toBe('write-1')
  expect(nameOf('SELECT id FROM venue WHERE id = $1 UNION ALL SELECT id FROM tag WHERE id = $2')).toBe('write-2')
  expect(nameOf('SELECT id FROM event WHERE starts_at > $1')).toBeUndefined()
  expect(nameOf('DELETE FROM tag_slug WHERE tag_id = $1')).toBe('write-3')
  expect(nameOf('SELECT r.id FROM tag r WHERE r.id = ANY(ARRAY(SELECT unnest($1::int[])))')).toBe('calendar-0')
  expect(nameOf('SELECT "t0"."id" FROM "tag" AS "t0" WHERE ("t0"."id" = $1 AND 1=1)')).toBe('calendar-1')
  expect(nameOf('SELECT "t0"."id" FROM "tag" AS "t0" WHERE "t0"."id" IN ($1, $2)')).toBeUndefined()
})

test('statements that run once are not prepared, and the number of prepared statements is limited', () => {
  const name = createStatementNamer()
  const nameOf = (n: number) => name({ ...lookup(n), argTypes: [] })
  expect([nameOf(0), nameOf(0), nameOf(0)]).toEqual([undefined, undefined, 'calendar-0'])
  const names = new Set<string | undefined>()
  for (let n = 1; n < 1000; n += 1) for (let times = 0; times < 3; times += 1) names.add(nameOf(n))
  expect(names.size).toBe(300)
  expect(nameOf(0)).toBe('calendar-0')
})
