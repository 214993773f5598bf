import { expect, test } from 'vitest'
import { parseCost } from '../../../src/calendar/event/cost.ts'

const dollar = { defaultCurrencySymbol: '$', defaultCurrencyPosition: 'prefix' } as const

type Row = [input: string | string[], symbol: string, position: string, text: string, values: string[]]

const golden: Row[] = [
  ['20$', '$', 'postfix', '20$', ['20']],
  ['$20', '$', 'prefix', '$20', ['20']],
  [['0$', '20$', '30$'], '$', 'postfix', 'Free – 30$', ['0', '20', '30']],
  ['23', '', '', '$23', ['23']],
  ['$0', '$', 'prefix', 'Free', ['0']],
  ['Free', '', '', 'Free', ['free']],
  ['Donation', '', '', 'Donation', ['donation']],
  ['10-20', '', '', '$10 – $20', ['10', '20']],
  ['10$, 20$', '$', 'postfix', '10$ – 20$', ['10', '20']],
  ['20 EUR', 'EUR', 'postfix', '20EUR', ['20']],
  ['USD 20', 'USD', 'prefix', 'USD20', ['20']],
  ['25,55', '', '', '$25,55', ['25.55']],
  ['1,000', '', '', '$1,000', ['1000']],
  [['$5', '$5'], '$', 'prefix', '$5', ['5']],
  ['from 20 to 30 dollars', '', '', '$20 – $30', ['20', '30']],
  ['Free, 20', '', '', '$20', ['20']],
]

// Contract h.8 and QUIRK-23.
const corners: Row[] = [
  ['10, 20', '', '', '$10 – $20', ['10', '20']],
  ['0', '', '', 'Free', ['0']],
  [['0'], '', '', 'Free', ['0']],
  ['0.00', '', '', 'Free', ['0.00']],
  ['1,234.50', '', '', '$1,234.50', ['1234.50']],
  ['1.234,50', '', '', '$1.234,50', ['1234.50']],
  ['1,234,567', '', '', '$1,234,567', ['1234567']],
  ['$1,234.50', '$', 'prefix', '$1,234.50', ['1234.50']],
  ['€6.50 - €8.50', '€', 'prefix', '€6.50 – €8.50', ['6.50', '8.50']],
  ['6,50 € - 8,50 €', '€', 'postfix', '6,50€ – 8,50€', ['6.50', '8.50']],
  ['5,50 7,50', '', '', '$5,50 – $7,50', ['5.50', '7.50']],
  [['30', '5', '100'], '', '', '$5 – $100', ['5', '30', '100']],
  [['$5', '€7'], '', '', '$5 – €7', ['5', '7']],
  [['$5', '7$'], '$', '', '$5 – $7', ['5', '7']],
  [['Free', '$20'], '$', 'prefix', 'Free – $20', ['0', '20']],
  [['Donation', 'Free'], '', '', 'Donation, Free', ['donation', 'free']],
  [' $20 ', '$', 'prefix', '$20', ['20']],
]

test.each([...golden, ...corners])('%j costs', (input, currencySymbol, currencyPosition, text, values) => {
  const entries = typeof input === 'string' ? [input] : input
  expect(parseCost(entries, dollar)).toMatchObject({ currencySymbol, currencyPosition, text, values })
})

test.each([[[]], [['']], [[' ', '']]])('%j has no cost', (entries) => {
  expect(parseCost(entries, dollar)).toBeUndefined()
})

test.each([
  [['5', '10'], '5€ – 10€'],
  [['$5'], '$5'],
  [['5$'], '5$'],
  [['CHF 5'], 'CHF5'],
  [['0'], 'Free'],
])('%j has the currency of the site by default', (entries, text) => {
  const euro = { defaultCurrencySymbol: '€', defaultCurrencyPosition: 'postfix' } as const
  expect(parseCost(entries, euro)?.text).toBe(text)
})
