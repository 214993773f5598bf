// PostgreSQL embedded in this process, on a thread of its own: it starts while modules are loaded, and while a statement
// runs requests are answered. The driver talks to it as to a server, over a port instead of a socket.
import { dirname } from 'node:path'
import { Duplex } from 'node:stream'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { shortageOf } from './disk-space.ts'
import { inOwnMemory } from './own-memory.ts'

/** `full`: what is committed is on the disk before the commit is answered. `relaxed`: the system writes it when it likes. */
export type Durability = 'full' | 'relaxed'

/** What the thread is given to begin with; without `dataDir` the database lives in memory. */
export interface WorkerOptions {
  readonly dataDir: string | undefined
  readonly durability: Durability
  /** A dump to begin with. */
  readonly loadDataDir: Blob | undefined
  /** PostgreSQL compiled, if it was before in this process. */
  readonly compiled: object | undefined
}

/** What the thread sends: PostgreSQL compiled, for the next thread, and why it ends, if it ends by itself. */
export type WorkerMessage = { readonly compiled: object } | { readonly ended: string }

export interface Embedded {
  /** The socket of a new session, which ends the last one. It tells what kept the database from starting. */
  connect(): Duplex
  /** Resolves if it ends by itself, which leaves it of no use. */
  readonly broken: Promise<Error>
  close(): Promise<void>
}

/** SQLSTATE for a connection that is lost. */
const connectionFailure = '08006'

let compiled: object | undefined

/** Returns at once: who connects waits until the database has started. */
export function startEmbedded(options: Omit<WorkerOptions, 'compiled'>): Embedded {
  const workerData: WorkerOptions = { ...options, compiled }
  // Flags are meant for what was started with them: code by `node -e` is none of the thread's.
  const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData, execArgv: [] })
  const exited = new Promise((resolve) => thread.once('exit', resolve))
  const { promise: broken, resolve: resolveBroken } = Promise.withResolvers<Error>()
  let socket: PortSocket | undefined
  let isClosing = false
  let failure: Error | undefined
  const fail = (message: string, cause?: Error) => {
    failure ??= Object.assign(new Error(message, { cause }), { code: connectionFailure })
    socket?.destroy(failure)
    if (!isClosing) resolveBroken(failure)
  }
  const failFor = (reason: string, cause?: Error) => {
    const shortage = options.dataDir === undefined ? undefined : shortageOf(dirname(options.dataDir))
    const place = options.dataDir ?? 'in memory'
    fail(`The embedded database ${place} does not run: ${reason}${shortage ? ` (${shortage})` : ''}`, cause)
  }
  thread.on('message', (message: WorkerMessage) => {
    if ('compiled' in message) compiled = message.compiled
    else failFor(message.ended)
  })
  thread.on('error', (cause: Error) => {
    // Some errors of its file system have no message.
    failFor(cause?.message ?? JSON.stringify(cause), cause)
  })
  thread.on('exit', () => fail('The embedded database has ended'))
  return {
    connect() {
      const { port1, port2 } = new MessageChannel()
      socket = new PortSocket(port1)
      thread.postMessage(port2, [port2])
      if (failure) socket.destroy(failure)
      return socket
    },
    broken,
    async close() {
      isClosing = true
      thread.postMessage('close')
      await exited
    },
  }
}

/** What the driver takes for a socket. */
class PortSocket extends Duplex {
  readonly #port: MessagePort

  constructor(port: MessagePort) {
    super()
    this.#port = port
    port.on('message', (bytes: Uint8Array) => this.push(bytes))
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'))
  }

  setNoDelay(): void {}

  ref(): void {
    this.#port.ref()
  }

  unref(): void {
    this.#port.unref()
  }

  override _read(): void {}

  override _write(bytes: Uint8Array, _encoding: unknown, done: () => void): void {
    this.#port.postMessage(inOwnMemory(bytes))
    done()
  }

  /** The messages of one statement, in one go. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), undefined, done)
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close()
    done(error)
  }
}
