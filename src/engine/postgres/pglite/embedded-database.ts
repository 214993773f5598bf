// Runs PGlite on a worker thread, so that PGlite starts while modules are loaded, and requests are handled while a statement
// runs. The driver pg connects over a MessagePort instead of a socket.
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { MessageChannel, Worker } from 'node:worker_threads'
import { findDiskShortage } from './data-folder.ts'
import { PortSocket } from './port-socket.ts'
import { createWorkTimes, msSince, type WorkTimes, workBeganAt } from './work-times.ts'

/** `full`: a commit is flushed to disk before it is confirmed. `relaxed`: the operating system writes it later. */
export type Durability = 'full' | 'relaxed'

/** What the worker thread of PGlite starts with. Without `dataDir` the database is in memory. */
export interface WorkerOptions {
  readonly dataDir: string | undefined
  readonly durability: Durability
  /** The compiled WebAssembly module of PostgreSQL, if an earlier thread of this process compiled it. */
  readonly compiled: object | undefined
  readonly times: WorkTimes
}

/** Messages of the thread: the compiled module, for later threads, that it has started, and the reason of a crash. */
export type WorkerMessage = { readonly compiled: object } | { readonly started: true } | { readonly ended: string }

export interface EmbeddedDatabase {
  /** Opens a new session and returns its socket. Ends the previous session. The socket fails if the database cannot start. */
  connect(): Duplex
  /** Resolves if the database crashes and cannot be used any more. */
  readonly broken: Promise<Error>
  /** For how many milliseconds the database has been running its current statement, maintenance or restart. */
  busyMs(): number
  /**
   * Ends statements that take longer: the thread is replaced, and PostgreSQL recovers the data folder. Has no effect on a
   * database in memory, which would be lost.
   */
  limitStatementDuration(milliseconds: number): void
  close(): Promise<void>
}

interface Thread {
  readonly thread: Worker
  readonly exited: Promise<unknown>
}

/** SQLSTATEs of a lost connection, and of a statement that was canceled. */
const [connectionFailure, queryCanceled] = ['08006', '57014']

let compiled: object | undefined

/** Starts PGlite, and returns at once. Connections wait until the database has started. */
export function startEmbeddedDatabase(options: Omit<WorkerOptions, 'compiled' | 'times'>): EmbeddedDatabase {
  const { promise: broken, resolve: resolveBroken } = Promise.withResolvers<Error>()
  const times = createWorkTimes()
  let socket: PortSocket | undefined
  let isClosing = false
  let failure: Error | undefined
  /** Start time of the statement whose thread is being replaced. */
  let replacedFor: bigint | undefined
  let watchdog: NodeJS.Timeout | undefined
  const fail = (message: string, cause?: Error) => {
    failure ??= Object.assign(new Error(message, { cause }), { code: connectionFailure })
    socket?.destroy(failure)
    if (!isClosing) resolveBroken(failure)
  }
  const failFor = (reason: string, cause?: Error) => {
    const shortage = options.dataDir === undefined ? undefined : findDiskShortage(dirname(options.dataDir))
    const place = options.dataDir ?? 'in memory'
    fail(`The embedded database ${place} is not running: ${reason}${shortage ? ` (${shortage})` : ''}`, cause)
  }
  const start = (): Thread => {
    // The thread must not inherit flags of the process, such as `-e` with code.
    const execArgv = ['--import', new URL('../../../basics/compile-cache.js', import.meta.url).href]
    const workerData: WorkerOptions = { ...options, compiled, times }
    const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData, execArgv })
    thread.on('message', (message: WorkerMessage) => {
      if ('compiled' in message) compiled = message.compiled
      else if ('started' in message) replacedFor = undefined
      else failFor(message.ended)
    })
    thread.on('error', (cause: Error) => {
      // Some errors of PGlite's file system have no message, so their JSON is shown.
      failFor(cause?.message ?? JSON.stringify(cause), cause)
    })
    thread.on('exit', stopped)
    return { thread, exited: new Promise((resolve) => thread.once('exit', resolve)) }
  }
  const stopped = () => fail('The embedded database has stopped')
  let running = Promise.resolve(start())

  /** Ends the thread in the middle of its statement, like a crash. */
  const replace = async ({ thread }: Thread): Promise<Thread> => {
    thread.off('exit', stopped)
    socket?.destroy(Object.assign(new Error('The statement took too long'), { code: queryCanceled }))
    await thread.terminate()
    times.fill(0n)
    return start()
  }
  const endLongStatement = (limitMs: number) => {
    const begun = workBeganAt(times, 'statement')
    if (begun === undefined || msSince(begun) <= limitMs || replacedFor !== undefined || failure) return
    replacedFor = begun
    running = running.then(replace)
    console.error(`A statement took longer than ${limitMs} ms. The embedded database is started again.`)
  }

  return {
    connect() {
      const { port1, port2 } = new MessageChannel()
      socket = new PortSocket(port1)
      running.then(({ thread }) => thread.postMessage(port2, [port2]))
      if (failure) socket.destroy(failure)
      return socket
    },
    broken,
    busyMs() {
      const since = replacedFor ?? workBeganAt(times, 'statement') ?? workBeganAt(times, 'maintenance')
      return since === undefined ? 0 : msSince(since)
    },
    limitStatementDuration(limitMs) {
      if (options.dataDir === undefined) return
      clearInterval(watchdog)
      watchdog = setInterval(endLongStatement, Math.min(1000, limitMs / 4), limitMs).unref()
    },
    async close() {
      isClosing = true
      clearInterval(watchdog)
      const { thread, exited } = await running
      thread.postMessage('close')
      await exited
    },
  }
}
