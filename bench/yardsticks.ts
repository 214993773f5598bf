// Minimal servers to compare the service with: node bench/yardsticks.ts <DATABASE_URL> <file> <port> <author>
// serves `/static`, a file from memory with its ETag; `/list` and `/events/{id}` as the REST API does, with one statement each;
// `/after/{id}`, the page after an event; and `/create`. Connections and sessions have the settings of the service.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyReply } from 'fastify'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { type EventBody, yardstickCreate } from './yardstick-create.ts'
import { readAfter, readEvent, readList } from './yardstick-reads.ts'
import { restEvent, restList, restRecords } from './yardstick-rest.ts'

const [url = '', file = '', port = '', author = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`
const { pool, close } = await openDatabase(url, 10)
const app = Fastify()
const json = 'application/json; charset=UTF-8'
const send = (reply: FastifyReply, body: unknown) => reply.type(json).send(JSON.stringify(body))

app.get('/static', (request, reply) => {
  reply.header('etag', etag)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(json).send(bytes)
})
app.post('/static', (_request, reply) => reply.type(json).send(bytes))
app.get<{ Querystring: { page?: string; fallback?: string } }>('/list', async ({ query }, reply) => {
  const [page, now] = [Number(query.page ?? 1), new Date()]
  const { events, total } = await readList(pool, { page, now, fallback: query.fallback !== 'off' })
  return send(reply, restList(events, total, page, now))
})
app.get<{ Params: { id: string } }>('/after/:id', async ({ params }, reply) =>
  send(reply, restRecords(await readAfter(pool, Number(params.id), new Date()))),
)
app.get<{ Params: { id: string } }>('/events/:id', async ({ params }, reply) => {
  const event = await readEvent(pool, Number(params.id), new Date())
  return event ? send(reply, restEvent(event)) : send(reply.code(404), null)
})
app.post<{ Body: EventBody }>('/create', async ({ body }, reply) => {
  const id = await yardstickCreate(pool, Number(author), body, new Date())
  return send(reply.code(201), { id })
})

async function stop(): Promise<void> {
  await app.close()
  await close()
  process.exit(0)
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
await app.listen({ host: '127.0.0.1', port: Number(port) })
