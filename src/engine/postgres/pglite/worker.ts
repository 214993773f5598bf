// The worker thread of PGlite. Serves the PostgreSQL protocol over a MessagePort.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PGlite, PGliteOptions } from '@electric-sql/pglite'
import { copyToOwnMemory } from '../../../basics/own-memory.ts'
import { findDiskShortage } from './data-folder.ts'
import type { WorkerMessage, WorkerOptions } from './embedded-database.ts'
import { createVacuumScheduler } from './vacuum.ts'
import { recordWorkTime } from './work-times.ts'

type Compiled = NonNullable<PGliteOptions['pgliteWasmModule']>

const { dataDir, times } = workerData as WorkerOptions

const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<Compiled> } }

const postMessage = (news: WorkerMessage) => parentPort?.postMessage(news)

/** The last error that PostgreSQL printed, to report it after a crash. */
let lastErrorLine: string | undefined

function readStderrLine(line: string): boolean {
  const [, errorLine] = /\b(?:PANIC|FATAL): +(.*)/.exec(line) ?? []
  lastErrorLine = errorLine ?? lastErrorLine
  return true
}

/** Bytes written to the WAL since the last checkpoint; below, the number of bytes after which a checkpoint runs. */
let loggedBytes = 0
const maxLoggedBytes = 64 * 1024 ** 2

/** Whether maintenance may write: PostgreSQL stops if a checkpoint finds the disk full. */
const hasDiskSpace = () => dataDir === undefined || findDiskShortage(dirname(dataDir)) === undefined

const vacuum = createVacuumScheduler(hasDiskSpace)

/** Saves memory: PGlite's default for shared_buffers is 128 MB. The operating system caches other pages. */
const memorySettings = ['-c', 'shared_buffers=32MB']

/** Milliseconds without a statement after which the database counts as idle. */
const idleDelay = 2000

async function start(): Promise<PGlite> {
  const { durability, compiled } = workerData as WorkerOptions
  const compiling = (compiled as Compiled | undefined) ?? compile()
  const [{ PGlite }, ...extensions] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('@electric-sql/pglite/contrib/btree_gin'),
  ])
  const pgliteWasmModule = await compiling
  postMessage({ compiled: pgliteWasmModule })
  const files = dataDir === undefined ? {} : await filesIn(dataDir, durability)
  return PGlite.create({
    ...files,
    startParams: [...(files.startParams ?? PGlite.defaultStartParams), ...memorySettings],
    onStderr: readStderrLine,
    extensions: Object.assign({}, ...extensions),
    pgliteWasmModule,
  })
}

async function filesIn(dataDir: string, durability: WorkerOptions['durability']): Promise<PGliteOptions> {
  const { createPGliteOptions } = await import('./filesystem.ts')
  return createPGliteOptions(dataDir, durability, (bytes) => {
    loggedBytes += bytes
    vacuum.addLogged(bytes)
  })
}

/**
 * Runs CHECKPOINT if at least `minBytes` were written to the WAL, because PGlite has no checkpointer process. Otherwise the WAL
 * would grow until the service stops, and stopping would take long.
 */
async function checkpoint(lite: PGlite, minBytes: number): Promise<void> {
  if (loggedBytes < minBytes || !hasDiskSpace()) return
  // If the checkpoint fails, PostgreSQL keeps the WAL, and a later checkpoint tries again.
  await lite.exec('CHECKPOINT').catch(() => {})
  loggedBytes = 0
}

async function compile(): Promise<Compiled> {
  return WebAssembly.compile(await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

/** Number of bytes after which a part of a response is sent before the response is complete. */
const sendThreshold = 65_536

/** Protocol message Sync: without it, PostgreSQL skips everything that follows an error. */
const syncMessage = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4)

/** Protocol message ReadyForQuery with the status idle: no transaction is open. */
const readyForQuery = Buffer.from([...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')])

let currentPort: MessagePort | undefined

async function serve(lite: PGlite, port: MessagePort): Promise<void> {
  const last = currentPort
  currentPort = port
  if (last) {
    // Ends the previous session: closes its port, and resets the state of the session.
    last.close()
    await lite.execProtocolRaw(syncMessage)
    await lite.exec('ROLLBACK')
    await lite.exec('DISCARD ALL')
  }
  let chunks: Uint8Array[] = []
  let length = 0
  const send = () => {
    if (length > 0) port.postMessage(copyToOwnMemory(Buffer.concat(chunks, length)))
    chunks = []
    length = 0
  }
  const onRawData = (bytes: Uint8Array) => {
    // Copies the bytes, because PGlite reuses the memory that they are in.
    chunks.push(bytes.slice())
    length += bytes.length
    isReady = readyForQuery.equals(bytes.subarray(-readyForQuery.length))
    if (length >= sendThreshold) send()
  }
  let isReady = false
  const isIdle = () => isReady && currentPort === port
  const idle = setTimeout(async () => {
    await recordWorkTime(times, 'maintenance', async () => {
      await vacuum.runWhile(lite, isIdle)
      if (isIdle()) await checkpoint(lite, 1)
    })
  }, idleDelay).unref()
  port.on('message', async (bytes: Uint8Array) => {
    isReady = false
    await recordWorkTime(times, 'statement', () => lite.execProtocolRawStream(bytes, { onRawData, syncToFs: false }))
    send()
    await recordWorkTime(times, 'maintenance', async () => {
      if (isReady) await checkpoint(lite, maxLoggedBytes)
      if (isReady) await vacuum.runBetweenStatements(lite)
    })
    idle.refresh()
  })
}

/** Ends the thread when PostgreSQL aborts. Otherwise PGlite would repeat the statement forever. */
function endOnAbort(lite: PGlite): void {
  lite.Module.onAbort = () => {
    postMessage({ ended: lastErrorLine ?? 'PostgreSQL has aborted' })
    process.exit(1)
  }
}

const started = start().then(
  (lite) => {
    endOnAbort(lite)
    postMessage({ started: true })
    return lite
  },
  (cause: Error) => {
    throw lastErrorLine === undefined ? cause : new Error(lastErrorLine, { cause })
  },
)
parentPort?.on('message', async (message: MessagePort | 'close') => {
  const lite = await started
  if (message instanceof MessagePort) return serve(lite, message)
  await lite.close()
  process.exit()
})
