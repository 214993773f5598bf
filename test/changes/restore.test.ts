// Whatever is edited, each revision can be restored: the record then has the content that it had after this revision.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeTag, makeVenue } from '../helpers/make.ts'
import { restoreRevision, revisionsOf, stateOf, write } from '../helpers/revisions.ts'
import { runs } from '../helpers/runs.ts'

let app: TestApp
let editor: ApiClient
let venues: string[]

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
  venues = [
    `${await makeVenue(app.db, 'Hall')}`,
    `${await makeVenue(app.db, 'Loft')}`,
    `${await makeVenue(app.db, 'Barn')}`,
  ]
})
afterAll(() => app?.close())

const word = fc.constantFrom('Jazz', 'Été', '<p>Ça &amp; là</p>', 'Nuit du jazz', 'Blues')
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const removable = <Value>(value: fc.Arbitrary<Value>) => maybe(fc.option(value, { freq: 3 }))

const translation = (language: string) =>
  fc.record({
    language: fc.constant(language),
    name: removable(word),
    description: removable(fc.oneof(word, fc.constant(''))),
    excerpt: removable(word),
    slug: maybe(fc.constantFrom('a', 'b', 'c')),
  })

const edit = fc.record({
  title: maybe(word),
  description: removable(word),
  slug: maybe(fc.constantFrom('a', 'b', 'c')),
  translations: maybe(fc.tuple(translation('FR'), translation('ES'))),
  status: maybe(fc.constantFrom('PUBLISHED', 'DRAFT', 'PRIVATE', 'TRASH')),
  startsLocal: maybe(fc.constantFrom('2026-10-25T02:30:00', '2026-03-29T02:30:00', '2026-12-01T19:00:00')),
  timeZone: maybe(fc.constantFrom('Europe/Paris', 'America/New_York', 'UTC+5:30')),
  allDay: maybe(fc.boolean()),
  eventStatus: maybe(fc.constantFrom('SCHEDULED', 'RESCHEDULED', 'MOVED_ONLINE')),
  website: removable(fc.constantFrom('https://one.test/', '')),
  cost: maybe(fc.subarray(['Free', '10 EUR'])),
  customFields: maybe(fc.constantFrom([], [{ key: 'k', label: 'K', value: { a: [1, null] } }])),
  tickets: maybe(fc.constantFrom([], [{ name: 'Adult', price: '9.90', currency: 'EUR' }])),
  tags: maybe(fc.subarray([{ nameOrSlug: 'Late' }, { nameOrSlug: 'Free' }])),
  venues: maybe(fc.shuffledSubarray([0, 1, 2])),
  uid: removable(fc.uuid()),
})

const document = 'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { userErrors { message } } }'

test('any revision of an event', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), fc.nat(8), async (edits, chosen) => {
      const id = await write(editor, 'createEvent', {
        ...{ title: 'Start', startsLocal: '2026-10-01T10:00:00', endsLocal: '2027-01-01T10:00:00' },
        translations: [{ language: 'FR', name: 'Début' }],
      })
      const recorded = new Map<string, object>()
      const record = async () => {
        const [latest] = await revisionsOf(editor, 'event', id)
        recorded.set(latest?.id ?? '', await stateOf(app.db, 'event', id))
      }
      await record()
      for (const { venues: places, ...values } of edits) {
        app.clock.now = new Date(app.clock.now.getTime() + 60_000)
        const linked = places?.map((index) => ({ id: venues[index] }))
        const { body } = await editor.graphql(document, { input: { id: `${id}`, ...values, venues: linked } })
        if (body.data.updateEvent.userErrors.length === 0) await record()
      }
      const revisions = [...recorded]
      const [revisionId, expected] = revisions[chosen % revisions.length] ?? ['', {}]
      const before = await stateOf(app.db, 'event', id)
      if (before.status === 'trash')
        await editor.graphql(`mutation { restoreEvent(input: { id: ${id} }) { userErrors { code } } }`)
      for (const attempt of [1, 2]) {
        const input = { kind: 'EVENT', id: `${id}`, revisionId }
        const { userErrors } = await restoreRevision(editor, input)
        const isTrashed = (await stateOf(app.db, 'event', id)).status === 'trash'
        if (attempt === 2 && isTrashed) expect(userErrors).toMatchObject([{ code: 'TRASHED' }])
        else expect(userErrors).toEqual([])
        expect(await stateOf(app.db, 'event', id)).toEqual(expected)
      }
    }),
    { numRuns: runs(30) },
  )
})

test('a revision with records that were merged since links the kept ones', async () => {
  const [kept, double, other] = [
    await makeVenue(app.db, 'Town hall'),
    await makeVenue(app.db, 'Town hall'),
    await makeVenue(app.db, 'Pier'),
  ]
  const [tag, sameTag] = [await makeTag(app.db, 'Jazz'), await makeTag(app.db, 'Jazzz')]
  const linked = (ids: readonly number[]) => ids.map((id) => ({ id: `${id}` }))
  const id = await write(editor, 'createEvent', {
    ...{ title: 'Concert', startsLocal: '2026-10-01T10:00:00', endsLocal: '2026-10-01T10:00:00' },
    ...{ venues: linked([double, other, kept]), tags: linked([sameTag]) },
  })
  const [created] = await revisionsOf(editor, 'event', id)
  await write(editor, 'updateEvent', { id: `${id}`, title: 'Concerts', venues: linked([other]), tags: [] })
  for (const [mutation, ids] of [
    ['mergeVenues', [kept, double]],
    ['mergeTags', [tag, sameTag]],
  ] as const) {
    const input = { id: `${ids[0]}`, mergedIds: [`${ids[1]}`] }
    const document = `mutation ($input: MergeInput!) { done: ${mutation}(input: $input) { userErrors { message } } }`
    expect((await editor.graphql(document, { input })).body.data.done.userErrors).toEqual([])
  }
  const restored = await restoreRevision(editor, { kind: 'EVENT', id: `${id}`, revisionId: created?.id })
  expect(restored).toMatchObject({ userErrors: [], record: { title: 'Concert' } })
  expect(await stateOf(app.db, 'event', id)).toMatchObject({ venue: [kept, other], tag: [tag] })
})

test('a revision of a category whose parent was merged since has the kept one as its parent', async () => {
  const [kept, double] = [await makeCategory(app.db, 'Music'), await makeCategory(app.db, 'Musik')]
  const id = await write(editor, 'createCategory', { name: 'Jazz', parentId: `${double}` })
  const [created] = await revisionsOf(editor, 'category', id)
  await write(editor, 'updateCategory', { id: `${id}`, name: 'Blues', parentId: null })
  await editor.graphql(
    `mutation { mergeCategories(input: { id: ${kept}, mergedIds: [${double}] }) { userErrors { code } } }`,
  )
  const input = { kind: 'CATEGORY', id: `${id}`, revisionId: created?.id }
  const tooOld = await restoreRevision(editor, { ...input, ifUnmodifiedSince: '2020-01-01T00:00:00Z' })
  expect(tooOld.userErrors).toMatchObject([{ code: 'CONFLICT' }])
  const restored = await restoreRevision(editor, input)
  expect(restored.userErrors).toEqual([])
  expect(await stateOf(app.db, 'category', id)).toMatchObject({ parent_id: kept, 'name@en': 'Jazz' })
})

test('a date of a series as it was before its first revision: its creation is one of the series', async () => {
  const recurrence = {
    startsLocal: '2027-02-02T18:00:00',
    endsLocal: '2027-02-02T20:00:00',
    rule: 'FREQ=WEEKLY;COUNT=3',
  }
  const { body } = await editor.graphql(
    `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) {
      series { events(first: 3) { nodes { databaseId } } } } }`,
    { input: { title: 'Pottery', schedule: { recurrences: [recurrence] } } },
  )
  const id: number = body.data.createEventSeries.series.events.nodes[0].databaseId
  await write(editor, 'updateEvent', { id: `${id}`, scope: 'THIS', eventStatus: 'CANCELLED', dateLabel: 'Ill' })
  await write(editor, 'updateEvent', { id: `${id}`, scope: 'THIS', hideFromListings: true })
  const restoring = { kind: 'EVENT', id: `${id}`, revisionId: '0' }
  expect(await restoreRevision(editor, { ...restoring, fields: ['eventStatus'] })).toMatchObject({ userErrors: [] })
  const state = () => stateOf(app.db, 'event', id)
  expect(await state()).toMatchObject({ event_status: 'scheduled', hide_from_listings: true })
  expect(await restoreRevision(editor, restoring)).toMatchObject({ userErrors: [] })
  expect(await state()).toMatchObject({ event_status: 'scheduled', hide_from_listings: false, date_texts: null })
  const single = await write(editor, 'createEvent', {
    ...{ title: 'Single', startsLocal: '2026-10-01T10:00:00', endsLocal: '2026-10-01T10:00:00' },
  })
  const { userErrors } = await restoreRevision(editor, { ...restoring, id: `${single}` })
  expect(userErrors).toMatchObject([{ code: 'BAD_INPUT' }])
})
