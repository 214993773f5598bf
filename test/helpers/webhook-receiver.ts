// A server that receives webhooks, verifies them with the library, and responds as the test says.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

interface ReceivedMessage {
  readonly id: string
  readonly path: string
  readonly headers: Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>
  readonly body: string
  readonly message: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: ReceivedMessage[]
  /** How it responds to a path; by default with status 204. */
  readonly responses: Map<string, (response: ServerResponse, count: number) => unknown>
  /** The requests whose connection is open. */
  open(path: string): number
  /** Resolves once so many messages of the path were received. */
  until(path: string, count: number): Promise<ReceivedMessage[]>
  close(): void
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = []
  const responses: WebhookReceiver['responses'] = new Map()
  const opened = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    opened.set(path, (opened.get(path) ?? 0) + 1)
    response.on('close', () => opened.set(path, (opened.get(path) ?? 1) - 1))
    if (path.startsWith('/never-reads')) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const headers = request.headers as ReceivedMessage['headers']
    received.push({ id: headers['webhook-id'], path, headers, body, message: JSON.parse(body) })
    const count = received.filter((each) => each.path === path).length
    const respond = responses.get(path)
    if (respond) respond(response, count)
    else response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    responses,
    open: (path) => opened.get(path) ?? 0,
    async until(path, count) {
      for (;;) {
        const own = received.filter((each) => each.path === path)
        if (own.length >= count) return own
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Whether a signature of a message is by this secret. */
export function isSignedBy(secret: string, message: ReceivedMessage | undefined): boolean {
  if (!message) return false
  const { body, headers } = message
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
