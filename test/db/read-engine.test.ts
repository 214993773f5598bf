// The read engine returns what Prisma's own engine returns, for every operator that it compiles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/engine/postgres/client.ts'
import { PreloadedRecord } from '../../src/engine/postgres/preloaded-record.ts'
import { onRead, queryRows } from '../../src/engine/postgres/query.ts'
import { selectedIdsFilter } from '../../src/engine/postgres/record-reads.ts'
import { SelectionTemplate } from '../../src/engine/postgres/selection-template.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { createReads } from '../../src/engine/reads/reads.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { now } from '../helpers/app.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { makeUser } from '../helpers/users.ts'

let database: TestDatabase
let db: Db
let prisma: Db
const engines: string[] = []
const day = (number: number) => new Date(now.getTime() + number * 86_400_000)

beforeAll(async () => {
  database = await openTestDatabase()
  db = createClient(database.database.pool)
  onRead(db, (engine) => engines.push(engine))
  prisma = createClient(database.database.pool, { readEngine: 'prisma' })
  const author = await makeUser(db, 'author')
  const imageId = await makeImage(db)
  const venues = [
    await makeVenue(db, { en: 'Hall', fr: 'Salle' }, { latitude: 48.85661, longitude: -2.35222, imageId }),
    await makeVenue(db, 'Barn 100%', { city: "L'Aquila", status: 'draft', authorId: author.id }),
  ]
  const organizers = [await makeOrganizer(db, 'Club'), await makeOrganizer(db, { es: 'Peña' }, { email: 'a@b.test' })]
  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  const categories = [music, await makeCategory(db, 'Jazz', music)]
  const tags = [await makeTag(db, { fr: 'gratuit' }), await makeTag(db, 'loud')]
  const parentId = await makeEvent(db, 'Festival', {
    customFields: [{ key: 'k', label: 'L', value: { a: [1.5, null, 'é\n"'] } }],
  })
  for (let n = 0; n < 12; n += 1) {
    await makeEvent(
      db,
      n % 2 ? { en: `Gig_${n}`, fr: `Concert ${n}` } : { es: { name: `Fiesta ${n}`, excerpt: '50%' } },
      {
        start: `2026-12-${String(n + 1).padStart(2, '0')}T19:30:00`,
        venueIds: n % 3 === 0 ? [] : [...venues].slice(n % 2),
        organizerIds: n % 4 ? organizers : [],
        categoryIds: n % 2 ? categories : [],
        tagIds: n % 5 ? [] : tags,
        parentId: n % 3 ? parentId : null,
        authorId: n % 2 ? author.id : null,
        imageId: n % 4 ? null : imageId,
        cost: n % 2 ? ['$5', '10'] : [],
        website: n % 3 ? null : '',
        featured: n % 2 === 0,
        status: n === 7 ? 'draft' : n === 8 ? 'future' : 'publish',
        publishedAt: day(n - 8),
        tickets: {
          create: n % 2 ? [] : [{ position: 0, name: 'Seat', price: '12.50', currency: 'EUR', capacity: 10 }],
        },
      },
    )
  }
})
afterAll(async () => {
  await db?.$disconnect()
  await prisma?.$disconnect()
  await database?.close()
})

type Model = 'event' | 'venue' | 'eventText' | 'eventVenue' | 'category' | 'ticket' | 'user' | 'site' | 'credential'
type Delegate = Readonly<Record<string, (args: object) => Promise<unknown>>>
/** Reads as operations do. */
const readsOf = (client: Db) => createReads(client, now)
const delegate = (client: Db, model: Model) => readsOf(client)[model] as unknown as Delegate

async function expectSame(model: Model, method: string, args: object, engine = 'compiled') {
  engines.length = 0
  const compiled = await delegate(db, model)[method]?.(args)
  expect(engines).toEqual([engine])
  const expected = await delegate(prisma, model)[method]?.(args)
  expect(compiled).toEqual(expected)
  return compiled
}

const byId = { orderBy: { id: 'asc' } }
const idOnly = { select: { id: true }, ...byId }

describe('filters of columns', () => {
  test.each<[string, object, number]>([
    ['nothing', {}, 13],
    ['equals', { featured: true }, 6],
    ['equals null', { website: null }, 9],
    ['equals as an operator', { timeZone: { equals: 'Europe/Paris' } }, 13],
    ['not', { timeZone: { not: 'UTC' } }, 13],
    ['not null', { website: { not: null } }, 4],
    ['not a filter', { startsLocal: { not: { lt: day(12) } } }, 10],
    ['in', { status: { in: ['draft', 'future'] } }, 2],
    ['in nothing', { status: { in: [] } }, 0],
    ['not in', { status: { notIn: ['draft', 'future'] } }, 11],
    ['in numbers', { id: { in: [1, 2, 3, 999] } }, 0],
    ['lt and gte', { startsAt: { gte: day(12), lt: day(14) } }, 2],
    ['a list that has an item', { cost: { has: '10' } }, 6],
    ['an empty list', { cost: { isEmpty: true } }, 7],
    [
      'AND, OR and NOT',
      { AND: [{ featured: true }], OR: [{ website: null }, { authorId: null }], NOT: { status: 'future' } },
      5,
    ],
    ['an empty OR', { OR: [] }, 0],
    ['an empty AND', { AND: [] }, 13],
    ['an empty NOT', { NOT: [] }, 13],
    ['undefined', { featured: undefined, status: { in: undefined } }, 13],
  ])('%s', async (_, where, count) => {
    const records = await expectSame('event', 'findMany', { ...idOnly, where })
    if (!('id' in where)) expect(records).toHaveLength(count)
    await expectSame('event', 'count', { where })
  })

  test.each<[string, object]>([
    ['contains', { name: { contains: 'ig_' } }],
    ['contains, whatever the case', { name: { contains: 'GIG', mode: 'insensitive' } }],
    ['a scalar list', { written: { has: 'name' } }],
    ['a compound key', { eventId: { gt: 0 }, language: 'fr' }],
  ])('%s', async (_, where) => {
    const args = { where, orderBy: [{ eventId: 'asc' }, { language: 'desc' }] }
    expect(await expectSame('eventText', 'findMany', args)).not.toEqual([])
  })

  test.each<[string, object]>([
    ['a decimal equals', { price: '12.5' }],
    ['a decimal object', { price: new Prisma.Decimal('12.50') }],
    ['a decimal in a list', { price: { in: ['12.50', 1] } }],
    ['a text of fixed length', { currency: 'EUR' }],
  ])('%s', async (_, where) => {
    expect(await expectSame('ticket', 'findMany', { where, ...byId })).toHaveLength(6)
  })
})

describe('filters of relations', () => {
  test.each<[string, object, number]>([
    ['some', { venues: { some: { venue: { status: 'publish' } } } }, 4],
    ['none', { venues: { none: {} } }, 5],
    ['some and none', { venues: { some: {}, none: { venue: { status: 'publish' } } } }, 4],
    ['a nullable record', { parent: { featured: false } }, 8],
    ['a nullable record that is missing', { parent: null }, 5],
    ['not a relation', { NOT: { parent: { featured: false } } }, 5],
    ['texts', { texts: { some: { language: 'fr', folded: { contains: 'concert' } } } }, 6],
    ['ancestors', { categories: { some: { category: { parent: { slugs: { some: { slug: 'music' } } } } } } }, 6],
  ])('%s', async (_, where, count) => {
    expect(await expectSame('event', 'findMany', { ...idOnly, where })).toHaveLength(count)
    await expectSame('event', 'count', { where })
  })
})

describe('selections', () => {
  const text = { where: { language: 'fr' }, select: { name: true, slug: true, written: true } }
  test.each<[string, Model, object]>([
    ['all columns', 'event', byId],
    ['all columns of a text', 'eventText', { orderBy: [{ eventId: 'asc' }, { language: 'asc' }] }],
    ['a decimal and a nullable number', 'ticket', { select: { price: true, capacity: true }, ...byId }],
    ['floats', 'venue', { select: { latitude: true, longitude: true }, ...byId }],
    ['the row of a language', 'event', { select: { id: true, texts: text }, ...byId }],
    ['all rows of a relation', 'event', { select: { texts: { orderBy: { language: 'asc' } } }, ...byId }],
    ['a nullable record', 'event', { select: { image: true, author: { select: { login: true } } }, ...byId }],
    [
      'a nullable record with a filter',
      'event',
      { select: { parent: { where: { featured: true }, select: { id: true } } }, ...byId },
    ],
    [
      'a filtered, ordered link',
      'event',
      {
        select: {
          venues: {
            where: { venue: { status: 'publish' } },
            orderBy: { position: 'desc' },
            select: { position: true, venue: { select: { city: true, texts: text } } },
          },
        },
        ...byId,
      },
    ],
    [
      'a part of a relation',
      'event',
      { select: { children: { orderBy: [{ startsAt: 'desc' }], take: 3, skip: 1, select: { id: true } } }, ...byId },
    ],
  ])('%s', async (_, model, args) => {
    expect(await expectSame(model, 'findMany', args)).not.toEqual([])
  })
})

describe('orders and pages', () => {
  test.each<[string, object]>([
    ['several keys', { orderBy: [{ featured: 'desc' }, { startsAt: 'asc' }, { id: 'asc' }] }],
    ['a page', { ...byId, skip: 2, take: 3 }],
    ['a page past the end', { ...byId, skip: 200, take: 3 }],
    ['nothing', { ...byId, take: 0 }],
  ])('%s', async (_, args) => {
    await expectSame('event', 'findMany', { select: { id: true, venues: { select: { position: true } } }, ...args })
    await expectSame('event', 'findMany', { select: { id: true, startsAt: true }, ...args })
    await expectSame('event', 'findPage', { select: { id: true }, ...args, total: true })
    await expectSame('event', 'findPage', {
      select: { id: true, tickets: true },
      ...args,
      pageWhere: { id: { gt: 0 } },
    })
  })

  test.each([{ id: true }, { id: true, venues: { select: { position: true } } }])(
    'a page whose last record is counted, but not read, of %o',
    async (select) => {
      const args = { select, ...byId, unread: 1 }
      const ids = await db.event.findMany({ select: { id: true }, orderBy: { id: 'asc' }, take: 2 })
      expect(await expectSame('event', 'findPage', { ...args, take: 3 })).toMatchObject({ records: ids, found: 3 })
      await expectSame('event', 'findPage', { ...args, take: 3, total: true })
      expect(await expectSame('event', 'findPage', { ...args, take: 1 })).toMatchObject({ records: [], found: 1 })
      const last = { ...args, take: 3, skip: (await db.event.count()) - 2 }
      expect(await expectSame('event', 'findPage', last)).toMatchObject({ records: [{}, {}], found: 2 })
    },
  )

  describe('pages for several parents', () => {
    const select = { id: true, startsAt: true }
    const tickets = { id: true, tickets: true, texts: { where: { language: 'fr' }, select: { name: true } } }
    const orderBy = [{ startsAt: 'desc' }, { id: 'asc' }]

    async function parents() {
      const [venues, categories, events] = await Promise.all([
        prisma.venue.findMany({ select: { id: true }, orderBy: { id: 'desc' } }),
        prisma.category.findMany({ select: { id: true } }),
        prisma.event.findMany({ select: { id: true }, where: { children: { some: {} } } }),
      ])
      const idsOf = (records: readonly { id: number }[]) => [...records.map(({ id }) => id), 999]
      return { venues: idsOf(venues), categories: idsOf(categories), events: idsOf(events) }
    }

    test.each<[string, object]>([
      ['records with columns only', { select, orderBy, take: 2 }],
      ['records with relations', { select: tickets, orderBy, take: 2 }],
      ['records and totals', { select: tickets, orderBy, take: 3, total: true, where: { featured: true } }],
      ['columns and totals', { select, orderBy, take: 3, total: true, where: { featured: true } }],
      ['totals without the conditions of the page', { select, orderBy, take: 9, total: true, pageWhere: { id: 0 } }],
      ['totals only', { select, take: 0, total: true }],
      ['pages after the first', { select: tickets, orderBy, skip: 2, take: 2 }],
    ])('%s', async (_, args) => {
      const { venues, categories, events } = await parents()
      const lists = [
        { ids: venues, where: (id: unknown) => ({ venues: { some: { venueId: id } } }) },
        {
          ids: categories,
          where: (id: unknown) => ({ categories: { some: { category: { ancestors: { some: { ancestorId: id } } } } } }),
        },
        {
          ids: categories,
          where: (id: unknown) => ({ AND: [{ passwordKey: null }, { categories: { some: { categoryId: id } } }] }),
          hasLongLists: true,
        },
        { ids: events, where: (id: unknown) => ({ parentId: id }) },
      ]
      for (const forEach of lists) {
        const pages = (await expectSame('event', 'findPages', { ...args, forEach })) as { records: object[] }[]
        expect(pages).toHaveLength(forEach.ids.length)
        expect(pages.at(-1)?.records).toEqual([])
      }
    })

    test('rows of a model without ID, by Prisma', async () => {
      const { venues } = await parents()
      const args = {
        select: { name: true, eventId: true },
        where: { language: 'en' },
        orderBy: [{ name: 'asc' }, { eventId: 'asc' }],
        take: 3,
        total: true,
        forEach: { ids: venues, where: (id: unknown) => ({ event: { venues: { some: { venueId: id } } } }) },
      }
      const pages = await expectSame('eventText', 'findPages', args, 'prisma')
      expect(pages).toMatchObject([{ total: 8 }, { total: 4 }, { total: 0 }])
    })

    test('no parents', async () => {
      const forEach = { ids: [], where: (id: unknown) => ({ parentId: id }) }
      expect(await expectSame('event', 'findPages', { select, take: 1, forEach })).toEqual([])
    })

    test('of arguments that Prisma runs', async () => {
      const { events } = await parents()
      const forEach = { ids: events, where: (id: unknown) => ({ parentId: id }) }
      await expectSame('event', 'findPages', { select, orderBy: { id: 'asc' }, take: -2, forEach }, 'prisma')
    })
  })

  test('the order by a relation of a model without ID', async () => {
    await expectSame('eventVenue', 'findMany', {
      orderBy: [{ eventId: 'asc' }, { position: 'asc' }],
      select: { position: true, venue: true },
    })
  })
})

describe('single records', () => {
  test('by a unique column, by a compound key, and none', async () => {
    const { id } = (await db.event.findFirst({ where: { featured: true }, ...idOnly } as object)) as { id: number }
    await expectSame('event', 'findUnique', { where: { id } })
    await expectSame('event', 'findUnique', {
      where: { id },
      select: { texts: { orderBy: { language: 'asc' } } },
    })
    await expectSame('eventText', 'findUnique', { where: { eventId_language: { eventId: id, language: 'fr' } } })
    expect(await expectSame('event', 'findUnique', { where: { id: 999_999 } })).toBeNull()
    expect(
      await expectSame('event', 'findFirst', { where: { featured: true }, orderBy: { startsAt: 'desc' } }),
    ).not.toBeNull()
  })
})

test.each<[string, Model, string, object]>([
  ['a cursor', 'event', 'findMany', { ...idOnly, cursor: { id: 5 } }],
  ['distinct', 'event', 'findMany', { ...idOnly, distinct: ['featured'] }],
  ['a negative take', 'event', 'findMany', { ...idOnly, take: -2 }],
  ['JSON filters', 'event', 'findMany', { ...idOnly, where: { customFields: { path: ['0', 'key'], equals: 'k' } } }],
  [
    'the order by a count',
    'event',
    'findMany',
    { select: { id: true }, orderBy: [{ venues: { _count: 'asc' } }, { id: 'asc' }] },
  ],
  [
    'nulls last',
    'event',
    'findMany',
    { ...idOnly, orderBy: [{ website: { sort: 'desc', nulls: 'last' } }, byId.orderBy] },
  ],
  ['counts', 'event', 'findMany', { select: { _count: { select: { tickets: true } } }, ...byId }],
  ['include', 'event', 'findMany', { include: { author: true, tickets: true }, ...byId }],
  ['omit', 'event', 'findMany', { omit: { customFields: true }, ...byId }],
  ['a list that has some', 'event', 'findMany', { ...idOnly, where: { cost: { hasSome: ['10', 'x'] } } }],
  ['startsWith', 'eventText', 'count', { where: { name: { startsWith: 'Fi' } } }],
  ['every', 'event', 'count', { where: { organizers: { every: { organizer: { email: '' } } } } }],
  ['is not', 'event', 'count', { where: { parent: { isNot: { featured: false } } } }],
])('%s goes to Prisma', async (_, model, method, args) => {
  await expectSame(model, method, args, 'prisma')
})

describe('the rows that match, as a part of a statement', () => {
  const ids = async (
    client: Db,
    where: Prisma.EventWhereInput,
    flags?: Readonly<Record<string, object>>,
    options?: { readonly stopsEarly: boolean },
  ) => {
    const rows = await readsOf(client).event.matchingRowsSql(where, flags, options)
    const columns = Prisma.raw(['id', ...Object.keys(flags ?? {})].join())
    const { text, values } = Prisma.sql`
      SELECT ${columns}, ${'before'}::text AS before FROM (${rows}) AS event WHERE id > ${0}::int ORDER BY id`
    return queryRows<{ id: number }>(client, { text, values, prepared: undefined })
  }

  const withWord = (word: string) =>
    selectedIdsFilter({
      id: Prisma.sql`t.event_id`,
      rows: Prisma.sql`FROM event_text t WHERE t.folded LIKE ${`%${word}%`}`,
    })

  test.each<[string, Prisma.EventWhereInput, string]>([
    ['columns', { status: { in: ['draft', 'future'] }, featured: true }, 'compiled'],
    ['relations', { venues: { some: { venue: { latitude: { not: null } } } }, NOT: { parentId: null } }, 'compiled'],
    ['a to-one relation', { author: { role: 'author' } }, 'compiled'],
    ['a selection', { id: withWord('concert') }, 'compiled'],
    ['the negation of a selection', { NOT: { OR: [{ id: withWord('concert') }, { featured: true }] } }, 'compiled'],
    ['a selection of a related record', { parent: { id: withWord('e') } }, 'compiled'],
    ['JSON, which goes to Prisma', { customFields: { path: ['0', 'key'], equals: 'k' } }, 'prisma'],
  ])('are those of findMany with a filter by %s', async (_, where, engine) => {
    engines.length = 0
    const found = (await ids(db, where)).map(({ id }) => id)
    expect(engines[0]).toBe(engine)
    const expected = await readsOf(prisma).event.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })
    expect(found).not.toEqual([])
    expect(found).toEqual(expected.map(({ id }) => id))
    expect((await ids(prisma, where)).map(({ id }) => id)).toEqual(found)
    expect((await ids(db, where, {}, { stopsEarly: true })).map(({ id }) => id)).toEqual(found)
  })

  test('of a selection are refused by Prisma Client itself, which would select all records otherwise', async () => {
    await expect(db.event.findMany({ where: { id: withWord('concert') } })).rejects.toThrow('selectedIds')
  })

  test('are compared with a selection one by one if the first of them suffice', async () => {
    const { id: first } = await db.event.findFirstOrThrow({ orderBy: { id: 'asc' } })
    const rows = Prisma.sql`FROM event_text t WHERE (t.event_id = ${first} OR t.event_id / 0 = 1)`
    const where = { id: selectedIdsFilter({ id: Prisma.sql`t.event_id`, rows }) }
    const page = { where, select: { id: true }, orderBy: { id: 'asc' }, take: 1 } as const
    expect(await readsOf(db).event.findPage(page)).toMatchObject({ records: [{ id: expect.any(Number) }] })
    await expect(readsOf(db).event.findPage({ ...page, total: true })).rejects.toThrow('division by zero')
    await expect(readsOf(db).event.count({ where })).rejects.toThrow('division by zero')
  })

  test('have a boolean column for each further condition, which is false where the condition is unknown', async () => {
    const flags = { drafted: { status: 'draft' }, with_site: { website: '' }, linked: { venues: { some: {} } } }
    const rows = await ids(db, { featured: false }, flags)
    expect(rows).toEqual(await ids(prisma, { featured: false }, flags))
    for (const name of Object.keys(flags)) {
      expect(new Set(rows.map((row) => (row as Readonly<Record<string, unknown>>)[name]))).toEqual(
        new Set([true, false]),
      )
    }
  })

  test('are compared with those of Prisma in the mode verify', async () => {
    const verifying = createClient(database.database.pool, { readEngine: 'verify' })
    expect(await ids(verifying, { featured: true }, { drafted: { status: 'draft' } })).toHaveLength(6)
    await verifying.$disconnect()
  })
})

test('a selection that is bound to a time is compiled once, and reads preloaded records at that time', async () => {
  const build = (time: Date) => ({
    id: true,
    title: false,
    children: {
      where: { publishedAt: { lte: time } },
      select: { id: true, publishedAt: true },
      orderBy: { id: 'asc' },
    },
  })
  const { title: _, ...select } = build(now)
  const template = new SelectionTemplate(select, now)
  for (const time of [day(-20), day(-2), day(5)]) {
    const bound = template.at(time)
    const { title: __, ...expected } = build(time)
    const args = { where: { parentId: null }, orderBy: { id: 'asc' } } as const
    const records = (await readsOf(db).event.findMany({ ...args, select: bound as object })) as {
      id: number
      children: { id: number; publishedAt: Date }[]
    }[]
    expect(records.every((record) => record instanceof PreloadedRecord)).toBe(true)
    const plain = records.map(({ id, children }) => ({
      id,
      children: children.map(({ id, publishedAt }) => ({ id, publishedAt })),
    }))
    expect(plain).toEqual(await prisma.event.findMany({ ...args, select: expected as object }))
    expect(plain).toEqual(await readsOf(prisma).event.findMany({ ...args, select: bound as object }))
  }
})
