// The stored counts of events per term equal the counted ones after any sequence of writes.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeTag } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'
import { makeUser } from '../helpers/users.ts'
import { party, write } from '../helpers/write.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const columns = 'published_at::text, password_key, author_id, sum(events)::int AS count'
const stored = () =>
  app.db.$queryRawUnsafe(`
    SELECT 'category' AS kind, category_id AS id, ${columns} FROM category_count GROUP BY 2, 3, 4, 5 HAVING sum(events) <> 0
    UNION ALL SELECT 'tag', tag_id, ${columns} FROM tag_count GROUP BY 2, 3, 4, 5 HAVING sum(events) <> 0
    ORDER BY 1, 2, 3, 4, 5`)

const counted = () => app.db.$queryRaw`
  SELECT kind, l.id, (CASE WHEN e.status = 'future' OR e.published_at > now() THEN e.published_at ELSE '0001-01-01 00:00:00+00' END)::text AS published_at,
    coalesce(e.password_key, '') AS password_key,
    CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END AS author_id, count(*)::int AS count
  FROM (
    SELECT 'category' AS kind, category_id AS id, event_id FROM event_category
    UNION ALL SELECT 'tag', tag_id, event_id FROM event_tag
  ) AS l JOIN event e ON e.id = l.event_id
  WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`

const later = new Date('2026-12-24T12:00:00Z')
type Fixture = { events: number[]; categories: number[]; tags: number[]; authorId: number }
type Step = readonly [name: keyof typeof steps, event: number, term: number]

const at = (ids: readonly number[], index: number) => ids[index % ids.length] ?? 0

const steps = {
  link: ({ events, categories, tags }: Fixture, e: number, t: number) =>
    app.db.$transaction([
      app.db.contentCategory.createMany({
        data: [{ contentId: at(events, e), categoryId: at(categories, t) }],
        skipDuplicates: true,
      }),
      app.db.contentTag.createMany({
        data: tags.map((tagId) => ({ contentId: at(events, e), tagId })),
        skipDuplicates: true,
      }),
    ]),
  unlink: ({ events, categories }: Fixture, e: number, t: number) =>
    app.db.contentCategory.deleteMany({ where: { contentId: at(events, e), categoryId: at(categories, t) } }),
  clear: ({ events }: Fixture, e: number) => app.db.contentTag.deleteMany({ where: { contentId: at(events, e) } }),
  publish: ({ events }: Fixture, e: number) =>
    app.db.event.updateMany({ where: { id: at(events, e) }, data: { status: 'publish' } }),
  withdraw: ({ events }: Fixture, e: number) =>
    app.db.event.updateMany({ where: { id: { in: [at(events, e), at(events, e + 1)] } }, data: { status: 'trash' } }),
  schedule: ({ events }: Fixture, e: number) =>
    app.db.event.updateMany({ where: { id: at(events, e) }, data: { status: 'future', publishedAt: later } }),
  'change author': ({ events, authorId }: Fixture, e: number) =>
    app.db.event.updateMany({ where: { id: at(events, e) }, data: { authorId } }),
  lock: ({ events }: Fixture, e: number) =>
    app.db.event.updateMany({ where: { id: at(events, e) }, data: { passwordKey: 'key' } }),
  open: ({ events }: Fixture, e: number) =>
    app.db.event.updateMany({ where: { id: at(events, e) }, data: { passwordKey: null } }),
  'delete event': ({ events }: Fixture, e: number) => app.db.event.deleteMany({ where: { id: at(events, e) } }),
  'delete category': ({ categories }: Fixture, _e: number, t: number) =>
    app.db.category.deleteMany({ where: { id: at(categories, t) } }),
} as const

test('stored counts match the events after every random write', async () => {
  const name = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]))
  const step: fc.Arbitrary<Step> = fc.tuple(name, fc.nat(3), fc.nat(2))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (sequence) => {
      await truncate(app.db)
      const { id: authorId } = await makeUser(app.db, 'author')
      const categories = [
        await makeCategory(app.db, 'A'),
        await makeCategory(app.db, 'B'),
        await makeCategory(app.db, 'C'),
      ]
      const tags = [await makeTag(app.db, 'a'), await makeTag(app.db, 'b')]
      const events: number[] = []
      for (const status of ['publish', 'publish', 'draft', 'future'] as const) {
        events.push(await makeEvent(app.db, `E ${status}`, { status, categoryIds: categories.slice(1), tagIds: tags }))
      }
      for (const [which, event, term] of sequence) {
        // Deleted records cannot be linked again.
        await Promise.resolve(steps[which]({ events, categories, tags, authorId }, event, term)).catch((error) => {
          if ((error as { code?: string }).code !== 'P2003') throw error
        })
        expect(await stored()).toEqual(await counted())
      }
    }),
    { numRuns: runs(40, 5) },
  )
})

test('stored counts match the events after concurrent writes', async () => {
  await truncate(app.db)
  const admin = await app.signIn('administrator')
  const categories = [{ nameOrSlug: 'Music' }, { nameOrSlug: 'Jazz' }]
  const created = await Promise.all(
    // On the embedded database, they are executed one after the other.
    Array.from({ length: inject('server') ? 32 : 6 }, (_, n) =>
      write(
        admin,
        'create',
        'event',
        { ...party, categories: n % 2 ? categories : categories.toReversed(), tags: [{ nameOrSlug: 'new' }] },
        'databaseId',
      ),
    ),
  )
  const ids = created.map(({ record }) => record?.databaseId as number)
  await Promise.all(
    ids.map((id, n) => write(admin, 'update', 'event', n % 3 ? { id, categories: [] } : { id, status: 'DRAFT' })),
  )
  expect(await stored()).toEqual(await counted())
  expect(await counted()).not.toEqual([])
})
