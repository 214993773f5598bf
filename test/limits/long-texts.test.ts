// Rows are counted as they arrive, so a response never holds many more texts than the limit.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openTestApp, type TestApp, unverified } from '../helpers/app.ts'
import { countsStatements } from '../helpers/db.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'
import { countReceived } from '../helpers/received.ts'
import { ns } from '../helpers/rest.ts'

let app: TestApp
let received: { characters: number }
beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', ...unverified })
  const texts = (name: string) => ({ en: name, fr: name, es: name })
  const venueIds: number[] = []
  for (let n = 0; n < 5; n += 1) venueIds.push(await makeVenue(app.db, texts(`Hall ${n}`)))
  for (let n = 0; n < 50; n += 1) await makeEvent(app.db, texts(`Event ${n}`), { venueIds })
  // Not by way of the service: search would take in every word.
  await app.db.$executeRaw`UPDATE content_text SET written = ARRAY['name', 'description', 'excerpt'],
    description = rpad(content_id || language, 100000, ' word'), excerpt = rpad(content_id || language, 100000, ' short')`
  await describeVenues()
  received = countReceived(app.database.pool)
})
afterAll(() => app?.close())

const describeVenues = () =>
  app.db.$executeRaw`UPDATE venue_text SET description = rpad(venue_id || language, 100000, ' place')`

const page = (selection: string, perPage = 50) => `{ eventsPage(perPage: ${perPage}) { items { ${selection} } } }`
const connection = (selection: string) => `{ events(first: 50) { nodes { ${selection} } } }`
const codes = (body: { errors?: { extensions: { code: string } }[] }) =>
  body.errors?.map(({ extensions }) => extensions.code) ?? []

describe('a response with too much text is refused', () => {
  it.each([
    ['translations', page('translations { description excerpt }')],
    ['translations of a connection', connection('translations { descriptionHtml excerpt }')],
    ['texts of records in the list', page('venues { description }')],
    ['texts of records in a connection', connection('title venues { name description }')],
    [
      'the same in another order',
      '{ eventsPage(perPage: 50, orderBy: { field: TITLE }) { items { venues { description } } } }',
    ],
  ])('%s', async (_, query) => {
    received.characters = 0
    const { body } = await app.graphql(query)
    expect(codes(body)).toEqual(['ANSWER_TOO_LARGE'])
    expect(body.errors[0].message).toBe(
      'The texts of the response exceed 20,000,000 bytes. Request smaller pages, or fewer texts at once.',
    )
    expect(body.data ?? null).toBeNull()
    expect(received.characters).toBeLessThan(20_000_000)
  })

  it('by REST, with the same advice', async () => {
    received.characters = 0
    const { status, body } = await app.get(`${ns}/events?per_page=50&start_date=1900-01-01`)
    expect([status, body.code]).toEqual([400, 'rest_answer_too_large'])
    expect(body.message).toMatch(/Request smaller pages, or fewer texts at once\.$/)
    expect(received.characters).toBeLessThan(20_000_000)
  })
})

describe('a response within the limit is served', () => {
  it('for translations with one selected text', async () => {
    received.characters = 0
    const { body } = await app.graphql(page('translations { language description }'))
    expect(received.characters).toBeGreaterThan(countsStatements ? 15_000_000 : -1)
    const { items } = body.data.eventsPage
    expect(items).toHaveLength(50)
    for (const { translations } of items) {
      expect(translations.map(({ language }: { language: string }) => language)).toEqual(['EN', 'ES', 'FR'])
      for (const { language, description } of translations) {
        expect(description).toHaveLength(100_000)
        expect(description).toMatch(new RegExp(`^\\d+${language.toLowerCase()} word`))
      }
    }
  })

  it('for both texts selected by fragments and aliases, in the order of the list', async () => {
    const selection =
      'databaseId ...Long translations { ...OfLanguage } } } } fragment Long on Event { d: description e: excerpt }'
    const query = `${page(selection, 10).slice(0, -6)} fragment OfLanguage on Translation { x: excerpt ... { descriptionHtml } }`
    const { body } = await app.graphql(query)
    const { items } = body.data.eventsPage
    expect(items).toHaveLength(10)
    for (const { databaseId, d, e, translations } of items) {
      expect([d, e]).toEqual(
        [`${databaseId}en word`, `${databaseId}en short`].map((text, index) =>
          text.padEnd(100_000, [' word', ' short'][index]),
        ),
      )
      for (const { x, descriptionHtml } of translations)
        expect([x.length > 99_999, descriptionHtml.length > 99_999]).toEqual([true, true])
    }
  })

  it('for texts of records in a list, on a smaller page', async () => {
    const { body } = await app.graphql(page('description venues { name description }', 10))
    const { items } = body.data.eventsPage
    expect(items).toHaveLength(10)
    for (const { description, venues } of items) {
      expect([description.length, ...venues.map((venue: { description: string }) => venue.description.length)]).toEqual(
        Array.from({ length: 6 }, () => 100_000),
      )
    }
  })

  it('for one record with all of its texts', async () => {
    const { body } = await app.graphql(page('id', 1))
    const { id } = body.data.eventsPage.items[0]
    const query = `{ event(id: "${id}") { description excerptHtml venues { description } translations { excerpt } } }`
    const { event } = (await app.graphql(query)).body.data
    expect([event.description.length, event.venues.length, event.translations.length]).toEqual([100_000, 5, 3])
  })

  it('for the largest lists of REST, to three visitors at once', async () => {
    onTestFinished(async () => {
      await describeVenues()
    })
    await app.db.$executeRaw`UPDATE venue_text SET description = ''`
    const url = `${ns}/events?per_page=50&start_date=1900-01-01`
    const lists = await Promise.all(Array.from({ length: 3 }, () => app.get(url)))
    expect(lists.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { body } of lists) {
      expect(body.events).toHaveLength(50)
      for (const { description, excerpt } of body.events)
        expect(description.length + excerpt.length).toBeGreaterThan(199_000)
    }
  })
})

it('a text that looks like a size is returned unchanged', async () => {
  const description = '{"bytes" : 30000000} {"bytes": 30000000}'
  const customFields = [{ key: 'k', label: 'l', value: { bytes: 30_000_000 } }]
  const id = await makeEvent(app.db, { en: { name: 'Sizes', description } }, { customFields })
  const { body } = await app.graphql(`{ event(id: "${id}") { description customFields { value } } }`)
  expect(body.data.event).toEqual({ description, customFields: [{ value: { bytes: 30_000_000 } }] })
})
