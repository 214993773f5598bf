// The field site: the settings that clients need.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const query = '{ site { name languages defaultLanguage timeZone pageSize maxPageSize } }'

test('it has the default settings', async () => {
  expect((await app.graphql(query)).body.data.site).toEqual({
    name: 'Event calendar',
    languages: ['EN', 'FR', 'ES'],
    defaultLanguage: 'EN',
    timeZone: 'UTC',
    pageSize: 10,
    maxPageSize: 100,
  })
})

test('it has the settings of the service', async () => {
  const other = await serve(app, {
    SITE_NAME: 'Agenda',
    LANGUAGES: 'pt-br,de',
    DEFAULT_LANGUAGE: 'de',
    SITE_TIMEZONE: 'Europe/Paris',
    PER_PAGE_DEFAULT: '20',
    PER_PAGE_MAX: '500',
  })
  const { body } = await other.graphql(query)
  await other.app.close()
  expect(body.data.site).toEqual({
    name: 'Agenda',
    languages: ['PT_BR', 'DE'],
    defaultLanguage: 'DE',
    timeZone: 'Europe/Paris',
    pageSize: 20,
    maxPageSize: 500,
  })
})

test('pageSize and maxPageSize are the limits of lists', async () => {
  const size = async (first: number) => (await app.graphql(`{ tags(first: ${first}) { totalCount } }`)).body.errors
  expect(await size(100)).toBeUndefined()
  expect(await size(101)).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }])
})

test('it is read without a statement, and cached for visitors', async () => {
  // The first cached response takes a statement that finds out when responses expire.
  await app.get(`/graphql?query=${encodeURIComponent('{ site { languages } }')}`)
  app.statements.splice(0)
  const url = `/graphql?query=${encodeURIComponent('{ site { name } }')}`
  const statuses = [await app.get(url), await app.get(url)].map(({ headers }) => headers['cache-status'])
  expect(statuses).toEqual(['calendar; fwd=miss', 'calendar; hit'])
  expect(app.statements).toEqual([])
})
