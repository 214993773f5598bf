// Categories and tags: every filter alone and in pairs, in both APIs, compared with the oracle.
import { afterAll, beforeAll, test } from 'vitest'
import { check, type Draws, type OracleSite, openOracleSite } from '../helpers/oracle-check.ts'
import { termDraws } from '../helpers/oracle-draw.ts'

let oracleSite: OracleSite
beforeAll(async () => {
  oracleSite = await openOracleSite()
})
afterAll(() => oracleSite?.app.close())

const ordered = ['NAME', 'SLUG', 'NUMBER', 'DESCRIPTION', 'COUNT', 'INCLUDE']
const byNumber = ['DESCRIPTION', 'COUNT', 'INCLUDE', 'PARENT']

test.each([
  { kind: 'categories', legacy: true },
  { kind: 'categories', legacy: false },
  { kind: 'tags', legacy: true },
  { kind: 'tags', legacy: false },
] as const)('lists of $kind match the oracle; REST: $legacy', async ({ kind, legacy }) => {
  const { parent, translatedInto, missingTranslation, ...others } = termDraws(oracleSite.world, kind)
  const common: Draws = legacy ? others : { ...others, translatedInto, missingTranslation }
  const draws: Draws = kind === 'categories' ? { ...common, parent } : common
  const orders = [...ordered, ...(kind === 'categories' ? ['PARENT'] : []), ...(legacy ? [] : ['RELEVANCE'])]
  await check(oracleSite, { kind, legacy, draws, orders, byNumber, each: 4 })
})
