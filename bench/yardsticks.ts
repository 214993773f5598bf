// Minimal servers to compare the service with: node bench/yardsticks.ts <DATABASE_URL> <file> <port> <author>
// serves `/static`, a file from memory with its ETag; `/list` and `/events/{id}` with one statement each; and `/create`.
// Sessions have the settings of the driver; under `/tuned` they have those of the service.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import { openDatabase } from '../src/db/open-database.ts'
import { type EventBody, yardstickCreate } from './yardstick-create.ts'
import { yardstickEvent, yardstickList } from './yardstick-reads.ts'

const [url = '', file = '', port = '', author = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`
const { pool: tuned, isEmbedded, close } = await openDatabase(url, 10)
const plain = isEmbedded ? tuned : new pg.Pool({ connectionString: url, max: 10 })
const app = Fastify()
const json = 'application/json; charset=UTF-8'

app.get('/static', (request, reply) => {
  reply.header('etag', etag)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(json).send(bytes)
})
for (const [prefix, pool] of [
  ['', plain],
  ['/tuned', tuned],
] as const) {
  app.get(`${prefix}/list`, async (_request, reply) =>
    reply.type(json).send(JSON.stringify(await yardstickList(pool, new Date()))),
  )
  app.get<{ Params: { id: string } }>(`${prefix}/events/:id`, async ({ params }, reply) => {
    const event = await yardstickEvent(pool, Number(params.id), new Date())
    return reply
      .code(event ? 200 : 404)
      .type(json)
      .send(JSON.stringify(event ?? null))
  })
}
app.post<{ Body: EventBody }>('/create', async ({ body }, reply) => {
  const id = await yardstickCreate(plain, Number(author), body, new Date())
  return reply.code(201).type(json).send(JSON.stringify({ id }))
})

async function stop(): Promise<void> {
  await app.close()
  if (!isEmbedded) await plain.end()
  await close()
  process.exit(0)
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
await app.listen({ host: '127.0.0.1', port: Number(port) })
