// The cost examples of contract c.8, h.8 and QUIRK-23, from the request to the response.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, encodingsOf, newRecord, ns, numbered } from '../helpers/rest.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

const costs: readonly [unknown, string, string, string, string[]][] = [
  ['20$', '$', 'postfix', '20$', ['20']],
  ['$20', '$', 'prefix', '$20', ['20']],
  [['0$', '20$', '30$'], '$', 'postfix', 'Free – 30$', ['0', '20', '30']],
  ['23', '', '', '$23', ['23']],
  [23, '', '', '$23', ['23']],
  [0, '', '', 'Free', ['0']],
  ['0', '', '', 'Free', ['0']],
  ['$0', '$', 'prefix', 'Free', ['0']],
  ['Free', '', '', 'Free', ['free']],
  ['Donation', '', '', 'Donation', ['donation']],
  ['10-20', '', '', '$10 – $20', ['10', '20']],
  ['10$, 20$', '$', 'postfix', '10$ – 20$', ['10', '20']],
  ['10, 20', '', '', '$10 – $20', ['10', '20']],
  ['20 EUR', 'EUR', 'postfix', '20EUR', ['20']],
  ['USD 20', 'USD', 'prefix', 'USD20', ['20']],
  ['25,55', '', '', '$25,55', ['25.55']],
  ['1,000', '', '', '$1,000', ['1000']],
  ['$1,234.50', '$', 'prefix', '$1,234.50', ['1234.50']],
  ['€6.50 - €8.50', '€', 'prefix', '€6.50 – €8.50', ['6.50', '8.50']],
  [['$5', '$5'], '$', 'prefix', '$5', ['5']],
  [[5, 7.5], '', '', '$5 – $7.5', ['5', '7.5']],
  ['from 20 to 30 dollars', '', '', '$20 – $30', ['20', '30']],
  ['Free, 20', '', '', '$20', ['20']],
  ['<b>12</b>', '', '', '$12', ['12']],
  [[], '', '', '', []],
  ['', '', '', '', []],
  [[''], '', '', '', []],
]

it.each(numbered(costs))('%j', async (cost, currency_symbol, currency_position, text, values, index) => {
  const details = { currency_symbol, currency_code: '', currency_position, values }
  for (const [name, encode] of encodingsOf(index)) {
    const { status, body } = await admin.send('POST', `${ns}/events`, encode({ ...newRecord('events', 'Paid'), cost }))
    expect([status, body.cost, body.cost_details], name).toEqual([201, text, details])
    const path = `${ns}/events/${body.id}`
    await admin.send('PUT', path, { cost: '99' })
    // A form cannot contain an empty list.
    const changed = await admin.send('PUT', path, encode({ title: 'Changed', cost }))
    if (name === 'JSON' || JSON.stringify(cost) !== '[]') expect(changed.body.cost, name).toBe(text)
  }
})

it.each(encodings)('an empty cost by %s removes the prices', async (_, encode) => {
  const { body } = await admin.send('POST', `${ns}/events`, { ...newRecord('events', 'Paid'), cost: '5' })
  expect((await admin.send('PUT', `${ns}/events/${body.id}`, encode({ cost: '' }))).body.cost).toBe('')
})
