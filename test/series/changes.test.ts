// What clients that follow changes, subscribers, endpoints and administrators are told of a series.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { waitForTransactions } from '../helpers/db.ts'
import { eventually } from '../helpers/eventually.ts'
import { ns } from '../helpers/rest.ts'
import { partOf } from '../helpers/runs.ts'
import { listenOn, subscribe } from '../helpers/subscribe.ts'
import type { TestUser } from '../helpers/users.ts'

const recurrences = (count: number) => [
  { startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-01T21:00:00', rule: `FREQ=WEEKLY;COUNT=${count}` },
]

interface Series {
  readonly id: number
  readonly ids: readonly number[]
}

async function mutate(client: ApiClient, field: string, input: object, selection = '') {
  const type = field.replace(/^./, (letter) => letter.toUpperCase())
  const inputType = /^(trash|restore|delete)/.test(field) ? 'RecordInput' : `${type}Input`
  const query = `mutation ($input: ${inputType}!) { ${field}(input: $input) { ${selection} userErrors { path message } } }`
  const { body } = await client.graphql(query, { input })
  expect([body.errors, body.data?.[field]?.userErrors]).toEqual([undefined, []])
  return body.data[field]
}

async function createSeries(client: ApiClient, fields: object = {}, count = 4): Promise<Series> {
  const input = { title: 'Course', status: 'PUBLISHED', schedule: { recurrences: recurrences(count) }, ...fields }
  const selection = 'series { databaseId events(first: 100) { nodes { databaseId } } }'
  const { series } = await mutate(client, 'createEventSeries', input, selection)
  return {
    id: series.databaseId,
    ids: series.events.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
  }
}

interface Follower {
  /** Returns what changed since the last call: IDs to store and IDs to remove, in order. */
  next(): Promise<{ readonly changed: readonly number[]; readonly removed: readonly number[] }>
}

/** Follows the list of events by REST. */
async function follow(app: TestApp, client: Pick<ApiClient, 'get'>, query = ''): Promise<Follower> {
  let token = ''
  // What was published at the time of the first request is found again.
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  const next = async () => {
    await waitForTransactions(app.db)
    const all = { changed: [] as number[], removed: [] as number[] }
    for (let hasMore = true; hasMore; ) {
      const { status, body } = await client.get(`${ns}/events?sync_token=${token}&per_page=50${query}`)
      expect([status, body.code]).toEqual([200, undefined])
      all.changed.push(...body.events.map(({ id }: { id: number }) => id))
      all.removed.push(...body.deleted)
      ;({ sync_token: token, has_more: hasMore } = body)
    }
    return all
  }
  await next()
  return { next }
}

const sites = [{ LANGUAGE_FALLBACK: 'on' }, { LANGUAGE_FALLBACK: 'off' }]

describe.each(sites)('followers with %j', (env) => {
  let app: TestApp
  let administrator: ApiClient
  /** A visitor of the first site, and of the other one a user who may not see more. */
  let reader: ApiClient
  let series: Series

  beforeAll(async () => {
    app = await openTestApp(env)
    administrator = await app.signIn('administrator')
    reader = env === sites[0] ? app : await app.signIn('subscriber')
  })
  beforeEach(async () => {
    series = await createSeries(administrator)
  })
  afterAll(() => app?.close())

  const sorted = (...numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
  const none = { changed: [] as number[], removed: [] as number[] }
  const date = (index: number) => series.ids[index] ?? 0
  const ofDate = (index: number, fields: object = {}) => ({ id: String(date(index)), ...fields })
  const write = (field: string, input: object) => () => mutate(administrator, field, input)

  const cases = [
    ['a title', () => write('updateEventSeries', { id: String(series.id), title: 'Talk' }), [0, 1, 2, 3], []],
    [
      'a title by one of the dates',
      () => write('updateEvent', ofDate(1, { title: 'Talk', scope: 'ALL' })),
      [0, 1, 2, 3],
      [],
    ],
    [
      'a tag',
      () => write('updateEventSeries', { id: String(series.id), tags: [{ nameOrSlug: 'new' }] }),
      [0, 1, 2, 3],
      [],
    ],
    ['one date', () => write('updateEvent', ofDate(1, { startsLocal: '2026-12-08T18:00:00' })), [1], []],
    ['a draft', () => write('updateEventSeries', { id: String(series.id), status: 'DRAFT' }), [], [0, 1, 2, 3]],
    ['the trash', () => write('trashEvent', ofDate(1, { scope: 'ALL' })), [], [0, 1, 2, 3]],
    ['the trash for a date', () => write('trashEvent', ofDate(1)), [0, 2, 3], [1]],
    ['the trash for later dates', () => write('trashEvent', ofDate(2, { scope: 'FOLLOWING' })), [0, 1], [2, 3]],
    ['a deletion', () => write('deleteEvent', ofDate(0, { scope: 'ALL' })), [], [0, 1, 2, 3]],
    ['the deletion of a date', () => write('deleteEvent', ofDate(3)), [0, 1, 2], [3]],
    ['the deletion of later dates', () => write('deleteEvent', ofDate(1, { scope: 'FOLLOWING' })), [0], [1, 2, 3]],
    [
      'fewer dates',
      () => write('updateEventSeries', { id: String(series.id), schedule: { recurrences: recurrences(2) } }),
      [0, 1],
      [2, 3],
    ],
    ['an event of its own', () => write('updateEvent', ofDate(2, { title: 'Talk' })), [0, 1, 2, 3], []],
    ['a hidden date', () => write('updateEvent', ofDate(2, { hideFromListings: true })), [], [2]],
    [
      'hidden dates',
      () => write('updateEventSeries', { id: String(series.id), hideFromListings: true }),
      [],
      [0, 1, 2, 3],
    ],
    [
      'a draft that is deleted',
      () => async () => {
        await write('updateEventSeries', { id: String(series.id), status: 'DRAFT' })()
        await write('deleteEvent', ofDate(0, { scope: 'ALL' }))()
      },
      [],
      [0, 1, 2, 3],
    ],
    [
      'a draft of which a date is deleted and others leave',
      () => async () => {
        await write('updateEventSeries', { id: String(series.id), status: 'DRAFT' })()
        await write('deleteEvent', ofDate(3))()
        await write('updateEvent', ofDate(2, { title: 'Own' }))()
        await write('deleteEvent', ofDate(1, { scope: 'FOLLOWING' }))()
      },
      [],
      [0, 1, 2, 3],
    ],
  ] as const

  test.each(partOf(cases, sites.length, sites.indexOf(env)))('%s', async (_name, change, changed, removed) => {
    const follower = await follow(app, reader)
    const admin = await follow(app, administrator)
    await change()()
    const expected = { changed: changed.map(date), removed: removed.map(date) }
    expect(await follower.next()).toEqual(expected)
    // Administrators list drafts, too.
    const seen = await admin.next()
    expect(sorted(...seen.changed, ...seen.removed)).toEqual(sorted(...expected.changed, ...expected.removed))
    for (const each of [follower, admin]) expect(await each.next()).toEqual(none)
  })

  test('a series that nobody may see is not told of', async () => {
    const visitor = await follow(app, app)
    const draft = await createSeries(administrator, { status: 'DRAFT', title: 'Secret' })
    await mutate(administrator, 'updateEventSeries', { id: String(draft.id), title: 'Hidden' })
    await mutate(administrator, 'updateEvent', { id: String(draft.ids[1]), title: 'Own' })
    await mutate(administrator, 'deleteEvent', { id: String(draft.ids[2]) })
    await mutate(administrator, 'deleteEvent', { id: String(draft.ids[0]), scope: 'ALL' })
    const { body } = await app.get(`${ns}/events?sync_token=&per_page=50`)
    expect(body.events.map(({ title }: { title: string }) => title)).not.toContain('Secret')
    expect(await visitor.next()).toEqual(none)
  })

  test.each<[string, readonly object[]]>([
    ['private', [{ status: 'PRIVATE' }, { schedule: { recurrences: recurrences(6) } }]],
    ['private in the same write', [{ status: 'PRIVATE', schedule: { recurrences: recurrences(6) } }]],
    ['a draft', [{ status: 'DRAFT' }, { title: 'Talk' }, { schedule: { recurrences: recurrences(6) } }]],
    ['not in lists', [{ hideFromListings: true }, { schedule: { recurrences: recurrences(6) } }]],
  ])('dates that join a series that is %s are not told of', async (_name, writes) => {
    const follower = await follow(app, reader)
    for (const fields of writes) await mutate(administrator, 'updateEventSeries', { id: String(series.id), ...fields })
    expect(await app.db.event.count({ where: { seriesId: series.id } })).toBe(6)
    expect(await follower.next()).toEqual({ changed: [], removed: series.ids })
    await mutate(administrator, 'updateEventSeries', {
      id: String(series.id),
      status: 'PUBLISHED',
      hideFromListings: false,
    })
    const { changed, removed } = await follower.next()
    expect([changed.length, removed]).toEqual([6, []])
  })

  test('a list of the first dates is told of the next one', async () => {
    const next = '&hide_subsequent_recurrences=1'
    const follower = await follow(app, app, `${next}&series=${series.id}`)
    await mutate(
      administrator,
      'updateEvent',
      ofDate(0, { startsLocal: '2026-12-10T19:00:00', endsLocal: '2026-12-10T21:00:00' }),
    )
    expect(await follower.next()).toMatchObject({ changed: [date(1)], removed: expect.arrayContaining([date(0)]) })
    await mutate(administrator, 'deleteEvent', ofDate(1))
    expect(await follower.next()).toMatchObject({ changed: [date(0)], removed: expect.arrayContaining([date(1)]) })
  })

  test('a new series is new to endpoints, and a split one is not', async () => {
    // The log of the dates says what was before.
    await mutate(administrator, 'updateEvent', ofDate(2, { title: 'Later', scope: 'FOLLOWING' }))
    const { body } = await app.get(`${ns}/events?start_date=2026-01-01&per_page=50&search=later`)
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual([date(2), date(3)])
    const { splitFromId } = await app.db.series.findFirstOrThrow({ where: { splitFromId: series.id } })
    expect(splitFromId).toBe(series.id)
    const entries = await app.db.change.findMany({
      where: { kind: 'series', recordId: series.id },
      orderBy: { id: 'asc' },
    })
    expect(Object.keys((entries.at(-1)?.fields ?? {}) as object)).toEqual(['schedule'])
  })
})

describe('other readers', () => {
  let app: TestApp
  let administrator: TestUser & ApiClient

  beforeAll(async () => {
    app = await openTestApp()
    administrator = await app.signIn('administrator')
  })
  afterAll(() => app?.close())

  test('subscribers see every date change, also of a series of more than a hundred', async () => {
    const { id, ids } = await createSeries(administrator, {}, 120)
    const stream = await subscribe(await listenOn(app))
    await mutate(administrator, 'updateEventSeries', { id: String(id), title: 'Talk' })
    await eventually(() => expect(stream.changes()).toHaveLength(120))
    expect(stream.changes().slice(0, 2)).toEqual([`UPDATED ${ids[0]} Talk`, `UPDATED ${ids[1]} Talk`])
    stream.close()
  })

  // Its dates share the text: nothing sorts a copy for each of them.
  test('a new title of a series of two years with a long text needs no temporary files', async () => {
    const { id } = await createSeries(administrator, { description: `<p>${'A long text. '.repeat(800)}</p>` }, 730)
    const temporaryBytes = async () => {
      await app.db.$executeRaw`SELECT pg_stat_force_next_flush()`
      const query = app.db.$queryRaw<[{ bytes: number }]>`
        SELECT temp_bytes::int AS bytes FROM pg_stat_database WHERE datname = current_database()`
      return (await query)[0].bytes
    }
    const before = await temporaryBytes()
    await mutate(administrator, 'updateEventSeries', { id: String(id), title: 'Talk' })
    expect(await temporaryBytes()).toBe(before)
  })

  test('the audit log has a change of all dates once', async () => {
    const { id, ids } = await createSeries(administrator)
    const description = `<p>${'long '.repeat(500)}</p>`
    await mutate(administrator, 'updateEventSeries', { id: String(id), title: 'Talk', description })
    await mutate(administrator, 'deleteEvent', { id: String(ids[3]) })
    const query = (filter: string) =>
      administrator.graphql(
        `{ auditLog(first: 100, filter: ${filter}) { nodes { kind action databaseId name changes { field before after } } } }`,
      )
    const { body } = await query('{ kinds: [SERIES] }')
    expect(body.errors).toBeUndefined()
    const found = body.data.auditLog.nodes.filter((entry: { databaseId: number }) => entry.databaseId === id)
    expect(found.map(({ action, name }: Record<string, string>) => [action, name])).toEqual([
      ['UPDATED', 'Talk'],
      ['UPDATED', 'Talk'],
      ['CREATED', 'Talk'],
    ])
    expect(found[1].changes).toEqual(
      expect.arrayContaining([
        { field: 'name', before: 'Course', after: 'Talk' },
        { field: 'description', before: null, after: description },
      ]),
    )
    await mutate(administrator, 'deleteEvent', { id: String(ids[0]), scope: 'ALL' })
    const all = await query('{ actions: [DELETED, UPDATED], kinds: [SERIES, EVENT] }')
    const ofSeries = all.body.data.auditLog.nodes.filter(({ databaseId }: { databaseId: number }) => databaseId === id)
    expect(ofSeries[0]).toMatchObject({ kind: 'SERIES', action: 'DELETED' })
    expect(ofSeries.every(({ kind }: { kind: string }) => kind === 'SERIES')).toBe(true)
  })
})
