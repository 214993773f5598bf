// Responses while the service starts and stops.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStartingPage } from '../../src/apis/pages/starting-page.ts'
import { readSettings } from '../../src/basics/env.ts'
import { type HttpListener, listenForRequests } from '../../src/service/http/http-listener.ts'
import { freePort } from '../helpers/process.ts'

let listener: HttpListener
let address: string

beforeAll(async () => {
  const port = await freePort()
  const settings = readSettings({ SITE_NAME: 'Agenda & more' })
  const page = async (request: IncomingMessage) => createStartingPage(request, settings)
  listener = await listenForRequests({ host: '127.0.0.1', port }, {}, { startingPage: page })
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

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

test.each([
  ['/', 'fr-CA, en;q=0.5', 'fr', 'L’agenda démarre'],
  ['/es/event/feria/?page=2', 'fr', 'es', 'La agenda se está iniciando'],
  ['/graphql', 'ja', 'en', 'The calendar is starting'],
  ['/docs', 'en', 'en', 'The calendar is starting'],
])('a browser at %s that prefers %s gets a page that reloads, in %s', async (path, languages, language, title) => {
  const response = await fetch(address + path, { headers: { accept: browser, 'accept-language': languages } })
  const { headers } = response
  expect([response.status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['1', 'no-store'])
  expect(headers.get('content-language')).toBe(language)
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const page = await response.text()
  expect(page).toContain(`<html lang="${language}">`)
  expect(page).toMatch(/<meta http-equiv="refresh" content="\d">/)
  expect(page).toContain(`<title>${title} · Agenda &#38; more</title>`)
})

test('a widget in the frame of another site gets the page, too', async () => {
  const response = await fetch(`${address}/fr/embed/events`, { headers: { accept: browser } })
  expect(response.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect(await response.text()).toContain('<html lang="fr">')
})

test.each([
  ['GET', '/cal/events/v1/events'],
  ['GET', '/fr/cal/events/v1/events?page=2'],
  ['GET', '/events.ics'],
  ['GET', '/health/ready'],
  ['POST', '/'],
  ['POST', '/graphql'],
])('%s %s has no page, whatever the client accepts', async (method, path) => {
  const response = await fetch(address + path, { method, headers: { accept: browser } })
  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'application/json; charset=utf-8'])
})

test('a starting process is live', async () => {
  const response = await fetch(`${address}/health/live`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'live' }])
})

describe('close', () => {
  test('sends a response completely to a client that reads it slowly', async () => {
    const body = Buffer.alloc(32 * 1024 ** 2, 'x')
    const app = fastify()
    app.get('/', (_request, reply) => reply.send(body))
    const port = await freePort()
    const stopped = await listenForRequests({ host: '127.0.0.1', port }, {}, { app })
    const client = connect(port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await once(client, 'readable')
    const closed = stopped.close(60_000)
    // Several attempts to close idle connections.
    await setTimeout(500)
    let received = 0
    for await (const chunk of client) received += chunk.length
    expect(received).toBeGreaterThan(body.length)
    await closed
    await app.close()
  })

  test('answers requests that arrive while the process is busy', async () => {
    const app = fastify()
    app.get('/', async () => 'ok')
    const port = await freePort()
    const stopped = await listenForRequests({ host: '127.0.0.1', port }, {}, { app })
    const clients = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').setEncoding('utf8'))
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    for (const client of clients) {
      client.write(request)
      await once(client, 'data')
    }
    // The requests are in the buffers of the sockets when the connections are to be closed.
    const answers = clients.map((client) => once(client, 'data').then(([text]) => String(text).split('\r\n')[0]))
    for (const client of clients) client.write(request)
    const closed = stopped.close(60_000)
    expect(await Promise.all(answers)).toEqual(clients.map(() => 'HTTP/1.1 200 OK'))
    await closed
    await app.close()
  })
})
