// A minimal load balancer: checks every second which instances are ready, and tries another one if a connection fails.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  readonly url: string
  add(instance: string): void
  remove(instance: string): void
  /** Instances whose last readiness check succeeded. */
  ready(): readonly string[]
  close(): void
}

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const instances = new Map<string, boolean>()
  const ready = () => [...instances].filter(([, isReady]) => isReady).map(([instance]) => instance)
  const probe = setInterval(() => {
    for (const instance of instances.keys()) {
      // A timeout does not mean that the instance is stopping.
      fetch(`${instance}/health/ready`)
        .then(({ ok }) => ok)
        .catch(() => false)
        .then((isReady) => instances.has(instance) && instances.set(instance, isReady))
    }
  }, 1000)
  let turn = 0
  const server = createServer(async (incoming, response) => {
    const body = await collect(incoming)
    const all = ready()
    const first = turn++
    const attempt = (n: number) => {
      const instance = all[(first + n) % all.length]
      if (instance === undefined || n === all.length) return fail(response, 'no instance')
      const { method, url: path, headers } = incoming
      const forwarded = request(`${instance}${path}`, {
        method,
        agent,
        headers: { ...headers, connection: 'keep-alive' },
      })
      forwarded.on('response', (reply) => {
        const { connection: _, 'keep-alive': __, ...rest } = reply.headers
        response.writeHead(reply.statusCode ?? 502, rest)
        reply.pipe(response)
        reply.on('error', () => response.destroy())
      })
      // Nothing was sent yet, so another instance can handle the request.
      forwarded.on('error', (error) =>
        'code' in error && error.code === 'ECONNREFUSED' ? attempt(n + 1) : fail(response, error.message),
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

async function collect(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function fail(response: ServerResponse, why: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(why)
}
