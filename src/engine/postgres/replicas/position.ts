// Positions in the WAL of PostgreSQL (LSN). A replica has all changes up to the position that it has replayed.

/** A position in the WAL of PostgreSQL (LSN). */
export type LogPosition = bigint

/** Parses PostgreSQL's text form of a WAL position, such as 16/B374D848. Returns undefined for other text. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const formatPosition = (position: LogPosition): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()

const pageSize = 8192n
const pageHeader = 24n

/**
 * Whether a replica that has replayed the WAL up to `replayed` has all changes before `needed`. Allows for the header of a WAL
 * page: at the end of a page, the primary reports the position after the next header, and the replica the position before.
 */
export const hasReached = (replayed: LogPosition, needed: LogPosition): boolean =>
  replayed >= (needed % pageSize === pageHeader ? needed - pageHeader : needed)
