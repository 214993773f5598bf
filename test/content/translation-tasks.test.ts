// Which texts are to be translated: missing, outdated and in review, and who sees them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { write } from '../helpers/revisions.ts'

let app: TestApp
let editor: ApiClient & { readonly id: number }

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await truncate(app.db)
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const times = { startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-01T21:00:00', timeZone: 'Europe/Paris' }

/** The tasks as `kind language state`, with the missing fields. */
async function tasks(filter: object = {}, client: ApiClient = editor): Promise<string[]> {
  const { body } = await client.graphql(
    `query ($filter: TranslationTaskFilter) { translationTasks(filter: $filter, first: 50) {
      totalCount nodes { kind language state missingFields } } }`,
    { filter },
  )
  expect(body.errors).toBeUndefined()
  const { nodes, totalCount } = body.data.translationTasks
  expect(nodes).toHaveLength(totalCount)
  return nodes.map((task: Record<string, string[]>) =>
    [task.kind, task.language, task.state, ...(task.missingFields ?? [])].join(' '),
  )
}

const french = (texts: object) => ({ translations: [{ language: 'FR', ...texts }] })
const kinds = { event: 'Event', venue: 'Venue', organizer: 'Organizer', category: 'Category', tag: 'Tag' }

test.each(Object.entries(kinds))(
  '%s: a translation is missing, current, outdated, and in review',
  async (kind, type) => {
    const name = kind === 'event' ? 'title' : 'name'
    const id = await write(editor, `create${type}`, { [name]: 'Choir', ...(kind === 'event' && times) })
    const update = (input: object) => write(editor, `update${type}`, { id: String(id), ...input })
    const filter = { languages: ['FR'] }
    const task = `${kind.toUpperCase()} FR`
    expect(await tasks()).toEqual([`${kind.toUpperCase()} ES MISSING name`, `${task} MISSING name`])
    await update(french({ name: 'Chorale' }))
    expect(await tasks(filter)).toEqual([])
    await update({ description: 'Songs' })
    expect(await tasks(filter)).toEqual([`${task} MISSING description`])
    await update(french({ description: 'Chants' }))
    await update({ description: 'Old songs', minorChange: true })
    expect(await tasks(filter)).toEqual([])
    await update({ description: 'New songs' })
    expect(await tasks(filter)).toEqual([`${task} OUTDATED`])
    await update(french({ description: 'Chants.', state: 'IN_REVIEW' }))
    expect(await tasks(filter)).toEqual([`${task} IN_REVIEW`])
    await update(french({ state: 'CURRENT' }))
    expect(await tasks(filter)).toEqual([])
    await update({ [name]: 'Choirs' })
    await update(french({ state: 'CURRENT' }))
    expect(await tasks(filter)).toEqual([])
  },
)

test('a correction of a translation does not make it current, and unchanged texts make none outdated', async () => {
  const id = String(await write(editor, 'createVenue', { name: 'Hall', ...french({ name: 'Halle' }) }))
  await write(editor, 'updateVenue', { id, name: 'Hall', city: 'Paris' })
  expect(await tasks({ languages: ['FR'] })).toEqual([])
  await write(editor, 'updateVenue', { id, name: 'Market hall' })
  await write(editor, 'updateVenue', { id, minorChange: true, ...french({ name: 'La halle' }) })
  expect(await tasks({ languages: ['FR'] })).toEqual(['VENUE FR OUTDATED'])
})

test('a series is one task, past events are none by default, and the trash has none', async () => {
  const schedule = {
    ...{ timeZone: 'Europe/Paris', allDay: false },
    recurrences: [{ startsLocal: times.startsLocal, endsLocal: times.endsLocal, rule: 'FREQ=DAILY;COUNT=3' }],
  }
  const { body } = await editor.graphql(
    `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) { series { id title } userErrors { message } } }`,
    { input: { title: 'Course', schedule } },
  )
  const { id: seriesId } = body.data.createEventSeries.series
  const past = await write(editor, 'createEvent', {
    ...{ title: 'Past', startsLocal: '2026-10-01T19:00:00', endsLocal: '2026-10-01T21:00:00' },
    status: 'DRAFT',
  })
  const query = `query ($filter: TranslationTaskFilter) { translationTasks(filter: $filter) {
    nodes { id language sourceLanguage record { __typename id ... on Translatable { contentLanguage } } } } }`
  const filter = { languages: ['ES'] }
  const found = await editor.graphql(query, { filter })
  expect(found.body.data.translationTasks.nodes).toEqual([
    {
      ...{ id: `${seriesId}-es`, language: 'ES', sourceLanguage: 'EN' },
      record: { __typename: 'EventSeries', id: seriesId, contentLanguage: 'EN' },
    },
  ])
  expect(await tasks({ ...filter, records: [seriesId] })).toEqual(['EVENT ES MISSING name'])
  expect(await tasks({ ...filter, includePast: true })).toHaveLength(2)
  await write(editor, 'trashEvent', { id: String(past) })
  expect(await tasks({ ...filter, includePast: true })).toHaveLength(1)
})

test('users see the tasks of the records that they may update, and visitors none', async () => {
  const author = await app.signIn('author')
  await write(editor, 'createVenue', { name: 'Hall' })
  await write(editor, 'createTag', { name: 'Jazz' })
  await write(author, 'createOrganizer', { name: 'Choir' })
  await write(author, 'createCategory', { name: 'Music' })
  expect(await tasks({ languages: ['FR'] }, author)).toEqual(['ORGANIZER FR MISSING name', 'CATEGORY FR MISSING name'])
  expect(await tasks({ languages: ['FR'], kinds: ['VENUE', 'TAG'] })).toHaveLength(2)
  for (const client of [app, await app.signIn('subscriber')]) {
    for (const query of ['{ translationTasks { totalCount } }', '{ translationTaskCounts { count } }']) {
      const { body } = await client.graphql(query)
      expect(body.errors?.[0].extensions.code).toMatch(/UNAUTHENTICATED|FORBIDDEN/)
    }
  }
})

test('counts by language, kind and state, and pages in both directions', async () => {
  for (const name of ['A', 'B', 'C']) await write(editor, 'createVenue', { name })
  await write(editor, 'createTag', { name: 'Jazz', ...french({ name: 'Jazz', state: 'IN_REVIEW' }) })
  const { body } = await editor.graphql('{ translationTaskCounts { language kind state count } }')
  expect(body.data.translationTaskCounts).toEqual([
    { language: 'ES', kind: 'TAG', state: 'MISSING', count: 1 },
    { language: 'ES', kind: 'VENUE', state: 'MISSING', count: 3 },
    { language: 'FR', kind: 'TAG', state: 'IN_REVIEW', count: 1 },
    { language: 'FR', kind: 'VENUE', state: 'MISSING', count: 3 },
  ])
  const page = async (args: string) => {
    const reply = await editor.graphql(
      `{ translationTasks(${args}) { nodes { id } pageInfo { endCursor startCursor } } }`,
    )
    return reply.body.data.translationTasks
  }
  const all = (await page('first: 50')).nodes
  const first = await page('first: 3')
  const second = await page(`first: 50, after: "${first.pageInfo.endCursor}"`)
  expect([...first.nodes, ...second.nodes]).toEqual(all)
  expect((await page(`last: 2, before: "${second.pageInfo.startCursor}"`)).nodes).toEqual(first.nodes.slice(1))
})
