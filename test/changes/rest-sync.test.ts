// The parameter `sync_token` of REST lists: all records first, then what changed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { waitForTransactions } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const base = '/cal/events/v1'

async function follow(resource: string, token: string, query = '') {
  await waitForTransactions(app.db)
  const { status, body } = await app.get(`${base}/${resource}?sync_token=${token}&per_page=2&hide_empty=false${query}`)
  expect(status).toBe(200)
  return body
}

test.each(['events', 'venues', 'organizers', 'categories', 'tags'] as const)('%s', async (resource) => {
  const { db } = app
  const make = {
    events: (name: string) => makeEvent(db, name, { start: '2020-01-01T10:00:00' }),
    venues: (name: string) => makeVenue(db, name),
    organizers: (name: string) => makeOrganizer(db, name),
    categories: (name: string) => makeCategory(db, name),
    tags: (name: string) => makeTag(db, name),
  }[resource]
  const ids = [await make('One'), await make('Two'), await make('Three')]
  const first = await follow(resource, '')
  expect(first[resource].map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2))
  expect(first).toMatchObject({ deleted: [], has_more: true })
  const second = await follow(resource, first.sync_token)
  expect(second).toMatchObject({ [resource]: [{ id: ids[2] }], deleted: [], has_more: false })
  const single = { events: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' }[
    resource
  ]
  const editor = await app.signIn('administrator')
  const type = single.replace(/^./, (letter) => letter.toUpperCase())
  const { body } = await editor.graphql(
    `mutation { delete${type}(input: { id: "${ids[0]}" }) { userErrors { message } } }`,
  )
  expect(body.data[`delete${type}`].userErrors).toEqual([])
  const added = await make('Four')
  const third = await follow(resource, second.sync_token)
  expect(third).toMatchObject({ [resource]: [{ id: added }], deleted: [ids[0]], has_more: false })
  expect(third[resource][0]).toEqual(
    (
      await app.get(
        `${base}/${resource}${resource === 'events' ? '?start_date=2019-01-01&per_page=50' : '?per_page=50&hide_empty=false'}`,
      )
    ).body[resource].find(({ id }: { id: number }) => id === added),
  )
  expect(await follow(resource, third.sync_token)).toMatchObject({ [resource]: [], deleted: [], has_more: false })
})

test('a token of another filter, and a text that is no token, is refused with 410', async () => {
  const { sync_token: token } = await follow('events', '', '&per_page=50')
  for (const query of [
    `sync_token=${token}&search=jazz`,
    'sync_token=x',
    `sync_token=${token}&translation_language=fr`,
  ]) {
    const { status, body } = await app.get(`${base}/events?${query}`)
    expect([query, status, body.code]).toEqual([query, 410, 'rest_sync_token_expired'])
  }
})
