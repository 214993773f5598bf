// A local server in the place of a CDN's API or of Varnish. It records the calls, and responds as the test says.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CdnCall {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Milliseconds since the start of the process. */
  readonly at: number
}

interface CdnResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface CdnApi {
  readonly url: string
  readonly calls: CdnCall[]
  /** The next responses: `reset` closes the connection. Further calls succeed. */
  readonly next: (CdnResponse | 'reset')[]
  /** Resolves once a call satisfies the condition. */
  called(condition: (call: CdnCall) => boolean): Promise<CdnCall>
  close(): void
}

const success: CdnResponse = { status: 200, body: '{"status":"ok","success":true}' }

export async function startCdnApi(): Promise<CdnApi> {
  const calls: CdnCall[] = []
  const next: CdnApi['next'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url: path, headers } = request
    const reply = next.shift() ?? success
    calls.push({ method, path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() })
    if (reply === 'reset') return request.socket.destroy()
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    next,
    async called(condition) {
      for (;;) {
        const call = calls.find(condition)
        if (call) return call
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The keys of a call, of any provider. */
export function keysOf({ headers, body }: CdnCall): readonly string[] {
  if (body !== '') return JSON.parse(body).tags
  const keys = headers['surrogate-key'] ?? headers['xkey-purge']
  return String(keys).split(' ')
}
