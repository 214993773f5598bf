// Exported spreadsheets, imported again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SheetKindName, sheetKinds } from '../../../src/tools/spreadsheets/kinds.ts'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeUser } from '../../helpers/users.ts'
import { makeUnusualRecords } from '../unusual-records.ts'
import { openSheets, type Sheets } from './sheet.ts'

let app: TestApp
let sheets: Sheets
beforeAll(async () => {
  // Every kind but categories has more records than a page.
  app = await openTestApp({ PER_PAGE_MAX: '20' })
  await makeUnusualRecords(app, await makeUser(app.db, 'editor'), 6)
  sheets = await openSheets(app)
})
afterAll(async () => {
  sheets.close()
  await app.close()
})

const versions = async () => ({
  events: await app.db.event.findMany({ select: { id: true, modifiedAt: true }, orderBy: { id: 'asc' } }),
  venues: await app.db.venue.findMany({ select: { id: true, modifiedAt: true }, orderBy: { id: 'asc' } }),
})

const kinds = Object.keys(sheetKinds) as SheetKindName[]

test.each(kinds)('an export of %s in all languages, imported unchanged, writes nothing', async (kind) => {
  const before = await versions()
  const text = await sheets.exportCsv(kind)
  const report = await sheets.importCsv(text, { kind })
  expect({ ...report, rows: 0, unchanged: 0 }).toEqual({
    dryRun: false,
    written: true,
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    changes: [],
    errors: [],
    notes: [],
    ignoredColumns: [],
  })
  expect(report.unchanged).toBeGreaterThan(10)
  expect(await versions()).toEqual(before)
  expect(await sheets.exportCsv(kind)).toBe(text)
})
