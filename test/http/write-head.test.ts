// Status lines and headers of cached responses as bytes on a connection. Injected requests do not see them.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
let port: number
const others: TestApp[] = []

beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, 'Choir')
  await app.cache.waitForChanges()
  port = await listen(app)
})
afterAll(async () => {
  for (const other of others) await other.app.close()
  await app?.close()
})

const listen = async (instance: TestApp) =>
  Number(new URL(await instance.app.listen({ host: '127.0.0.1', port: 0 })).port)

const rest = '/cal/events/v1/events'
const query = '{ events { nodes { title } } }'
const graphql = `/graphql?query=${encodeURIComponent(query)}`

interface Request {
  readonly url: string
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly version?: '1.0' | '1.1'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Response {
  readonly statusLine: string
  /** Names as sent, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Sends requests on one connection, all at once, and returns the responses until the service closes it. */
async function sendPipelined(requests: readonly Request[], target = port): Promise<Response[]> {
  const socket = connect(target, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(requests.map(textOf).join(''))
  await once(socket, 'close')
  let rest = Buffer.concat(chunks).toString('latin1')
  return requests.flatMap(({ method }) => {
    const [head = '', after] = splitOnce(rest, '\r\n\r\n')
    if (after === undefined) return []
    const [statusLine = '', ...lines] = head.split('\r\n')
    const headers = lines.map((line) => {
      const [name, value] = splitOnce(line, ': ')
      return [name, value ?? ''] as const
    })
    const length =
      method === 'HEAD' || statusLine.includes(' 304 ') ? 0 : Number(headerOf({ headers }, 'content-length'))
    rest = after.slice(length)
    return [{ statusLine, headers, body: after.slice(0, length) }]
  })
}

function textOf({ url, method = 'GET', version = '1.1', headers = {}, body = '' }: Request): string {
  const all = { host: 'x', ...(body && { 'content-length': String(body.length) }), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${url} HTTP/${version}`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)]
}

const headerOf = ({ headers }: Pick<Response, 'headers'>, name: string) =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1]

const without = ({ statusLine, headers, body }: Response, ...names: string[]) => ({
  statusLine,
  headers: headers.filter(([name]) => !names.includes(name.toLowerCase())),
  body,
})

const last = { connection: 'close' }

/** The response of the last of several requests, one after the other: it is sent with what was kept of those before. */
async function sendOften(request: Request, target = port): Promise<Response> {
  const closing = { ...request, headers: { ...request.headers, ...last } }
  for (let count = 0; count < 3; count += 1) await sendPipelined([closing], target)
  const [response] = await sendPipelined([request, closing], target)
  if (!response) throw new Error('no response')
  return response
}

describe.each([
  ['REST', { url: rest }],
  ['GraphQL by GET', { url: graphql }],
  [
    'GraphQL by POST',
    { url: '/graphql', method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"query":"${query}"}` },
  ],
  ['a feed', { url: '/feed/' }],
] as const)('%s', (_, request: Request) => {
  test('each response is the same but for its date and its ID', async () => {
    await sendOften(request)
    const closingRequest = { ...request, headers: { ...request.headers, ...last } }
    const responses = await sendPipelined([...Array(5).fill(request), closingRequest])
    const hits = responses.slice(0, -1)
    expect(hits).toHaveLength(5)
    const ids = new Set(hits.map((hit) => headerOf(hit, 'x-request-id')))
    expect(ids.size).toBe(5)
    const first = without(hits[0] as Response, 'date', 'x-request-id')
    expect(first.statusLine).toBe('HTTP/1.1 200 OK')
    expect(first.headers).toContainEqual(['cache-status', 'calendar; hit'])
    expect(first.headers).toContainEqual(['Connection', 'keep-alive'])
    for (const hit of hits) {
      expect(without(hit, 'date', 'x-request-id')).toEqual(first)
      expect(hit.headers.filter(([name]) => name.toLowerCase() === 'x-request-id')).toHaveLength(1)
    }
    const closing = responses.at(-1) as Response
    expect(headerOf(closing, 'connection')).toBe('close')
    expect(closing.body).toBe(hits[0]?.body)
  })

  test('has the ID of the client, whatever its characters are', async () => {
    await sendOften(request)
    const ids = ['a', 'close', 'x-request-id:', ':', 'keep-alive', 'e'.repeat(100)]
    const requests = ids.map((id) => ({ ...request, headers: { ...request.headers, 'x-request-id': id } }))
    const closing = { ...request, headers: { ...request.headers, 'x-request-id': 'z', ...last } }
    const responses = await sendPipelined([...requests, closing])
    expect(responses.map((each) => headerOf(each, 'x-request-id'))).toEqual([...ids, 'z'])
    const [first, ...others] = responses.slice(0, -1).map((each) => without(each, 'date', 'x-request-id'))
    for (const other of others) expect(other).toEqual(first)
  })
})

test('responses with and without a body are not mixed up on one connection', async () => {
  const stored = await sendOften({ url: rest })
  const same = { url: rest, headers: { 'if-none-match': headerOf(stored, 'etag') ?? '' } }
  const head = { url: rest, method: 'HEAD' } as const
  const kinds = [{ url: rest }, head, same, { url: graphql }, head, same, same, { url: rest }, head, { url: rest }]
  const responses = await sendPipelined([...kinds, { url: rest, headers: last }])
  expect(responses).toHaveLength(11)
  expect(responses.map(({ statusLine }) => statusLine.slice(9, 12))).toEqual(
    [...kinds, { url: rest }].map((kind) => (kind === same ? '304' : '200')),
  )
  expect(headerOf(responses[1] as Response, 'content-length')).toBe(String(stored.body.length))
  expect(headerOf(responses[2] as Response, 'content-length')).toBeUndefined()
  for (const index of [0, 7, 9, 10]) expect(responses[index]?.body).toBe(stored.body)
})

test('a client of HTTP/1.0 is told that the connection ends, and the next client that it is kept open', async () => {
  const etag = headerOf(await sendOften({ url: rest }), 'etag') ?? ''
  const same = { 'if-none-match': etag }
  for (const [headers, oldHeaders] of [
    [{}, {}],
    [same, same],
    // Node closes it after a response without Content-Length.
    [same, { ...same, connection: 'keep-alive' }],
  ] as const) {
    const old = { url: rest, version: '1.0', headers: oldHeaders } as const
    for (let count = 0; count < 3; count += 1) {
      const [reply] = await sendPipelined([old])
      expect(headerOf(reply as Response, 'connection')).toBe('close')
      const [kept] = await sendPipelined([
        { url: rest, headers },
        { url: rest, headers: last },
      ])
      expect(headerOf(kept as Response, 'connection')).toBe('keep-alive')
    }
  }
})

test('the date is that of the response', async () => {
  const dateOf = async () => Date.parse(headerOf(await sendOften({ url: rest }), 'date') ?? '')
  const first = await dateOf()
  let later = first
  while (later === first) later = await dateOf()
  expect(later).toBeGreaterThan(first)
})

test('a process that stops closes connections after the response', async () => {
  const stopping = await serve(app, {})
  others.push(stopping)
  const target = await listen(stopping)
  await sendOften({ url: rest }, target)
  stopping.stop()
  const [reply] = await sendPipelined([{ url: rest }], target)
  expect(headerOf(reply as Response, 'connection')).toBe('close')
})
