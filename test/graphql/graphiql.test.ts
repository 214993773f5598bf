import { parse } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleTabs } from '../../src/service/graphql/graphiql/tabs.ts'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>', PUBLIC_URL: 'https://calendar.test' })
})
afterAll(() => app?.close())

const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
const page = async (path = '/graphql') => app.get(path, browser)

test.each(['/graphql', '/fr/graphql', '/graphql/'])('%s is a page for a browser', async (path) => {
  const { status, headers, body } = await page(path)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('<title>GraphiQL · Here &#38; &#60;now&#62;</title>')
  expect(Buffer.byteLength(body)).toBeLessThan(10_000)
})

test('a browser that opens a URL with a query gets GraphiQL with that query', async () => {
  const { status, headers } = await page('/graphql?query={__typename}&variables={}')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
})

test('a client that does not prefer HTML gets no page', async () => {
  const { headers } = await app.get('/graphql', { headers: { accept: 'application/json' } })
  expect(headers['content-type']).not.toContain('html')
  for (const accept of ['application/json', '*/*', 'text/html;q=0.5, application/json']) {
    const { body } = await app.get('/graphql?query={__typename}', { headers: { accept } })
    expect(body, accept).toEqual({ data: { __typename: 'Query' } })
  }
})

test('the content security policy of the page allows only its own scripts and no other host', async () => {
  const { headers, body } = await page()
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  // Data is no script.
  expect(body.match(/<script(?![^>]* src=)[^>]*>/g)).toEqual(['<script type="application/json" id="settings">'])
})

test('the page contains no URL of another host', async () => {
  const { body } = await page()
  expect(body.match(/(?:https?:)?\/\/[\w.-]+\.\w+/g)).toBeNull()
})

test('the example uses the language of the page', async () => {
  for (const [path, code] of [
    ['/graphql', 'EN'],
    ['/fr/graphql', 'FR'],
    ['/es/graphql', 'ES'],
  ] as const) {
    expect((await page(path)).body, path).toContain(`@inContext(language: ${code})`)
  }
})

/** JSON without the comments that GraphiQL allows. */
const uncommented = (json = '{}') => JSON.parse(json.replace(/^\s*\/\/.*$/gm, ''))

test('every example runs and returns records', async () => {
  const venue = await makeVenue(app.db, 'Opéra', { latitude: 28.83, longitude: -17.79 })
  await makeEvent(app.db, { en: 'A concert', fr: 'Un concert' }, { venueIds: [venue] })
  const administrator = await app.signIn('administrator')
  const { languages } = app.settings
  const results = []
  const tabs = exampleTabs('fr', languages, now)
  expect(parse(tabs.at(-1)?.query ?? '').definitions).toMatchObject([{ operation: 'subscription' }])
  for (const { query, variables, headers } of tabs.slice(0, -1)) {
    expect(query).toMatch(/^(# .*\n)*# .*Next:/)
    expect(uncommented(headers)).toEqual({})
    const { body } = await administrator.graphql(query, uncommented(variables))
    expect(body.errors).toBeUndefined()
    results.push(body.data)
  }
  const [next, month, every, listed, created, form] = results
  expect(next.events.nodes[0].title).toBe('Un concert')
  expect(month.eventFacets.categories).toEqual([])
  expect(month.eventCalendar.totalCount).toBe(0)
  expect(every.events.nodes[0].translations).toHaveLength(2)
  expect(listed.eventsPage).toMatchObject({ total: 1, items: [{ title: 'A concert' }] })
  expect(created.createEvent.userErrors).toEqual([])
  const names = created.createEvent.event.translations.map(({ name }: { name: string }) => name)
  expect(names.toSorted()).toEqual(['Día de la música', 'Fête de la musique', 'Music day'])
  expect(created.createEvent.event.title).toBe('Fête de la musique')
  const paths = form.createEvent.userErrors.map(({ path }: { path: string[] }) => path.join())
  expect(paths.toSorted()).toEqual(['timeZone', 'title', 'website'])
})

test('the mutation example explains to anonymous users that they have to sign in', async () => {
  const { query = '', variables } =
    exampleTabs('de', ['de', 'en'], now).find((tab) => tab.query.includes('CreateEvent(')) ?? {}
  const { body } = await app.graphql(query.replace('DE', 'EN'), uncommented(variables))
  expect(body.data.createEvent).toMatchObject({ event: null, userErrors: [{ code: 'UNAUTHENTICATED' }] })
})

test('GraphiQL files are cached forever, because their URL contains a hash', async () => {
  const { body } = await page()
  const addresses = [...new Set(body.match(/\/graphiql\/[\w./-]+\.(?:js|css|ico)/g) as string[])]
  expect(addresses.length).toBeGreaterThanOrEqual(3)
  for (const address of addresses) {
    const { status, headers } = await app.get(address)
    expect([address, status]).toEqual([address, 200])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test.each(['editor', 'json', 'graphql'])('the %s worker is served', async (name) => {
  const { body } = await page()
  const version = /\/graphiql\/([\w-]+)\//.exec(body)?.[1]
  const { status, headers } = await app.get(`/graphiql/${version}/${name}-worker.js`)
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
})

test('the URL of another version returns the file and is not cached', async () => {
  const { status, headers } = await app.get('/graphiql/old/graphiql.css')
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
})

test('GRAPHIQL=off removes the page and its files', async () => {
  const closed = await serve(app, { GRAPHIQL: 'off' })
  expect((await closed.get('/graphql', browser)).headers['content-type']).not.toContain('html')
  expect((await closed.get('/graphiql/old/graphiql.css')).status).toBe(404)
  expect((await closed.graphql('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } })
})
