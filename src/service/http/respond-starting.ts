// Responses until the app is ready. What takes time to load is not loaded at the start, to listen as early as possible.
import type { IncomingMessage, ServerResponse } from 'node:http'

interface StartingPage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The page for a browser; undefined for other requests. */
export type FindStartingPage = (request: IncomingMessage) => Promise<StartingPage | undefined>

const message = 'The service is starting. Retry in a second.'

export async function respondWhileStarting(
  request: IncomingMessage,
  response: ServerResponse,
  findPage?: FindStartingPage,
): Promise<void> {
  const { url = '', headers } = request
  if (url === '/health/live') return sendJson(response, 200, { status: 'live' })
  const page = url !== '/health/ready' && headers.accept?.includes('text/html') ? await findPage?.(request) : undefined
  if (page) return send(response, 503, page)
  if (!isGraphql(url))
    return sendJson(response, 503, { code: 'starting', message, data: { status: 503 }, status: 'starting' })
  const { acceptedGraphqlType } = await import('./accepted-type.ts')
  const error = { message, extensions: { code: 'UNAVAILABLE', retryAfter: 1 } }
  sendJson(response, 503, { errors: [error] }, acceptedGraphqlType(headers.accept))
}

const isGraphql = (url: string) => /^(?:\/[\w-]+)?\/graphql\/?(?:\?|$)/.test(url)

const sendJson = (response: ServerResponse, status: 200 | 503, body: object, type = 'application/json') =>
  send(response, status, { headers: { 'content-type': `${type}; charset=utf-8` }, body: JSON.stringify(body) })

function send(response: ServerResponse, status: 200 | 503, { headers, body }: StartingPage): void {
  response.writeHead(status, {
    ...headers,
    'cache-control': 'no-store',
    connection: 'close',
    ...(status === 503 && { 'retry-after': '1' }),
  })
  response.end(body)
}
