// PGlite on the thread of the tests: a short statement takes 80 µs of CPU, and 200 µs on the separate thread of the service, which
// has to be woken for each message. The service needs this thread to answer requests while a statement runs.
import { readFile } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { EmbeddedDatabase } from '../../src/engine/postgres/pglite/embedded-database.ts'

type Compiled = NonNullable<PGliteOptions['pgliteWasmModule']>

const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<Compiled> } }

let compiled: Promise<Compiled> | undefined

const compile = async (): Promise<Compiled> =>
  WebAssembly.compile(await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))

/** The memory of the service's database, and as little WAL as possible, because nothing recovers this database. */
const settings = [
  'shared_buffers=32MB',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'wal_init_zero=off',
].flatMap((setting) => ['-c', setting])

/** Opens a database in memory with the content of a dump of a data folder. */
export async function openInThread(loadDataDir: Blob): Promise<EmbeddedDatabase> {
  compiled ??= compile()
  const lite = await PGlite.create({
    loadDataDir,
    startParams: [...PGlite.defaultStartParams, ...settings],
    extensions: { btree_gin, pg_trgm },
    pgliteWasmModule: await compiled,
  })
  let session: Session | undefined
  return {
    connect() {
      session?.destroy()
      const isFirst = session === undefined
      session = new Session(lite, isFirst ? Promise.resolve() : reset(lite))
      return session
    },
    broken: new Promise(() => {}),
    busyMs: () => 0,
    limitStatementDuration() {},
    close: () => lite.close(),
  }
}

/** Ends the last session: PGlite has only one. */
async function reset(lite: PGlite): Promise<void> {
  // Protocol message Sync: without it, PostgreSQL skips everything that follows an error.
  await lite.execProtocolRaw(Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4))
  await lite.exec('ROLLBACK')
  await lite.exec('DISCARD ALL')
}

/** A session of PGlite, with the methods of a socket that the driver calls. */
class Session extends Duplex {
  readonly #lite: PGlite
  readonly #ready: Promise<void>

  constructor(lite: PGlite, ready: Promise<void>) {
    super()
    this.#lite = lite
    this.#ready = ready
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'))
  }

  setNoDelay(): void {}

  ref(): void {}

  unref(): void {}

  override _read(): void {}

  override async _write(bytes: Buffer, _encoding: unknown, done: (error?: Error) => void): Promise<void> {
    try {
      await this.#ready
      const answer: Uint8Array[] = []
      // Copies the bytes, because PGlite reuses the memory that they are in.
      const onRawData = (part: Uint8Array) => void answer.push(part.slice())
      await this.#lite.execProtocolRawStream(bytes, { onRawData, syncToFs: false })
      if (answer.length > 0 && !this.destroyed) this.push(Buffer.concat(answer))
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  /** Runs all waiting chunks, which are the protocol messages of one statement, at once. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    void this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), undefined, done)
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }
}
