// The walk-through of docs/recurring-events.md, with its own operations.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks } from '../docs/blocks.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const blocks = readBlocks('docs/recurring-events.md')

async function run(name: string, variables: Record<string, unknown>) {
  const document = blocks.find(({ text }) => new RegExp(`^(query|mutation) ${name}\\b`).test(text))?.text ?? ''
  const { body } = await editor.graphql(document, variables)
  expect(body.errors).toBeUndefined()
  const { [Object.keys(body.data)[0] ?? '']: result } = body.data
  if ('userErrors' in result) expect(result.userErrors).toEqual([])
  return result
}

test('the course of a librarian', async () => {
  const variables = JSON.parse(blocks.find(({ language }) => language === 'json')?.text ?? '')
  expect(await run('Preview', variables)).toEqual({
    dates: ['12', '19', '26'].map((day) => ({
      startsLocal: `2027-01-${day}T18:00:00`,
      endsLocal: `2027-01-${day}T20:00:00`,
    })),
    totalCount: 24,
    words: 'every Tuesday until 29 June 2027, except 30 March and 6 April, also on 22 May',
    french: 'tous les mardis jusqu’au 29 juin 2027, sauf le 30 mars et le 6 avril, et aussi le 22 mai',
    warnings: [],
  })
  const { series } = await run('Create', variables)
  expect([series.events.totalCount, series.url, series.words]).toEqual([
    ...[24, 'http://calendar.test/event/chess-for-beginners/'],
    'every Tuesday until 29 June 2027, except 30 March and 6 April, also on 22 May',
  ])
  const idOn = async (day: string) => {
    const filter = { series: [series.databaseId], startsLocal: { gte: `${day}T00:00:00`, lte: `${day}T23:59:59` } }
    const query = 'query ($filter: EventFilter!) { events(filter: $filter) { nodes { databaseId } } }'
    return (await editor.graphql(query, { filter })).body.data.events.nodes[0].databaseId
  }
  expect((await run('Cancel', { id: await idOn('2027-01-26') })).event).toEqual({
    ...{ eventStatus: 'CANCELLED', dateLabel: 'The teacher is ill', occurrence: 'CHANGED' },
  })
  const { event } = await run('Later', { id: await idOn('2027-03-02') })
  expect(event.series).toEqual({
    databaseId: expect.any(Number),
    recurrences: [{ startsLocal: '2027-03-02T19:00:00', rule: 'FREQ=WEEKLY;UNTIL=20270629' }],
  })
  expect(event.series.databaseId).not.toBe(series.databaseId)
  expect((await run('Rename', { id: series.databaseId })).series.title).toBe('Chess for everybody')
  const { nodes } = await run('Coming', {})
  expect(nodes.map(({ title, startsLocal }: Record<string, string>) => [title, startsLocal])).toEqual([
    ['Chess for everybody', '2027-01-12T18:00:00'],
    ['Chess for beginners', '2027-03-02T19:00:00'],
  ])
})
