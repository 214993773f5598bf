import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { copyToOwnMemory } from '../../../basics/own-memory.ts'

/** A duplex stream over a MessagePort, with the methods of a socket that the driver calls. */
export class PortSocket extends Duplex {
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
    this.#port.postMessage(copyToOwnMemory(bytes))
    done()
  }

  /** Sends all waiting chunks, which are the protocol messages of one statement, as one message of the port. */
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
