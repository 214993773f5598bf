// Events: every filter alone and in pairs, by both doors, against the oracle.
import { afterAll, beforeAll, test } from 'vitest'
import { openTestApp } from '../helpers/app.ts'
import { check, openStage, type Stage } from '../helpers/oracle-check.ts'
import { eventDraws } from '../helpers/oracle-draw.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(await openTestApp({ PER_PAGE_MAX: '100' }))
})
afterAll(() => stage?.app.close())

test('by the legacy door', async () => {
  const { hideFromListings, startsAt, endsAt, startsLocal, endsLocal, when, runningAt, ...draws } = eventDraws(
    stage.world,
  )
  await check(stage, { kind: 'events', legacy: true, draws, each: 2 })
})

test('by GraphQL', async () => {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after, strict_dates, ...draws } =
    eventDraws(stage.world)
  const orders = ['START', 'START_LOCAL', 'END', 'PUBLICATION', 'TITLE', 'DISTANCE', 'RELEVANCE']
  await check(stage, { kind: 'events', legacy: false, draws, orders, byNumber: ['DISTANCE'], each: 2 })
})
