// The best match first: titles before what describes, in any form of a word (docs/search-and-filters.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const lists = ['eventsPage', 'venuesPage', 'organizersPage', 'categoriesPage', 'tagsPage']

async function names(list: string, search: string, root = '', direction = 'ASC'): Promise<string[]> {
  const field = list === 'eventsPage' ? 'title' : 'name'
  const { body } = await app.graphql(
    `query($search: String) { list: ${list}(filter: { search: $search }, orderBy: { field: RELEVANCE, direction: ${direction} }) {
      total items { name: ${field} } } }`,
    { search },
    root,
  )
  expect(body.errors).toBeUndefined()
  expect(body.data.list.total).toBe(body.data.list.items.length)
  return body.data.list.items.map((item: { name: string }) => item.name)
}

describe('events by relevance', () => {
  beforeAll(async () => {
    const { db } = app
    const make = (language: string, name: string, description: string, day: string) =>
      makeEvent(db, { [language]: { name, description } }, { start: `2026-12-${day}T10:00:00` })
    // The worse match starts first, so that only relevance can put it second.
    await make('en', 'Garden', 'An orchestra plays in the garden, and the orchestra dances', '01')
    await make('en', 'Orchestra', 'Plays on', '02')
    await make('fr', 'Orgue', 'Des concerts, encore des concerts', '03')
    await make('fr', 'Concert d’orgue', 'Premier des concerts de la saison', '04')
    await make('es', 'Plaza', 'Las canciones de siempre, canciones nuevas', '05')
    await make('es', 'Canción de cuna', 'Entre otras canciones', '06')
    await make('en', 'Rest', 'Runners resting while others are running, all runners', '07')
    await make('en', 'Run', 'Nothing for runners but running', '08')
  })

  it.each([
    ['', 'orchestra', ['Orchestra', 'Garden']],
    ['', 'ORCHESTRA plays', ['Orchestra', 'Garden']],
    ['/fr', 'concerts', ['Concert d’orgue', 'Orgue']],
    ['/es', 'canciones', ['Canción de cuna', 'Plaza']],
    ['', 'running', ['Run', 'Rest']],
  ])('under %j %s', async (root, search, expected) => {
    expect(await names('eventsPage', search, root)).toEqual(expected)
    expect(await names('eventsPage', search, root, 'DESC')).toEqual(expected.toReversed())
  })

  it('relevance sorts all matches of the filter, including partial words', async () => {
    expect(await names('eventsPage', 'orchest')).toEqual(expect.arrayContaining(['Garden', 'Orchestra']))
    expect(await names('eventsPage', 'qqqq-qqqq')).toEqual([])
    expect(await names('eventsPage', 'orchestra -plays')).toEqual([])
  })

  it('ties in relevance are sorted by start in both directions', async () => {
    const { db } = app
    for (const day of ['14', '12', '13']) await makeEvent(db, `Twin ${day}`, { start: `2026-12-${day}T10:00:00` })
    expect(await names('eventsPage', 'twin')).toEqual(['Twin 12', 'Twin 13', 'Twin 14'])
    expect((await names('eventsPage', 'twin', '', 'DESC')).toSorted()).toEqual(['Twin 12', 'Twin 13', 'Twin 14'])
  })

  it.each(['a & b | !c', "it's <-> :*", '()', '"open', '%_\\', '“—”', '東京', '!'])(
    'signs mean nothing to it: %j',
    async (search) => {
      expect(await names('eventsPage', search)).toEqual([])
    },
  )
})

describe('all other lists by relevance', () => {
  beforeAll(async () => {
    const { db } = app
    for (const make of [makeVenue, makeOrganizer, makeCategory, makeTag]) {
      await make(db, { en: { name: 'Winery', slug: `winery-${make.name.toLowerCase()}`, description: 'x' } })
      await make(db, { en: { name: 'Cellar for wine', description: 'Wine' } })
      await make(db, { en: { name: 'Aerial wine bar', description: 'Beer' } })
      await make(db, {
        en: { name: 'Brewery', slug: `wine-${make.name.toLowerCase()}`, description: 'Wine, wine and wine' },
      })
    }
  })

  it.each(lists.slice(1))('%s', async (list) => {
    const results = await names(list, 'wine')
    expect(results).toHaveLength(4)
    expect(results.slice(0, 2).toSorted()).toEqual(['Aerial wine bar', 'Cellar for wine'])
    expect(results.indexOf('Brewery')).toBeGreaterThan(1)
    expect((await names(list, 'wine', '', 'DESC')).slice(-2).toSorted()).toEqual(['Aerial wine bar', 'Cellar for wine'])
  })
})

describe('order by relevance without a search is rejected', () => {
  it.each(lists)('%s without search words', async (list) => {
    for (const filter of ['', 'filter: {}, ', 'filter: { include: [1] }, ']) {
      const { body } = await app.graphql(`{ list: ${list}(${filter}orderBy: { field: RELEVANCE }) { total } }`)
      expect([list, body.data, body.errors?.[0].extensions.code]).toEqual([list, null, 'BAD_INPUT'])
    }
  })
})
