// Clients of subscriptions: a reader of the raw stream, which shows everything that the service sends.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApp } from './app.ts'

interface ChangeMessage {
  readonly type: 'CREATED' | 'UPDATED' | 'DELETED'
  readonly databaseId: number
  readonly event: { readonly title: string } | null
}

interface Result {
  readonly data?: { readonly eventChanged: ChangeMessage }
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[]
}

export interface SubscriptionOptions {
  readonly query?: string
  readonly variables?: Record<string, unknown>
  readonly headers?: Record<string, string>
  readonly path?: string
}

export interface Stream {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  /** Results so far. */
  readonly results: Result[]
  /** Changes so far, each as `TYPE id title`. */
  changes(): string[]
  /** The code of the last error. */
  code(): unknown
  readonly isComplete: () => boolean
  /** Bytes of comments so far. */
  readonly comments: () => number
  close(): void
}

const changesQuery =
  'subscription Changes($filter: EventFilter) { eventChanged(filter: $filter) { type databaseId event { title } } }'

/** Listens on a free port of the loopback interface, and returns the URL. */
export async function listenOn({ app }: Pick<TestApp, 'app'>): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Opens a subscription by POST, on a connection of its own. Resolves when the response has begun. */
export async function subscribe(
  url: string,
  { query = changesQuery, variables = {}, headers = {}, path = '/graphql' }: SubscriptionOptions = {},
): Promise<Stream> {
  const sent = request(`${url}${path}`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
    agent: false,
  })
  sent.end(JSON.stringify({ query, variables }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return readStream(response)
}

function readStream(response: IncomingMessage): Stream {
  const results: Result[] = []
  let [isComplete, comments] = [false, 0]
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response) {
      text += decoder.decode(bytes, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const [, event, data = ''] = /^event: (\w+)\ndata: ?(.*)$/.exec(message) ?? []
        if (event === 'next') results.push(JSON.parse(data))
        else if (event === 'complete') isComplete = true
        else if (message === ':') comments += 1
        else throw new Error(`Not an event: ${message}`)
      }
    }
  }
  // Closing the stream rejects the read.
  read().catch(() => undefined)
  return {
    status: response.statusCode,
    headers: response.headers,
    results,
    changes: () =>
      results.flatMap(({ data }) => {
        if (!data) return []
        const { type, databaseId, event } = data.eventChanged
        return [`${type} ${databaseId} ${event?.title ?? null}`]
      }),
    code: () => results.at(-1)?.errors?.[0]?.extensions.code,
    isComplete: () => isComplete,
    comments: () => comments,
    close: () => response.destroy(),
  }
}
