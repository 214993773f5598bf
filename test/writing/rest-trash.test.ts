// Into the trash and back (contract d.5, c.12, QUIRK-26, QUIRK-36).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, errorOf, invalid, nameField, newRecord, ns, posts } from '../helpers/rest.ts'

type Kind = (typeof posts)[number]
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

const create = async (kind: Kind, name: string, fields: object = {}) =>
  (await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, name), ...fields })).body
const trash = (kind: Kind, id: number) => admin.send('DELETE', `${ns}/${kind}/${id}`)
const edit = (kind: Kind, id: number, fields: object | string) => admin.send('PUT', `${ns}/${kind}/${id}`, fields)

describe.each(posts)('%s', (kind) => {
  const single = kind.slice(0, -1)
  const isInTrash = [410, `${single}-is-in-trash`]
  const isHidden = [403, kind === 'events' ? 'event-no-longer-available' : `${single}-not-accessible`]

  it('can be trashed once', async () => {
    const created = await create(kind, 'Once')
    const { status, body, headers } = await trash(kind, created.id)
    const url = `http://calendar.test/?p=${created.id}`
    // An event without a website shows the URL of its page.
    const marked = { status: 'trash', slug: 'once__trashed', url, ...(kind === 'events' ? { website: url } : {}) }
    expect([status, body]).toEqual([200, { ...created, ...marked }])
    expect(headers['cache-control']).toBe('private, no-store')
    expect(errorOf(await trash(kind, created.id))).toEqual(isInTrash)
    for (const method of ['DELETE', 'PUT'] as const)
      for (const slug of ['once', 'once__trashed'])
        expect(errorOf(await admin.send(method, `${ns}/${kind}/by-slug/${slug}`, {}))).toEqual(invalid('slug'))
    expect(errorOf(await app.get(`${ns}/${kind}/${created.id}`))).toEqual(isHidden)
    expect(errorOf(await app.get(`${ns}/${kind}/by-slug/once`))).toEqual(invalid('slug'))
    expect((await app.get(`${ns}/${kind}`)).body[kind].map((each: { id: number }) => each.id)).not.toContain(created.id)
  })

  it('are never deleted permanently by REST', async () => {
    const { id } = await create(kind, 'Forced')
    expect((await admin.send('DELETE', `${ns}/${kind}/${id}?force=true`, { force: true })).status).toBe(200)
    expect((await edit(kind, id, { status: 'draft' })).status).toBe(200)
  })

  it('can be read in the trash as the contract says', async () => {
    const { id } = await create(kind, 'Read there')
    await trash(kind, id)
    const response = await admin.get(`${ns}/${kind}/${id}`)
    if (kind === 'events') expect(errorOf(response)).toEqual(isHidden)
    else expect([response.status, response.body.status]).toEqual([200, 'trash'])
  })

  it.each(encodings)('are changed there only together with another status, by %s', async (name, encode) => {
    const { id } = await create(kind, `Closed ${name}`)
    await trash(kind, id)
    for (const fields of [{ description: 'No' }, { status: 'trash' }, { status: 'trash', description: 'No' }])
      expect(errorOf(await edit(kind, id, encode(fields)))).toEqual(isInTrash)
    const { status, body } = await edit(kind, id, encode({ status: 'publish', description: 'Yes' }))
    expect([status, body.status, body.description]).toEqual([200, 'publish', '<p>Yes</p>'])
  })

  it('get their slug back when restored', async () => {
    const { id } = await create(kind, 'Back')
    await trash(kind, id)
    const { body } = await edit(kind, id, { status: 'publish' })
    expect(body.slug).toBe('back')
    expect((await app.get(`${ns}/${kind}/by-slug/back`)).body.id).toBe(id)
  })

  it('get the suffix -2 if their slug was taken', async () => {
    const { id } = await create(kind, 'Taken')
    await trash(kind, id)
    const other = await create(kind, 'Taken')
    expect([other.slug, other.id === id]).toEqual(['taken', false])
    expect((await edit(kind, id, { status: 'draft' })).body).toMatchObject({ status: 'draft', slug: 'taken-2' })
    expect((await app.get(`${ns}/${kind}/by-slug/taken`)).body.id).toBe(other.id)
  })

  it('can be trashed by an update of the status', async () => {
    const { id } = await create(kind, 'Edited away')
    expect((await edit(kind, id, { status: 'trash' })).body).toMatchObject({
      status: 'trash',
      slug: 'edited-away__trashed',
    })
    expect((await create(kind, 'Edited away')).slug).toBe('edited-away')
  })

  it('two records with the same name can be in the trash', async () => {
    for (const _ of [1, 2]) {
      const { id } = await create(kind, 'Twin')
      expect((await trash(kind, id)).body.slug).toBe('twin__trashed')
    }
  })

  it('can be restored by users who may edit their previous status', async () => {
    const contributor = await app.signIn('contributor')
    const own = await contributor.send('POST', `${ns}/${kind}`, newRecord(kind, 'Own draft'))
    const path = `${ns}/${kind}/${own.body.id}`
    expect((await contributor.send('DELETE', path)).status).toBe(200)
    expect((await contributor.send('PUT', path, { status: 'draft' })).status).toBe(200)
    await admin.send('PUT', path, { status: 'publish' })
    await admin.send('DELETE', path)
    expect((await contributor.send('PUT', path, { status: 'draft' })).status).toBe(403)
    expect((await contributor.send('DELETE', path)).status).toBe(403)
    expect((await app.send('DELETE', path)).status).toBe(401)
  })

  it('by slug', async () => {
    const created = await create(kind, 'By its slug')
    const { body } = await admin.send('DELETE', `${ns}/${kind}/by-slug/${created.slug}`)
    expect(body).toMatchObject({ id: created.id, status: 'trash', [nameField[kind]]: 'By its slug' })
  })
})

it('a trashed venue or organizer disappears from its events, and nothing else changes', async () => {
  const names = ['One', 'Two', 'Three']
  const venue = names.map((name) => ({ venue: `Venue ${name}` }))
  const organizer = names.map((name) => ({ organizer: `Organizer ${name}` }))
  const past = { start_date: '2020-01-01', end_date: '2020-01-01' }
  const first = await create('events', 'First', { venue, organizer })
  const ids = (records: readonly { id: number }[]) => records.map(({ id }) => id)
  const [venues, organizers] = [ids(first.venue), ids(first.organizer)]
  const links = { venue: venues, organizer: organizers }
  const others = [
    await create('events', 'Second', { ...links, ...past }),
    await create('events', 'Draft', { ...links, status: 'draft' }),
  ]
  await trash('venues', venues[1] ?? 0)
  await trash('organizers', organizers[0] ?? 0)
  for (const { id } of [first, ...others]) {
    const { body } = await admin.get(`${ns}/events/${id}`)
    expect(ids(body.venue)).toEqual([venues[0], venues[2]])
    expect(ids(body.organizer)).toEqual([organizers[1], organizers[2]])
  }
})
