// Suggestions for a search box: what they find, in which order, and for whom.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyRows } from '../../bench/copy-rows.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  const december = (day: number) => ({ start: `2026-12-${String(day).padStart(2, '0')}T19:00:00` })
  await makeEvent(db, { en: 'Concert of the choir', fr: 'Concert du chœur' }, december(9))
  await makeEvent(db, { en: 'Winter concert', fr: 'Concert d’hiver' }, december(3))
  await makeEvent(db, { en: 'Winter concert', fr: 'Concert d’hiver' }, december(5))
  await makeEvent(db, { en: 'Old concert' }, { start: '2025-05-01T19:00:00' })
  await makeEvent(db, { en: 'Preconcert talk' }, december(1))
  await makeEvent(db, { en: 'Atelier', fr: "L'Été à l’atelier" }, december(12))
  await makeEvent(db, { en: 'Concert behind a password', fr: 'Secret' }, { ...december(20), passwordKey: 'x' })
  await makeEvent(db, { en: 'Concert as a draft' }, { ...december(1), status: 'draft' })
  await makeEvent(db, { en: 'Concert in the trash' }, { ...december(1), status: 'trash' })
  await makeEvent(db, { en: 'Concert not in lists' }, { ...december(1), hideFromListings: true })
  await makeVenue(db, { en: 'Concert hall', fr: 'Salle de concert' })
  await makeVenue(db, 'Concert hall in preparation', { status: 'draft' })
  await makeOrganizer(db, 'The Concert Society')
  await makeOrganizer(db, 'Concert society in preparation', { status: 'draft' })
  await makeCategory(db, { en: 'Concerts', fr: 'Concerts et récitals' })
  await makeTag(db, 'concert-lecture')
  await makeTag(db, 'winter concert')
})
afterAll(() => app?.close())

/** Of 800 characters with three bytes each, most of which fold to one byte. They do not repeat enough to be compressed. */
function longestName(): string {
  const characters = Array.from({ length: 0xf800 }, (_, index) => String.fromCharCode(0x800 + index))
  const shrinking = characters.filter((each) => /^[a-z0-9]$/i.test(each.normalize('NFKD')))
  let seed = 1
  const choose = (from: readonly string[]) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return from[(seed >>> 16) % from.length]
  }
  const ideographs = characters.filter((each) => each >= '一' && each <= '鿿')
  return [
    ...Array.from({ length: 100 }, () => choose(ideographs)),
    ...Array.from({ length: 700 }, () => choose(shrinking)),
  ].join('')
}

async function suggestions(prefix: string, { client = app as ApiClient, root = '', first = 20 } = {}) {
  const query =
    'query($prefix: String!, $first: Int) { searchSuggestions(prefix: $prefix, first: $first) { kind text } }'
  const { body } = await client.graphql(query, { prefix, first }, root)
  expect(body.errors).toBeUndefined()
  return body.data.searchSuggestions.map(({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`)
}

const shift = (column: string) => ({ [column]: `t.${column} + k * 1000` })

/** Adds copies of an event with the same title and time. */
async function copyEvent(id: number, copies: number): Promise<void> {
  await copyRows(app.db, 'event', copies, shift('id'), `t.id = ${id}`)
  const columns = { ...shift('content_id'), slug: `t.slug || '-' || k` }
  await copyRows(app.db, 'content_text', copies, columns, `t.content_id = ${id}`)
}

describe('searchSuggestions', () => {
  it('finds other names after many that differ only in case or accents', async () => {
    for (let number = 0; number < 64; number++) {
      const spelling = [...'vernis']
        .map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter))
        .join('')
      await makeVenue(app.db, spelling)
    }
    await makeVenue(app.db, 'Vernissage')
    expect((await suggestions('verni', { first: 2 })).map((each: string) => each.toLowerCase())).toEqual([
      'venue vernis',
      'venue vernissage',
    ])
  })

  it('lists upcoming titles by start, other names, past titles, and then parts of words', async () => {
    expect(await suggestions('conc')).toEqual([
      'EVENT Winter concert',
      'EVENT Concert of the choir',
      'EVENT Concert behind a password',
      'VENUE Concert hall',
      'ORGANIZER The Concert Society',
      'CATEGORY Concerts',
      'TAG concert-lecture',
      'EVENT Old concert',
      'EVENT Preconcert talk',
    ])
  })

  it('gives other records a place where the titles fill the list', async () => {
    expect(await suggestions('conc', { first: 4 })).toEqual([
      'EVENT Winter concert',
      'EVENT Concert of the choir',
      'VENUE Concert hall',
      'ORGANIZER The Concert Society',
    ])
  })

  it.each([
    ['ATEL', '/fr', "EVENT L'Été à l’atelier"],
    ['ete', '/fr', "EVENT L'Été à l’atelier"],
    ['été à', '/fr', "EVENT L'Été à l’atelier"],
    ['hall', '', 'VENUE Concert hall'],
    ['all', '', 'VENUE Concert hall'],
    ['conc', '/es', 'EVENT Winter concert'],
    ['secret', '/fr', 'EVENT Secret'],
    ['a', '/es', 'EVENT Atelier'],
    ['at', '', 'EVENT Atelier'],
    ['winter con', '', 'EVENT Winter concert'],
    ["l'ete a", '/fr', "EVENT L'Été à l’atelier"],
    ['à l’at', '/fr', "EVENT L'Été à l’atelier"],
    ['concert s', '', 'ORGANIZER The Concert Society'],
    ['concert-l', '', 'TAG concert-lecture'],
    // Similar words, because nothing else matches.
    ['atelirr', '', 'EVENT Atelier'],
    ['sociaty', '', 'ORGANIZER The Concert Society'],
  ])('finds %j under %j', async (prefix, root, text) => {
    expect((await suggestions(prefix, { root, first: 1 })).slice(0, 1)).toEqual([text])
  })

  it.each(['', ' ', '%', '_', '\\', 'll', 'xyzxyz'])('finds nothing for %j', async (prefix) => {
    expect(await suggestions(prefix)).toEqual([])
  })

  it('shows drafts to those who may edit them, and the trash to nobody', async () => {
    const editor = await suggestions('concert', { client: await app.signIn('editor') })
    expect(editor).toContain('EVENT Concert as a draft')
    expect(editor).toContain('VENUE Concert hall in preparation')
    expect(editor).toContain('ORGANIZER Concert society in preparation')
    expect(editor).not.toContain('EVENT Concert in the trash')
  })

  it('finds names of the longest size, whatever their characters', async () => {
    const name = longestName()
    for (const make of [makeVenue, makeOrganizer]) await make(app.db, name)
    expect(await suggestions(name.slice(0, 5))).toEqual([`VENUE ${name}`])
    expect(await suggestions(name.slice(-9))).toEqual([`VENUE ${name}`])
  })

  it('finds other titles after many events with the same one', async () => {
    const { db } = app
    const yoga = await makeEvent(db, 'Yoga', { start: '2026-11-25T10:00:00' })
    await copyEvent(yoga, 120)
    await makeEvent(db, 'Yoga retreat', { start: '2026-12-25T10:00:00' })
    const nearer = await makeEvent(db, 'Walk', { start: '2026-11-24T10:00:00' })
    await copyEvent(nearer, 210)
    expect(await suggestions('yog', { first: 2 })).toEqual(['EVENT Yoga', 'EVENT Yoga retreat'])
    await db.event.deleteMany({ where: { texts: { some: { name: { in: ['Walk', 'Yoga', 'Yoga retreat'] } } } } })
  })

  it('finds titles after many nearer events, whether one of those has the word or none', async () => {
    const { db } = app
    const walk = await makeEvent(db, 'Walk', { start: '2026-11-25T10:00:00' })
    await copyEvent(walk, 210)
    for (const [name, day] of [
      ['Quartet now', '11-24'],
      ['Quartet later', '12-24'],
      ['Sextet late', '12-22'],
      ['Sextet latest', '12-23'],
      ['An old sextet', '01-01'],
    ] as const)
      await makeEvent(db, name, { start: `2026-${day}T10:00:00` })
    expect(await suggestions('quar')).toEqual(['EVENT Quartet now', 'EVENT Quartet later'])
    expect(await suggestions('sext')).toEqual(['EVENT Sextet late', 'EVENT Sextet latest', 'EVENT An old sextet'])
    expect(await suggestions('extet l')).toEqual(['EVENT Sextet late', 'EVENT Sextet latest'])
    await db.event.deleteMany({
      where: { texts: { some: { name: { in: ['Walk', 'Quartet now', 'Quartet later'] } } } },
    })
  })

  it('lists names in their order, whether few or many match', async () => {
    const { db } = app
    const venue = await makeVenue(db, 'Oboe 000 tower')
    await copyRows(db, 'venue', 120, shift('id'), `t.id = ${venue}`)
    const replaced = (column: string) => ({ [column]: `replace(t.${column}, '000', lpad((121 - k)::text, 3, '0'))` })
    const texts = { ...shift('venue_id'), ...replaced('name'), ...replaced('folded'), ...replaced('slug') }
    await copyRows(db, 'venue_text', 120, texts, `t.venue_id = ${venue}`)
    await makeVenue(db, 'A tower with oboes')
    const ofOboes = (numbers: readonly string[]) => numbers.map((number) => `VENUE Oboe ${number} tower`)
    expect(await suggestions('obo', { first: 4 })).toEqual([
      'VENUE A tower with oboes',
      ...ofOboes(['000', '001', '002']),
    ])
    expect(await suggestions('11', { first: 10 })).toEqual(
      ofOboes(Array.from({ length: 10 }, (_, index) => `11${index}`)),
    )
    await db.venue.deleteMany({ where: { texts: { some: { name: { contains: 'oboe', mode: 'insensitive' } } } } })
  })

  it('links to the page and the record', async () => {
    const { body } = await app.graphql(
      '{ searchSuggestions(prefix: "winter", first: 1) { url node { id __typename ... on Event { title url } } } }',
    )
    const [{ url, node }] = body.data.searchSuggestions
    expect(node).toMatchObject({ __typename: 'Event', title: 'Winter concert', url })
  })

  it('links to a category below its ancestors', async () => {
    const root = await makeCategory(app.db, 'Music')
    await makeCategory(app.db, 'Serenades', await makeCategory(app.db, 'Classical', root))
    const { body } = await app.graphql(
      '{ searchSuggestions(prefix: "serenad") { url } category(slug: "serenades") { url } }',
    )
    expect(body.data.searchSuggestions).toEqual([body.data.category])
    expect(body.data.category.url).toContain('/music/classical/serenades/')
  })

  it.each([
    ['prefix: "a", first: 21', 'first must be from 0 to 20.'],
    ['prefix: "a", first: -1', 'first must be from 0 to 20.'],
    [`prefix: "${'a'.repeat(101)}"`, 'prefix can have at most 100 characters.'],
    ['prefix: "a\\u0000"', 'NUL characters are not allowed.'],
  ])('rejects %s', async (args, message) => {
    const { body } = await app.graphql(`{ searchSuggestions(${args}) { text } }`)
    expect(body.errors[0].message).toContain(message)
    expect(body.errors[0].extensions.code).toBe('BAD_INPUT')
  })
})
