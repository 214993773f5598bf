// How many dates of series the mutations of one request may write.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { createSeries, ruled } from '../helpers/series.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const daily = (count: number) => ruled('2027-01-12T18:00', `FREQ=DAILY;COUNT=${count}`)
const numberOf = (title: string) => app.db.event.count({ where: { texts: { some: { name: title } } } })

interface Payload {
  readonly userErrors: readonly { readonly code: string; readonly path: readonly string[]; readonly message: string }[]
}

/** Runs mutations in one request, and returns the path of the error of each. */
async function run(...mutations: [name: string, type: string, input: object][]) {
  const parameters = mutations.map(([, type], index) => `$i${index}: ${type}!`).join(' ')
  const fields = mutations.map(
    ([name], index) => `m${index}: ${name}(input: $i${index}) { userErrors { code path message } }`,
  )
  const variables = Object.fromEntries(mutations.map(([, , input], index) => [`i${index}`, input]))
  const { body } = await editor.graphql(`mutation (${parameters}) { ${fields.join('\n')} }`, variables)
  expect(body.errors).toBeUndefined()
  return Object.values<Payload>(body.data).map(({ userErrors }) => {
    for (const { code, message } of userErrors) {
      expect(code).toBe('BAD_INPUT')
      expect(message).toMatch(/write \d+ dates of series; after 1000, .*Send this mutation in another request\.$/)
    }
    return userErrors.map(({ path }) => path.join('.'))
  })
}

test('is about a thousand: the other mutations of series are refused, and run in a request of their own', async () => {
  const events: number[] = []
  for (let number = 0; number < 5; number++) events.push(await makeEvent(app.db, { en: 'Course' }))
  const repeat = (id = 0): [string, string, object] => [
    'updateEvent',
    'UpdateEventInput',
    { id, schedule: { recurrences: [], ...daily(400) } },
  ]
  expect(await run(...events.map(repeat))).toEqual([[], [], [], ['schedule'], ['schedule']])
  expect(await numberOf('Course')).toBe(3 * 400 + 2)
  expect(await run(repeat(events[3]))).toEqual([[]])
})

test('counts new dates, changed ones, and those in the trash', async () => {
  const long = await createSeries(editor, { title: 'Long', schedule: daily(900) })
  const other = await createSeries(editor, { title: 'Other', schedule: daily(200) })
  const { id: date } = await app.db.event.findFirstOrThrow({
    where: { seriesId: other },
    skip: 3,
    orderBy: { id: 'asc' },
  })
  const rename = (id: number): [string, string, object] => [
    'updateEventSeries',
    'UpdateEventSeriesInput',
    { id, title: 'New' },
  ]
  const results = await run(
    rename(long),
    rename(other),
    ['createEventSeries', 'CreateEventSeriesInput', { title: 'Third', schedule: daily(2) }],
    ['updateEvent', 'UpdateEventInput', { id: date, scope: 'FOLLOWING', title: 'Split' }],
    ['trashEvent', 'RecordInput', { id: date, scope: 'ALL' }],
    ['updateEvent', 'UpdateEventInput', { id: date, dateNote: 'In the hall' }],
    [
      'createEvent',
      'CreateEventInput',
      { title: 'Single', startsLocal: '2027-01-12T18:00', endsLocal: '2027-01-12T19:00' },
    ],
  )
  expect(results).toEqual([[], [], ['schedule'], ['id'], ['id'], [], []])
  expect([await numberOf('Third'), await numberOf('Split')]).toEqual([0, 0])
  expect(await app.db.event.count({ where: { seriesId: other, status: 'trash' } })).toBe(0)
})
