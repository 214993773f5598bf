// PostgreSQL embedded in this process. It runs on a worker thread, so that it starts while modules are loaded, and requests
// are handled while a statement runs. The pg driver connects over a MessagePort instead of a socket.
import { dirname } from 'node:path'
import { Duplex } from 'node:stream'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { inOwnMemory } from '../../own-memory.ts'
import { shortageOf } from './disk-space.ts'

/** `full`: a commit is flushed to disk before it is confirmed. `relaxed`: the operating system writes it later. */
export type Durability = 'full' | 'relaxed'

/** Without `dataDir` the database is in memory. */
export interface WorkerOptions {
  readonly dataDir: string | undefined
  readonly durability: Durability
  /** A dump of a data folder to start from. */
  readonly loadDataDir: Blob | undefined
  /** The compiled WebAssembly module of PostgreSQL, if an earlier thread of this process compiled it. */
  readonly compiled: object | undefined
}

/** Messages of the thread: the compiled module, for later threads, and the reason of a crash. */
export type WorkerMessage = { readonly compiled: object } | { readonly ended: string }

export interface EmbeddedDatabase {
  /** The socket of a new session, which ends the previous one. It fails if the database cannot start. */
  connect(): Duplex
  /** Resolves if the database crashes; it cannot be used any more. */
  readonly broken: Promise<Error>
  close(): Promise<void>
}

/** SQLSTATE of a lost connection. */
const connectionFailure = '08006'

let compiled: object | undefined

/** Returns at once. Connections wait until the database has started. */
export function startEmbedded(options: Omit<WorkerOptions, 'compiled'>): EmbeddedDatabase {
  const workerData: WorkerOptions = { ...options, compiled }
  // The thread must not inherit flags of the process, such as `-e` with code.
  const execArgv = ['--import', new URL('../../compile-cache.js', import.meta.url).href]
  const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData, execArgv })
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
    fail(`The embedded database ${place} is not running: ${reason}${shortage ? ` (${shortage})` : ''}`, cause)
  }
  thread.on('message', (message: WorkerMessage) => {
    if ('compiled' in message) compiled = message.compiled
    else failFor(message.ended)
  })
  thread.on('error', (cause: Error) => {
    // Some errors of PGlite's file system have no message.
    failFor(cause?.message ?? JSON.stringify(cause), cause)
  })
  thread.on('exit', () => fail('The embedded database has stopped'))
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

/** A duplex stream over a MessagePort, with the methods of a socket that the driver calls. */
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

  /** Sends the protocol messages of one statement together. */
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
