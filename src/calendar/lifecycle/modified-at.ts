// The modification time of records, which clients compare before they write.
import { conflict } from '../../basics/errors.ts'

/** Throws conflict when the record was changed since the caller read it. */
export function checkUnmodified(modifiedAt: Date, since: Date | null | undefined): void {
  if (since == null || modifiedAt.getTime() <= since.getTime()) return
  throw modifiedSince(modifiedAt)
}

/** What only an import from another site sets, besides the input of a mutation. */
export interface ImportedValues {
  /** A free ID for the new record. */
  readonly recordId?: number | undefined
  /** When the record was modified on the other site. */
  readonly modifiedAt?: Date | undefined
}

/**
 * The new `modifiedAt`: always later than the previous one, so that each version of a record has its own. An import keeps
 * the time of the other site unless the record here is newer.
 */
export const nextModifiedAt = (before: Date, now: Date, { modifiedAt }: ImportedValues = {}): Date =>
  modifiedAt && modifiedAt >= before ? modifiedAt : new Date(Math.max(now.getTime(), before.getTime() + 1))

const modifiedSince = (modifiedAt: Date) =>
  conflict('The record was modified after ifUnmodifiedSince. Read it again and repeat the change.', { modifiedAt })
