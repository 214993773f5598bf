// The modification time of records, which clients compare before they write.
import { conflictError } from '../../basics/errors.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'

/** Throws conflict when the record was changed since the caller read it. */
export function requireNotModifiedSince(modifiedAt: Date, since: Date | null | undefined): void {
  if (since == null || modifiedAt.getTime() <= since.getTime()) return
  throw conflictError('The record was modified after ifUnmodifiedSince. Read it again and repeat the change.', {
    modifiedAt,
  })
}

/** Values that only an import can set, in addition to the input of a mutation. */
export type ImportedValues = Pick<ImportedRecordOptions, 'recordId' | 'modifiedAt'>

/**
 * Returns the new `modifiedAt`: always later than the previous time, so that each version of a record has another time. An import keeps
 * the time of the other site unless the record here is newer.
 */
export const nextModifiedAt = (before: Date, now: Date, { modifiedAt }: ImportedValues = {}): Date =>
  modifiedAt && modifiedAt >= before ? modifiedAt : new Date(Math.max(now.getTime(), before.getTime() + 1))
