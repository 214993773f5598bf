// How much text an operation reads and answers: what a page holds is known only to the database, and aliases answer it again.
import { DomainError } from '../errors.ts'
import { createByteSemaphore } from './byte-semaphore.ts'

/** Bytes of the long texts in one answer: four pages of 50 records with the longest descriptions. */
const maxTextBytes = 20_000_000

/** Of the long texts that all operations of this process have read and not answered yet. */
const underWay = createByteSemaphore(maxTextBytes)

/** What one run of an operation has read. */
interface Reading {
  bytes: number
  held: number
  isOver: boolean
  /** The wait for the first of it. */
  turn: Promise<void> | undefined
}

/** Counts the long texts of one operation. */
export class TextBudget {
  readonly #patience: number
  #left = maxTextBytes
  #reading: Reading = { ...newReading(), isOver: true }

  /** `patience` is how many milliseconds the operation waits for others. */
  constructor(patience: number) {
    this.#patience = patience
  }

  /** For each run: an operation may run again with a password. */
  start(): void {
    this.end()
    this.#left = maxTextBytes
    this.#reading = newReading()
  }

  /** After the last run: others may read. */
  end(): void {
    this.#reading.isOver = true
    releaseAll(this.#reading)
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /** Before long texts are read. Throws when the answer becomes too large, or when too many others are under way. */
  async reserve(bytes: number): Promise<void> {
    const reading = this.#reading
    reading.bytes += bytes
    if (reading.bytes > maxTextBytes) this.#left = -1
    this.check()
    const isFirst = reading.turn === undefined
    reading.turn ??= underWay.acquire(bytes, this.#patience)
    await reading.turn
    if (!isFirst) underWay.add(bytes)
    reading.held += bytes
    // The operation failed elsewhere meanwhile.
    if (reading.isOver) releaseAll(reading)
    // Others of its reads took the rest while this one waited.
    this.check()
  }

  /** The text, which is part of the answer from now on. Throws when the answer becomes too large. */
  spend<Text extends string | null>(text: Text): Text {
    this.check()
    if (text !== null) this.#left -= Buffer.byteLength(text)
    this.check()
    return text
  }

  /** Before a text is worked out. */
  check(): void {
    if (this.isSpent) throw answerTooLarge()
  }
}

function releaseAll(reading: Reading): void {
  underWay.release(reading.held)
  reading.held = 0
}

const newReading = (): Reading => ({ bytes: 0, held: 0, isOver: false, turn: undefined })

export const answerTooLarge = () =>
  new DomainError(
    'ANSWER_TOO_LARGE',
    `The texts of this answer have more than ${maxTextBytes.toLocaleString('en')} bytes. Ask for smaller pages (\`first\`, \`perPage\`, \`per_page\`), or for fewer texts at once.`,
  )
