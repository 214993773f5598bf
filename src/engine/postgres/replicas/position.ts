// Positions in the write-ahead log of PostgreSQL (LSN). A replica has everything up to the position that it has replayed.

export type LogPosition = bigint

/** Reads the text form, such as 16/B374D848; undefined for other text. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const formatPosition = (position: LogPosition): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()

const pageSize = 8192n
const pageHeader = 24n

/**
 * Whether a replica that has replayed up to `replayed` has everything before `needed`. At the end of a page the primary
 * reports the position after the header of the next page, and the replica the one before it.
 */
export const hasReached = (replayed: LogPosition, needed: LogPosition): boolean =>
  replayed >= (needed % pageSize === pageHeader ? needed - pageHeader : needed)
