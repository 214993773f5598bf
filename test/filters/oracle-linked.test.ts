// Venues and organizers: every filter alone and in pairs, in both APIs, compared with the oracle.
import { afterAll, beforeAll, test } from 'vitest'
import { check, type Draws, type OracleSite, openOracleSite } from '../helpers/oracle-check.ts'
import { linkedDraws } from '../helpers/oracle-draw.ts'

let oracleSite: OracleSite
beforeAll(async () => {
  oracleSite = await openOracleSite()
})
afterAll(() => oracleSite?.app.close())

test.each(['venues', 'organizers'] as const)('REST lists of %s match the oracle', async (kind) => {
  const { search, event, hasEvents, onlyWithUpcoming, status } = linkedDraws(oracleSite.world, kind)
  const draws = { search, event, hasEvents, onlyWithUpcoming, status }
  await check(oracleSite, { kind, legacy: true, draws, each: 6 })
})

test.each(['venues', 'organizers'] as const)('GraphQL lists of %s match the oracle', async (kind) => {
  const { near, located, ...others } = linkedDraws(oracleSite.world, kind)
  const places = kind === 'venues'
  const draws: Draws = places ? { ...others, near, located } : others
  const orders = ['PUBLICATION', 'NAME', 'RELEVANCE', ...(places ? ['DISTANCE'] : [])]
  await check(oracleSite, { kind, legacy: false, draws, orders, byNumber: ['DISTANCE'], each: 5 })
})
