// Responses while the service starts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpListener, listen } from '../../src/http/http-listener.ts'
import { freePort } from '../helpers/process.ts'

let listener: HttpListener
let address: string

beforeAll(async () => {
  const port = await freePort()
  listener = await listen({ host: '127.0.0.1', port }, {})
  address = `http://127.0.0.1:${port}`
})
afterAll(() => listener?.close(0))

const error = {
  message: 'The service is starting. Retry in a second.',
  extensions: { code: 'UNAVAILABLE', retryAfter: 1 },
}

test.each([
  ['/graphql', 'application/graphql-response+json', 'application/graphql-response+json'],
  ['/fr/graphql/', 'application/json;q=0.1, application/graphql-response+json', 'application/graphql-response+json'],
  ['/graphql?query={__typename}', '*/*', 'application/json'],
])('GraphQL at %s gets 503 with an error of GraphQL while the service starts', async (path, accept, type) => {
  const response = await fetch(`${address}${path}`, { headers: { accept } })
  expect([response.status, response.headers.get('content-type')]).toEqual([503, `${type}; charset=utf-8`])
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await response.json()).toEqual({ errors: [error] })
})

test.each(['/cal/events/v1/events', '/health/ready', '/fr/graphqls'])(
  '%s gets 503 with an error of REST while the service starts',
  async (path) => {
    const response = await fetch(`${address}${path}`)
    expect([response.status, (await response.json()).code]).toEqual([503, 'starting'])
  },
)

test('a starting process is live', async () => {
  const response = await fetch(`${address}/health/live`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'live' }])
})
