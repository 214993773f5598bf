// Answers that are not read: what waits for its reader is bounded in time, and in bytes over all connections.
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../env.ts'

interface Connection {
  /** Those that are not sent to the end. Pipelined requests have several on one connection. */
  readonly responses: Set<ServerResponse>
  /** What was sent when it was last looked at. */
  sentState: string
  /** For how many milliseconds nothing was sent although something waits. */
  stalledFor: number
}

/** Bytes of an answer that is worth looking at the total at once. */
const largePayload = 65_536

/**
 * Ends connections whose answers make no progress for REQUEST_TIMEOUT, and while more than UNSENT_BYTES wait in memory those
 * that made none for the longest time.
 */
export function limitSendBuffers(app: FastifyInstance, { requestTimeout, unsentBytes }: Settings): void {
  const connections = new Map<Socket, Connection>()
  const interval = Math.min(1000, requestTimeout / 4)
  let last = performance.now()

  const sweep = () => {
    const now = performance.now()
    // While this process did nothing, no client could make progress.
    const elapsed = Math.min(now - last, interval)
    last = now
    const waiting = [...connections].flatMap(([socket, connection]) => {
      const bytes = [...connection.responses].reduce((sum, { writableLength }) => sum + writableLength, 0)
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
    if (isOver) app.log.warn('connections were ended: more than UNSENT_BYTES waited for their readers')
  }

  const timer = setInterval(sweep, interval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const connection = connections.get(socket) ?? track(connections, socket)
    connection?.responses.add(response)
    response.once('close', () => connection?.responses.delete(response))
    done()
  })
  app.addHook('onSend', (_request, _reply, payload, done) => {
    const { length = 0 } = (payload ?? {}) as { length?: number }
    if (length > largePayload) setImmediate(sweep)
    done(null, payload)
  })
}

function track(connections: Map<Socket, Connection>, socket: Socket): Connection | undefined {
  // Requests that are injected have none.
  if (!(socket instanceof Socket)) return undefined
  const connection: Connection = { responses: new Set(), sentState: '', stalledFor: 0 }
  connections.set(socket, connection)
  socket.once('close', () => connections.delete(socket))
  return connection
}

/** A connection makes progress unless bytes wait in its socket, as many as before. */
function noteProgress(socket: Socket, connection: Connection, elapsed: number): void {
  const sent = `${socket.bytesWritten} ${socket.writableLength} ${queuedBytes(socket)}`
  connection.stalledFor =
    socket.writableLength === 0 || sent !== connection.sentState ? 0 : connection.stalledFor + elapsed
  connection.sentState = sent
}

/**
 * Bytes that the kernel has not taken yet. Only the handle tells: to the stream, a long answer is one piece, which is
 * waiting until its last byte is out.
 */
const queuedBytes = (socket: Socket): number =>
  (socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
