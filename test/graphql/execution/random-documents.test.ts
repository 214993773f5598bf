// For random documents, compiled execution with the read engine returns the same as graphql-js with Prisma, and not more than the
// documents cost.
import fc from 'fast-check'
import { parse } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSameResult } from '../../../src/engine/execution/verify.ts'
import type { Db } from '../../../src/engine/postgres/client.ts'
import { createClient } from '../../../src/engine/reads/client.ts'
import { computeOperationCost } from '../../../src/service/graphql/limits/cost.ts'
import { type ApiClient, type Reply, serve, type TestApp } from '../../helpers/app.ts'
import { queryValues } from '../../helpers/cached-content.ts'
import { drawingFrom, openCachedStage, type Stage, schema } from '../../helpers/cached-stage.ts'
import { randomDocument } from '../../helpers/random-documents.ts'
import { partOf } from '../../helpers/runs.ts'

const runs = Number(process.env.RANDOM_DOCUMENTS ?? 60)

let stage: Stage
let libraries: TestApp
let prisma: Db
let readers: { readonly name: string; readonly compiled: ApiClient; readonly expected: ApiClient }[]

beforeAll(async () => {
  stage = await openCachedStage()
  const { database } = stage.plain
  prisma = createClient(database.pool, { readEngine: 'prisma' })
  const env = { SITE_TIMEZONE: 'America/New_York', PER_PAGE_MAX: '100', CACHE_BYTES: '0' }
  libraries = await serve(
    { ...stage.plain, db: prisma, close: () => prisma.$disconnect() },
    { ...env, EXECUTION: 'graphql-js' },
  )
  readers = [{ name: 'visitor', compiled: stage.plain, expected: libraries }]
  for (const role of ['subscriber', 'author', 'editor', 'administrator'] as const) {
    const user = await stage.plain.signIn(role)
    readers.push({ name: role, compiled: user, expected: libraries.as(user) })
  }
})
afterAll(async () => {
  await libraries?.close()
  await stage?.cached.close()
})

test('compiled execution with the read engine returns the same as graphql-js with Prisma, for five roles, and at most as many objects as the document costs', async () => {
  const content = await stage.readContent()
  const values = { ...queryValues(content), ...ofUsers(content.ids.user ?? []) }
  let responses = 0
  let withData = 0
  const { settings } = stage.plain
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { query, variables } = randomDocument(schema, values, drawingFrom(seed))
      const cost = computeOperationCost(schema, { document: parse(query), variableValues: variables }, settings)
      const most = cost && 'total' in cost ? cost.total : 0
      // One or two of the readers, others for other documents.
      for (const { name, compiled, expected } of partOf(readers, 3, Math.abs(seed))) {
        const response = withoutTransactions(await compiled.graphql(query, variables))
        const reference = withoutTransactions(await expected.graphql(query, variables))
        const isSame = response.status === reference.status && isSameResult(response.body, reference.body)
        if (!isSame) expect({ name, query, variables, ...response }).toEqual({ name, query, variables, ...reference })
        expect(isSame).toBe(true)
        expect(countObjects(response.body.data), query).toBeLessThanOrEqual(most)
        responses += 1
        if (Object.values(response.body.data ?? {}).some((value) => value !== null)) withData += 1
      }
    }),
    { numRuns: runs },
  )
  // Otherwise the documents would compare nothing but errors.
  expect(withData).toBeGreaterThan(responses * 0.05)
})

/** On a server, the token of changes names the oldest transaction of all databases, which other tests start and end. */
const withoutTransactions = ({ status, body }: Reply): Pick<Reply, 'status' | 'body'> => ({
  status,
  body: JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' && /^eyJsaXN0[\w-]+\.[\w-]+$/.test(value)
      ? Buffer.from(value.split('.')[0] ?? '', 'base64url')
          .toString()
          .replace(/"transaction":"\d+"/, '')
      : value,
  ),
})

function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const below = Object.values(value).reduce((sum: number, each) => sum + countObjects(each), 0)
  return Array.isArray(value) ? below : below + 1
}

const ofUsers = (ids: readonly number[]) => ({
  'Query.user(id:)': fc.constantFrom(...ids.map(String)),
  'Query.users(after:)': fc.constantFrom('', 'x'),
  'Query.users(before:)': fc.constantFrom('', 'x'),
  ...Object.fromEntries(
    ['Query.webhooks', 'Webhook.deliveries'].flatMap((list) =>
      ['after', 'before'].map((name) => [`${list}(${name}:)`, fc.constantFrom('', 'x')]),
    ),
  ),
})
