// How much text an operation answers: what a page holds is known only when it is read, and aliases say it again.
import { DomainError } from '../errors.ts'

/** Characters of the long texts in one answer: four pages of 50 records with the longest descriptions. */
const maxTextLength = 20_000_000

/** Counts the long texts of one operation. */
export class TextBudget {
  #left = maxTextLength

  /** For each run: an operation may run again with a password. */
  start(): void {
    this.#left = maxTextLength
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /** The text, which is part of the answer from now on. Throws when the answer becomes too large. */
  spend<Text extends string | null>(text: Text): Text {
    this.check()
    this.#left -= text?.length ?? 0
    this.check()
    return text
  }

  /** Before a text is worked out. */
  check(): void {
    if (this.isSpent) throw answerTooLarge()
  }
}

export const answerTooLarge = () =>
  new DomainError(
    'ANSWER_TOO_LARGE',
    `The texts of this answer have more than ${maxTextLength.toLocaleString('en')} characters. Ask for smaller pages, or for fewer texts at once.`,
  )
