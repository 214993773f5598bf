// An HTTP server that listens from the start of the process to its end, and responds 503 until the app is ready.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type FindStartingPage, respondWhileStarting } from './respond-starting.ts'

export type HttpListener = Awaited<ReturnType<typeof listenForRequests>>

/**
 * Starts listening. Until `serve` passes an app, browsers get the page of `createStartingPage`. If the address cannot be used, throws
 * an error that names the setting to change.
 */
export async function listenForRequests(
  { host, port }: { host: string; port: number },
  options: ServerOptions,
  { app, startingPage }: { readonly app?: FastifyInstance | undefined; readonly startingPage?: FindStartingPage } = {},
) {
  let handleRequest: RequestListener = (request, response) => respondWhileStarting(request, response, startingPage)
  const server = createServer(options, (request, response) => handleRequest(request, response))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const serve = async (ready: FastifyInstance) => {
    await ready.ready()
    copyServerSettings(server, ready.server)
    handleRequest = ready.routing
  }
  if (app) await serve(app)
  server.listen({ host, port })
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(listenErrorMessage(cause, host, port), { cause })
  })
  const closed = once(server, 'close')
  // `close` of an HTTP server would also close idle connections, on which a request may be arriving.
  const stopAccepting = () => void NetServer.prototype.close.call(server)
  const closeIdle = () => {
    // Node counts connections as idle while they still send a response, and would cut off the response.
    if ([...sockets].every(({ writableLength }) => writableLength === 0)) server.closeIdleConnections()
    // Node does not count connections without a request as idle; browsers open some in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    /** Passes requests to the app from now on. */
    serve,
    /** Stops accepting connections: they are refused, or another worker accepts them. Open connections still take requests. */
    stopAccepting,
    /** Resolves when all responses are sent. Closes connections that take longer than `gracePeriod` milliseconds. */
    async close(gracePeriod: number): Promise<void> {
      stopAccepting()
      setTimeout(() => server.closeAllConnections(), gracePeriod).unref()
      // Closes connections that become idle later, which would otherwise stay open for their next request.
      const sweep = setInterval(() => onceRead(closeIdle), 50)
      onceRead(closeIdle)
      await closed
      clearInterval(sweep)
      // Stops the timer with which the server checks its connections for timeouts.
      server.close()
    },
  }
}

/** Milliseconds. If an iteration of the event loop takes longer, a request that arrived in the meantime may be unread. */
const shortIteration = 2

/**
 * Calls `action` after a short iteration of the event loop, which has read all requests. After a long iteration, does nothing, so
 * the caller has to try again. Closing a connection that has an unread request resets the connection, and the request is lost.
 */
function onceRead(action: () => void): void {
  setImmediate(() => {
    const start = performance.now()
    setImmediate(() => {
      if (performance.now() - start < shortIteration) action()
    })
  })
}

function listenErrorMessage({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') {
    return `PORT ${port} on ${host} is in use by another process. Stop that process, or set PORT to another port, such as ${port < 65_535 ? port + 1 : port - 1}.`
  }
  if (code === 'EACCES') return `This user may not listen on PORT ${port}. Set PORT to a value from 1024 to 65535.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1, or to 0.0.0.0 for all.`
  }
  return `Cannot listen on HOST ${host} and PORT ${port}: ${message}`
}

/** Copies the timeouts and listeners that Fastify set on its own server, which does not listen, to the listening server. */
function copyServerSettings(server: Server, own: Server): void {
  const { timeout, keepAliveTimeout, requestTimeout, headersTimeout, maxRequestsPerSocket } = own
  Object.assign(server, { timeout, keepAliveTimeout, requestTimeout, headersTimeout, maxRequestsPerSocket })
  for (const listener of own.listeners('clientError')) server.on('clientError', listener as () => void)
}
