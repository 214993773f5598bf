// The thread of the embedded database: what comes by a port is run as a server runs what comes by a socket.
import '../compile-cache.ts'
import { readFile } from 'node:fs/promises'
import { MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PGlite, PGliteOptions } from '@electric-sql/pglite'
import type { Given } from './embedded.ts'

type Compiled = NonNullable<PGliteOptions['pgliteWasmModule']>

const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<Compiled> } }

async function start(): Promise<PGlite> {
  const { dataDir, loadDataDir, compiled } = workerData as Given
  const compiling = (compiled as Compiled | undefined) ?? compile()
  const [{ PGlite }, ...extensions] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('@electric-sql/pglite/contrib/cube'),
    import('@electric-sql/pglite/contrib/earthdistance'),
    import('@electric-sql/pglite/contrib/btree_gin'),
  ])
  const pgliteWasmModule = await compiling
  parentPort?.postMessage(pgliteWasmModule)
  return PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(loadDataDir === undefined ? {} : { loadDataDir }),
    extensions: Object.assign({}, ...extensions),
    pgliteWasmModule,
  })
}

async function compile(): Promise<Compiled> {
  return WebAssembly.compile(await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

/** Bytes of an answer that are sent on while the rest is still to come. */
const enough = 65_536

/** What ends a statement of which the driver sends the parts one by one; without it, what follows an error is skipped. */
const sync = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4)

let served: MessagePort | undefined

async function serve(lite: PGlite, port: MessagePort): Promise<void> {
  const last = served
  served = port
  if (last) {
    // Nothing of its session may be left, and nothing more may come.
    last.close()
    await lite.execProtocolRaw(sync)
    await lite.exec('ROLLBACK')
    await lite.exec('DISCARD ALL')
  }
  let chunks: Uint8Array[] = []
  let length = 0
  const send = () => {
    if (length > 0) port.postMessage(Buffer.concat(chunks, length))
    chunks = []
    length = 0
  }
  const onRawData = (bytes: Uint8Array) => {
    // They lie in the memory of the database, which goes on using it.
    chunks.push(bytes.slice())
    length += bytes.length
    if (length >= enough) send()
  }
  port.on('message', async (bytes: Uint8Array) => {
    await lite.execProtocolRawStream(bytes, { onRawData, syncToFs: false })
    send()
  })
}

const started = start()
parentPort?.on('message', async (message: MessagePort | 'close') => {
  const lite = await started
  if (message instanceof MessagePort) return serve(lite, message)
  await lite.close()
  process.exit()
})
