// The stored category paths match the parents after any moves, insertions and deletions.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'
import { brokenPaths } from '../helpers/tree.ts'
import { read, write } from '../helpers/write.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const step = fc.record({
  act: fc.constantFrom('create' as const, 'update' as const, 'update' as const, 'update' as const, 'delete' as const),
  of: fc.nat(20),
  below: fc.option(fc.nat(20)),
})

test('stored paths match the parents after random moves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      await truncate(app.db)
      const admin = await app.signIn('administrator')
      const ids: number[] = []
      for (let n = 0; n < 6; n += 1) ids.push(await makeCategory(app.db, `C${n}`, ids[n - 2] ?? null))
      for (const [n, { act, of, below }] of steps.entries()) {
        const id = ids[of % ids.length]
        const parentId = below === null ? null : ids[below % ids.length]
        const input = { create: { name: `New ${n}`, parentId }, update: { id, parentId }, delete: { id } }[act]
        const { record, errors } = await write(admin, act, 'category', input)
        expect(errors.filter((error) => error !== 'BAD_INPUT parentId')).toEqual([])
        if (act === 'create') ids.push(record?.databaseId as number)
        if (act === 'delete') ids.splice(of % ids.length, 1)
        expect(await brokenPaths(app.db)).toEqual([])
        if (ids.length === 0) break
      }
    }),
    { numRuns: runs(15) },
  )
})

test('deleting a category moves its children to its parent and unlinks its events', async () => {
  await truncate(app.db)
  const admin = await app.signIn('administrator')
  const top = await makeCategory(app.db, 'Top')
  const middle = await makeCategory(app.db, 'Middle', top)
  const low = await makeCategory(app.db, 'Low', middle)
  const event = await makeEvent(app.db, 'Party', { categoryIds: [middle, low] })
  expect((await write(admin, 'delete', 'category', { id: middle })).errors).toEqual([])
  expect(await read(admin, 'category', low, 'parent { name }')).toEqual({ parent: { name: 'Top' } })
  expect(await read(admin, 'event', event, 'categories { name }')).toEqual({ categories: [{ name: 'Low' }] })
  const { body } = await admin.graphql(`{ eventsPage(filter: { categories: [${top}] }) { total } }`)
  expect(body.data.eventsPage.total).toBe(1)
})

test('a category without a parent is a root category, and 0 is the ID of no category', async () => {
  await truncate(app.db)
  const admin = await app.signIn('administrator')
  const low = await makeCategory(app.db, 'Low', await makeCategory(app.db, 'Top'))
  const move = (parentId: number | null) => write(admin, 'update', 'category', { id: low, parentId }, 'parent { name }')
  expect(await move(0)).toEqual({ record: null, errors: ['BAD_INPUT parentId'] })
  expect(await move(null)).toEqual({ record: { parent: null }, errors: [] })
})
