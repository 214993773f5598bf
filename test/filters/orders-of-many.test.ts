// Orders of events by a value, of more events than fit on a few pages.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRows } from '../../bench/copy-rows.ts'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { compareNames } from '../../src/calendar/text/served-text.ts'
import { type ApiClient, compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

const copies = 699
const total = copies + 1

let app: TestApp
let editor: ApiClient
let events: readonly Facts[]

type Venue = { readonly name: string; readonly frenchName: string; readonly isPublished: boolean }

interface Facts {
  readonly id: number
  readonly startsAt: Date
  readonly publishedAt: Date
  readonly author: string | null
  readonly allDay: boolean
  readonly isLocked: boolean
  readonly price: number | null
  readonly venues: readonly Venue[]
}

beforeAll(async () => {
  app = await openTestApp({ ...compared, CACHE_BYTES: '0', QUERY_COST_MAX: '100000', PER_PAGE_MAX: '300' })
  editor = await app.signIn('editor')
  const { db } = app
  const original = await makeEvent(db, 'Copied', { cost: ['5'] })
  expect(original).toBeLessThan(1000)
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  const users: number[] = []
  for (const name of ['Zoé', 'éva', 'Éva', 'Zoé', 'nobody', 'adam']) {
    users.push((await db.user.create({ data: { login: `u${users.length}`, name, role: 'author' } })).id)
  }
  const venues = [
    await makeVenue(db, { en: 'Hall', fr: 'Zénith' }),
    await makeVenue(db, { en: 'club', fr: 'Arène' }),
    await makeVenue(db, { en: 'Hall', fr: 'Barn' }),
    await makeVenue(db, 'A draft', { status: 'draft' }),
    await makeVenue(db, { en: 'Ärger', fr: 'club' }),
  ]
  const pick = (ids: readonly number[], index: string) => `(ARRAY[${ids.join()}])[${index}]`
  const shift = (column: string) => ({ [column]: `t.${column} + k * 1000` })
  const day = 'make_interval(days => (k * 7) % 40)'
  await copyRows(db, 'event', copies, {
    ...shift('id'),
    ...Object.fromEntries(['starts_at', 'ends_at', 'starts_local', 'ends_local'].map((at) => [at, `t.${at} + ${day}`])),
    published_at: 't.published_at - make_interval(days => k % 3)',
    author_id: pick(users, '1 + k % 7'),
    all_day: 'k % 3 = 0',
    password_key: `CASE WHEN k % 11 = 0 THEN '${key}' END`,
    cost: "CASE k % 5 WHEN 0 THEN ARRAY[]::text[] WHEN 1 THEN ARRAY['Free'] ELSE ARRAY[(k % 4)::text, '90'] END",
  })
  await copyRows(db, 'content_text', copies, { ...shift('content_id'), slug: `t.slug || '-' || k` })
  const link = (position: number, venue: string, condition: string) =>
    db.$executeRawUnsafe(`
    INSERT INTO content_venue (content_id, venue_id, position)
    SELECT ${original} + k * 1000, ${pick(venues, venue)}, ${position} FROM generate_series(1, ${copies}) AS k WHERE ${condition}`)
  await link(0, '1 + k % 5', 'k % 6 > 0')
  await link(1, '1 + (k + 1 + k % 3) % 5', 'k % 4 = 0')
  await db.$executeRawUnsafe(`
    INSERT INTO content_ticket (content_id, position, name, price, currency)
    SELECT ${original} + k * 1000, n, 'Seat', (k % 9) * n + 0.5, 'EUR' FROM generate_series(1, ${copies}, 4) AS k, generate_series(0, 1) AS n`)
  events = await readFacts(venues)
  expect(events).toHaveLength(total)
})
afterAll(() => app?.close())

async function readFacts(venueIds: readonly number[]): Promise<Facts[]> {
  const { db } = app
  const texts = await db.venueText.findMany({ where: { venueId: { in: [...venueIds] } } })
  const name = (id: number, language: string) =>
    texts.find((text) => text.venueId === id && text.language === language)?.name ?? ''
  const rows = await db.event.findMany({
    include: { author: true, tickets: true, venues: { orderBy: { position: 'asc' } } },
  })
  return rows.map(({ id, startsAt, publishedAt, author, allDay, passwordKey, cost, tickets, venues }) => {
    const costs = cost.map((entry) => (entry === 'Free' ? 0 : Number(entry)))
    const prices = [...costs, ...tickets.map(({ price }) => Number(price))]
    return {
      ...{ id, startsAt, publishedAt, author: author?.name ?? null, allDay, isLocked: passwordKey !== null },
      price: prices.length === 0 ? null : Math.min(...prices),
      venues: venues.map(({ venueId }) => ({
        name: name(venueId, 'en'),
        frenchName: name(venueId, 'fr'),
        isPublished: venueId !== venueIds[3],
      })),
    }
  })
}

interface Reader {
  readonly isEditor?: boolean
  readonly hasPassword?: boolean
  readonly isFrench?: boolean
}

const values: Readonly<Record<string, (event: Facts, reader: Reader) => string | number | null>> = {
  AUTHOR: ({ author }) => author,
  PRICE: ({ price }) => price,
  ALL_DAY: ({ allDay }) => Number(allDay),
  PLACE_NAME({ venues }, { isEditor, isFrench }) {
    const first = venues.find(({ isPublished }) => isPublished || isEditor)
    return (isFrench ? first?.frenchName : first?.name) ?? null
  },
}

function expected(field: string, direction: string, reader: Reader): number[] {
  const isWithheld = (event: Facts) => event.isLocked && !reader.hasPassword && field !== 'AUTHOR'
  const shownValue = (event: Facts) => (isWithheld(event) ? null : (values[field]?.(event, reader) ?? null))
  const compare = (one: string | number | null, other: string | number | null) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const order = typeof one === 'string' ? compareNames(one, String(other)) : one - Number(other)
    return direction === 'ASC' ? order : -order
  }
  return events
    .toSorted(
      (a, b) =>
        compare(shownValue(a), shownValue(b)) ||
        a.startsAt.getTime() - b.startsAt.getTime() ||
        a.publishedAt.getTime() - b.publishedAt.getTime() ||
        a.id - b.id,
    )
    .map(({ id }) => id)
}

const readers: Readonly<Record<string, readonly Reader[]>> = {
  ASC: [{}, { isFrench: true }],
  DESC: [{ hasPassword: true }, { isEditor: true }],
}

/** Reads a field of Query, of which `list` is the beginning up to an argument, in this order. */
async function readList(
  { isEditor = false, hasPassword = false, isFrench = false }: Reader,
  [list, selection]: readonly [list: string, selection: string],
  [field, direction]: readonly [field: string, direction: string],
) {
  const { body } = await (isEditor ? editor : app).graphql(
    `query ${hasPassword ? '@inContext(password: "sesame")' : ''} {
      list: ${list}, orderBy: { field: ${field}, direction: ${direction} }) { ${selection} } }`,
    undefined,
    isFrench ? '/fr' : '',
  )
  expect(body.errors).toBeUndefined()
  return body.data.list
}

const cursorDirections = [
  ['first', 'after', 'endCursor'],
  ['last', 'before', 'startCursor'],
] as const

async function checkOrder(field: string, direction: string): Promise<void> {
  for (const [index, reader] of (field === 'AUTHOR' ? [{}] : (readers[direction] ?? [])).entries()) {
    const read = (list: string, selection: string) => readList(reader, [list, selection], [field, direction])
    const idsOf = (items: readonly { readonly databaseId: number }[]) => items.map(({ databaseId }) => databaseId)
    const whole = expected(field, direction, reader)
    for (const [page, perPage] of [
      [1, 10],
      [30, 10],
      [65, 10],
      [70, 10],
      [71, 10],
      [2, 300],
      [3, 300],
    ] as const) {
      const { items } = await read(`eventsPage(page: ${page}, perPage: ${perPage}`, 'items { databaseId }')
      expect(idsOf(items)).toEqual(whole.slice((page - 1) * perPage, page * perPage))
    }
    // Forwards for one reader, backwards for the next.
    for (const [count, beyond, cursor] of partOf(cursorDirections, 2, index)) {
      const pages: number[][] = []
      let range = `events(${count}: 150`
      while (pages.flat().length < total) {
        const { nodes, totalCount, pageInfo } = await read(
          range,
          'totalCount nodes { databaseId } pageInfo { startCursor endCursor }',
        )
        expect(totalCount).toBe(total)
        expect(nodes.length).toBeGreaterThan(0)
        pages.push(idsOf(nodes))
        range = `events(${count}: 150, ${beyond}: "${pageInfo[cursor]}"`
      }
      expect((count === 'first' ? pages : pages.toReversed()).flat()).toEqual(whole)
    }
    const { pageInfo, edges } = await read('events(first: 300', 'edges { cursor } pageInfo { endCursor }')
    const inside = `events(first: 300, after: "${edges[20].cursor}", before: "${pageInfo.endCursor}"`
    const { nodes } = await read(inside, 'nodes { databaseId }')
    expect(idsOf(nodes)).toEqual(whole.slice(21, 299))
  }
}

test.each(
  ['PRICE', 'AUTHOR', 'ALL_DAY', 'PLACE_NAME'].flatMap((field) =>
    ['ASC', 'DESC'].map((direction) => [field, direction]),
  ),
)('by %s %s', (field = '', direction = '') => checkOrder(field, direction))
