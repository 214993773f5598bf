// Revisions of a date of a series are restored without making it an event of its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeSeries } from '../helpers/make.ts'
import { restoreRevision, revisionsOf, write } from '../helpers/revisions.ts'

let app: TestApp
let editor: ApiClient
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

test('the times, state, label and note of a date', async () => {
  const { id: series, dates } = await makeSeries(app.db, 'Course')
  const [id = 0] = dates
  const read = async () => {
    const fields = 'startsLocal endsLocal eventStatus dateLabel dateNote series { databaseId }'
    return (await editor.graphql(`{ event(id: ${id}) { ${fields} } }`)).body.data.event
  }
  const move = (day: string, others: object) =>
    write(editor, 'updateEvent', { id, startsLocal: `${day}T18:00:00`, endsLocal: `${day}T20:00:00`, ...others })
  await move('2026-12-02', { dateLabel: 'Premiere', dateNote: 'In the garden' })
  const first = await read()
  await move('2026-12-03', { eventStatus: 'POSTPONED', dateLabel: 'Second night', dateNote: null })
  const second = await read()
  await move('2026-12-04', { eventStatus: 'SCHEDULED', dateLabel: null })
  const third = await read()
  expect([third.dateLabel, third.dateNote]).toEqual([null, null])
  const [newest, middle, older] = await revisionsOf(editor, 'event', id)
  for (const [revision, expected] of [
    [older, first],
    [middle, second],
    [newest, third],
  ] as const) {
    const { userErrors } = await restoreRevision(editor, { kind: 'EVENT', id: String(id), revisionId: revision?.id })
    expect(userErrors).toEqual([])
    expect(await read()).toEqual(expected)
    expect(expected.series).toEqual({ databaseId: series })
  }
})
