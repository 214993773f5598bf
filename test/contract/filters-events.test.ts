// Each filter of the event list, alone and combined (contract b.5, c.14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
/** Records by their placeholder in the queries below. */
const named: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  named.music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  named.jazz = await makeCategory(db, 'Jazz', named.music)
  named.bebop = await makeCategory(db, 'Bebop', named.jazz)
  named.sport = await makeCategory(db, 'Sport')
  // Its slug is the ID of another tag, its name the slug of another tag.
  named.decoy = await makeCategory(db, { en: { name: 'sport', slug: String(named.bebop) } })
  named.comma = await makeCategory(db, { en: { name: 'Food, Drink & More', slug: 'food' } })
  named.free = await makeTag(db, 'Free entry')
  named.late = await makeTag(db, 'late')
  named.decoyTag = await makeTag(db, { en: { name: 'late', slug: String(named.free) } })
  named.hall = await makeVenue(db, 'Hall', { latitude: 48.8566, longitude: 2.3522 })
  named.barn = await makeVenue(db, 'Barn', { latitude: 48.8566, longitude: 2.6 })
  named.tent = await makeVenue(db, 'Tent')
  named.draftVenue = await makeVenue(db, 'Plan', { status: 'draft', latitude: 48.8566, longitude: 2.3522 })
  named.club = await makeOrganizer(db, 'Club')
  named.choir = await makeOrganizer(db, 'Choir')
  const of = (...words: string[]) => words.map((word) => named[word] as number)
  const day = (number: number) => ({ start: `2026-12-0${number}T19:00:00`, timeZone: 'UTC' })
  const tickets = { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] }

  named.a = await makeEvent(
    db,
    { en: { name: 'a', description: 'Night of the old songs' } },
    {
      ...{ ...day(1), categoryIds: of('music'), tagIds: of('free', 'late'), venueIds: of('hall') },
      ...{ organizerIds: of('club'), featured: true },
    },
  )
  named.b = await makeEvent(
    db,
    { en: { name: 'b', excerpt: 'Songs of the night' } },
    {
      ...{ ...day(2), categoryIds: of('bebop', 'sport'), tagIds: of('late'), venueIds: of('tent', 'barn') },
      ...{ organizerIds: of('club', 'choir'), parentId: named.a, tickets },
    },
  )
  named.c = await makeEvent(db, 'c', { ...day(3), categoryIds: of('jazz', 'decoy'), venueIds: of('tent'), tickets })
  named.d = await makeEvent(db, 'd', { ...day(4), categoryIds: of('sport', 'comma'), tagIds: of('decoyTag') })
  named.e = await makeEvent(db, 'e', { ...day(5), venueIds: of('draftVenue'), parentId: named.b })
  named.hidden = await makeEvent(db, 'hidden', { ...day(6), hideFromListings: true, featured: true })
  named.past = await makeEvent(db, 'past', {
    start: '2020-01-01T10:00:00',
    categoryIds: of('music'),
    parentId: named.a,
  })
  named.plan = await makeEvent(db, 'plan', { ...day(7), status: 'draft' })
})
afterAll(() => app.close())

/** Replaces `{placeholder}` by the ID of the record. */
const numbered = (query: string) => query.replace(/\{(\w+)\}/g, (_, word: string) => String(named[word]))
const list = (query: string) => app.get(`${ns}/events?${numbered(query)}`)

async function titles(query: string): Promise<string> {
  const { status, body } = await list(query)
  expect([query, status, body.data?.params]).toEqual([query, 200, undefined])
  expect(body.total).toBe(body.events.length)
  return body.events.map((event: { title: string }) => event.title).join(' ')
}

describe('terms', () => {
  it.each([
    ['categories=sport', 'b d'],
    ['categories={sport}', 'b d'],
    ['categories=Food,%20Drink%20%26%20More', null],
    ['categories[]=Food,%20Drink%20%26%20More', 'd'],
    ['categories[]=sport&categories[]=food', 'b d'],
    ['categories[0]=sport&categories[7]={comma}', 'b d'],
    ['categories=food,%20sport', 'b d'],
    ['categories=,food,,', 'd'],
    ['categories=food%252Csport', 'b d'],
    ['categories=Musique', 'a b c'],
    ['categories=music', 'a b c'],
    ['categories=jazz', 'b c'],
    ['categories=food,bebop', 'b d'],
    ['categories=music&tags=free-entry', 'a'],
    ['tags=late', 'a b'],
    ['tags=Free%20entry', 'a'],
    ['tags[]=late&tags[]=free-entry', 'a b'],
    ['tags={late}', 'a b'],
    ['categories=sport&tags=late', 'b'],
    ['categories=food&tags=free-entry', ''],
  ])('%s finds %j', async (query, expected) => {
    // The comma splits the name into two unknown names.
    if (expected === null) expect(Object.keys((await list(query)).body.data.params)).toEqual(['categories'])
    else expect(await titles(query)).toBe(expected)
  })

  it('match by slug, then by ID, then by name', async () => {
    expect(await titles('categories={bebop}')).toBe('c')
    expect(await titles('categories=bebop')).toBe('b')
    expect(await titles('categories=sport')).toBe('b d')
    expect(await titles('tags={free}')).toBe('d')
    expect(await titles('tags=late')).toBe('a b')
  })

  it('match slugs and names of every language', async () => {
    for (const word of ['music', 'Music', 'musique', 'Musique'])
      expect(await titles(`categories=${word}`)).toBe('a b c')
  })
})

describe('links', () => {
  it.each([
    ['venue={hall}', 'a'],
    ['venue={tent}', 'b c'],
    ['venue={hall},{barn}', 'a b'],
    ['venue[]={hall}&venue[]={barn}', 'a b'],
    ['venue=%20{hall}%20,', 'a'],
    ['venue={draftVenue}', null],
    ['organizer={club}', 'a b'],
    ['organizer={choir}', 'b'],
    ['organizer={choir},{club}', 'a b'],
    ['organizer={club}&venue={tent}', 'b'],
    ['post_parent={a}', 'b'],
    ['post_parent={b}', 'e'],
    ['post_parent={c}', ''],
    ['post_parent={plan}', ''],
    ['post_parent={a}&start_date=2019-01-01', 'past b'],
  ])('%s finds %j', async (query, expected) => {
    // A venue in any status is a valid filter, even if it returns nothing for anonymous users.
    if (expected === null) expect((await list(query)).status).toBe(200)
    else expect(await titles(query)).toBe(expected)
  })
})

describe('flags', () => {
  it.each([
    ...['1', 'true', 'TRUE', 'True'].map((yes) => [`featured=${yes}`, 'a']),
    ...['0', 'false', 'False'].map((no) => [`featured=${no}`, 'b c d e']),
    ['ticketed=1', 'b c'],
    ['ticketed=false', 'a d e'],
    ['geoloc=true', 'a b'],
    ['geoloc=0', 'c d e'],
    ['featured=1&ticketed=1', ''],
    ['featured=0&ticketed=0&geoloc=0', 'd e'],
  ])('%s finds %j', async (query, expected) => {
    expect(await titles(query as string)).toBe(expected)
  })
})

describe('location', () => {
  it.each([
    ['geoloc_lat=48.8566&geoloc_lng=2.3522', 'a b'],
    ['geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=5', 'a'],
    ['geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=18', 'a'],
    ['geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=18.5', 'a b'],
    // The nearest event is 29 km away, more than the default radius of 25 km.
    ['geoloc_lat=48.8566&geoloc_lng=3.0', ''],
    ['geoloc_lat=48.8566&geoloc_lng=3.0&geoloc_radius=30', 'b'],
    ['geoloc_lat=-48.8566&geoloc_lng=-2.3522', ''],
    ['geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc=0', ''],
    ['geoloc_lat=48.8566&geoloc_lng=2.3522&categories=sport', 'b'],
  ])('%s finds %j', async (query, expected) => {
    expect(await titles(query)).toBe(expected)
  })
})

describe('include', () => {
  it.each([
    ['include={past}', 'past'],
    ['include={past},{a},{e}', 'past a e'],
    ['include[]={past}&include[]={a}', 'past a'],
    ['include={past}&starts_after=2026-01-01&ends_before=2019-01-01&strict_dates=1', 'past'],
    ['include={a},{past}&start_date=2030-01-01&end_date=2029-01-01', 'past a'],
    ['include={hidden},{plan},{hall},999999,2147483648,99999999999999999999', ''],
    ['include={a},{b},{c}&categories=sport', 'b'],
    ['include={a},{a},{a}', 'a'],
  ])('%s finds %j regardless of dates', async (query, expected) => {
    expect((await titles(query)).split(' ').sort()).toEqual(expected.split(' ').sort())
  })

  it('hidden events are not listed, even for editors', async () => {
    const editor = await app.signIn('editor')
    const { body } = await editor.get(`${ns}/events?${numbered('include={hidden},{plan}')}`)
    expect(body.events.map((event: { title: string }) => event.title)).toEqual(['plan'])
  })
})

describe('numbers', () => {
  it.each(['page=1.0', 'page=%201%20', 'page=1e0', 'page=%2B1'])('%s is the first page', async (query) => {
    expect((await list(`${query}&per_page=2`)).body.events.map(({ title }: { title: string }) => title)).toEqual([
      'a',
      'b',
    ])
  })

  it.each(['2', '2.0', '%202', '0.2e1'])('per_page=%s is two', async (perPage) => {
    expect((await list(`per_page=${perPage}`)).body).toMatchObject({ total: 5, total_pages: 3 })
  })
})

describe('IDs', () => {
  it.each([
    ['venue={hall}.0', 'a'],
    ['organizer=%20{choir}', 'b'],
    ['include={a}.0', 'a'],
    ['post_parent={b}.0', 'e'],
    ['categories={sport}.0', 'b d'],
    ['tags={late}.0', 'a b'],
  ])('%s finds %j: numeric text is an ID', async (query, expected) => {
    expect(await titles(query)).toBe(expected)
  })
})

describe('search', () => {
  it.each([
    ['night', 'a b'],
    ['NIGHT', 'a b'],
    ['night songs', 'a b'],
    ['"old songs"', 'a'],
    ['night -old', 'b'],
    ['night -songs', ''],
    ['night nothing', ''],
    ['ong', 'a b'],
  ])('%j finds %j', async (text, expected) => {
    expect(await titles(`search=${encodeURIComponent(text)}`)).toBe(expected)
    expect(await titles(`search=${encodeURIComponent(text)}&featured=1`)).toBe(expected.includes('a') ? 'a' : '')
  })
})
