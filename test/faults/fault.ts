/** A change of one place of the code that makes the service behave wrongly. */
export interface Fault {
  /** The wrong behaviour, as a user would see it. */
  readonly title: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The test files that are expected to notice the fault. */
  readonly tests: readonly string[]
}
