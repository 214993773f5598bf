import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { imagePath, saveImage } from '../../../src/calendar/image/storage/files.ts'
import { registerDatabaseOfFolder } from '../../../src/calendar/image/storage/folder-users.ts'
import { removeUnusedFiles } from '../../../src/calendar/image/storage/remove-unused.ts'
import { openTestDatabase, type TestDatabase, truncate } from '../../helpers/db.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-clean-'))
  await truncate(database.db)
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => database?.close())

const now = new Date()
const long = new Date(now.getTime() - 3_700_000)

/** The path of a file that was written an hour ago or more. */
function old(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) writeFileSync(path, 'x')
  utimesSync(path, long, long)
  return path
}

async function save(text: string): Promise<{ name: string; path: string }> {
  const name = await saveImage(folder, Buffer.from(text), 'png')
  return { name, path: imagePath(folder, name) ?? '' }
}

it('removes only old files that no image uses', async () => {
  const [remaining, small, orphan, fresh] = [
    await save('used'),
    await save('small'),
    await save('orphan'),
    await save('new'),
  ]
  const sizes = [{ name: 's', url: `/images/${small.name}`, width: 1, height: 1, mimeType: 'image/png' }]
  await database.db.image.create({ data: { url: `/images/${remaining.name}`, mimeType: 'image/png', sizes } })
  for (const { path } of [remaining, small, orphan]) old(path)
  const draft = old(join(dirname(orphan.path), '.0b1c2d3e-0000-4000-8000-000000000000.tmp'))
  const strangers = [
    old(join(folder, 'notes.txt')),
    old(join(dirname(remaining.path), 'notes.png')),
    old(join(folder, 'a', 'x')),
  ]

  const shown = await removeUnusedFiles(folder, database.db, { now, dryRun: true })
  expect(shown.files.toSorted()).toEqual([orphan.name, draft.slice(-41)].toSorted())
  expect([existsSync(orphan.path), existsSync(draft)]).toEqual([true, true])

  expect((await removeUnusedFiles(folder, database.db, { now, dryRun: true, onlyDrafts: true })).files).toEqual([
    draft.slice(-41),
  ])
  expect(await removeUnusedFiles(folder, database.db, { now })).toEqual({ ...shown, bytes: 7 })
  expect([existsSync(orphan.path), existsSync(draft)]).toEqual([false, false])
  for (const path of [remaining.path, small.path, fresh.path, ...strangers]) expect(existsSync(path)).toBe(true)
  expect(await removeUnusedFiles(folder, database.db, { now })).toEqual({ files: [], bytes: 0 })
})

it('storing a file again renews its modification time', async () => {
  const { path } = await save('again')
  old(path)
  await save('again')
  expect((await removeUnusedFiles(folder, database.db, { now })).files).toEqual([])
  expect(existsSync(path)).toBe(true)
})

it('ignores a missing folder', async () => {
  expect(await removeUnusedFiles(join(folder, 'none'), database.db, { now })).toEqual({ files: [], bytes: 0 })
})

it('a folder registers the databases that use it, without their logins', async () => {
  const [one, other] = ['postgresql://user:secret@db.test/one', 'pglite:./other']
  expect(await registerDatabaseOfFolder(join(folder, 'new'), one)).toEqual({ isKnown: true, others: [] })
  expect(await registerDatabaseOfFolder(folder, one)).toEqual({ isKnown: false, others: [] })
  expect(await registerDatabaseOfFolder(folder, one)).toEqual({ isKnown: true, others: [] })
  const { isKnown, others } = await registerDatabaseOfFolder(folder, other)
  expect([isKnown, others.map(({ name }) => name)]).toEqual([false, ['db.test/one']])
})
