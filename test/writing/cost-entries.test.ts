// The prices of an event are stored as they were entered: reading and writing them back changes nothing.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { ns } from '../helpers/rest.ts'
import { runs } from '../helpers/runs.ts'
import { party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const selection = 'costEntries cost { text currencySymbol currencyPosition values }'
const prices = [
  '20$',
  '0',
  'Free',
  '10, 20',
  '1,234.50 EUR',
  '<b>12</b>',
  '<<i>b>5',
  'a < b',
  '5 & up',
  'é\u0301',
  '0€ – 7€',
]
const entry = fc.oneof(
  fc.constantFrom(...prices),
  fc.string({ unit: fc.constantFrom(' ', '\t', '<', '>', 'b', '/', '1', ',', '$', '€', 'e\u0301'), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
)
const costs = fc.array(entry, { maxLength: 4 })

test('prices are returned as they were entered', async () => {
  const entered = ['10, 20 EUR', 'Free', '<b>5</b>', '0', '5', '5']
  const { record } = await write(admin, 'create', 'event', { ...party, cost: entered }, 'costEntries')
  expect(record).toEqual({ costEntries: entered })
  const { body } = await admin.send('POST', `${ns}/events`, {
    ...{ title: 'Party', start_date: '2026-12-24 20:00', end_date: '2026-12-24 23:00' },
    cost: entered,
  })
  expect(await read(app, 'event', body.id, 'costEntries')).toEqual({ costEntries: entered })
})

test('blanks around a price, line breaks and empty prices are not stored', async () => {
  const cost = [' 5 €\n', '', ' ', 'two\r\nlines']
  const { record } = await write(admin, 'create', 'event', { ...party, cost }, 'costEntries')
  expect(record).toEqual({ costEntries: ['5 €', 'two lines'] })
})

test('prices that GraphQL returns can be written back with GraphQL and REST without a change', async () => {
  const id = await written(admin, 'create', 'event', party)
  const path = `${ns}/events/${id}`
  await fc.assert(
    fc.asyncProperty(costs, fc.boolean(), async (cost, isWrittenByRest) => {
      if (isWrittenByRest) expect((await admin.send('PUT', path, { cost })).status).toBe(200)
      else expect((await write(admin, 'update', 'event', { id, cost })).errors).toEqual([])
      const before = await read(app, 'event', id, selection)
      const legacy = (await app.get(path)).body
      expect((await write(admin, 'update', 'event', { id, cost: before.costEntries })).errors).toEqual([])
      expect(await read(app, 'event', id, selection)).toEqual(before)
      expect((await admin.send('PUT', path, { cost: before.costEntries })).status).toBe(200)
      expect(await read(app, 'event', id, selection)).toEqual(before)
      expect((await app.get(path)).body).toMatchObject({ cost: legacy.cost, cost_details: legacy.cost_details })
    }),
    { numRuns: runs(60, 5) },
  )
})

test('readers of the derived cost see no tags', async () => {
  const { record } = await write(admin, 'create', 'event', { ...party, cost: ['<b>$5</b>', '$<i>7</i>'] }, selection)
  expect(record).toEqual({
    costEntries: ['<b>$5</b>', '$<i>7</i>'],
    cost: { text: '$5 – $7', currencySymbol: '$', currencyPosition: 'PREFIX', values: ['5', '7'] },
  })
})
