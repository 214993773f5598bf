import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ BODY_LIMIT: '10KB' })
  await makeEvent(app.db, { en: 'Party', fr: 'Fête' })
})
afterAll(() => app?.close())

const query = '{ events { nodes { title } } }'
const inEnglish = { data: { events: { nodes: [{ title: 'Party' }] } } }
const inFrench = { data: { events: { nodes: [{ title: 'Fête' }] } } }
const url = (text: string, more = '') => `/graphql?query=${encodeURIComponent(text)}${more}`
const graphqlJson = 'application/graphql-response+json'

test.each([
  ['JSON', graphqlJson, graphqlJson],
  ['JSON of old', 'application/json', 'application/json'],
  ['anything', '*/*', 'application/json'],
])('GET responds to clients that accept %s', async (_, accept, type) => {
  const { status, headers, body } = await app.get(url(query), { headers: { accept } })
  expect([status, body]).toEqual([200, inEnglish])
  expect(headers['content-type']).toContain(type)
})

test('GET takes variables and an operation name', async () => {
  const text = 'query A { events { totalCount } } query B($n: Int) { events(first: $n) { nodes { title } } }'
  const { body } = await app.get(url(text, `&operationName=B&variables=${encodeURIComponent('{"n":1}')}`))
  expect(body).toEqual(inEnglish)
})

test('a trailing slash and the roots of the languages are the same endpoint', async () => {
  for (const [path, expected] of [
    ['/graphql/', inEnglish],
    ['/en/graphql', inEnglish],
    ['/fr/graphql', inFrench],
    ['/fr/graphql/', inFrench],
  ] as const) {
    expect((await app.get(path, { method: 'POST', payload: { query } })).body, path).toEqual(expected)
  }
  expect((await app.get('/de/graphql', { method: 'POST', payload: { query } })).status).toBe(404)
})

test.each([
  ['a mutation by GET', { url: url('mutation { createEvent { id } }') }],
  ['a named mutation by GET', { url: url('query A { __typename } mutation B { x }', '&operationName=B') }],
])('%s is refused', async (_, options) => {
  const { status, body } = await app.get(options.url)
  expect(status).toBe(405)
  expect(typeof body === 'string' ? JSON.parse(body).data : body.data).toBeUndefined()
})

describe('POST', () => {
  test.each([
    ['no content type', undefined, JSON.stringify({ query }), 415],
    ['plain text', 'text/plain', JSON.stringify({ query }), 415],
    ['XML', 'application/xml', '<query/>', 415],
    ['what has no media type', 'nonsense', JSON.stringify({ query }), 415],
    ['a batch', 'application/json', JSON.stringify([{ query }, { query }]), 400],
    ['a batch of one', 'application/json', JSON.stringify([{ query }]), 400],
    ['broken JSON', 'application/json', '{"query":', 400],
    ['no query', 'application/json', '{}', 400],
    ['a query that is no text', 'application/json', '{"query":1}', 400],
    ['variables that are no object', 'application/json', JSON.stringify({ query, variables: [1] }), 400],
    ['a body beyond the limit', 'application/json', JSON.stringify({ query: `${query}${' '.repeat(20_000)}` }), 413],
  ])('of %s is refused', async (_, type, payload, status) => {
    const headers = { accept: graphqlJson, ...(type ? { 'content-type': type } : {}) }
    const response = await app.get('/graphql', { method: 'POST', headers, payload })
    expect(response.status).toBe(status)
    expect(JSON.stringify(response.body)).not.toContain('Party')
  })
})

test.each(['PUT', 'PATCH', 'DELETE'] as const)('GraphQL rejects the method %s', async (method) => {
  expect((await app.get(url(query), { method })).status).toBe(405)
})

describe('a request that fails before execution', () => {
  const post = (payload: string, type: string) => ({ method: 'POST' as const, payload, type })
  test.each([
    ['a language that the site has not', url('{ __typename }', '&translation_language=xx'), 400, 200],
    ['an empty language', url('{ __typename }', '&translation_language='), 400, 200],
    ['a field that there is not', url('{ nothing }'), 400, 200],
    ['a variable that is missing', url('query ($id: ID!) { node(id: $id) { id } }'), 400, 200],
    ['a form', '/graphql', 415, 415, post('x', 'text/plain')],
    ['a body that is too long', '/graphql', 413, 413, post(' '.repeat(20_000), 'application/json')],
  ] as const)('has no data, and a status that says so: %s', async (_, address, strict, lenient, more?) => {
    for (const [accept, expected] of [
      [graphqlJson, strict],
      ['application/json', lenient],
    ] as const) {
      const { type, ...options } = more ?? { type: undefined }
      const headers = { accept, ...(type ? { 'content-type': type } : {}) }
      const { status, headers: responseHeaders, body } = await app.get(address, { ...options, headers })
      expect([accept, status]).toEqual([accept, expected])
      expect(responseHeaders['content-type']).toContain(accept)
      expect(Object.keys(body)).toEqual(['errors'])
    }
  })
})

test('an invalid credential is rejected before execution', async () => {
  const { status, headers, body } = await app.get(url(query), { headers: { authorization: 'Bearer nonsense' } })
  expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED'])
  expect(headers['www-authenticate']).toContain('Basic')
})

test.each(['{ __schema { queryType { name } } }', '{ __type(name: "Event") { name } }'])(
  'INTROSPECTION=off hides the schema from %s',
  async (introspection) => {
    const closed = await serve(app, { INTROSPECTION: 'off' })
    const { status, body } = await closed.graphql(introspection)
    expect([status, body.data]).toEqual([400, undefined])
    expect((await closed.graphql(query)).body).toEqual(inEnglish)
    expect((await closed.graphql('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } })
    expect((await app.graphql(introspection)).body.errors).toBeUndefined()
  },
)
