// The filters of venues and organizers (contract c.14, d.4, e.4, QUIRK-29 to QUIRK-31).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

const ns = '/cal/events/v1'
let app: TestApp
let editor: ApiClient
let contributor: ApiClient & { id: number }
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
  contributor = await app.signIn('contributor')
})
afterAll(() => app.close())

describe.each([
  ['venues', makeVenue, 'venueIds', 'venue'],
  ['organizers', makeOrganizer, 'organizerIds', 'organizer'],
] as const)('%s', (plural, make, link, name) => {
  const ids: Record<string, number> = {}
  const numbered = (query: string) => query.replace(/\{(\w+)\}/g, (_, word: string) => String(ids[word]))
  const list = (query: string, client: ApiClient = app) => client.get(`${ns}/${plural}?per_page=50&${numbered(query)}`)

  async function names(query: string, client: ApiClient = app): Promise<string[]> {
    const { status, body } = await list(query, client)
    expect([query, status, body.data?.params]).toEqual([query, 200, undefined])
    expect([body.total, body.total_pages]).toEqual([body[plural].length, body[plural].length ? 1 : 0])
    return body[plural].map((item: Record<string, string>) => item[name]).sort()
  }

  beforeAll(async () => {
    const { db } = app
    const linked = async (word: string, ...events: NonNullable<Parameters<typeof makeEvent>[2]>[]) => {
      ids[word] = await make(db, word)
      for (const event of events) ids[`${word}E`] = await makeEvent(db, `at ${word}`, { ...event, [link]: [ids[word]] })
    }
    const past = { start: '2020-01-01T10:00:00' }
    await linked('coming', {})
    await linked('now', { start: '2026-11-21T12:00:00', timeZone: 'UTC' })
    await linked('running', { start: '2026-11-21T11:59:59', end: '2026-11-23T10:00:00', timeZone: 'UTC' })
    await linked('past', past)
    await linked('hidden', { hideFromListings: true })
    await linked('drafted', { status: 'draft' })
    await linked('pending', { status: 'pending' })
    await linked('private', { status: 'private' })
    await linked('scheduled', { status: 'future', publishedAt: new Date('2027-01-01T00:00:00Z') })
    await linked('trashed', { status: 'trash' })
    await linked('mine', { status: 'draft', authorId: contributor.id })
    await linked('locked', { passwordKey: await hashRecordPassword('open', app.site.passwordSalt) })
    await linked('late', ...Array.from({ length: 12 }, () => past), { start: '2031-01-01T10:00:00' })
    await linked('bare')
    for (const status of ['draft', 'pending', 'private', 'trash'] as const)
      ids[status] = await make(db, status, { status })
    ids.own = await make(db, 'own', { status: 'draft', authorId: contributor.id })
    ids.ownE = await makeEvent(db, 'at own', { [link]: [ids.own] })
    ids.none = await makeEvent(db, 'nowhere')
    ids.other = await makeImage(db)
  })

  const published = ['coming', 'now', 'running', 'past', 'hidden', 'drafted', 'pending', 'private', 'scheduled']
  const all = [...published, 'trashed', 'mine', 'locked', 'late', 'bare'].toSorted()
  const withEvents = ['coming', 'now', 'running', 'past', 'hidden', 'late']
  const without = all.filter((word) => ![...withEvents, 'locked'].includes(word))

  it.each([
    ['', all],
    ['event={comingE}', ['coming']],
    ['event={none}', []],
    ['event={ownE}', []],
    ['only_with_upcoming=1', ['coming', 'late', 'now']],
    ...['on', 'Enable'].map((yes) => [`only_with_upcoming=${yes}`, ['coming', 'late', 'now']]),
    ...['0', '2 '].map((no) => [`only_with_upcoming=${no}`, all]),
    ['event={comingE}&has_events=1&only_with_upcoming=1&search=com', ['coming']],
    ['event={comingE}&search=late', []],
    ['has_events=1&search=past', ['past']],
    ['status=publish&only_with_upcoming=1&has_events=on', ['coming', 'late', 'now']],
  ] as [string, string[]][])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected.toSorted())
  })

  // One module translates the parameters of both kinds.
  const spellings = (all: readonly string[]) => (plural === 'organizers' ? partOf(all, 3) : all)

  it.each(spellings(['1', 'true', 'on', 'y', 'YES', 'enable', 'enabled']))('has_events=%s', async (yes) => {
    expect((await names(`has_events=${yes}`)).filter((word) => word !== 'locked')).toEqual(withEvents.toSorted())
  })

  it.each(spellings(['0', 'false', 'no', '', 'x', 'disabled']))('has_events=%s', async (no) => {
    expect((await names(`has_events=${no}`)).filter((word) => word !== 'locked')).toEqual(without)
  })

  it('protected events do not reveal their venues and organizers', async () => {
    expect(await names('event={lockedE}')).toEqual([])
    expect(await names('only_with_upcoming=1')).not.toContain('locked')
    expect(await names('has_events=1')).not.toContain('locked')
  })

  it('for editors, private events count for both filters, drafts only for upcoming ones', async () => {
    expect(await names('has_events=1&status=publish', editor)).toEqual(expect.arrayContaining(['private', 'past']))
    const counted = await names('has_events=1&status=publish', editor)
    for (const word of ['drafted', 'pending', 'trashed', 'scheduled', 'bare']) expect(counted).not.toContain(word)
    const upcoming = await names('only_with_upcoming=1', editor)
    expect(upcoming).toEqual(expect.arrayContaining(['coming', 'private', 'pending', 'drafted', 'scheduled', 'own']))
    for (const word of ['trashed', 'hidden', 'past', 'running', 'bare']) expect(upcoming).not.toContain(word)
  })

  it('the status parameter does not filter the events', async () => {
    expect(await names('only_with_upcoming=1&status=draft', editor)).toEqual(['own'])
    expect(await names('has_events=1&status=draft', editor)).toEqual(['own'])
    expect(await names('only_with_upcoming=1&status=publish', editor)).toContain('drafted')
  })

  it.each([
    ['contributor', '', [...all, 'own']],
    ['contributor', 'status=draft', ['own']],
    ['contributor', 'status=publish,%20draft', [...all, 'own']],
    ['editor', '', [...all, 'draft', 'own', 'pending', 'private']],
    ['editor', 'status=draft,pending', ['draft', 'own', 'pending']],
    ['editor', 'status=trash', ['trash']],
    ['editor', 'status[]=private&status[]=trash', ['private', 'trash']],
  ] as const)('%s with %j', async (role, query, expected) => {
    expect(await names(query, role === 'editor' ? editor : contributor)).toEqual(expected.toSorted())
  })

  it.each([
    ['event=', ['event']],
    ['event=0', ['event']],
    ['event=x', ['event']],
    ['event=999999', ['event']],
    ['event=2147483648', ['event']],
    ['event={bare}', ['event']],
    ['event={other}', ['event']],
    ['search=', ['search']],
    ['search=0', ['search']],
    ['search[]=x', ['search']],
    ['search=%00', ['search']],
    ['status=invented', ['status']],
    ['status=draft,any', ['status']],
    ['page=0&per_page=x&event=999999&search=&status=x', ['event', 'page', 'per_page', 'search', 'status']],
  ])('%s is rejected', async (query, expected) => {
    for (const client of [app, editor]) {
      const { status, body } = await client.get(`${ns}/${plural}?${numbered(query)}`)
      expect([status, body.code, Object.keys(body.data.params ?? {}).sort()]).toEqual([
        400,
        'rest_invalid_param',
        expected,
      ])
    }
  })

  it('an event of any status is a valid filter', async () => {
    for (const word of ['drafted', 'trashed', 'private']) expect((await list(`event={${word}E}`)).status).toBe(200)
  })

  it('an empty list has zero totals and no second page', async () => {
    for (const query of ['search=nothing', 'event={none}', 'search=late&event={comingE}']) {
      const { body, headers } = await list(query)
      const rest = { total: 0, total_pages: 0, rest_url: expect.any(String) }
      expect(body).toStrictEqual({ [plural]: [], ...rest })
      expect([headers['x-cal-total'], headers['x-cal-totalpages']]).toEqual(['0', '0'])
      const second = await list(`${query}&page=2`)
      expect([second.status, second.body.code]).toEqual([404, `${name}-archive-page-not-found`])
    }
  })

  it('links have every filter and return the same list', async () => {
    const query = 'search=l&has_events=1&only_with_upcoming=0&status=publish'
    const { body } = await app.get(`${ns}/${plural}?${query}&per_page=1`)
    const keys = [...new URL(body.rest_url).searchParams.keys()]
    expect(keys).toEqual(expect.arrayContaining(['page', 'per_page', 'search', 'has_events', 'status']))
    expect((await app.get(body.rest_url.slice('http://calendar.test'.length))).body).toEqual(body)
    const upcoming = (await app.get(`${ns}/${plural}?only_with_upcoming=1&event=${ids.comingE}&has_events=yes`)).body
    const carried = Object.fromEntries(new URL(upcoming.rest_url).searchParams)
    expect(Object.keys(carried)).toEqual(expect.arrayContaining(['event', 'has_events', 'only_with_upcoming']))
    const again = (await app.get(upcoming.rest_url.slice('http://calendar.test'.length))).body
    expect(again).toEqual(upcoming)
    expect((await app.get(`${ns}/${plural}?has_events=0`)).body.rest_url).toContain('has_events=0')
  })
})
