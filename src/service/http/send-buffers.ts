// Limits the memory of responses that clients read slowly or not at all: per connection by time, over all by bytes.
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../basics/env.ts'

interface Connection {
  /** Responses, with the streams of their bodies. Pipelined requests have several. Those that are sent are removed later. */
  readonly responses: Map<ServerResponse, Readable | undefined>
  /** Buffer sizes at the last check. If they have not changed, nothing was sent. */
  sentState: string
  /** Milliseconds for which nothing was sent although bytes are waiting. */
  stalledFor: number
}

/** Bytes. A larger payload triggers a check at once. */
const largePayload = 65_536

/**
 * Closes connections that make no progress for REQUEST_TIMEOUT. While more than UNSENT_BYTES wait in memory, also closes
 * those that have made no progress for the longest time.
 */
export function limitSendBuffers(
  app: FastifyInstance,
  { requestTimeout, unsentBytes }: Settings,
  stopping: AbortSignal,
): void {
  const connections = new Map<Socket, Connection>()
  const interval = Math.min(1000, requestTimeout / 4)
  let last = performance.now()

  const sweep = () => {
    const now = performance.now()
    // While this process was blocked or suspended, no client could make progress.
    const elapsed = Math.min(now - last, interval)
    last = now
    const waiting = [...connections].flatMap(([socket, connection]) => {
      removeSent(connection)
      const bytes = [...connection.responses].reduce(
        (sum, [{ writableLength }, body]) => sum + writableLength + (body?.readableLength ?? 0),
        0,
      )
      noteProgress(socket, connection, elapsed)
      return bytes > 0 ? [{ socket, stuck: connection.stalledFor, bytes }] : []
    })
    let total = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    const isOver = total > unsentBytes
    for (const { socket, stuck, bytes } of waiting.sort((a, b) => b.stuck - a.stuck || b.bytes - a.bytes)) {
      if (total <= unsentBytes && stuck < requestTimeout) break
      total -= bytes
      socket.destroy()
    }
    if (isOver) app.log.warn('closed connections of slow clients: more than UNSENT_BYTES were waiting to be sent')
  }

  // Requests that began before would otherwise keep their connections open, and the next request on them would be lost.
  const closeAfterResponses = () => {
    for (const { responses } of connections.values()) {
      for (const response of responses.keys()) if (!response.headersSent) response.setHeader('connection', 'close')
    }
  }
  stopping.addEventListener('abort', closeAfterResponses, { once: true })
  const timer = setInterval(sweep, interval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const connection = connections.get(socket) ?? track(connections, socket)
    if (connection) {
      removeSent(connection)
      connection.responses.set(response, undefined)
    }
    done()
  })
  app.addHook('onSend', ({ raw: { socket } }, { raw: response }, payload, done) => {
    if (payload instanceof Readable) connections.get(socket)?.responses.set(response, payload)
    const { length = 0 } = (payload ?? {}) as { length?: number }
    if (length > largePayload) setImmediate(sweep)
    done(null, payload)
  })
}

function track(connections: Map<Socket, Connection>, socket: Socket): Connection | undefined {
  // Injected requests have no real socket.
  if (!(socket instanceof Socket)) return undefined
  const connection: Connection = { responses: new Map(), sentState: '', stalledFor: 0 }
  connections.set(socket, connection)
  socket.once('close', () => connections.delete(socket))
  return connection
}

/** Instead of a listener for the end of each response, which takes longer. */
function removeSent({ responses }: Connection): void {
  for (const response of responses.keys()) if (response.closed) responses.delete(response)
}

/** A connection makes progress if nothing is waiting in its socket, or the buffer sizes have changed. */
function noteProgress(socket: Socket, connection: Connection, elapsed: number): void {
  const sent = `${socket.bytesWritten} ${socket.writableLength} ${queuedBytes(socket)}`
  connection.stalledFor =
    socket.writableLength === 0 || sent !== connection.sentState ? 0 : connection.stalledFor + elapsed
  connection.sentState = sent
}

/**
 * Bytes that the kernel has not accepted yet. Only the handle has this number: the stream counts a long response as one chunk
 * until its last byte is sent.
 */
const queuedBytes = (socket: Socket): number =>
  (socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
