// Receives the webhooks of a calendar: `WEBHOOK_SECRET=whsec_… PORT=4100 node examples/webhook-receiver/receiver.ts`.
// It prints a line for each message, and ignores what it has received before.
import { createServer } from 'node:http'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

interface Message {
  readonly type: string
  readonly data: { readonly kind?: string; readonly databaseId?: number; readonly url?: string | null }
}

const { WEBHOOK_SECRET = '', PORT = '4100' } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)

/** A program that runs for long stores these IDs for three days, and shares them with its other instances. */
const received = new Set<string>()

/** Longest body that is read. A message has less than 2 KB. */
const maxBody = 10_000

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > maxBody) return response.writeHead(413).end()
  }
  try {
    // Over the bytes as they were sent: the same JSON in another format has another signature.
    const message = webhook.verify(body, request.headers as Record<string, string>) as Message
    const id = String(request.headers['webhook-id'])
    if (!received.has(id)) handle(message)
    received.add(id)
    response.writeHead(204).end()
  } catch (error) {
    // With any status but 2xx, the calendar sends the message again later.
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
  }
})

/** Here a mirror reads the record at the URL or by GraphQL, and a static site is built again. */
function handle({ type, data }: Message): void {
  console.log(`${type} ${data.databaseId ?? ''} ${data.url ?? ''}`.trim())
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${PORT}`))
