// The least that a balancer does: asks every second which instance is ready, and goes elsewhere when one takes no connection.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  readonly url: string
  add(instance: string): void
  remove(instance: string): void
  /** Instances that said so when they were asked last. */
  ready(): readonly string[]
  close(): void
}

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const instances = new Map<string, boolean>()
  const ready = () => [...instances].filter(([, isReady]) => isReady).map(([instance]) => instance)
  const probe = setInterval(() => {
    for (const instance of instances.keys()) {
      // One that is slow to say is not one that is stopping.
      fetch(`${instance}/health/ready`)
        .then(({ ok }) => ok)
        .catch(() => false)
        .then((isReady) => instances.has(instance) && instances.set(instance, isReady))
    }
  }, 1000)
  let turn = 0
  const server = createServer(async (asked, answer) => {
    const body = await collect(asked)
    const all = ready()
    const first = turn++
    const attempt = (n: number) => {
      const instance = all[(first + n) % all.length]
      if (instance === undefined || n === all.length) return fail(answer, 'no instance')
      const { method, url: path, headers } = asked
      const forwarded = request(`${instance}${path}`, {
        method,
        agent,
        headers: { ...headers, connection: 'keep-alive' },
      })
      forwarded.on('response', (reply) => {
        const { connection: _, 'keep-alive': __, ...rest } = reply.headers
        answer.writeHead(reply.statusCode ?? 502, rest)
        reply.pipe(answer)
        reply.on('error', () => answer.destroy())
      })
      // Nothing was sent yet: another may have it.
      forwarded.on('error', (error) =>
        'code' in error && error.code === 'ECONNREFUSED' ? attempt(n + 1) : fail(answer, error.message),
      )
      forwarded.end(body)
    }
    attempt(0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (instance) => instances.set(instance, false),
    remove: (instance) => instances.delete(instance),
    ready,
    close: () => {
      clearInterval(probe)
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

async function collect(asked: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of asked) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function fail(answer: ServerResponse, why: string): void {
  if (answer.headersSent) answer.destroy()
  else answer.writeHead(502, { 'content-type': 'text/plain' }).end(why)
}
