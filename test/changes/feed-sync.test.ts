// The parameter `sync_token` of JSON Feed and iCalendar: a client that applies what the feed answers has what a new read has.
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiClient, now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate, waitForTransactions } from '../helpers/db.ts'
import { readCalendar } from '../helpers/icalendar.ts'
import { makeEvent, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  app.clock.now = now
  editor = await app.signIn('editor')
})

/** A copy of a feed: titles by UID. */
interface Copy {
  readonly titles: Map<string, string>
  token: string
}

const newCopy = (): Copy => ({ titles: new Map(), token: '' })

const withToken = (path: string, token: string) => `${path}${path.includes('?') ? '&' : '?'}sync_token=${token}`

async function followJson(path: string, copy: Copy): Promise<string[]> {
  const removed: string[] = []
  await waitForTransactions(app.db)
  for (let url = withToken(path, copy.token); ; ) {
    const { status, headers, body } = await app.get(url)
    expect([status, headers['cache-status']]).toEqual([200, 'calendar; fwd=miss'])
    const feed = typeof body === 'string' ? JSON.parse(body) : body
    expect(feed.feed_url).not.toContain('sync_token')
    for (const uid of feed._sync.deleted) copy.titles.delete(uid)
    for (const { id, title } of feed.items) copy.titles.set(id, title)
    removed.push(...feed._sync.deleted)
    copy.token = feed._sync.token
    expect([feed._sync.has_more, headers['sync-token']]).toEqual([feed.next_url !== undefined, copy.token])
    if (!feed.next_url) return removed
    url = feed.next_url.replace('http://calendar.test', '')
  }
}

interface Cancelled {
  readonly uid: string
  readonly sequence: number
}

async function followCalendar(path: string, copy: Copy): Promise<Cancelled[]> {
  const cancelled: Cancelled[] = []
  await waitForTransactions(app.db)
  for (;;) {
    const { headers, body } = await readCalendar(app, withToken(path, copy.token))
    for (const component of ICAL.Component.fromString(body).getAllSubcomponents('vevent')) {
      const [uid, title] = ['uid', 'summary'].map((name) => String(component.getFirstPropertyValue(name)))
      if (component.hasProperty('summary')) copy.titles.set(uid ?? '', title ?? '')
      else {
        expect(component.getFirstPropertyValue('status')).toBe('CANCELLED')
        copy.titles.delete(uid ?? '')
        cancelled.push({ uid: uid ?? '', sequence: Number(component.getFirstPropertyValue('sequence')) })
      }
    }
    copy.token = String(headers['sync-token'])
    const [, next] = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? '')) ?? []
    if (next === undefined) return cancelled
    expect(new URL(next).searchParams.get('sync_token')).toBe(copy.token)
  }
}

async function run(mutation: string): Promise<void> {
  const { body } = await editor.graphql(`mutation { ${mutation} { userErrors { message } } }`)
  expect(Object.values<{ userErrors: unknown[] }>(body.data).flatMap(({ userErrors }) => userErrors)).toEqual([])
}

test('events that change, leave the list and come back', async () => {
  const past = { start: '2020-01-01T10:00:00' }
  const ids = [
    await makeEvent(app.db, 'One', past),
    await makeEvent(app.db, 'Two', past),
    await makeEvent(app.db, 'Three'),
  ]
  const uids = ids.map((id) => `${id}@calendar.test`)
  const [json, calendar] = [newCopy(), newCopy()]
  const follow = async () => {
    const removed = await followJson('/events.json?per_page=2', json)
    const cancelled = await followCalendar('/events.ics?per_page=2', calendar)
    expect(cancelled.map(({ uid }) => uid)).toEqual(removed)
    expect(calendar.titles).toEqual(json.titles)
    const titles = Object.fromEntries(json.titles)
    return { titles, removed, sequences: cancelled.map(({ sequence }) => sequence) }
  }
  const [one, two, three] = uids as [string, string, string]
  expect(await follow()).toEqual({
    titles: { [one]: 'One', [two]: 'Two', [three]: 'Three' },
    removed: [],
    sequences: [],
  })
  await run(`trashEvent(input: { id: "${ids[0]}" })`)
  await run(`updateEvent(input: { id: "${ids[1]}", title: "Second" })`)
  const { sequence } = await app.db.event.findUniqueOrThrow({ where: { id: ids[0] ?? 0 } })
  expect(await follow()).toEqual({
    ...{ titles: { [two]: 'Second', [three]: 'Three' }, removed: [one] },
    sequences: [sequence + 1],
  })
  await run(`restoreEvent(input: { id: "${ids[0]}" })`)
  await run(`deleteEvent(input: { id: "${ids[2]}" })`)
  expect(await follow()).toEqual({
    titles: { [one]: 'One', [two]: 'Second' },
    removed: [three],
    sequences: [2 ** 31 - 1],
  })
  expect(await follow()).toEqual({ titles: { [one]: 'One', [two]: 'Second' }, removed: [], sequences: [] })
})

test('events with UIDs of their own, and other UIDs later', async () => {
  const start = '2026-12-01T10:00:00'
  const [first, second] = [await makeEvent(app.db, 'First', { start }), await makeEvent(app.db, 'Second', { start })]
  await run(`updateEvent(input: { id: "${second}", uid: "a@x" })`)
  const copy = newCopy()
  await followJson('/events.json', copy)
  expect(Object.fromEntries(copy.titles)).toEqual({ [`${first}@calendar.test`]: 'First', 'a@x': 'Second' })
  // The UID of one event moves to another one.
  await run(`updateEvent(input: { id: "${second}", uid: "b@x" })`)
  await run(`updateEvent(input: { id: "${first}", uid: "a@x" })`)
  expect(await followJson('/events.json', copy)).toEqual([`${first}@calendar.test`])
  expect(Object.fromEntries(copy.titles)).toEqual({ 'a@x': 'First', 'b@x': 'Second' })
  // Nobody learns the UID that a draft got.
  await run(`updateEvent(input: { id: "${first}", status: DRAFT })`)
  await run(`updateEvent(input: { id: "${first}", uid: "secret@x" })`)
  await run(`deleteEvent(input: { id: "${second}" })`)
  expect(await followJson('/events.json', copy)).toEqual(['a@x', 'b@x'])
})

test('lists of a record, with a filter, and without locked events in JSON Feed', async () => {
  const [venue, tag] = [await makeVenue(app.db, 'Hall'), await makeTag(app.db, 'Late')]
  const event = await makeEvent(app.db, { en: 'Concert', fr: 'Le concert' }, { venueIds: [venue], tagIds: [tag] })
  await makeEvent(app.db, 'Elsewhere')
  const uid = `${event}@calendar.test`
  const [ofVenue, ofTag, search, calendar] = [newCopy(), newCopy(), newCopy(), newCopy()]
  const follow = async () => [
    await followJson('/venue/hall/feed.json', ofVenue),
    await followJson('/fr/tag/late/feed.json', ofTag),
    await followJson('/events.json?search=concert', search),
    (await followCalendar('/events.ics?search=concert', calendar)).map(({ uid: removed }) => removed),
  ]
  expect(await follow()).toEqual([[], [], [], []])
  expect([ofVenue, ofTag, search, calendar].map(({ titles }) => [...titles])).toEqual([
    ...[[[uid, 'Concert']], [[uid, 'Le concert']], [[uid, 'Concert']], [[uid, 'Concert']]],
  ])
  await run(`updateEvent(input: { id: "${event}", tags: [], title: "Opera" })`)
  expect(await follow()).toEqual([[], [uid], [uid], [uid]])
  await run(`updateEvent(input: { id: "${event}", title: "Concert" })`)
  expect(await follow()).toEqual([[], [uid], [], []])
  await run(`updateEvent(input: { id: "${event}", password: "closed" })`)
  // A locked event shows its title, but not its venue.
  expect(await follow()).toEqual([[uid], [uid], [uid], []])
  expect([...calendar.titles]).toEqual([[uid, 'Concert']])
})

test.each([
  ['/events.json?sync_token=x', 410, 'rest_sync_token_expired'],
  ['/events.ics?sync_token=x', 410, 'rest_sync_token_expired'],
  ['/events.rss?sync_token=', 400, 'rest_invalid_param'],
  ['/event/one/?ical=1&sync_token=', 400, 'rest_invalid_param'],
  ['/events.json?sync_token=&categories=nothing', 400, 'rest_invalid_param'],
  ['/events.json?sync_token=&status=draft', 400, 'rest_invalid_param'],
])('%s answers %i', async (url, status, code) => {
  await makeEvent(app.db, 'One')
  const { body, ...reply } = await app.get(url)
  expect([reply.status, reply.headers['cache-control'], body.code]).toEqual([status, 'no-store', code])
})

test('a text that is too long is no token', async () => {
  const { status, body } = await app.get(`/events.ics?sync_token=${'x'.repeat(2001)}`)
  expect([status, Object.keys(body.data.params)]).toEqual([400, ['sync_token']])
})
