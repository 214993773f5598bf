// Events that have not ended, in the order of their start: the index says when an event ends, so that the events of the past are
// not read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRows } from '../../bench/copy-rows.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { explain, isRead, type Plan, type Recorder, recorderOf } from '../helpers/large-plans.ts'
import { makeEvent } from '../helpers/make.ts'

const past = 2000
const coming = 500

let app: TestApp
let recorder: Recorder

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  const { db } = app
  await makeEvent(db, 'Copied')
  const shift = (column: string) => ({ [column]: `t.${column} + k * 1000` })
  const time = (at: string, clock: string) => ({
    [`starts_${at}`]: `${clock} + make_interval(hours => 12 * (k - ${past}) - 6)`,
    [`ends_${at}`]: `${clock} + make_interval(hours => 12 * (k - ${past}) - 5)`,
  })
  await copyRows(db, 'event', past + coming, {
    ...shift('id'),
    ...time('at', `'${now.toISOString()}'::timestamptz`),
    ...time('local', `'${now.toISOString().slice(0, 19)}'::timestamp`),
  })
  await copyRows(db, 'content_text', past + coming, { ...shift('content_id'), slug: `t.slug || '-' || k` })
  await db.$executeRawUnsafe('ANALYZE event')
  recorder = recorderOf(app)
})
afterAll(() => app?.close())

/** The conditions that an index decides, by the name of the index. */
const conditionsOf = (plan: Plan): [index: string, condition: string][] => [
  ...(plan['Index Name'] ? [[plan['Index Name'], plan['Index Cond'] ?? ''] as [string, string]] : []),
  ...(plan.Plans ?? []).flatMap(conditionsOf),
]

const from = now.toISOString().slice(0, 10)
const localTime = `${from}T12:00:00`

test.each([
  ['when: UPCOMING', 'START', 'event_starts_at_idx', 'ends_at'],
  ['when: UPCOMING', 'START_LOCAL', 'event_starts_local_idx', 'ends_at'],
  [`endsLocal: { gte: "${localTime}" }`, 'START', 'event_starts_at_idx', 'ends_local'],
  [`endsLocal: { gte: "${localTime}" }`, 'START_LOCAL', 'event_starts_local_idx', 'ends_local'],
])('{ %s } by %s', async (filter, order, index, column) => {
  const list = `events(first: 10, filter: { ${filter} }, orderBy: { field: ${order} })`
  const statements = await recorder.record(async () => {
    const { body } = await app.graphql(`{ ${list} { nodes { startsLocal } } }`)
    expect(body.errors).toBeUndefined()
    expect(body.data.events.nodes).toHaveLength(10)
  })
  const plans = await explain(app.database.pool, statements.filter(isRead), false)
  const conditions = plans.flatMap(({ page }) => page.flatMap(conditionsOf))
  expect(conditions).toContainEqual([index, expect.stringContaining(`${column} >`)])
})
