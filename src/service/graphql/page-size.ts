// The limit of page sizes in GraphQL. REST has its own.
import type { Settings } from '../../basics/env.ts'

/** The limit that descriptions in the schema state. */
const usualMaxPageSize = 100

/** Returns the maximum page size, which is larger than usual only on a site that allows larger pages of the REST API. */
export const maxPageSize = ({ perPageMax }: Pick<Settings, 'perPageMax'>): number =>
  Math.max(usualMaxPageSize, perPageMax)

/** Sentence for the descriptions of arguments that set a page size. */
export const pageSizeDescription = `At most ${usualMaxPageSize}.`
