// Related events, and the next and the previous event.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { onQuery } from '../../src/engine/postgres/query.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let editor: ApiClient
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp({ PER_PAGE_DEFAULT: '50' })
  editor = await app.signIn('editor')
  const { db } = app
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  const [music, art] = [await makeCategory(db, 'Music'), await makeCategory(db, 'Art')]
  const tag = await makeTag(db, 'Outdoors')
  const hall = await makeVenue(db, 'Hall')
  const draftHall = await makeVenue(db, 'Draft hall', { status: 'draft' })
  const band = await makeOrganizer(db, 'Band')
  const event = async (title: string, day: string, columns: Parameters<typeof makeEvent>[2] = {}) => {
    ids[title] = await makeEvent(db, title, { start: `${day}T19:00:00`, ...columns })
  }
  const all = { categoryIds: [music], tagIds: [tag], venueIds: [hall], organizerIds: [band] }
  await event('Main', '2026-12-10', all)
  await event('Late category', '2026-12-20', { categoryIds: [music, art] })
  await event('Early category', '2026-12-01', { categoryIds: [music] })
  await event('Venue and organizer', '2026-12-25', { venueIds: [hall], organizerIds: [band] })
  await event('Everything', '2026-12-30', all)
  await event('Venue', '2026-12-02', { venueIds: [hall, draftHall] })
  await event('Art', '2026-12-03', { categoryIds: [art], venueIds: [draftHall] })
  await event('Over', '2026-01-01', all)
  await event('Draft', '2026-12-04', { ...all, status: 'draft' })
  await event('Hidden', '2026-12-05', { ...all, hideFromListings: true })
  await event('Locked', '2026-12-06', { ...all, passwordKey: key })
  await event('Trashed', '2026-12-07', { ...all, status: 'trash' })
  await event('Lonely', '2026-12-08')
  await event('Draft hall only', '2026-12-09', { venueIds: [draftHall] })
})
afterAll(() => app?.close())

const titlesOf = (records: readonly { readonly title: string }[]) => records.map(({ title }) => title)

async function related(title: string, context = '', first = 20, as: ApiClient = app): Promise<string[]> {
  const query = `query ${context} { event(id: ${ids[title]}) { related(first: ${first}) { title } } }`
  const { body } = await as.graphql(query)
  expect(body.errors).toBeUndefined()
  return titlesOf(body.data.event.related)
}

describe('related events', () => {
  test('share the most first, then come by start', async () => {
    const all = ['Everything', 'Venue and organizer', 'Early category', 'Late category', 'Venue']
    expect(await related('Main')).toEqual(all)
    expect(await related('Main', '', 2)).toEqual(all.slice(0, 2))
    expect(await related('Main', '', 0)).toEqual([])
    expect(await related('Lonely')).toEqual([])
    expect(await related('Over')).toEqual(['Main', ...all])
  })

  test('of a locked event, and locked events, need the password', async () => {
    expect(await related('Locked')).toEqual([])
    const withPassword = '@inContext(password: "sesame")'
    expect((await related('Locked', withPassword)).slice(0, 2)).toEqual(['Main', 'Everything'])
    expect((await related('Main', withPassword)).slice(0, 2)).toEqual(['Locked', 'Everything'])
  })

  test('are not found by a venue that the reader may not see', async () => {
    expect(await related('Art')).toEqual(['Late category'])
    expect(await related('Draft hall only')).toEqual([])
    expect(await related('Draft hall only', '', 20, editor)).toEqual(['Venue', 'Art'])
    expect((await related('Main', '', 20, editor)).slice(0, 2)).toEqual(['Draft', 'Everything'])
  })

  test('have a limit', async () => {
    const { body } = await app.graphql(`{ event(id: ${ids.Main}) { related(first: 21) { title } } }`)
    expect(body.errors[0].extensions.fields).toEqual({ first: 'first must be from 0 to 20.' })
  })

  test('and neighbours of a list take as many statements as those of two events', async () => {
    const read = async (first: number, selection: string) => {
      let count = 0
      const stop = onQuery(app.db, () => {
        count += 1
      })
      const { body } = await app.graphql(`{ events(first: ${first}) { nodes { databaseId ${selection} } } }`)
      stop()
      expect(body.errors).toBeUndefined()
      return { count, nodes: body.data.events.nodes }
    }
    const fields = 'related { title } next { title } previous { title }'
    // The first three reads of each shape are compared with Prisma, which takes further statements.
    for (const first of [3, 4, 5]) await read(first, fields)
    const few = await read(2, fields)
    const many = await read(12, fields)
    expect(many.count).toBe(few.count)
    for (const node of many.nodes) {
      const title = Object.keys(ids).find((name) => ids[name] === node.databaseId) ?? ''
      expect(titlesOf(node.related), title).toEqual(await related(title, '', 6))
    }
  })
})

describe('the next and the previous event', () => {
  test('walk through the list by local start', async () => {
    const { body } = await app.graphql(`{
      events(first: 50, orderBy: { field: START_LOCAL }) { nodes { title next { title } previous { title } } }
    }`)
    const { nodes } = body.data.events
    const titles = titlesOf(nodes)
    expect(titles).toContain('Locked')
    for (const [index, node] of nodes.entries()) {
      expect(node.next?.title).toBe(titles[index + 1])
      expect(node.previous?.title).toBe(titles[index - 1])
    }
  })

  test('of equal starts are in the order of the list', async () => {
    const same: string[] = []
    for (const publishedAt of ['2026-11-02', '2026-11-01', '2026-11-02']) {
      const title = `Same ${same.length}`
      const columns = { start: '2028-01-01T10:00:00', publishedAt: new Date(publishedAt) }
      ids[title] = await makeEvent(app.db, title, columns)
      same.push(title)
    }
    const filter = 'filter: { search: "same" }'
    const { body } = await app.graphql(`{
      events(${filter}, orderBy: { field: START_LOCAL }) { nodes { title next(${filter}) { title } } }
    }`)
    const titles = titlesOf(body.data.events.nodes)
    expect(titles).toEqual(['Same 1', 'Same 0', 'Same 2'])
    expect(body.data.events.nodes.map(({ next }: { next: { title: string } | null }) => next?.title)).toEqual([
      'Same 0',
      'Same 2',
      undefined,
    ])
    await app.db.event.deleteMany({ where: { id: { in: same.map((title) => ids[title] ?? 0) } } })
  })

  test('match the filter, which the event itself need not match', async () => {
    const { body } = await app.graphql(
      `query ($music: EventFilter, $art: EventFilter) { event(id: ${ids.Lonely}) {
        next(filter: $music) { title } previous(filter: $music) { title }
        following: next(filter: $art) { title } preceding: previous(filter: $art) { title }
      } }`,
      { music: { categories: ['music'] }, art: { categories: ['art'], not: { categories: ['music'] } } },
    )
    expect(body.data.event).toEqual({
      next: { title: 'Main' },
      previous: { title: 'Early category' },
      following: null,
      preceding: { title: 'Art' },
    })
  })

  test('of a filter that is invalid is an error', async () => {
    const { body } = await app.graphql(`{ event(id: ${ids.Main}) { next(filter: { venues: ["x y"] }) { title } } }`)
    expect(body.errors[0].extensions.code).toBe('BAD_INPUT')
  })
})
