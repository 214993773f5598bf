// The table of contract c.8 with the corrections of h.8: from stored prices to the response.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

it.each<[string[], string, string, string, string[]]>([
  [['20$'], '$', 'postfix', '20$', ['20']],
  [['$20'], '$', 'prefix', '$20', ['20']],
  [['0$', '20$', '30$'], '$', 'postfix', 'Free – 30$', ['0', '20', '30']],
  [['23'], '', '', '$23', ['23']],
  [['$0'], '$', 'prefix', 'Free', ['0']],
  [['Free'], '', '', 'Free', ['free']],
  [['Donation'], '', '', 'Donation', ['donation']],
  [['10-20'], '', '', '$10 – $20', ['10', '20']],
  [['10$, 20$'], '$', 'postfix', '10$ – 20$', ['10', '20']],
  [['20 EUR'], 'EUR', 'postfix', '20EUR', ['20']],
  [['USD 20'], 'USD', 'prefix', 'USD20', ['20']],
  [['25,55'], '', '', '$25,55', ['25.55']],
  [['1,000'], '', '', '$1,000', ['1000']],
  [['$5', '$5'], '$', 'prefix', '$5', ['5']],
  [['from 20 to 30 dollars'], '', '', '$20 – $30', ['20', '30']],
  [['Free, 20'], '', '', '$20', ['20']],
  [['10, 20'], '', '', '$10 – $20', ['10', '20']],
  [[''], '', '', '', []],
  [[], '', '', '', []],
])('prices %j', async (cost, currency_symbol, currency_position, text, values) => {
  const id = await makeEvent(app.db, 'Choir', { cost })
  const { body } = await app.get(`/cal/events/v1/events/${id}`)
  expect(body.cost).toBe(text)
  expect(body.cost_details).toStrictEqual({ currency_symbol, currency_code: '', currency_position, values })
})
