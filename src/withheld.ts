/** What an operation withheld from a reader whose password may open it. */
export interface Withheld {
  /** Locked records that it met, by number. */
  readonly records: Set<number>
  /** Categories and tags whose events it counted, by number. */
  readonly terms: Set<number>
  /** Whether a filter left out locked records. */
  byFilter: boolean
}

export const nothingWithheld = (): Withheld => ({ records: new Set(), terms: new Set(), byFilter: false })
