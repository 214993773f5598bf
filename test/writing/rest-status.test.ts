// Status and publication date (contract b.9, e.1 to e.3, QUIRK-10, 25, 37, 38).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { encodingsOf, newRecord, ns, numbered, posts } from '../helpers/rest.ts'
import { partOf } from '../helpers/runs.ts'

type User = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
const users = {} as Record<'administrator' | 'editor' | 'author' | 'contributor', User>
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'America/New_York' })
  for (const role of ['administrator', 'editor', 'author', 'contributor'] as const) users[role] = await app.signIn(role)
})
afterEach(() => {
  app.clock.now = now
})
afterAll(() => app.close())

let createdRecords = 0
type Kind = (typeof posts)[number]
const create = (role: Exclude<Role, 'subscriber'>, kind: Kind, fields: object = {}) =>
  users[role].send('POST', `${ns}/${kind}`, { ...newRecord(kind, `Record ${++createdRecords}`), ...fields })
const edit = (role: Exclude<Role, 'subscriber'>, kind: Kind, id: number, fields: object | string) =>
  users[role].send('PUT', `${ns}/${kind}/${id}`, fields)

const later = '2027-01-01 00:00:00'

// The kinds share the rows of each table among them: the rules are the same for all kinds.
describe.each(posts)('%s', (kind) => {
  const partOfKind = <Row>(rows: readonly Row[]) => partOf(rows, posts.length, posts.indexOf(kind))

  it.each(
    partOfKind([
      [undefined, 'publish', 'draft'],
      ['publish', 'publish', 'pending'],
      ['future', 'publish', 'pending'],
      ['draft', 'draft', 'draft'],
      ['pending', 'pending', 'pending'],
      ['private', 'private', 'pending'],
      ['trash', 'trash', 'trash'],
    ] as const),
  )('created with %s are %s, or %s for contributors', async (status, published, written) => {
    for (const role of ['administrator', 'editor', 'author'] as const)
      expect((await create(role, kind, { status })).body.status, role).toBe(published)
    expect((await create('contributor', kind, { status })).body.status).toBe(written)
  })

  it.each(
    partOfKind([
      ['publish', 'publish', 'pending'],
      ['future', 'publish', 'pending'],
      ['pending', 'pending', 'pending'],
      ['private', 'private', 'pending'],
      ['trash', 'trash', 'trash'],
    ] as const),
  )('drafts changed to %s are %s, or %s for contributors', async (status, published, written) => {
    for (const [role, expected] of [
      ['author', published],
      ['contributor', written],
    ] as const) {
      const { body } = await create(role, kind, { status: 'draft' })
      expect((await edit(role, kind, body.id, { description: 'New' })).body.status).toBe('draft')
      expect((await edit(role, kind, body.id, { status })).body.status, role).toBe(expected)
    }
  })

  it('keep their status and date when neither is sent', async () => {
    for (const status of ['publish', 'draft', 'pending', 'private']) {
      const { body } = await create('author', kind, { status, date: '2026-01-01' })
      expect((await edit('author', kind, body.id, { description: 'New' })).body).toMatchObject({
        status,
        date: '2026-01-01 00:00:00',
      })
    }
  })

  const dated: readonly [object, string, string][] = [
    [{ date: '2026-01-01 10:00' }, '2026-01-01 10:00:00', '2026-01-01 15:00:00'],
    [{ date_utc: '2026-01-01 10:00' }, '2026-01-01 05:00:00', '2026-01-01 10:00:00'],
    [{ date: '2026-01-01T10:00:00Z' }, '2026-01-01 05:00:00', '2026-01-01 10:00:00'],
    [{ date: 1_764_547_200 }, '2025-11-30 19:00:00', '2025-12-01 00:00:00'],
    [{ date_utc: '1764547200' }, '2025-11-30 19:00:00', '2025-12-01 00:00:00'],
    [{ date: 'yesterday' }, '2026-11-20 00:00:00', '2026-11-20 05:00:00'],
    [{ date: '2026-01-01 10:00', date_utc: '2026-01-01 16:30' }, '2026-01-01 11:30:00', '2026-01-01 16:30:00'],
    [{ date: '2026-01-01 10:00', timezone: 'Europe/Paris' }, '2026-01-01 10:00:00', '2026-01-01 15:00:00'],
  ]
  it.each(partOfKind(numbered(dated)))('are published on %j', async (fields, date, date_utc, index) => {
    for (const [name, encode] of encodingsOf(index)) {
      const path = `${ns}/${kind}`
      const created = await users.editor.send(
        'POST',
        path,
        encode({ ...newRecord(kind, `Dated ${++createdRecords}`), ...fields }),
      )
      expect([created.status, created.body.status, created.body.date, created.body.date_utc], name).toEqual([
        201,
        'publish',
        date,
        date_utc,
      ])
      const { body } = await create('editor', kind, { status: 'draft' })
      const edited = await users.editor.send('PUT', `${path}/${body.id}`, encode(fields))
      expect([edited.body.status, edited.body.date, edited.body.date_utc], name).toEqual(['draft', date, date_utc])
    }
  })

  it('a date in the future schedules a record until then', async () => {
    const { body } = await create('author', kind, { date: later })
    expect(body).toMatchObject({ status: 'future', date: later })
    const path = `${ns}/${kind}/${body.id}`
    expect((await app.get(path)).status).toBe(403)
    app.clock.now = new Date('2027-01-02T00:00:00Z')
    expect((await app.get(path)).body.status).toBe('publish')
    expect((await edit('author', kind, body.id, { description: 'New' })).body).toMatchObject({
      status: 'publish',
      date: later,
    })
  })

  it('an earlier date publishes what was scheduled, a later one withholds what was published', async () => {
    const { body } = await create('author', kind, { status: 'future', date: later })
    expect((await edit('author', kind, body.id, { date: '2026-01-01' })).body.status).toBe('publish')
    expect((await edit('author', kind, body.id, { date: later })).body.status).toBe('future')
    expect((await edit('author', kind, body.id, { date_utc: '2026-11-21 12:00:01' })).body.status).toBe('future')
    expect((await edit('author', kind, body.id, { date_utc: '2026-11-21 12:00:00' })).body.status).toBe('publish')
  })

  it('a draft can be published with or without a date', async () => {
    const { body } = await create('editor', kind, { status: 'draft', date: '2026-01-01' })
    expect((await edit('editor', kind, body.id, { status: 'future', date: later })).body).toMatchObject({
      status: 'future',
      date: later,
    })
    const other = await create('editor', kind, { status: 'draft' })
    app.clock.now = new Date('2026-11-22T12:00:00Z')
    expect((await edit('editor', kind, other.body.id, { status: 'publish' })).body).toMatchObject({
      status: 'publish',
      date: '2026-11-22 07:00:00',
    })
  })
})

it.each(['publish', 'future'])('contributors may not change what was approved: %s', async (status) => {
  const { body } = await create('contributor', 'events')
  await edit('editor', 'events', body.id, { status, date: status === 'future' ? later : '2026-01-01' })
  expect((await edit('contributor', 'events', body.id, { status: 'draft' })).status).toBe(403)
})
