// The listener: it answers from the first moment on, while the database is opened and migrated and after the signal to stop.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface Front {
  /** From now on the service answers. */
  open(app: FastifyInstance): Promise<void>
  /** Resolves when the last answer is out; whatever takes longer than `patience` milliseconds is cut off. */
  close(patience: number): Promise<void>
}

/** `options` are what only a server that is made can be given. Throws when the address can't be listened on. */
export async function listen({ host, port }: { host: string; port: number }, options: ServerOptions): Promise<Front> {
  let answer: FastifyInstance['routing'] = starting
  const server = createServer(options, (request, response) => answer(request, response))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen({ host, port })
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(reasonOf(cause, host, port), { cause })
  })
  const closeIdle = () => {
    server.closeIdleConnections()
    // Browsers open some before they have anything to ask; Node takes these for busy.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    async open(app) {
      await app.ready()
      takeOver(server, app.server)
      answer = app.routing
    },
    async close(patience) {
      const closed = once(server, 'close')
      server.close()
      setTimeout(() => server.closeAllConnections(), patience).unref()
      // A connection that becomes idle only now would be kept for its next request.
      const sweep = setInterval(closeIdle, 50)
      closeIdle()
      await closed
      clearInterval(sweep)
    },
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') {
    return `PORT ${port} is in use at ${host} by another process: stop it, or set PORT to another, such as ${port < 65_535 ? port + 1 : port - 1}`
  }
  if (code === 'EACCES') return `PORT ${port} may not be used by this user: set PORT to one from 1024 to 65535`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${host} is no address of this machine: set HOST to one, such as 127.0.0.1, or to 0.0.0.0 for all`
  }
  return `HOST ${host} and PORT ${port} can not be listened on: ${message}`
}

function starting({ url }: IncomingMessage, response: ServerResponse): void {
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
function takeOver(server: Server, own: Server): void {
  const { timeout, keepAliveTimeout, requestTimeout, headersTimeout, maxRequestsPerSocket } = own
  Object.assign(server, { timeout, keepAliveTimeout, requestTimeout, headersTimeout, maxRequestsPerSocket })
  for (const listener of own.listeners('clientError')) server.on('clientError', listener as () => void)
}
