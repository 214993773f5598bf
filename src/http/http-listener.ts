// The listener: it answers from the first moment on, while the database is opened and migrated and after the signal to stop.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface HttpListener {
  /** From now on the service answers. */
  serve(app: FastifyInstance): Promise<void>
  /** Resolves when the last answer is out; whatever takes longer than `patience` milliseconds is cut off. */
  close(gracePeriod: number): Promise<void>
}

/** `options` are what only a server that is made can be given. Throws when the address can't be listened on. */
export async function listen(
  { host, port }: { host: string; port: number },
  options: ServerOptions,
): Promise<HttpListener> {
  let handleRequest: FastifyInstance['routing'] = respondStarting
  const server = createServer(options, (request, response) => handleRequest(request, response))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen({ host, port })
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(listenErrorMessage(cause, host, port), { cause })
  })
  const closeIdle = () => {
    server.closeIdleConnections()
    // Browsers open some before they have anything to ask; Node takes these for busy.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    async serve(app) {
      await app.ready()
      copyServerSettings(server, app.server)
      handleRequest = app.routing
    },
    async close(gracePeriod) {
      const closed = once(server, 'close')
      server.close()
      setTimeout(() => server.closeAllConnections(), gracePeriod).unref()
      // A connection that becomes idle only now would be kept for its next request.
      const sweep = setInterval(closeIdle, 50)
      closeIdle()
      await closed
      clearInterval(sweep)
    },
  }
}

function listenErrorMessage({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') {
    return `PORT ${port} is in use at ${host} by another process: stop it, or set PORT to another, such as ${port < 65_535 ? port + 1 : port - 1}`
  }
  if (code === 'EACCES') return `PORT ${port} may not be used by this user: set PORT to one from 1024 to 65535`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${host} is no address of this machine: set HOST to one, such as 127.0.0.1, or to 0.0.0.0 for all`
  }
  return `HOST ${host} and PORT ${port} can not be listened on: ${message}`
}

function respondStarting({ url }: IncomingMessage, response: ServerResponse): void {
  const isLive = url === '/health/live'
  const body = isLive
    ? { status: 'live' }
    : { code: 'starting', message: 'The service is starting; try again.', data: { status: 503 }, status: 'starting' }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  }
  response.writeHead(isLive ? 200 : 503, isLive ? headers : { ...headers, 'retry-after': '1' })
  response.end(JSON.stringify(body))
}

/** What Fastify set up on the server that it would listen with. */
function copyServerSettings(server: Server, own: Server): void {
  const { timeout, keepAliveTimeout, requestTimeout, headersTimeout, maxRequestsPerSocket } = own
  Object.assign(server, { timeout, keepAliveTimeout, requestTimeout, headersTimeout, maxRequestsPerSocket })
  for (const listener of own.listeners('clientError')) server.on('clientError', listener as () => void)
}
