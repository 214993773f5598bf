// Events: every filter alone and in pairs, in both APIs, compared with the oracle.
import { afterAll, beforeAll, test } from 'vitest'
import { check, type OracleSite, openOracleSite } from '../helpers/oracle-check.ts'
import { eventDraws, onlyGraphql } from '../helpers/oracle-draw.ts'

let oracleSite: OracleSite
beforeAll(async () => {
  oracleSite = await openOracleSite()
})
afterAll(() => oracleSite?.app.close())

test('REST lists of events match the oracle', async () => {
  const names = new Set<string>(onlyGraphql)
  const draws = Object.fromEntries(Object.entries(eventDraws(oracleSite.world)).filter(([name]) => !names.has(name)))
  await check(oracleSite, { kind: 'events', legacy: true, draws, each: 2 })
})

test('GraphQL lists of events match the oracle', async () => {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after, strict_dates, ...draws } =
    eventDraws(oracleSite.world)
  const orders = [
    ...['START', 'START_LOCAL', 'END', 'PUBLICATION', 'MODIFIED', 'TITLE', 'DISTANCE', 'RELEVANCE'],
    ...['PRICE', 'ALL_DAY', 'PLACE_NAME'],
  ]
  await check(oracleSite, { kind: 'events', legacy: false, draws, orders, byNumber: ['DISTANCE'], each: 2 })
})
