// Series that visitors may not see change no answer to them, and series with a password withhold what they say.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { changeDate, createSeries, datesOf, ids, ruled, updateDate, updateSeries } from '../helpers/series.ts'
import { written } from '../helpers/write.ts'

let app: TestApp
let editor: ApiClient
let venue: number
/** The answers while there is no secret series. */
let before: Readonly<Record<string, string>>
/** A public series and a secret one have dates at the same times, and the same venue, category and tag. */
const links = () => ({
  venues: [{ id: String(venue) }],
  categories: [{ nameOrSlug: 'Music' }],
  tags: [{ nameOrSlug: 'free' }],
})
const schedule = ruled('2026-12-01T19:00', 'FREQ=WEEKLY;COUNT=12')

beforeAll(async () => {
  app = await openTestApp({ QUERY_COST_MAX: '20000', ...compared })
  editor = await app.signIn('editor')
  venue = await written(editor, 'create', 'venue', { name: 'Hall', city: 'Paris', status: 'PUBLISHED' })
  await createSeries(editor, { title: 'Choir', status: 'PUBLISHED', ...links(), schedule })
  const party = { startsLocal: '2026-12-05T19:00:00', endsLocal: '2026-12-05T20:00:00' }
  await written(editor, 'create', 'event', { title: 'Party', status: 'PUBLISHED', ...party })
  before = await answers()
})
afterAll(() => app?.close())

const eventFields = `title url startsAt slug occurrence dateLabel dateNote website descriptionHtml costEntries onlineUrl jsonLd
  series { title words recurrences { rule } events { totalCount } } venues { name } categories { name count } tags { name count }`
const facets = `months { month count } cities { city count } categories { category { name } count } tags { tag { name } count }
  venues { venue { name } count } languages { language count }`
const documents = [
  ...['', 'filter: { occurrences: NEXT }', 'filter: { search: "secret" }', 'filter: { search: "choir" }'].map(
    (argument) => `{ events(first: 40, ${argument}) { totalCount nodes { ${eventFields} } } }`,
  ),
  `{ eventFacets { ${facets} } }`,
  `{ eventFacets(filter: { occurrences: NEXT }) { ${facets} } }`,
  '{ searchSuggestions(prefix: "secr") { text } }',
  `{ venues { nodes { name events { totalCount } } } categories { nodes { name count events { totalCount } } }
    tags { nodes { name count events { totalCount } } } }`,
  '{ event(slug: "secret") { title } }',
]
const paths = [
  ...['/', '/sitemap.xml', '/events.ics', '/events.rss', '/events.json', '/event/secret/', '/event/secret/2026-12-01/'],
  ...['/cal/events/v1/events?per_page=50', '/cal/events/v1/categories', '/cal/events/v1/events/by-slug/secret'],
  '/cal/events/v1/events?hide_subsequent_recurrences=true',
]

/** What visitors are told, apart from IDs, versions and times of modification. */
async function answers(): Promise<Readonly<Record<string, string>>> {
  const told = await Promise.all([
    ...documents.map(async (document) => [document, JSON.stringify((await app.graphql(document)).body)]),
    ...paths.map(async (path) => {
      const { status, body } = await app.get(path)
      return [path, `${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`]
    }),
  ])
  return Object.fromEntries(told)
}

test('the operations are valid', () => {
  for (const [document, answer] of Object.entries(before)) {
    if (document.startsWith('{') && !document.includes('slug:')) expect(answer).not.toContain('"errors"')
    if (document.includes('first: 40, )')) expect(answer).toContain('Choir')
  }
})

test.each([
  ['a draft', { status: 'DRAFT' }],
  ['a pending series', { status: 'PENDING' }],
  ['a series that is published later', { status: 'PUBLISHED', publishedAt: '2027-11-01T00:00:00Z' }],
])('%s changes nothing that visitors see', async (_name, state) => {
  const title = 'Secret'
  const series = await createSeries(editor, {
    title,
    slug: 'secret',
    description: title,
    ...state,
    ...links(),
    schedule,
  })
  const dates = ids(await datesOf(editor, series))
  for (const errors of [
    await updateDate(editor, 'THIS', {
      id: dates[3],
      startsLocal: '2026-12-24T10:00:00',
      endsLocal: '2026-12-24T11:00:00',
    }),
    await updateDate(editor, 'THIS', { id: dates[4], eventStatus: 'CANCELLED', dateLabel: title }),
    await updateDate(editor, 'THIS', { id: dates[5], description: title }),
    await updateDate(editor, 'FOLLOWING', { id: dates[9], excerpt: title }),
    await updateSeries(editor, { id: series, website: 'https://secret.test/' }),
    await changeDate(editor, 'delete', 'THIS', { id: dates[6] }),
    await changeDate(editor, 'trash', 'THIS', { id: dates[5] }),
  ])
    expect(errors).toEqual([])
  expect(await answers()).toEqual(before)
  await changeDate(editor, 'trash', 'ALL', { id: dates[0] })
  await changeDate(editor, 'delete', 'ALL', { id: dates[0] })
  await changeDate(editor, 'delete', 'ALL', { id: dates[9] })
  expect(await answers()).toEqual(before)
})

test('a series that lists leave out changes nothing that does not name it', async () => {
  const isOfSlug = (asked: string) => /slug: "secret|\/secret/.test(asked)
  // Terms count all published events.
  const withoutCount = (answer: string) => answer.replace(/(?<="name":"(Music|free)",[^{}]*"count":)\d+/g, 'n')
  const listed = (all: typeof before) =>
    Object.entries(all).flatMap(([asked, answer]) => (isOfSlug(asked) ? [] : { asked, answer: withoutCount(answer) }))
  const secret = { title: 'Secret', slug: 'secret', status: 'PUBLISHED', hideFromListings: true, ...links(), schedule }
  const seriesId = await createSeries(editor, secret)
  const dates = await app.db.event.findMany({ where: { seriesId }, orderBy: { startsAt: 'asc' } })
  for (const errors of [
    await updateDate(editor, 'THIS', { id: dates[3]?.id, eventStatus: 'CANCELLED', dateLabel: 'Secret' }),
    await updateDate(editor, 'THIS', { id: dates[5]?.id, description: 'Secret' }),
    await updateDate(editor, 'FOLLOWING', { id: dates[9]?.id, excerpt: 'Secret' }),
  ])
    expect(errors).toEqual([])
  expect(listed(await answers())).toEqual(listed(before))
  for (const part of [dates[0], dates[5], dates[9]]) await changeDate(editor, 'delete', 'ALL', { id: part?.id })
})

test('what a series with a password says changes nothing', async () => {
  const create = (word: string) =>
    createSeries(editor, {
      ...{ title: 'Locked', slug: 'locked', status: 'PUBLISHED', password: 'sesame', schedule },
      ...{ description: word, excerpt: word, website: `https://${word}.test/`, cost: [word] },
    })
  const told: unknown[] = []
  for (const word of ['mystery', 'enigma']) {
    const dates = ids(await datesOf(editor, await create(word)))
    await updateDate(editor, 'THIS', { id: dates[0], dateLabel: word, dateNote: word })
    const all = await answers()
    expect(JSON.stringify(all)).not.toContain(word)
    // The paths also tell IDs.
    told.push(documents.map((document) => all[document]))
    await changeDate(editor, 'delete', 'ALL', { id: dates[0] })
  }
  expect(told[1]).toEqual(told[0])
})
