// Limits the texts of one response: aliases repeat the texts that its statements have read.
import { responseTooLarge } from '../../basics/errors.ts'

/** Characters. */
const maxCharacters = 20_000_000

export class ResponseSize {
  characters = 0

  /** Throws if the response becomes too large. */
  add(characters: number): void {
    this.characters += characters
    if (this.characters > maxCharacters) throw responseTooLarge()
  }

  addValue(value: unknown): void {
    if (typeof value === 'string') this.add(value.length)
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      this.add(JSON.stringify(value).length)
    }
  }
}
