// Limits the long texts in a response, and those that all operations hold in memory. The size of a page depends on the
// stored texts, and aliases repeat them, so complexity limits alone are not enough.
import { DomainError } from '../../basics/errors.ts'
import { type ByteSemaphore, createByteSemaphore } from './byte-semaphore.ts'

/** Bytes of long texts in one response: four pages of 50 records with the longest descriptions. */
const maxTextBytes = 20_000_000

/** Bytes of long texts that all operations of this process have read and not sent yet. */
const pendingBytes = createByteSemaphore(maxTextBytes)

/** The state of one run of an operation. */
interface RunState {
  bytes: number
  isOver: boolean
}

/** Counts the long texts of one operation. */
export class TextBudget {
  readonly #maxWait: number
  readonly #pendingBytes: ByteSemaphore
  #left = maxTextBytes
  #run: RunState = { bytes: 0, isOver: true }

  /** `maxWait` is how many milliseconds a read waits for the other operations of `semaphore`. */
  constructor(maxWait: number, semaphore: ByteSemaphore = pendingBytes) {
    this.#maxWait = maxWait
    this.#pendingBytes = semaphore
  }

  /** Starts a run. An operation runs again if its password unlocks records. */
  start(): void {
    this.end()
    this.#left = maxTextBytes
    this.#run = { bytes: 0, isOver: false }
  }

  /** Call after the last run to release the bytes. */
  end(): void {
    this.#run.isOver = true
    this.#pendingBytes.release(this.#run)
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /** Call before long texts are read. Throws if the response becomes too large, or after waiting too long for others. */
  async reserve(bytes: number): Promise<void> {
    const run = this.#run
    run.bytes += bytes
    if (run.bytes > maxTextBytes) this.#left = -1
    this.check()
    await this.#pendingBytes.acquire(run, bytes, this.#maxWait)
    // The operation failed meanwhile.
    if (run.isOver) this.#pendingBytes.release(run)
    // Other reads of the operation may have used the budget meanwhile.
    this.check()
  }

  /** Counts a text that becomes part of the response, and returns it. Throws if the response becomes too large. */
  spend<Text extends string | null>(text: Text): Text {
    this.check()
    if (text !== null) this.#left -= Buffer.byteLength(text)
    this.check()
    return text
  }

  /** Throws if the budget is used up. */
  check(): void {
    if (this.isSpent) throw responseTooLarge()
  }
}

export const responseTooLarge = () =>
  new DomainError(
    'ANSWER_TOO_LARGE',
    `The texts of the response exceed ${maxTextBytes.toLocaleString('en')} bytes. Request smaller pages, or fewer texts at once.`,
  )
