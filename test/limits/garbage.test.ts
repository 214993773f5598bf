// V8 allocates some objects in the old generation at once, such as functions that are assigned to a property and getters of
// object literals. What they refer to survives minor garbage collections, so that major ones, which are slow, run more often.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limitStatements } from '../../src/db/pool.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

setFlagsFromString('--expose-gc')
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc')

let app: TestApp
let socket: Socket

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  await limitStatements(app.database, 600_000)
  for (let number = 0; number < 10; number += 1) {
    await makeEvent(app.db, { en: { name: `Event ${number}`, description: `${number} long text `.repeat(500) } })
  }
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
})

afterAll(async () => {
  socket.destroy()
  await app.close()
})

/** Sends a request, and returns the number of bytes of its response. The client keeps nothing of it. */
function send(request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let [received, total] = [0, Number.POSITIVE_INFINITY]
    const read = (chunk: Buffer) => {
      if (received === 0) {
        const head = chunk.toString('latin1')
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head))
        total = head.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
      }
      received += chunk.length
      if (received < total) return
      socket.off('data', read)
      if (received < 5000) console.log(chunk.toString())
      resolve(received)
    }
    socket.on('data', read)
    socket.write(request)
  })
}

const oldGeneration = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0

const post = (query: string) => {
  const body = JSON.stringify({ query })
  return `POST /graphql HTTP/1.1\r\nHost: calendar.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const fields = 'title descriptionHtml excerptHtml slug venues { name }'

test.each([
  ['a list by REST', 'GET /cal/events/v1/events HTTP/1.1\r\nHost: calendar.test\r\n\r\n'],
  ['a page by GraphQL', post(`{ eventsPage { items { ${fields} } total } }`)],
  ['a connection by GraphQL', post(`{ events(first: 10) { nodes { ${fields} } pageInfo { endCursor } totalCount } }`)],
])('what %s has read is collected by minor garbage collections', async (_name, request) => {
  for (let number = 0; number < 50; number += 1) await send(request)
  const retained: number[] = []
  let bytes = 0
  // A major garbage collection, or code that is compiled, may change one of the rounds.
  for (let round = 0; round < 5; round += 1) {
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    const before = oldGeneration()
    for (let number = 0; number < 20; number += 1) {
      bytes = await send(request)
      await new Promise((resolve) => setImmediate(resolve))
    }
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    retained.push((oldGeneration() - before) / 20)
  }
  expect(bytes).toBeGreaterThan(50_000)
  expect(retained.sort((a, b) => a - b)[2]).toBeLessThan(bytes / 4)
})
