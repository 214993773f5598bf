// The maximum page size in GraphQL. The REST API has another maximum.
import type { Settings } from '../../basics/env.ts'

/** The maximum that the descriptions in the schema state. */
const usualMaxPageSize = 100

/** Returns the maximum page size, which is larger than usual only on a site that allows larger pages of the REST API. */
export const maxPageSize = ({ perPageMax }: Pick<Settings, 'perPageMax'>): number =>
  Math.max(usualMaxPageSize, perPageMax)

/** Sentence for the descriptions of arguments that set a page size. */
export const pageSizeDescription = `At most ${usualMaxPageSize}.`
