// What the service is compared with: node bench/yardsticks.ts <DATABASE_URL> <file> <port> serves `/static`, the bytes of
// a file from memory, and `/sql`, the list by one statement.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { openDatabase } from '../src/db/open.ts'
import { yardstickList } from './yardstick-list.ts'

const [url = '', file = '', port = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const { pool, close } = await openDatabase(url, 10)
const app = Fastify()

app.get('/static', (_request, reply) => reply.type('application/json; charset=UTF-8').send(bytes))
app.get('/sql', async (_request, reply) => {
  const list = await yardstickList(pool, new Date())
  return reply.type('application/json; charset=UTF-8').send(JSON.stringify(list))
})

async function stop(): Promise<void> {
  await app.close()
  await close()
  process.exit(0)
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
await app.listen({ host: '127.0.0.1', port: Number(port) })
