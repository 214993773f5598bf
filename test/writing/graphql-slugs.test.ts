// Slugs are unique within a kind over all languages, released by renaming and trashing, and reserved again by restoring.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'
import { party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
})

const kinds = ['event', 'venue', 'organizer'] as const
type PostKind = (typeof kinds)[number]
const create = (kind: PostKind, name: string, more = {}, root = '') =>
  written(admin, 'create', kind, { ...(kind === 'event' ? { ...party, title: name } : { name }), ...more }, root)

/** The record that a slug finds, or the error code. */
async function owner(kind: PostKind, slug: string, root = ''): Promise<number | string> {
  const { body } = await admin.graphql(`{ result: ${kind}(slug: "${slug}") { databaseId } }`, {}, root)
  return body.data?.result?.databaseId ?? body.errors[0].extensions.code
}

const slugIn = async (kind: PostKind, id: number, root = '') => (await read(admin, kind, id, 'slug', root)).slug

describe.each(kinds)('%s', (kind) => {
  test('a translated name gets a free slug, and each slug finds the record under every root', async () => {
    const first = await create(kind, 'Fête')
    const second = await create(kind, 'Party', { translations: [{ language: 'FR', name: 'Fête' }] })
    expect(await slugIn(kind, second, '/fr')).toBe('fete-2')
    for (const root of ['', '/fr', '/es']) {
      expect([
        await owner(kind, 'fete', root),
        await owner(kind, 'fete-2', root),
        await owner(kind, 'party', root),
      ]).toEqual([first, second, second])
    }
  })

  test('a record may have the same slug in several languages', async () => {
    const id = await create(kind, 'Festival', { translations: [{ language: 'FR', name: 'Festival' }] })
    expect([await slugIn(kind, id), await slugIn(kind, id, '/fr')]).toEqual(['festival', 'festival'])
    await write(admin, 'update', kind, { id, slug: 'renamed' })
    expect([await owner(kind, 'festival'), await owner(kind, 'renamed')]).toEqual([id, id])
  })

  test('changing the slug releases the old one, and changing the name keeps it', async () => {
    const id = await create(kind, 'Old')
    await write(admin, 'update', kind, { id, [kind === 'event' ? 'title' : 'name']: 'Newer' })
    expect(await slugIn(kind, id)).toBe('old')
    await write(admin, 'update', kind, { id: null, currentSlug: 'old', slug: 'New one!' })
    expect([await owner(kind, 'old'), await owner(kind, 'new-one')]).toEqual(['NOT_FOUND', id])
    const other = await create(kind, 'Old')
    expect(await owner(kind, 'old')).toBe(other)
  })

  test('trashing releases the slugs of all languages, and restoring reserves them again', async () => {
    const id = await create(kind, 'Party', { translations: [{ language: 'FR', name: 'Fête' }] })
    const { record } = await write(admin, 'trash', kind, { id }, 'slug status')
    expect(record).toEqual({ slug: 'party__trashed', status: 'TRASH' })
    expect([await owner(kind, 'party'), await owner(kind, 'fete', '/fr')]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect((await write(admin, 'restore', kind, { id }, 'slug status')).record).toEqual({
      slug: 'party',
      status: 'PUBLISHED',
    })
    expect(await owner(kind, 'fete', '/fr')).toBe(id)
  })

  test('restoring adds a suffix to slugs that were taken meanwhile', async () => {
    const id = await create(kind, 'Party', { translations: [{ language: 'FR', name: 'Fête' }] })
    await write(admin, 'trash', kind, { id })
    const other = await create(kind, 'Fête')
    await write(admin, 'restore', kind, { id })
    expect([await owner(kind, 'fete'), await owner(kind, 'fete-2'), await owner(kind, 'party')]).toEqual([
      other,
      id,
      id,
    ])
  })

  test('an update with another status restores the record with its slugs', async () => {
    const id = await create(kind, 'Party')
    await write(admin, 'update', kind, { id, status: 'TRASH' })
    expect(await owner(kind, 'party')).toBe('NOT_FOUND')
    const { record } = await write(admin, 'update', kind, { id, status: 'DRAFT', slug: 'other' }, 'slug status')
    expect(record).toEqual({ slug: 'other', status: 'DRAFT' })
    expect([await owner(kind, 'party'), await owner(kind, 'other')]).toEqual(['NOT_FOUND', id])
  })

  test('a record that is created in the trash gets a slug when it is restored', async () => {
    const id = await create(kind, 'Party', { status: 'TRASH', slug: 'wanted' })
    expect(await owner(kind, 'wanted')).toBe('NOT_FOUND')
    await write(admin, 'restore', kind, { id })
    expect(await owner(kind, 'wanted')).toBe(id)
    const plain = await create(kind, 'Plain', { status: 'TRASH' })
    await write(admin, 'update', kind, { id: plain, status: 'PUBLISHED' })
    expect(await owner(kind, 'plain')).toBe(plain)
  })

  test('deleting permanently releases slugs', async () => {
    const id = await create(kind, 'Party')
    await write(admin, 'delete', kind, { id })
    expect(await create(kind, 'Party').then((other) => slugIn(kind, other))).toBe('party')
  })
})

test.each(['venue', 'organizer'] as const)(
  'a %s created in the trash is restored with a slug of its name',
  async (kind) => {
    const id = await create(kind, 'Hall', { status: 'TRASH' })
    await write(admin, 'restore', kind, { id })
    expect(await slugIn(kind, id)).toBe('hall')
  },
)

describe('unpublished events have no slug unless one is set', () => {
  test.each(['DRAFT', 'PENDING'])('%s: restored without a slug where there was none', async (status) => {
    const id = await create('event', 'Party', { status })
    await write(admin, 'trash', 'event', { id })
    await write(admin, 'restore', 'event', { id })
    expect(await slugIn('event', id)).toBe('')
  })

  test.each(['DRAFT', 'PENDING'])('%s: no slug, unless the input has one', async (status) => {
    const id = await create('event', 'Party', { status })
    expect(await slugIn('event', id)).toBe('')
    expect(await create('event', 'x', { status, slug: 'given' }).then((other) => slugIn('event', other))).toBe('given')
    await write(admin, 'update', 'event', { id, status: 'PUBLISHED' })
    expect(await slugIn('event', id)).toBe('party')
  })

  test('pending events of contributors reserve no slug in any language', async () => {
    const contributor = await app.signIn('contributor')
    const slugInput = { slug: 'taken', translations: [{ language: 'FR', name: 'x', slug: 'pris' }] }
    const id = await written(contributor, 'create', 'event', { ...party, ...slugInput, status: 'PUBLISHED' })
    expect(await app.db.eventSlug.count()).toBe(0)
    await write(contributor, 'update', 'event', { id, ...slugInput })
    expect(await app.db.eventSlug.count()).toBe(0)
  })
})

test('a name without letters gets the ID as slug', async () => {
  const id = await create('venue', '!!!')
  expect(await slugIn('venue', id)).toBe(`${id}`)
})

test('records of different kinds may have the same slug', async () => {
  await makeEvent(app.db, 'Party')
  expect(await create('venue', 'Party').then((id) => slugIn('venue', id))).toBe('party')
})
