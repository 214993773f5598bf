// The order of checks, and the encodings of bodies (contract b.1, b.2, d.2 to d.4, QUIRK-2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { errorOf, invalid, type Kind, kinds, missing, nameField, newRecord, ns, posts, terms } from '../helpers/rest.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let subscriber: Awaited<ReturnType<TestApp['signIn']>>
const ids = {} as Record<Kind | 'images', number>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  subscriber = await app.signIn('subscriber')
  ids.events = await makeEvent(app.db, 'Choir')
  ids.venues = await makeVenue(app.db, 'Choir')
  ids.organizers = await makeOrganizer(app.db, 'Choir')
  ids.images = await makeImage(app.db)
  ids.categories = await makeCategory(app.db, 'Choir')
  await makeCategory(app.db, 'Not a tag')
  for (const name of ['a', 'b', 'c']) ids.tags = await makeTag(app.db, name)
})
afterAll(() => app.close())

/** Each of those who have other permissions, in turn. */
const inTurn = (turn: number) => partOf([app, subscriber, admin], 3, turn)

const json = { 'content-type': 'application/json' }

describe('order of checks', () => {
  it('checks the route, then the body, then missing parameters', async () => {
    expect(errorOf(await admin.send('POST', `${ns}/nothing`, '{', json))).toEqual([404, 'rest_no_route'])
    const { status, body } = await app.send('POST', `${ns}/events`, '{', json)
    expect([status, body.code]).toEqual([400, 'rest_invalid_json'])
    expect(body.data).toEqual({ status: 400, json_error_code: 4, json_error_message: expect.any(String) })
  })

  it('reports all missing parameters before invalid ones', async () => {
    const all = missing('title', 'start_date', 'end_date')
    expect(errorOf(await app.send('POST', `${ns}/events`, { website: 'foo' }))).toEqual(all)
    expect(errorOf(await app.send('POST', `${ns}/events`))).toEqual(all)
    const some = { title: null, start_date: 'foo', end_date: '' }
    expect(errorOf(await app.send('POST', `${ns}/events`, some))).toEqual(missing('title'))
    for (const kind of [...posts.slice(1), ...terms])
      expect(errorOf(await app.send('POST', `${ns}/${kind}`, { website: 'foo' }))).toEqual(missing(nameField[kind]))
  })

  it('reports all invalid parameters before missing permissions', async () => {
    const wrong = {
      ...newRecord('events', ''),
      start_date: 'foo',
      end_date: '',
      website: 'foo',
      status: 'x',
      all_day: 'yes',
    }
    const all = invalid('all_day', 'end_date', 'start_date', 'status', 'title', 'website')
    for (const client of [app, subscriber, admin])
      expect(errorOf(await client.send('POST', `${ns}/events`, wrong))).toEqual(all)
    expect(errorOf(await app.send('PUT', `${ns}/events/999999`, { website: 'foo' }))).toEqual(invalid('website'))
  })

  it.each([...posts.slice(1), ...terms])('unknown numbers of %s before permission', async (kind) => {
    const others = Object.entries(ids).filter(([other]) => other !== kind)
    const numbers = kind === 'venues' || kind === 'organizers' ? others.slice(0, 4).map(([, id]) => id) : []
    for (const [index, id] of [999_999, 0, 99_999_999_999, ...numbers].entries())
      for (const [turn, method] of (['DELETE', 'PUT'] as const).entries())
        for (const client of inTurn(index + turn))
          expect(errorOf(await client.send(method, `${ns}/${kind}/${id}`, {})), `${method} ${id}`).toEqual(
            invalid('id'),
          )
  })

  it.each([
    ['categories', () => ids.tags],
    ['tags', () => ids.categories],
  ] as const)('a term of another taxonomy among %s', async (kind, id) => {
    for (const method of ['DELETE', 'PUT'] as const)
      expect(errorOf(await app.send(method, `${ns}/${kind}/${id()}`, {}))).toEqual(invalid('id'))
  })

  it('checks permissions before unknown event IDs', async () => {
    for (const method of ['DELETE', 'POST', 'PUT', 'PATCH'] as const)
      for (const id of [999_999, 0, 99_999_999_999]) {
        const path = `${ns}/events/${id}`
        expect(errorOf(await app.send(method, path, {}))).toEqual([401, 'rest_forbidden'])
        expect(errorOf(await subscriber.send(method, path, {}))).toEqual([403, 'rest_forbidden'])
        expect(errorOf(await admin.send(method, path, {}))).toEqual([404, 'rest-event-not-found'])
      }
    for (const id of [ids.venues, ids.organizers, ids.images])
      expect(errorOf(await admin.send('PUT', `${ns}/events/${id}`, {}))).toEqual([400, 'rest-invalid-event-id'])
  })

  it.each(posts)('unknown slugs of %s before permission', async (kind) => {
    for (const [index, slug] of ['unknown', '%20', 'choir__trashed'].entries())
      for (const [turn, method] of (['DELETE', 'POST', 'PUT', 'PATCH'] as const).entries())
        for (const client of inTurn(index + turn))
          expect(errorOf(await client.send(method, `${ns}/${kind}/by-slug/${slug}`, {}))).toEqual(invalid('slug'))
  })
})

describe('encodings', () => {
  const fields = { title: 'Named', start_date: '2026-12-01', end_date: '2026-12-01', 'tags[]': ['x', 'y'] }
  const multipart = Object.entries(fields)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
    .map(([name, value]) => `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  const asForm = 'title=Named&start_date=2026-12-01&end_date=2026-12-01&tags[]=x&tags[]=y'
  const tags = ['x', 'y']

  it.each<[string, string, string | Buffer, Record<string, string>]>([
    ['multipart', '', `${multipart.join('')}--cut--\r\n`, { 'content-type': 'multipart/form-data; boundary=cut' }],
    ['the query', `?${asForm}`, '', {}],
    ['no content type', '', Buffer.from(asForm), {}],
    ['a form with a charset', '', asForm, { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['numbered brackets', '', asForm.replace(/\[]=x.*/, '[1]=y&tags[0]=x'), {}],
    ['the last of a name', '', `title=Other&${asForm}`, {}],
    ['+json', '', JSON.stringify({ ...fields, tags }), { 'content-type': 'application/vnd.api+json' }],
    ['a body before the query', '?title=Other&tags=z', asForm, {}],
  ])('%s', async (_name, query, payload, headers) => {
    const { status, body } = await admin.send('POST', `${ns}/events${query}`, payload, headers)
    expect([status, body.title]).toEqual([201, 'Named'])
    expect(body.tags.map((tag: { name: string }) => tag.name)).toEqual(tags)
  })

  it.each<[string, string]>([
    ['text/plain', asForm],
    ['application/json', '[1]'],
    ['application/json', '"text"'],
    ['application/json', 'null'],
    ['application/json', ''],
  ])('an empty body in %s %s', async (type, payload) => {
    const response = await admin.send('POST', `${ns}/events`, payload, { 'content-type': type })
    expect(errorOf(response)).toEqual(missing('title', 'start_date', 'end_date'))
  })

  it.each<[string, string, Record<string, string>]>([
    ['multipart without boundary', 'x', { 'content-type': 'multipart/form-data' }],
    [
      'multipart cut short',
      '--cut\r\nContent-Disposition: form-data; na',
      { 'content-type': 'multipart/form-data; boundary=cut' },
    ],
    ['too large', `title=${'x'.repeat(1_100_000)}`, {}],
    ['too large JSON', `{"title":"${'x'.repeat(1_100_000)}"}`, json],
  ])('rejects an unreadable body: %s', async (name, payload, headers) => {
    const { status, body } = await admin.send('POST', `${ns}/events`, payload, headers)
    expect(status).toBe(name.startsWith('too large') ? 413 : 400)
    expect(body).toEqual({
      code: expect.any(String),
      message: expect.any(String),
      data: expect.objectContaining({ status }),
    })
  })
})

describe('identity', () => {
  it('the ID is only read from the path', async () => {
    const other = await makeEvent(app.db, 'Other')
    const { body } = await admin.send('PUT', `${ns}/events/${ids.events}?id=${other}`, { id: other, excerpt: 'here' })
    expect([body.id, body.excerpt]).toEqual([ids.events, '<p>here</p>'])
    const bySlug = await admin.send('PATCH', `${ns}/venues/by-slug/choir`, { slug: 'new', current_slug: 'x', id: 7 })
    expect([bySlug.body.id, bySlug.body.slug]).toEqual([ids.venues, 'choir'])
    const deleted = await admin.send('DELETE', `${ns}/events/by-slug/other`, { slug: 'choir', id: ids.events })
    expect(deleted.body).toMatchObject({ id: other, status: 'trash' })
  })

  it.each(kinds)('what is unknown is passed over: %s', async (kind) => {
    const extra = {
      url: 'x',
      rest_url: 1,
      utc_start_date: [],
      start_date_details: {},
      cost_details: null,
      id: 'x',
      count: -1,
    }
    const { status } = await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, 'Extra'), ...extra, json_ld: {} })
    expect(status).toBe(201)
    expect((await admin.send('PUT', `${ns}/${kind}/${ids[kind]}`, extra)).status).toBe(200)
  })
})
