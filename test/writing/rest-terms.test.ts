// Categories and tags (contract f.2, h.3, c.12, QUIRK-22, 32, 35).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, errorOf, invalid, newRecord, ns, terms } from '../helpers/rest.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

type Kind = (typeof terms)[number]
const post = (kind: Kind, fields: object | string) => admin.send('POST', `${ns}/${kind}`, fields)
const edit = (kind: Kind, id: number, fields: object | string) => admin.send('PUT', `${ns}/${kind}/${id}`, fields)
const create = async (kind: Kind, fields: object) => {
  const { status, body } = await post(kind, fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

describe.each(terms)('%s', (kind) => {
  it.each(encodings)('are created, changed and deleted by %s', async (name, encode) => {
    const fields = { name: `R&amp;B ${name}`, description: 'Rhythm', slug: `Own Slug ${name}` }
    const slug = `own-slug-${name.toLowerCase().replace(' ', '-')}`
    const { status, body } = await post(kind, encode(fields))
    expect([status, body.name, body.description, body.slug]).toEqual([201, `R&amp;B ${name}`, 'Rhythm', slug])
    expect(body).not.toHaveProperty('_links')
    const { self } = body.urls
    expect(self).toBe(`http://calendar.test${ns}/${kind}/${body.id}`)
    const changed = await edit(kind, body.id, encode({ name: `Soul ${name}` }))
    expect(changed.body).toEqual({ ...body, name: `Soul ${name}` })
    const deleted = await admin.send('DELETE', `${ns}/${kind}/${body.id}`, encode({ force: 'x' }))
    expect([deleted.status, deleted.body]).toEqual([200, changed.body])
    expect(errorOf(await app.get(`${ns}/${kind}/${body.id}`))).toEqual(invalid('id'))
    for (const method of ['PUT', 'DELETE'] as const)
      expect(errorOf(await admin.send(method, `${ns}/${kind}/${body.id}`, {}))).toEqual(invalid('id'))
  })

  it('with an existing name are rejected with the ID of the other term', async () => {
    const { id } = await create(kind, { name: 'Élan' })
    for (const name of ['Élan', 'élan', ' ÉLAN ', '<b>Élan</b>']) {
      const { status, body } = await post(kind, { name })
      expect([status, body.code, body.data.term_id], name).toEqual([400, 'term_exists', id])
    }
    expect(errorOf(await post(kind, { name: 'élan', slug: 'elan' }))).toEqual([400, 'term_exists'])
    expect((await create(kind, { name: 'Élan', slug: 'other-elan' })).slug).toBe('other-elan')
    expect(errorOf(await post(kind, { name: 'Élan', slug: 'other-elan' }))).toEqual([400, 'term_exists'])
  })

  it('with another name and an existing slug get a suffix', async () => {
    await create(kind, { name: 'First', slug: 'wanted' })
    expect((await create(kind, { name: 'Second', slug: 'wanted' })).slug).toBe('wanted-2')
    expect((await create(kind, { name: 'Wanted' })).slug).toBe('wanted-3')
  })

  it('cannot be updated to the slug of another term', async () => {
    await create(kind, { name: 'Has it', slug: 'has-it' })
    const { id } = await create(kind, { name: 'Wants it' })
    expect(errorOf(await edit(kind, id, { slug: 'has-it', name: 'No' }))).toEqual([400, 'duplicate_term_slug'])
    expect((await edit(kind, id, { slug: 'wants-it' })).body).toMatchObject({ name: 'Wants it', slug: 'wants-it' })
    expect((await edit(kind, id, { slug: 'Free One' })).body.slug).toBe('free-one')
    expect((await edit(kind, id, { name: 'Renamed' })).body.slug).toBe('free-one')
  })

  it('are unlinked from events when deleted', async () => {
    const { body } = await admin.send('POST', `${ns}/events`, {
      ...newRecord('events', 'Filed'),
      [kind]: ['Goes', 'Stays'],
    })
    const goes = body[kind].find((term: { name: string }) => term.name === 'Goes')
    expect(goes.count).toBe(1)
    expect((await admin.send('DELETE', `${ns}/${kind}/${goes.id}`)).body).toEqual(goes)
    const event = await app.get(`${ns}/events/${body.id}`)
    expect(event.body[kind].map((term: { name: string }) => term.name)).toEqual(['Stays'])
    expect((await create(kind, { name: 'Goes' })).slug).toBe('goes')
  })
})

describe('parents', () => {
  it.each(encodings)('are set, changed and removed, by %s', async (name, encode) => {
    const parent = await create('categories', { name: `Parent ${name}` })
    const { body } = await post('categories', encode({ name: `Child ${name}`, parent: parent.id }))
    expect(body).toMatchObject({ parent: parent.id, urls: { up: parent.urls.self } })
    expect(body.url).toBe(`${parent.url}${body.slug}/`)
    expect((await edit('categories', body.id, encode({ name: `Child of ${name}` }))).body.parent).toBe(parent.id)
    const top = await edit('categories', body.id, encode({ parent: 0 }))
    expect(top.body).toMatchObject({ parent: 0, urls: { self: body.urls.self } })
    expect(top.body.urls).not.toHaveProperty('up')
    expect((await edit('categories', body.id, encode({ parent: String(parent.id) }))).body.parent).toBe(parent.id)
  })

  it('cannot be their own descendants', async () => {
    const { id } = await create('categories', { name: 'Above' })
    const below = await create('categories', { name: 'Below', parent: id })
    for (const parent of [id, below.id])
      expect(errorOf(await edit('categories', id, { parent }))).toEqual(invalid('parent'))
  })

  it('may have children with the same name, with the slug of the parent appended', async () => {
    const [arts, sports] = [
      await create('categories', { name: 'Arts' }),
      await create('categories', { name: 'Sports' }),
    ]
    const top = await create('categories', { name: 'Young' })
    const inArts = await create('categories', { name: 'Young', parent: arts.id })
    const inSports = await create('categories', { name: 'Young', parent: sports.id })
    expect([top.slug, inArts.slug, inSports.slug]).toEqual(['young', 'young-arts', 'young-sports'])
    expect((await create('categories', { name: 'Others', slug: 'young', parent: arts.id })).slug).toBe('young-arts-2')
    expect(errorOf(await post('categories', { name: 'young', parent: arts.id }))).toEqual([400, 'term_exists'])
    const sibling = await create('categories', { name: 'Old', parent: arts.id })
    const { body } = await post('categories', { name: 'Young', parent: arts.id, slug: sibling.slug })
    expect([body.code, body.data.term_id]).toEqual(['term_exists', sibling.id])
  })

  it('leave their children to their parent when deleted', async () => {
    const top = await create('categories', { name: 'Grandparent' })
    const middle = await create('categories', { name: 'Middle', parent: top.id })
    const below = await create('categories', { name: 'Grandchild', parent: middle.id })
    await admin.send('DELETE', `${ns}/categories/${middle.id}`)
    expect((await app.get(`${ns}/categories/${below.id}`)).body.parent).toBe(top.id)
    await admin.send('DELETE', `${ns}/categories/${top.id}`)
    expect((await app.get(`${ns}/categories/${below.id}`)).body.parent).toBe(0)
  })

  it('do not exist for tags', async () => {
    const tag = await create('tags', { name: 'flat', description: 'No tree' })
    expect((await edit('tags', tag.id, tag)).body).toEqual(tag)
    const hasNone = [400, 'rest_taxonomy_not_hierarchical']
    expect(errorOf(await post('tags', { name: 'deep', parent: tag.id }))).toEqual(hasNone)
    expect(errorOf(await edit('tags', tag.id, { parent: tag.id }))).toEqual(hasNone)
  })
})
