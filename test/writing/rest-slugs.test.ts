// Slugs of events, venues and organizers (contract f.3, QUIRK-2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, newRecord, ns, posts } from '../helpers/rest.ts'

type User = Awaited<ReturnType<TestApp['signIn']>>
type Kind = (typeof posts)[number]
let app: TestApp
let admin: User
let contributor: User
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  contributor = await app.signIn('contributor')
})
afterAll(() => app.close())

const create = async (kind: Kind, name: string, fields: object = {}, user: User = admin) =>
  (await user.send('POST', `${ns}/${kind}`, { ...newRecord(kind, name), ...fields })).body

describe.each(posts)('%s', (kind) => {
  it.each([
    ['Fête de la Musique', 'fete-de-la-musique'],
    ['  Two   words ', 'two-words'],
    ['R&amp;D <b>bold</b>', 'rd-bold'],
    ['Straße 1.5', 'strasse-1-5'],
    ['a_b--c', 'a_b-c'],
    ['A < C > D', 'a-c-d'],
    ['Jazz<script>alert(1)</script>', 'jazz'],
    ['Мир', '%d0%bc%d0%b8%d1%80'],
  ])('slugs of %s', async (name, slug) => {
    const { id, slug: created } = await create(kind, name)
    expect(created).toBe(slug)
    expect((await app.get(`${ns}/${kind}/by-slug/${encodeURIComponent(created)}`)).body.id).toBe(id)
  })

  it('is the ID for a name without letters', async () => {
    const { id, slug } = await create(kind, '!!!')
    expect(slug).toBe(String(id))
  })

  it('gets a suffix if another record has it', async () => {
    const slugs = []
    for (const description of ['a', 'b', 'c']) slugs.push((await create(kind, 'Same', { description })).slug)
    expect(slugs).toEqual(['same', 'same-2', 'same-3'])
  })

  it('stays when the name changes', async () => {
    const { id, slug } = await create(kind, 'Old name')
    const renamed = newRecord(kind, 'New name')
    expect((await admin.send('PUT', `${ns}/${kind}/${id}`, renamed)).body.slug).toBe(slug)
  })
})

it.each(encodings)('an event can be created with a slug, and its slug changed: %s', async (name, encode) => {
  const { id, slug } = await create('events', 'Given', { slug: `My Slug ${name}` })
  const expectedValue = `my-slug-${name.toLowerCase().replace(' ', '-')}`
  expect(slug).toBe(expectedValue)
  const byId = await admin.send('PUT', `${ns}/events/${id}`, encode({ slug: 'Next' }))
  expect([byId.body.slug, byId.body.url]).toEqual(['next', 'http://calendar.test/event/next/'])
  const bySlug = await admin.send('PATCH', `${ns}/events/by-slug/next`, encode({ slug: 'last', title: 'Given' }))
  expect([bySlug.status, bySlug.body.id, bySlug.body.slug]).toEqual([200, id, 'last'])
  expect((await app.get(`${ns}/events/by-slug/next`)).status).toBe(400)
  expect((await app.get(`${ns}/events/by-slug/last`)).body.id).toBe(id)
  await admin.send('DELETE', `${ns}/events/${id}`)
})

it('an event keeps its own slug, and gets a suffix for the slug of another', async () => {
  const [{ id }] = [await create('events', 'Mine'), await create('events', 'Theirs')]
  const rename = async (slug: string) => (await admin.send('PUT', `${ns}/events/${id}`, { slug })).body.slug
  expect(await rename('mine')).toBe('mine')
  expect(await rename('theirs')).toBe('theirs-2')
  expect(await rename('theirs-2')).toBe('theirs-2')
  expect(await rename('mine')).toBe('mine')
})

it.each(['draft', 'pending'])('an event that is %s has none until it is published', async (status) => {
  const { id, slug, url } = await create('events', `Not yet ${status}`, { status })
  expect([slug, url]).toEqual(['', `http://calendar.test/?p=${id}`])
  const edit = async (fields: object) => (await admin.send('PUT', `${ns}/events/${id}`, fields)).body
  expect((await edit({ title: `Changed ${status}` })).slug).toBe('')
  expect((await edit({ status: 'publish' })).slug).toBe(`changed-${status}`)
  expect((await edit({ status: 'draft' })).slug).toBe(`changed-${status}`)
})

it('drafts, and pending events of users who may publish, can get a slug', async () => {
  for (const status of ['draft', 'pending'])
    expect((await create('events', 'Given', { status, slug: `for ${status}` })).slug).toBe(`for-${status}`)
  expect((await create('events', 'Given', { slug: 'own draft' }, contributor)).slug).toBe('own-draft')
  const { id, slug } = await create('events', 'Given', { status: 'publish', slug: 'wanted' }, contributor)
  expect(slug).toBe('')
  const path = `${ns}/events/${id}`
  expect((await contributor.send('PUT', path, { slug: 'wanted' })).body.slug).toBe('')
  expect((await contributor.send('PUT', path, { status: 'draft', slug: 'wanted' })).body.slug).toBe('wanted')
})

it.each(['venues', 'organizers'] as const)('%s get their slug on creation, and it never changes', async (kind) => {
  for (const status of ['draft', 'pending', 'private', 'publish'])
    expect((await create(kind, `In ${status}`, { status, slug: 'ignored' })).slug).toBe(`in-${status}`)
  const byContributor = await create(kind, 'By contributor', {}, contributor)
  expect(byContributor).toMatchObject({ status: 'draft', slug: 'by-contributor' })
  const { body } = await admin.send('PUT', `${ns}/${kind}/${byContributor.id}`, { slug: 'ignored', status: 'publish' })
  expect(body.slug).toBe('by-contributor')
  expect((await admin.send('PUT', `${ns}/${kind}/by-slug/BY%20Contributor`, {})).body.id).toBe(body.id)
})
