// Malicious requests are rejected quickly with a clear error, without database queries.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { asyncWork } from '../helpers/cpu.ts'

let app: TestApp
let listening: TestApp
let port: number

beforeAll(async () => {
  app = await openTestApp()
  listening = await serve(app, { REQUEST_TIMEOUT: '300' })
  await listening.app.listen({ port: 0, host: '127.0.0.1' })
  port = (listening.app.server.address() as AddressInfo).port
  for (const url of ['/graphql', '/cal/events/v1/tags', '/en/']) await app.get(url)
})
beforeEach(() => app.statements.splice(0))
afterAll(async () => {
  await listening?.app.close()
  await app?.close()
})

const repeat = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ')
const query = (text: string, variables?: unknown) => JSON.stringify({ query: text, variables })
const nested = (depth: number, open: string, close: string, core: string) =>
  `${open.repeat(depth)}${core}${close.repeat(depth)}`
const megabyte = 1024 ** 2

const documents: Readonly<Record<string, string>> = {
  'ten thousand aliases': query(`{ ${repeat(10_000, (n) => `a${n}: events { totalCount }`)} }`),
  'ten thousand times a field': query(`{ ${repeat(10_000, () => '__typename')} }`),
  'as many aliases as tokens allow': query(`{ ${repeat(600, (n) => `a${n}: __typename`)} }`),
  'as many equal lists as tokens allow': query(`{ ${repeat(280, () => 'events { nodes { id } }')} }`),
  'equal lists in fragments': query(
    `{ ${repeat(49, (n) => `...F${n}`)} } ${repeat(49, (n) => `fragment F${n} on Query { ${repeat(3, () => 'events { nodes { id } }')} }`)}`,
  ),
  'half the lists by alias': query(`{ ${repeat(190, (n) => `a${n}: events { nodes { id } }`)} }`),
  'fragments that double': query(
    `{ ...F0 } ${repeat(48, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F48 on Query { events { totalCount } }`,
  ),
  'fragments in a circle': query(
    `{ ...F0 } ${repeat(40, (n) => `fragment F${n} on Query { ...F${(n + 1) % 40} ...F${(n + 2) % 40} }`)}`,
  ),
  'a document of a megabyte': query(`{ ${'a '.repeat(megabyte / 2 - 100)} }`),
  'a string of a megabyte': query(`{ event(slug: "${'a'.repeat(megabyte - 200)}" }`),
  'comments of a megabyte': query(`${'#\n'.repeat(megabyte / 3 - 100)} {`),
  'deep nesting': query(nested(500, '{ children { nodes ', '} }', '{ id }')),
  'nesting within the limit of tokens': query(
    `{ event(id: 1) ${nested(300, '{ children { nodes ', '} }', '{ id }')} }`,
  ),
  'nesting within the limit of depth': query(`{ event(id: 1) ${nested(8, '{ children { nodes ', '} }', '{ id }')} }`),
  'deep nesting without end': query('{ children '.repeat(100_000)),
  'deep lists': query(`{ event(id: ${nested(900, '[', ']', '1')}) { id } }`),
  'deep JSON': `{"query":"{ __typename }","variables":${nested(200_000, '[', ']', '1')}}`,
  'deep variables': `{"query":"query ($filter: EventFilter) { events(filter: $filter) { totalCount } }","variables":{"filter":${nested(50_000, '{"not":', '}', '{}')}}}`,
  'a hundred thousand unknown directives': query(`{ __typename ${'@a '.repeat(100_000)} }`),
  'unknown fields': query(`{ ${repeat(900, (n) => `events${n}`)} }`),
  'introspection, again and again': query(
    `{ ${repeat(60, (n) => `a${n}: __schema { types { fields { type { fields { name args { name } } } } } }`)} }`,
  ),
  'deep introspection': query(
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
  ),
  'ten thousand IDs': query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: Array.from({ length: 10_000 }, (_, n) => `${n}`),
  }),
  'a batch': JSON.stringify(Array.from({ length: 1000 }, () => ({ query: '{ __typename }' }))),
  'no JSON': '{"query":',
  'huge numbers': query(`{ events(first: ${'9'.repeat(1000)}) { totalCount } }`),
  'huge numbers in variables':
    '{"query":"query ($n: Int) { events(first: $n) { totalCount } }","variables":{"n":1e400}}',
  'wrong variables in masses': query('query ($ids: [ID!]) { eventsPage(filter: { include: $ids }) { total } }', {
    ids: Array.from({ length: 50_000 }, () => ({})),
  }),
  'more than a body may hold': query(`{ __typename } #${'a'.repeat(megabyte)}`),
}

const isBroken = /^(a string|deep lists|unknown|huge|wrong|fragments in|no JSON|deep introspection)/

describe('GraphQL rejects', () => {
  test.each(Object.keys(documents))('%s', async (name) => {
    const payload = documents[name]
    // What is broken, not too much, has a 200 for clients of application/json, by the GraphQL-over-HTTP specification.
    const accept = isBroken.test(name) ? 'application/graphql-response+json' : '*/*'
    const headers = { 'content-type': 'application/json', accept }
    const ask = () => app.app.inject({ method: 'POST', url: '/graphql', headers, payload })
    const works: number[] = []
    for (let n = 0; n < 3; n += 1) {
      let reply = await ask()
      works.push(
        await asyncWork(async () => {
          reply = await ask()
        }),
      )
      expect(reply.statusCode, reply.payload.slice(0, 300)).toBeGreaterThanOrEqual(400)
      expect(reply.statusCode).toBeLessThan(500)
      expect(reply.payload.length).toBeLessThan(100_000)
      expect(reply.json().errors[0].message).not.toBe('Internal error. The server has logged it.')
    }
    expect(Math.min(...works)).toBeLessThan(100)
    expect(app.statements).toEqual([])
  })
})

test('a document may have 50 fragments, and not one more', async () => {
  const ask = (count: number) => {
    const spreads = repeat(count, (n) => `...F${n}`)
    const fragments = repeat(count, (n) => `fragment F${n} on Query { __typename }`)
    return app.graphql(`{ ${spreads} } ${fragments}`)
  }
  expect((await ask(50)).body).toEqual({ data: { __typename: 'Query' } })
  expect((await ask(51)).body.errors[0].message).toContain('The document has 51 fragments; the limit is 50.')
})

test('repeated malicious documents do not leak memory', async () => {
  const ask = (n: number) =>
    app.get('/graphql', { method: 'POST', payload: { query: `{ x${n}(a: "${'a'.repeat(100_000)}") }` } })
  for (let n = 0; n < 20; n += 1) await ask(n)
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 300; n += 1) await ask(100 + n)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 ** 2)
})

test.each(['a b', '[', 'a:99999'])('an invalid Host header does not change the response: %s', async (host) => {
  const headers = { host, 'content-type': 'application/json' }
  for (const options of [{ headers }, { headers, method: 'POST', payload: '{"query":"{ __typename }"}' }] as const) {
    const { status, body } = await app.get('/graphql?query=%7B__typename%7D', options)
    expect([status, body]).toEqual([200, { data: { __typename: 'Query' } }])
  }
})

describe('malformed and unusual URLs', () => {
  const paths = ['/cal/events/v1/events', '/cal/events/v1/events/by-slug/x', '/graphql', '/en/', '/event/x/']
  const oddities = ['%', '%zz', '%00', '%c0%af', '%ff%fe', '%ed%a0%80', '%F0%9F%98%80', '..%2f..', `${'9'.repeat(400)}`]
  test.each(paths.flatMap((path) => oddities.map((odd) => [path, odd] as const)))('%s with %s', async (path, odd) => {
    for (const url of [`${path}?search=${odd}&query=${odd}&page=${odd}`, `${path.replace(/x\/?$/, '')}/${odd}`]) {
      const { statusCode, payload } = await app.app.inject({ url })
      expect(statusCode, `${url}: ${payload.slice(0, 200)}`).toBeLessThan(500)
    }
  })
})

test.each(['events', 'categories', 'tags'])(
  'ten thousand IDs to include in %s are answered or refused',
  async (kind) => {
    const ids = Array.from({ length: 10_000 }, (_, n) => n + 1)
    const inUrl = await app.get(`/cal/events/v1/${kind}?include=${ids.join(',')}`)
    const inBrackets = await app.get(`/cal/events/v1/${kind}?${ids.map((id) => `include[]=${id}`).join('&')}`)
    expect([200, 400]).toContain(inUrl.status)
    expect([200, 400]).toContain(inBrackets.status)
  },
)

test.each(['{', '[1]', '"x"', '1', '%00', '%ff', '{"a":'])(
  'GraphQL by GET rejects %s instead of an object',
  async (odd) => {
    for (const name of ['variables', 'extensions']) {
      const url = `/graphql?query={__typename}&${name}=${odd}`
      const headers = { accept: 'application/graphql-response+json' }
      const { statusCode, payload } = await app.app.inject({ url, headers })
      expect([name, statusCode], payload).toEqual([name, 400])
    }
  },
)

/** What comes back on a connection on which `parts` are sent; where there is a `pause`, the last one again and again. */
async function talk(parts: readonly string[], pause = 0): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk))
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  for (const part of parts) socket.write(part)
  while (pause && socket.writable) {
    socket.write(parts.at(-1) ?? '')
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  await closed
  return heard
}

const host = 'Host: calendar.test\r\n'

describe('on the wire', () => {
  test.each<[string, number, string[], number?]>([
    ['an address of 20 KB', 431, [`GET /?${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`]],
    ['headers of 20 KB', 431, [`GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`]],
    ['no HTTP', 400, ['hello\r\n\r\n']],
    ['NUL bytes', 400, [`GET /\0 HTTP/1.1\r\n${host}\r\n`]],
    ['headers that never end', 408, [`GET / HTTP/1.1\r\n`, 'X: y\r\n'], 100],
    [
      'a GraphQL body that never ends',
      408,
      [`POST /graphql HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`, ' '],
      100,
    ],
    [
      'a REST body that never ends',
      408,
      [
        `POST /cal/events/v1/tags HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{`,
        ' ',
      ],
      100,
    ],
  ])('%s is answered %i', async (_, status, parts, pause) => {
    const heard = await talk(parts, pause)
    expect(heard.split('\r\n', 1)[0]).toContain(`HTTP/1.1 ${status}`)
    const body = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))
    expect(JSON.stringify(body)).toMatch(/message/)
  })
})
