import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { createSchema } from '../../src/graphql/schema.ts'
import { execute, parse } from 'graphql'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
beforeAll(async () => { app = await openTestApp() })
afterAll(() => app.close())

async function run(role: 'administrator' | 'contributor', query: string, variables = {}, language = 'en') {
  const user = await app.db.user.upsert({ where: { login: role }, create: { login: role, name: role, role }, update: {} })
  const environment = { db: app.db, settings: app.settings, site: app.site, now: () => app.clock.now }
  const contextValue = await createContext(environment, { viewer: { id: user.id, role: user.role }, language })
  return execute({ schema: createSchema(['en', 'fr', 'es']), document: parse(query), variableValues: variables, contextValue })
}

test('creates', async () => {
  const q = `mutation($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code message field } event { databaseId title slug status startsLocal startsAt endsAt timeZone venues { name slug } organizers { name } categories { name slug } tags { name } author { name } translations { language name slug } tickets { name price } } } }`
  const r = await run('administrator', q, { input: { title: 'Party  time', startsLocal: '2026-12-24T20:00:00', endsLocal: '2026-12-24T23:00:00', timeZone: 'Europe/Paris',
    venues: [{ create: { name: 'Hall', city: 'Lyon', coordinates: { latitude: 45, longitude: 4 } } }], organizers: [{ create: { name: 'Us' } }], categories: [{ named: 'Music' }], tags: [{ named: 'new' }, { named: 'New' }], translations: [{ language: 'fr', name: 'La fête' }], tickets: [{ name: 'A', price: '12.5', currency: 'EUR' }] } })
  console.log(JSON.stringify(r, null, 1))
  const id = (r.data as any).createEvent.event.databaseId
  const u = `mutation($input: UpdateEventInput!) { updateEvent(input: $input) { userErrors { code message field } event { title slug status startsAt allDay startsLocal endsLocal venues { name } translations { language name slug } } } }`
  console.log(JSON.stringify(await run('administrator', u, { input: { id, allDay: true, title: 'Fiesta' } }, 'es'), null, 1))
  console.log(JSON.stringify(await run('contributor', u, { input: { id, allDay: true } }, 'es')))
  console.log(JSON.stringify(await run('administrator', u, { input: { id, endsLocal: '2020-01-01T00:00:00', venues: [] } })))
  const t = `mutation($input: RecordInput!) { trashEvent(input: $input) { userErrors { code } event { status slug } } restoreEvent(input: $input) { userErrors { code } event { status slug } } a: deleteEvent(input: $input) { databaseId userErrors { code } } }`
  console.log(JSON.stringify(await run('administrator', t, { input: { id } })))
})
