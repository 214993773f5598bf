// The limit of page sizes in GraphQL. REST has its own.
import type { Settings } from '../../basics/env.ts'

/** The limit that descriptions in the schema state. */
const usualMaxPageSize = 100

/** More than usual only on a site that allows REST clients more. */
export const maxPageSize = ({ perPageMax }: Pick<Settings, 'perPageMax'>): number =>
  Math.max(usualMaxPageSize, perPageMax)

/** For descriptions of arguments. */
export const pageSizeDescription = `At most ${usualMaxPageSize}.`
