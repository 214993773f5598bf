// Dates and times as people and spreadsheet programs write them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { csvOf, openSheets, type Sheets } from './sheet.ts'

let app: TestApp
let sheets: Sheets
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris' })
  sheets = await openSheets(app)
})
afterAll(async () => {
  sheets.close()
  await app.close()
})

/** The start of the event in each row, or what is wrong with the row. */
async function startsOf(cells: readonly Readonly<Record<string, string>>[], mapping?: object): Promise<string[]> {
  const columns = ['title', 'duration', ...new Set(cells.flatMap((row) => Object.keys(row)))]
  const rows = cells.map((row, index) =>
    columns.map((column) => ({ title: `${index}`, duration: '60', ...row })[column] ?? ''),
  )
  const report = await sheets.importCsv(csvOf(columns, ...rows), {
    continueAfterErrors: true,
    ...(mapping && { mapping: { columns: {}, ...mapping } }),
  })
  const starts = new Map(report.errors.map(({ row, message }) => [row, message]))
  for (const { row, id } of report.changes) {
    const { startsLocal } = await app.db.event.findUniqueOrThrow({ where: { id } })
    starts.set(row, startsLocal.toISOString().slice(0, 16))
  }
  return cells.map((_, index) => starts.get(index + 2) ?? '')
}

const evening = '2026-12-24T20:00'
const half = '2026-12-24T20:30'

test.each([
  [
    'times',
    evening,
    [
      '20:00',
      '20:00:00',
      '8:00 p. m.',
      '8:00 p.m.',
      '8:00\u00a0p.\u00a0m.',
      '8 p.m.',
      '8 PM',
      '8pm',
      '08:00 PM',
      '20h',
      '20 h',
    ],
  ],
  ['times in words', evening, ['20H', '20 hs', '20:00h', '20:00 hrs.', '20:00 Uhr', '20 Uhr', '20 heures', '20 horas']],
  [
    'times of spreadsheet programs',
    evening,
    ["'20:00", '8:00:00 PM', '0.833333333333333', '0,8333333333', '.8333333333'],
  ],
  [
    'half hours',
    half,
    ['20:30', '20h30', '20 h 30', '20H30', '20.30', '20.30 Uhr', '20 Uhr 30', '20h30min', '20 : 30', '8.30pm'],
  ],
])('%s', async (_, start, times) => {
  const starts = await startsOf(times.map((time) => ({ start_date: '2026-12-24', start_time: time })))
  expect(Object.fromEntries(times.map((time, index) => [time, starts[index]]))).toEqual(
    Object.fromEntries(times.map((time) => [time, start])),
  )
})

test('noon and midnight', async () => {
  const words = ['noon', 'midi', 'Mediodía', 'midnight', 'minuit', 'medianoche', '12 pm', '12:00 a.m.']
  const starts = await startsOf(words.map((word) => ({ start_date: '2026-12-24', start_time: word })))
  expect(starts.map((start) => start.slice(11))).toEqual([
    ...['12:00', '12:00', '12:00', '00:00', '00:00', '00:00', '12:00', '00:00'],
  ])
})

test.each(['25:00', '20:60', '13 am', '0.25', '90 min', '20h-22h', 'evening', '20:00:00:00', '8 x.m.'])(
  'the time %s is an error',
  async (time) => {
    expect(await startsOf([{ start_date: '2026-12-24', start_time: time }])).toEqual([
      expect.stringContaining(`"${time}"`),
    ])
  },
)

test.each([
  '24 décembre 2026 à 20h',
  '24 decembre 2026, 20:00',
  '24\u00a0déc.\u00a02026\u202f20\u202fh\u202f00',
  'jeu. 24 déc. 2026 20h00',
  'Jeudi 24 décembre 2026 à 20 heures',
  '24 de diciembre de 2026 a las 20:00',
  'jueves, 24 de diciembre de 2026, 8:00 p. m.',
  '24 dic 2026 20:00',
  '24-dic-2026 20:00',
  'Dec 24, 2026 8 PM',
  'Thursday, December 24th, 2026 at 8:00 pm',
  'Thu Dec 24 2026 20:00',
  'Thu 24 Dec 2026, 20.00',
  'the 24th of December 2026 at 8 p.m.',
  '24-Dec-2026 20:00',
  '24-Dec-26 20:00',
  '2026 December 24 20:00',
  'Donnerstag, 24. Dezember 2026, 20 Uhr',
  '20:00 24 December 2026',
  '8 p. m. 24 de diciembre de 2026',
  '20h00, 24 décembre 2026',
  '20:00 24/12/2026',
  '24/12/2026 20:00',
  '24.12.2026 20.00 Uhr',
  '24.12.2026, 20:00',
  '12/24/2026 8:00 PM',
  'jeu. 24/12/2026 20h',
  '2026/12/24 20:00',
  '2026.12.24 20:00',
  '20:00 2026-12-24',
  '2026-12-24 8 pm',
  "'2026-12-24 20:00",
  '2026-12-24T20h00',
  '46380.8333333333',
  '46380,8333333333',
])('the date %s', async (start) => {
  expect(await startsOf([{ start }])).toEqual([evening])
})

test.each([
  ['1er janvier 2027 20h', '2027-01-01T20:00'],
  ['1.º de enero de 2027 20:00', '2027-01-01T20:00'],
  ['mar. 24 mars 2026 20h', '2026-03-24T20:00'],
  ['mar 24 mar 2026 20:00', '2026-03-24T20:00'],
  ['mar. 22 déc. 2026 20:00', '2026-12-22T20:00'],
  ['sáb. 1 ago. 2026 20:00', '2026-08-01T20:00'],
  ['3 août 2026 midi', '2026-08-03T12:00'],
  ['14 juil. 2026 20h', '2026-07-14T20:00'],
  ['5 May 2026 20:00', '2026-05-05T20:00'],
  ['05/05/2026 20:00', '2026-05-05T20:00'],
  ['29 febrero 2028 20:00', '2028-02-29T20:00'],
])('the date %s is %s', async (start, expected) => {
  expect(await startsOf([{ start }])).toEqual([expected])
})

test.each([
  ['03/04/2026 20:00', /different days/],
  ['20:00 3.4.2026', /different days/],
  ['24/12/26 20:00', /different days/],
  ['24 jui 2026 20:00', /not a date such as/],
  ['24 December 20:00', /not a date such as/],
  ['24 Dec 2026 20 min', /not a date such as/],
  ['24 Dec 2026 20', /not a date such as/],
  ['24 and 25 December 2026 20:00', /not a date such as/],
  ['24 Foo 2026 20:00', /not a date such as/],
  ['Friday, 24 December 2026 20:00', /another day of the week/],
  ['31 February 2026 20:00', /not a date that exists/],
  ['24 December 2026 25:00', /a time that does not exist/],
  ['24 December 2026', /has no time/],
  ['next Friday 20:00', /not a date such as/],
  ['46380', /has no time/],
  ['12345678', /not a date such as/],
])('the date %s is an error', async (start, message) => {
  expect(await startsOf([{ start }])).toEqual([expect.stringMatching(message)])
})

test.each([
  ['hh:mm dd/mm/yyyy', '20:00 03/04/2026', '2026-04-03T20:00'],
  ['hh:mm am mm/dd/yyyy', '8:00 p. m. 03/04/2026', '2026-03-04T20:00'],
  ['hh:mm:ss dd.mm.yyyy', '20:00:15 03.04.2026', '2026-04-03T20:00'],
  ['dd/mm/yyyy', '03/04/2026 20h', '2026-04-03T20:00'],
  ['dd/mm/yyyy', '8 p.m. 03/04/2026', '2026-04-03T20:00'],
  ['dd/mm/yyyy hh:mm', '03/04/2026\u00a020:00', '2026-04-03T20:00'],
  ['dd mmm yy hh:mm', '3 avr. 26 20:00', '2026-04-03T20:00'],
  ['mmmm dd, yyyy hh:mm am', 'abril 3, 2026 8:00 PM', '2026-04-03T20:00'],
])('the format %s reads %s', async (dates, start, expected) => {
  expect(await startsOf([{ start }], { dates })).toEqual([expected])
})

test('a serial date and a part of a day may have columns of their own', async () => {
  expect(await startsOf([{ start_date: '46380', start_time: '0.8333333333' }])).toEqual([evening])
})
