// Every error of /graphql has a code, and a GraphQL body in the media type that the client accepts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'

import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { party } from '../helpers/write.ts'

let app: TestApp
let closed: TestApp
let trusted: TestApp
let limited: TestApp
let editor: Awaited<ReturnType<TestApp['signIn']>>
const folder = mkdtempSync(join(tmpdir(), 'error-codes-'))

beforeAll(async () => {
  app = await openTestApp({ BODY_LIMIT: '10KB' })
  editor = await app.signIn('editor')
  closed = await serve(app, { INTROSPECTION: 'off' })
  const file = join(folder, 'trusted.json')
  writeFileSync(file, JSON.stringify({ abc: '{ __typename }' }))
  trusted = await serve(app, { TRUSTED_OPERATIONS: file })
  limited = await serve(app, { RATE_LIMIT: '1', QUERY_COST_MAX: '100' })
  for (let times = 0; times < 2; times += 1) await limited.graphql('{ events { totalCount } }')
})
afterAll(async () => {
  for (const other of [closed, trusted, limited]) {
    await other?.app.close()
  }
  await app?.close()
  rmSync(folder, { recursive: true })
})

const strict = 'application/graphql-response+json'
const lenient = 'application/json'

type Headers = Readonly<Record<string, string>>
type Request = Pick<InjectOptions, 'method' | 'payload' | 'url'> & { readonly headers: Headers }

const post = (body: object | string, headers: Headers = {}): Request => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  payload: typeof body === 'string' ? body : JSON.stringify(body),
})
const query = (text: string, variables?: object) => post({ query: text, variables })
const get = (params: string, headers: Headers = {}): Request => ({ method: 'GET', url: `/graphql?${params}`, headers })
const preflighted = { 'graphql-require-preflight': '1' }
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
const form = (fields: Headers, headers: Headers = preflighted): Request => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { method: 'POST', headers: { ...multipart, ...headers }, payload: `${parts.join('')}--x--\r\n` }
}
const upload = '{"query":"mutation ($file: File!) { uploadImage(input: { file: $file }) { userErrors { code } } }"}'

/** Name, request, status for clients of application/graphql-response+json, status for others, code. */
type Case = readonly [name: string, request: () => Request, strict: number, lenient: number, code: string]

const cases: readonly Case[] = [
  ['a syntax error', () => query('{ events'), 400, 200, 'GRAPHQL_PARSE_FAILED'],
  ['a syntax error by GET', () => get('query={'), 400, 200, 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', () => query('{ nothing }'), 400, 200, 'GRAPHQL_VALIDATION_FAILED'],
  ['a fragment in itself', () => query('{ ...A } fragment A on Query { ...A }'), 400, 200, 'GRAPHQL_VALIDATION_FAILED'],
  ['a subscription', () => query('subscription { events }'), 400, 200, 'GRAPHQL_VALIDATION_FAILED'],
  ['a missing variable', () => query('query ($id: ID!) { node(id: $id) { id } }'), 400, 200, 'BAD_INPUT'],
  [
    'an invalid variable',
    () => query('query ($n: Int) { events(first: $n) { totalCount } }', { n: 'x' }),
    400,
    200,
    'BAD_INPUT',
  ],
  [
    'an invalid variable of a directive',
    () => query('query ($l: LanguageCode) @inContext(language: $l) { __typename }', { l: 'XX' }),
    400,
    200,
    'BAD_INPUT',
  ],
  ['an unknown language', () => get('query={__typename}&translation_language=xx'), 400, 200, 'BAD_INPUT'],
  ['an argument that is out of range', () => query('{ events(first: -1) { totalCount } }'), 200, 200, 'BAD_INPUT'],
  ['an unknown record', () => query('{ event(id: 999) { id } }'), 200, 200, 'NOT_FOUND'],
  [
    'an unknown operation name',
    () => post({ query: 'query A { __typename }', operationName: 'B' }),
    400,
    400,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  [
    'a missing operation name',
    () => query('query A { __typename } query B { __typename }'),
    400,
    400,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  ['a missing query', () => post({}), 400, 200, 'BAD_REQUEST'],
  ['a missing query by GET', () => get(''), 400, 200, 'BAD_REQUEST'],
  [
    'the hash of a persisted query',
    () => post({ extensions: { persistedQuery: { version: 1, sha256Hash: 'ab' } } }),
    400,
    200,
    'PERSISTED_QUERY_NOT_SUPPORTED',
  ],
  [
    'the hash of a persisted query by GET',
    () => get(`extensions=${encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"ab"}}')}`),
    400,
    200,
    'PERSISTED_QUERY_NOT_SUPPORTED',
  ],
  ['a query that is a number', () => post({ query: 1 }), 400, 400, 'BAD_REQUEST'],
  ['an unknown parameter', () => post({ query: '{ __typename }', more: 1 }), 400, 400, 'BAD_REQUEST'],
  ['variables that are a list', () => post({ query: '{ __typename }', variables: [] }), 400, 400, 'BAD_REQUEST'],
  ['variables that are not JSON', () => get('query={__typename}&variables={'), 400, 400, 'BAD_REQUEST'],
  ['a body that is not JSON', () => post('{"query":'), 400, 400, 'BAD_REQUEST'],
  ['an empty body', () => post(''), 400, 400, 'BAD_REQUEST'],
  ['a body that is null', () => post('null'), 400, 400, 'BAD_REQUEST'],
  ['a batch', () => post([{ query: '{ __typename }' }]), 400, 400, 'BAD_REQUEST'],
  ['a body that is too large', () => query(' '.repeat(20_000)), 413, 413, 'REQUEST_ENTITY_TOO_LARGE'],
  [
    'a document that is nested too deeply',
    () => query('{ a '.repeat(30) + '}'.repeat(30)),
    400,
    400,
    'DOCUMENT_TOO_LARGE',
  ],
  ['a mutation by GET', () => get('query=mutation{__typename}'), 405, 405, 'METHOD_NOT_ALLOWED'],
  ...(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).map(
    (method): Case => [`the method ${method}`, () => ({ method, headers: {} }), 405, 405, 'METHOD_NOT_ALLOWED'],
  ),
  ...['text/plain', 'application/xml', 'application/other+json', 'nonsense'].map(
    (type): Case => [
      `a body of ${type}`,
      () => ({
        method: 'POST',
        headers: { ...preflighted, 'content-type': type },
        payload: '{"query":"{__typename}"}',
      }),
      415,
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ),
  ['a form of another site', () => form({ operations: upload }, {}), 415, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form without operations', () => form({ map: '{}' }), 400, 400, 'BAD_REQUEST'],
  ['a form whose operations are not JSON', () => form({ operations: '{' }), 400, 400, 'BAD_REQUEST'],
  ['a form whose operations are a number', () => form({ operations: '1' }), 400, 400, 'BAD_REQUEST'],
  ['a form whose map is not JSON', () => form({ operations: upload, map: '{' }), 400, 400, 'BAD_REQUEST'],
  ['a form whose map has no lists', () => form({ operations: upload, map: '{"0":1}' }), 400, 400, 'BAD_REQUEST'],
  [
    'a form without the file of its map',
    () => form({ operations: upload, map: '{"0":["variables.file"]}' }),
    400,
    200,
    'BAD_INPUT',
  ],
  ['a form that is too large', () => form({ operations: 'x'.repeat(20_000) }), 413, 413, 'REQUEST_ENTITY_TOO_LARGE'],
  [
    'a form that is cut off',
    () => ({ method: 'POST', headers: { ...multipart, ...preflighted }, payload: '--x\r\nContent' }),
    400,
    400,
    'BAD_REQUEST',
  ],
  [
    'an invalid credential',
    () => get('query={__typename}', { authorization: 'Bearer x' }),
    401,
    401,
    'UNAUTHENTICATED',
  ],
  [
    'an invalid Idempotency-Key',
    () =>
      post(
        { query: 'mutation { deleteTag(input: { id: 1 }) { databaseId } }' },
        { authorization: editor.authorization, 'idempotency-key': 'x'.repeat(300) },
      ),
    400,
    400,
    'BAD_INPUT',
  ],
]

async function send(to: TestApp, { headers, ...request }: Request, accept?: string) {
  const response = await to.app.inject({
    url: '/graphql',
    ...request,
    headers: { ...headers, ...(accept === undefined ? {} : { accept }) },
  })
  const body = JSON.parse(response.payload)
  const codes = body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
  for (const { message } of body.errors ?? []) expect(message).toMatch(/\w/)
  return [response.statusCode, response.headers['content-type'], ...new Set(codes)]
}

const expected = (type: string, status: number, code: string) => [status, `${type}; charset=utf-8`, code]

describe('the error has a code and the accepted media type:', () => {
  test.each(cases)('%s', async (_, request, strictStatus, lenientStatus, code) => {
    expect(await send(app, request(), strict)).toEqual(expected(strict, strictStatus, code))
    expect(await send(app, request(), lenient)).toEqual(expected(lenient, lenientStatus, code))
    expect(await send(app, request())).toEqual(expected(lenient, lenientStatus, code))
  })

  const introspection = query('{ __schema { queryType { name } } }')
  const list = query('{ events { nodes { id venues { id } organizers { id } } } }')
  test.each([
    ['introspection that is off', () => closed, introspection, 400, 200, 'GRAPHQL_VALIDATION_FAILED'],
    ['an operation that is not trusted', () => trusted, list, 403, 403, 'OPERATION_NOT_TRUSTED'],
    ['a trusted document that is missing', () => trusted, post({}), 400, 200, 'BAD_REQUEST'],
    ['an operation that is too costly', () => limited, list, 400, 400, 'QUERY_TOO_COSTLY'],
    ['a rate limit', () => limited, query('{ events { totalCount } }'), 429, 429, 'TOO_MANY_REQUESTS'],
  ] as const)('%s', async (_, to, request, strictStatus, lenientStatus, code) => {
    expect(await send(to(), request, strict)).toEqual(expected(strict, strictStatus, code))
    expect(await send(to(), request)).toEqual(expected(lenient, lenientStatus, code))
  })
})

test.each([
  ['a field', query('{ event(id: 1) { titel } }'), 'title'],
  ['an argument', query('{ events(frist: 1) { totalCount } }'), 'first'],
  ['a type', query('query ($input: CreateEventInpt!) { createEvent(input: $input) { id } }'), 'CreateEventInput'],
  ['a value', query('{ events(filter: { when: UPCOMMING }) { totalCount } }'), 'UPCOMING'],
  [
    'a field of a variable',
    query('query ($f: EventFilter) { events(filter: $f) { totalCount } }', { f: { wen: 'NOW' } }),
    'when',
  ],
])('the error of %s names the nearest one, unless introspection is off', async (_, { payload, headers }, name) => {
  const messages = async (to: TestApp) =>
    JSON.stringify((await to.send('POST', '/graphql', payload as string, headers)).body.errors)
  expect(await messages(app)).toMatch(new RegExp(`Did you mean [^?]*"${name}`))
  expect(await messages(closed)).not.toContain(name)
})

test.each([
  [`${lenient};q=0.1, ${strict}`, strict],
  [`${strict};q=0.5, ${lenient};q=0.9`, lenient],
  [`${strict}, ${lenient}`, strict],
  [`${lenient}, ${strict}`, lenient],
  [`multipart/mixed;deferSpec=20220824, ${strict}, ${lenient};q=0.9`, strict],
  ['*/*, text/event-stream;q=0.1', lenient],
  [`${strict}; charset=utf-8`, strict],
  ['application/*', lenient],
  ['', lenient],
])('a client that accepts "%s" gets errors and data as %s', async (accept, type) => {
  const [status] = await send(app, query('{ nothing }'), accept)
  expect(await send(app, query('{ nothing }'), accept)).toEqual(
    expected(type, type === strict ? 400 : 200, 'GRAPHQL_VALIDATION_FAILED'),
  )
  expect(await send(app, query('{ __typename }'), accept)).toEqual([200, `${type}; charset=utf-8`])
  expect(await send(app, get('query={__typename}', { authorization: 'Basic x' }), accept)).toEqual(
    expected(type, 401, 'UNAUTHENTICATED'),
  )
  expect(status).toBe(type === strict ? 400 : 200)
})

test.each(['text/plain', 'text/event-stream;q=0', `${lenient};q=0, text/html`, `${lenient}; charset=utf-16`])(
  'a mutation of a client that accepts only "%s" is rejected before it writes',
  async (accept) => {
    const mutation = post(
      { query: 'mutation { createTag(input: { name: "unaccepted" }) { tag { id } } }' },
      { authorization: editor.authorization },
    )
    expect(await send(app, mutation, accept)).toEqual(expected(lenient, 406, 'NOT_ACCEPTABLE'))
    expect(await app.db.tag.count()).toBe(0)
  },
)

test('a form that is too large and has no Content-Length is rejected as too large', async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as AddressInfo
  const { headers, payload } = form({ operations: 'x'.repeat(20_000) }, { ...preflighted, connection: 'close' })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/graphql', headers }, resolve)
    sending.on('error', reject)
    // Written in two parts, so that Node sends no Content-Length.
    sending.write(String(payload).slice(0, 100))
    sending.end(String(payload).slice(100))
  })
  const { errors } = (await json(response)) as { errors: { extensions: { code: string } }[] }
  expect([response.statusCode, errors[0]?.extensions.code]).toEqual([413, 'REQUEST_ENTITY_TOO_LARGE'])
})

describe('the errors of variables', () => {
  const create = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code } } }'

  test('are reported together, each with its variable and path', async () => {
    const input = {
      ...{ ...party, startsLocal: 'soon', publishedAt: 'later', imageUrl: 'image', unknown: 1 },
      tickets: [
        { name: 'A', price: '1', currency: 'EUR' },
        { name: 1, salesStart: 'x' },
      ],
      venues: [{ create: { name: 'Hall', publishedAt: 'x' } }, { id: 1, create: null }],
    }
    const response = await editor.graphql(create, { input })
    const places = response.body.errors.map(({ extensions: { code, variable, path } }: { extensions: Place }) =>
      [code, variable, ...path].join(' '),
    )
    expect(places.toSorted()).toEqual(
      [
        ...['input startsLocal', 'input publishedAt', 'input imageUrl', 'input unknown', 'input tickets 1 name'],
        ...['input tickets 1 price', 'input tickets 1 currency', 'input tickets 1 salesStart'],
        ...['input venues 0 create publishedAt', 'input venues 1'],
      ]
        .map((place) => `BAD_INPUT ${place}`)
        .toSorted(),
    )
  })

  test('of several variables are reported together', async () => {
    const { body } = await app.graphql(
      'query ($a: Int, $b: [ID!]!) { events(first: $a) { totalCount } nodes(ids: $b) { id } }',
      {
        a: 'x',
        b: ['ok', null],
      },
    )
    const places = body.errors.map(({ extensions: { variable, path } }: { extensions: Place }) => [variable, ...path])
    expect(places).toEqual([['a'], ['b', '1']])
  })

  test('are limited in number and length', async () => {
    const ids = Array.from({ length: 200 }, () => ({ long: 'x'.repeat(1000) }))
    const wide = await serve(app)
    const { status, body } = await wide.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })
    await wide.app.close()
    expect([status, body.errors.length]).toEqual([400, 50])
    expect(JSON.stringify(body).length).toBeLessThan(50_000)
  })
})

interface Place {
  readonly code: string
  readonly variable: string
  readonly path: readonly string[]
}
