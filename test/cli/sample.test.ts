// The sample that a new site gets: what a visitor finds on any day, and what `sample remove` leaves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, toWallClock } from '../../src/basics/time.ts'
import { createOperations } from '../../src/tools/operations.ts'
import { removeSample } from '../../src/tools/sample/remove.ts'
import { readSampleEvents } from '../../src/tools/sample/town.ts'
import { now } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

interface SampleEvent {
  readonly title: string
  readonly image: { readonly url: string; readonly width: number; readonly height: number }
}

const day = (wallClock: string) => wallClock.slice(0, 10)
const daysAfter = (date: string, days: number) => addDays(`${date}T00:00:00`, days).slice(0, 10)
const daysBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000

function removeFrom({ database, db, settings }: SampleApp) {
  return createOperations({ database, db, settings, now: () => now }).then(removeSample)
}

describe('the dates of the sample', () => {
  // They depend on nothing but the weekday of today.
  const instants: readonly (readonly [zone: string, instant: string])[] = [
    ['UTC', '2026-11-30T23:30:00Z'],
    ['Pacific/Auckland', '2026-11-30T12:30:00Z'],
    ['America/Los_Angeles', '2027-03-01T05:00:00Z'],
    ...[25, 26, 27, 28].map((date) => ['UTC', `2026-11-${date}T12:00:00Z`] as const),
  ]
  test.each(instants)(
    'are around today in %s at %s, and on that and all later days of that weekday, no month from the previous one to the third next is empty',
    (zone, instant) => {
      const today = day(toWallClock(new Date(instant), zone))
      const dates = readSampleEvents(new Date(instant), zone)
      const startingOn = (date: string) => dates.filter(({ startsLocal }) => day(startsLocal) === date)
      expect(startingOn(today)).toHaveLength(3)
      expect(startingOn(daysAfter(today, -1))).toHaveLength(1)
      const running = dates.filter(
        ({ startsLocal, endsLocal }) => day(startsLocal) < today && day(endsLocal) > daysAfter(today, 7),
      )
      expect(running).toHaveLength(1)
      const soon = dates.filter(
        ({ startsLocal }) => day(startsLocal) > today && day(startsLocal) <= daysAfter(today, 7),
      )
      expect(soon.length).toBeGreaterThan(6)
      const covered = new Set<number>()
      for (const { startsLocal, endsLocal } of dates) {
        const [first, last] = [day(startsLocal), day(endsLocal)].map((date) => daysBetween(today, date))
        for (let offset = first ?? 0; offset <= (last ?? 0); offset++) covered.add(offset)
      }
      for (let later = 0; later < 7 * 209; later += 7) {
        const on = daysAfter(today, later)
        const months = new Set([...covered].map((offset) => daysAfter(on, offset).slice(0, 7)))
        const [year = 0, month = 0] = on.split('-').map(Number)
        for (let next = -1; next <= 3; next++)
          expect(months).toContain(new Date(Date.UTC(year, month - 1 + next)).toISOString().slice(0, 7))
      }
    },
  )
})

describe('a site with the sample, and then sample remove', { shuffle: false }, () => {
  let app: SampleApp
  beforeAll(async () => {
    app = await openSampleApp()
  })
  afterAll(() => app?.close())

  const events = async (root: string) => {
    const { body } = await app.graphql(
      `{ events(first: 100, orderBy: { field: START }) { nodes {
        title contentLanguage descriptionHtml excerptHtml eventStatus attendanceMode allDay startsLocal endsLocal
        image { url width height } venues { name city latitude } organizers { name } categories { name } tags { name }
        cost { text } translations { language }
      } } }`,
      {},
      root,
    )
    return body.data.events.nodes as readonly SampleEvent[]
  }

  test('has every text in three languages', async () => {
    const inLanguages = await Promise.all(['', '/fr', '/es'].map(events))
    for (const each of inLanguages) {
      expect(each).toHaveLength(43)
      for (const event of each) {
        expect(event).toMatchObject({
          descriptionHtml: expect.stringMatching(/^<p>.*[.!?](<\/p>|<\/li><\/ul>|<\/a>\.<\/p>)/s),
          excerptHtml: expect.stringMatching(/\S/),
          image: { url: expect.stringMatching(/\.webp$/) },
          cost: { text: expect.stringMatching(/€$|^Free$/) },
          translations: [{ language: 'EN' }, { language: 'ES' }, { language: 'FR' }],
        })
      }
    }
    const [english = [], french = [], spanish = []] = inLanguages
    expect(
      english.filter(({ title }, index) => [french, spanish].some((each) => each[index]?.title === title)),
    ).toEqual([])
    for (const kind of ['venues', 'organizers', 'categories', 'tags']) {
      const { body } = await app.graphql(`{ ${kind}(first: 50) { nodes { translations { language name } } } }`)
      for (const { translations } of body.data[kind].nodes) expect(translations).toHaveLength(3)
    }
  })

  test('shows what a calendar can do', async () => {
    const all = await events('')
    const those = (part: object) => all.filter((event) => expect.objectContaining(part).asymmetricMatch(event))
    expect(those({ eventStatus: 'CANCELLED' })).toHaveLength(1)
    expect(those({ attendanceMode: 'ONLINE', venues: [] })).toHaveLength(1)
    expect(those({ title: 'Gentle yoga' })).toHaveLength(8)
    expect(those({ allDay: true })).toHaveLength(2)
    const images = new Map(all.map(({ title, image }) => [title, image.url]))
    expect(new Set(images.values()).size).toBe(images.size)
    expect(all.filter(({ image }) => image.width < image.height)).toHaveLength(1)
  })

  const remove = () => removeFrom(app)

  test('keeps what somebody changed or uses, and removes the rest', async () => {
    const { body } = await app.graphql(
      '{ venues(first: 1, filter: { search: "pier" }) { nodes { databaseId } } event(slug: "basalt") { databaseId image { databaseId } } category(slug: "families") { databaseId } tag(slug: "jazz") { databaseId } }',
    )
    const { venues, event, category, tag } = body.data
    const [venue] = venues.nodes
    const own = await makeEvent(app.db, 'Own', { venueIds: [venue.databaseId] })
    const write = async (mutation: string) => {
      const { body: written } = await app.administrator.graphql(`mutation { ${mutation} { userErrors { message } } }`)
      expect(Object.values(written.data)).toEqual([{ userErrors: [] }])
    }
    await write(`updateEvent(input: { id: "${event.databaseId}", website: "https://example.org/" })`)
    await write(`updateCategory(input: { id: "${category.databaseId}", name: "Children" })`)
    await write(`updateTag(input: { id: "${tag.databaseId}", translations: [{ language: FR, name: "Le jazz" }] })`)

    const { rows, kept } = await remove()
    expect(rows).toEqual({ event: 42, venue: 8, organizer: 7, category: 8, tag: 13, image: 37 })
    expect(kept.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`).sort()).toMatchInlineSnapshot(`
      [
        "category Children: it was changed",
        "category Dance: other records use it",
        "category Stage: other records use it",
        "event Basalt: it was changed",
        "image /images/8vIibeoZmraz4wNlwncyyaaObdod-dq09gLI-axZkoc.webp: other records use it",
        "image /images/G1H9QvwrY8xVQ3CLYhKLV9keqE8kDqY5LB70tCTn6tI.webp: other records use it",
        "image /images/YX1E3Dhbtlm9KwDGtBVe2OuZZTw9fr6IEIh6dnoe_Jg.webp: other records use it",
        "organizer Puerto Alisio Town Hall: other records use it",
        "tag Jazz: it was changed",
        "tag Wheelchair accessible: other records use it",
        "venue Old pier: other records use it",
        "venue Teatro Alisio: other records use it",
      ]
    `)

    const { body: left } = await app.graphql('{ events(first: 9) { nodes { databaseId } } }')
    expect(left.data.events.nodes.map(({ databaseId }: { databaseId: number }) => databaseId).sort()).toEqual(
      [event.databaseId, own].sort(),
    )
  })

  test('removes the rest once nobody uses it, and nothing twice', async () => {
    await app.db.event.deleteMany()
    const { rows, kept } = await remove()
    expect(rows).toMatchObject({ event: 0 })
    expect(kept.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([
      'category: it was changed',
      'tag: it was changed',
    ])
    expect((await remove()).rows).toEqual({ event: 0, venue: 0, organizer: 0, category: 0, tag: 0, image: 0 })
  })
})

describe('sample remove after records were moved to the trash', { shuffle: false }, () => {
  let app: SampleApp
  beforeAll(async () => {
    app = await openSampleApp()
  })
  afterAll(() => app?.close())

  test('removes them and what only they use, and keeps what an event in the trash uses that is not of the sample', async () => {
    const [pier, own] = [
      await app.db.venue.findFirstOrThrow({ where: { texts: { some: { name: 'Old pier' } } } }),
      'Own',
    ]
    const ownId = await makeEvent(app.db, own, { venueIds: [pier.id], imageId: pier.imageId })
    const trash = async (kind: string, id: number) => {
      const { body } = await app.administrator.graphql(
        `mutation { trash${kind}(input: { id: "${id}" }) { userErrors { message } } }`,
      )
      expect(Object.values(body.data)).toEqual([{ userErrors: [] }])
    }
    const events = await app.db.event.findMany({ select: { id: true }, orderBy: { id: 'asc' }, take: 5 })
    const venue = await app.db.venue.findFirstOrThrow({ where: { texts: { some: { name: 'Teatro Alisio' } } } })
    for (const { id } of events) await trash('Event', id)
    await trash('Venue', venue.id)

    const { rows, kept } = await removeFrom(app)
    expect(rows).toEqual({ event: 43, venue: 9, organizer: 8, category: 11, tag: 15, image: 39 })
    expect(kept.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)).toEqual([
      'venue Old pier: other records use it',
      expect.stringMatching(/^image \/images\/\S+\.webp: other records use it$/),
    ])
    expect(await app.db.event.findMany({ select: { id: true } })).toEqual([{ id: ownId }])
  })

  test('removes the rest once nothing uses it', async () => {
    await app.db.event.deleteMany()
    const { rows, kept } = await removeFrom(app)
    expect({ rows, kept }).toMatchObject({ rows: { event: 0, venue: 1, image: 1 }, kept: [] })
    const left = await Promise.all([
      app.db.venue.count(),
      app.db.organizer.count(),
      app.db.category.count(),
      app.db.tag.count(),
      app.db.image.count(),
      app.db.importedRecord.count(),
    ])
    expect(left).toEqual([0, 0, 0, 0, 0, 0])
  })
})
