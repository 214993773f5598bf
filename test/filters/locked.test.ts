import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, 'Open')
  await makeEvent(app.db, 'Secret', { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) })
})
afterAll(() => app?.close())

test.each([
  ['', ['Open'], ['Secret']],
  ['query @inContext(password: "sesame")', ['Open', 'Secret'], []],
  ['query @inContext(password: "wrong")', ['Open'], ['Secret']],
  ['query @inContext(forEditing: true)', ['Open', 'Secret'], []],
])('the filter `locked` compares what the operation withholds: %s', async (operation, open, locked) => {
  const administrator = await app.signIn('administrator')
  const client = operation.includes('forEditing') ? administrator : app
  for (const [value, titles] of [
    [false, open],
    [true, locked],
  ] as const) {
    const { body } = await client.graphql(
      `${operation} { eventsPage(filter: { locked: ${value} }) { total items { title locked } } }`,
    )
    const { total, items } = body.data.eventsPage
    expect([total, items.map(({ title }: { title: string }) => title).sort()]).toEqual([titles.length, titles])
    for (const item of items) expect(item.locked).toBe(value)
  }
})

const open = 'query @inContext(password: "sesame")'

test('hasEvents says nothing of the venues of a locked event', async () => {
  const passwordKey = await hashRecordPassword('sesame', app.site.passwordSalt)
  const hall = await makeVenue(app.db, 'Hall')
  const event = await makeEvent(app.db, 'Party', { passwordKey, venueIds: [hall] })
  const query = `{ venues(filter: { include: [${hall}], hasEvents: true }) { nodes { name } } }`
  expect((await app.graphql(query)).body.data.venues.nodes).toEqual([])
  expect((await app.graphql(`${open} ${query}`)).body.data.venues.nodes).toEqual([{ name: 'Hall' }])
  await app.db.event.delete({ where: { id: event } })
})

test('placeName says nothing of the address of a locked venue', async () => {
  const passwordKey = await hashRecordPassword('sesame', app.site.passwordSalt)
  const cellar = await makeVenue(app.db, 'Cellar', { passwordKey, address: 'Quiet Lane' })
  const event = await makeEvent(app.db, 'Concert', { venueIds: [cellar] })
  const titles = async (operation: string, name: string) => {
    const { body } = await app.graphql(`${operation} { events(filter: { placeName: "${name}" }) { nodes { title } } }`)
    return body.data.events.nodes.map(({ title }: { title: string }) => title)
  }
  expect(await titles('', 'cellar')).toEqual(['Concert'])
  expect(await titles('', 'quiet lane')).toEqual([])
  expect(await titles(open, 'quiet lane')).toEqual(['Concert'])
  await app.db.event.delete({ where: { id: event } })
})
