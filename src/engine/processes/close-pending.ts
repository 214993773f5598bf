// Closes connections that a worker did not accept before it ended. node:cluster would keep them open without a response. It has
// no interface for this, so this module reads its internal messages.
import type { Worker } from 'node:cluster'

interface ClusterMessage {
  /** `newconn` hands over a connection. */
  readonly act?: string
  readonly seq?: number
  /** The `seq` of the message that this one responds to. */
  readonly ack?: number
}

interface Connection {
  close(): void
}

interface Channel {
  send(message: ClusterMessage, connection?: Connection, ...rest: unknown[]): boolean
  on(event: 'internalMessage', listener: (message: ClusterMessage) => void): void
}

/** Call when the worker is started. */
export function closePendingAtExit(worker: Worker): void {
  const channel = worker.process as unknown as Channel
  const send = channel.send
  /** Connections that were handed over and not accepted yet, by the `seq` of the message. */
  const pending = new Map<number, Connection>()
  channel.send = (message, connection, ...rest) => {
    if (message.act === 'newconn' && message.seq !== undefined && connection) pending.set(message.seq, connection)
    return send.call(channel, message, connection, ...rest)
  }
  channel.on('internalMessage', ({ ack }) => {
    if (ack !== undefined) pending.delete(ack)
  })
  worker.once('exit', () => {
    for (const connection of pending.values()) connection.close()
    pending.clear()
  })
}
