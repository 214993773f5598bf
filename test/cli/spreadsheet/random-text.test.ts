// Any text survives an export and an import.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinItems, splitItems } from '../../../src/tools/spreadsheets/cells.ts'
import { formatCsvRow, readCsv } from '../../../src/tools/spreadsheets/csv.ts'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { csvOf, openSheets, type Sheets } from './sheet.ts'

let app: TestApp
let sheets: Sheets
beforeAll(async () => {
  app = await openTestApp()
  sheets = await openSheets(app)
})
afterAll(async () => {
  sheets.close()
  await app.close()
})

/** Text with what breaks spreadsheets: quotes, delimiters, line breaks, formulas, apostrophes. */
const piece = fc.constantFrom(
  '=1+1',
  '+',
  '-',
  '@',
  "'",
  '"',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  '|',
  '\\',
  '#12',
  '＝',
  ' ',
  'é',
  '日本',
  '🎉',
  '<b>',
  '&amp;',
)
const text = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 5, unit: 'grapheme' })), { maxLength: 8 })
  .map((parts) => parts.join(''))

async function* bytesOf(content: string, size: number) {
  const bytes = new TextEncoder().encode(content)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const cellsOf = async (content: string, delimiter?: string, size = 7) => {
  const rows: (readonly string[])[] = []
  for await (const { cells } of readCsv(bytesOf(content, size), { delimiter })) rows.push(cells)
  return rows
}

test('cells are the same after writing and reading, with any delimiter', async () => {
  const cell = text.map((value) => value.toWellFormed())
  const row = fc.array(cell, { minLength: 2, maxLength: 5 }).filter((cells) => cells.some((each) => each !== ''))
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.integer({ min: 1, max: 50 }),
      async (rows, delimiter, size) => {
        const content = rows.map((cells) => formatCsvRow(cells, delimiter)).join('')
        expect(await cellsOf(content, delimiter, size)).toEqual(rows)
      },
    ),
  )
})

test('no written cell starts a formula', () => {
  fc.assert(
    fc.property(text, (cell) => {
      const written = formatCsvRow([cell, 'x'], ',').replace(/^"/, '')
      expect(written).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }),
    { examples: [...'=+-@\t\r\n＝＋－＠'].map((start) => [`${start}A1`]) },
  )
})

test('lists are the same after joining and splitting', () => {
  const item = text.map((value) => value.trim()).filter((value) => value !== '')
  fc.assert(
    fc.property(fc.array(item), (items) => {
      expect(splitItems(joinItems(items))).toEqual(items)
    }),
  )
})

test('events with any text in three languages are the same after an export and an import', async () => {
  const name = text.map((value) => `x${value}`)
  const event = fc.record({
    en: name,
    fr: text,
    es: name,
    description: text,
    tags: fc.uniqueArray(name, { maxLength: 2 }),
    custom: text,
    cost: text,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 3 }), async (events) => {
      const headings = [
        'title:en',
        'title:fr',
        'title:es',
        'description:fr',
        'tags',
        'custom:=key',
        'cost',
        'start',
        'end',
      ]
      const rows = events.map(({ en, fr, es, description, tags, custom, cost }) => [
        ...[en, fr, es, description, joinItems(tags), custom, joinItems([cost])],
        ...['2027-01-31T18:00', '2027-01-31T20:00'],
      ])
      const report = await sheets.importCsv(csvOf(headings, ...rows), { createMissing: true })
      expect(report.errors).toEqual([])
      const include = report.changes.map(({ id }) => `${id}`)
      const withIds = rows.map((row, index) => [include[index] ?? '', ...row])
      const again = await sheets.importCsv(csvOf(['id', ...headings], ...withIds))
      expect(again).toMatchObject({ unchanged: events.length, changes: [], errors: [] })
      for (const languages of [['en', 'fr', 'es'], ['fr']]) {
        const exported = await sheets.exportCsv('events', { languages, filter: { include } })
        expect(await sheets.importCsv(exported)).toMatchObject({ unchanged: events.length, changes: [], errors: [] })
        const json = await sheets.exportJson('events', { languages, filter: { include } })
        expect(await sheets.importJson(json)).toMatchObject({ unchanged: events.length, changes: [], errors: [] })
      }
    }),
    { numRuns: 8 },
  )
})
