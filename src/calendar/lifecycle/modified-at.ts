// The modification time of records, which clients compare before they write.
import { conflictError } from '../../basics/errors.ts'
import { languageCode } from '../../basics/language.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { parseLoggedKey, type RevisedKind, withoutImpliedInstants } from './logged-fields.ts'

export const ifUnmodifiedSinceField = (t: InputFields) =>
  t.field({ type: 'DateTime', description: 'Fails with CONFLICT if the record was modified after this time.' })

interface ModifiedRecord {
  readonly id: number
  readonly modifiedAt: Date
}

/** Throws conflict when the record was changed since the caller read it. The caller must be allowed to update the record. */
export async function requireNotModifiedSince(
  tx: Tx,
  kind: RevisedKind,
  { id, modifiedAt }: ModifiedRecord,
  since: Date | null | undefined,
): Promise<void> {
  if (since == null || modifiedAt.getTime() <= since.getTime()) return
  const changes = await describeChanges(tx, kind, id, since)
  throw conflictError(
    `The record was modified after ifUnmodifiedSince${changes}. Read it again and repeat the change.`,
    { modifiedAt },
  )
}

interface ChangesOfUser {
  readonly name: string | null
  readonly isDeleted: boolean
  readonly keys: readonly string[]
}

const maxNamed = 20

/** Returns who changed which fields, as the end of a sentence; an empty text if the log does not have the changes. */
async function describeChanges(tx: Tx, kind: RevisedKind, id: number, since: Date): Promise<string> {
  const rows = await tx.$queryRaw<ChangesOfUser[]>`
    SELECT u.name, c.user_id IS NOT NULL AS "isDeleted", array_agg(DISTINCT key) AS keys
    FROM change c LEFT JOIN "user" u ON u.id = c.user_id, jsonb_object_keys(c.fields) AS key
    WHERE c.kind = ${kind} AND c.record_id = ${id} AND c.modified_at > ${since}
    GROUP BY u.id, u.name, c.user_id ORDER BY min(c.id) LIMIT ${maxNamed}`
  const clauses = rows.flatMap(({ name, isDeleted, keys }) => {
    const changed = keys.flatMap((key) => parseLoggedKey(kind, key) ?? [])
    const names = withoutImpliedInstants(changed).map(({ field, language }) =>
      language === null ? field : `${field} (${languageCode(language)})`,
    )
    const fields = [...new Set(names)].toSorted().slice(0, maxNamed).join(', ')
    return fields === '' ? [] : `${name ?? (isDeleted ? 'a deleted user' : 'a command or job')} changed ${fields}`
  })
  return clauses.length === 0 ? '' : `: ${clauses.join('; ')}`
}

/** Values that only an import can set, in addition to the input of a mutation. */
export type ImportedValues = Pick<ImportedRecordOptions, 'recordId' | 'modifiedAt'>

/**
 * Returns the new `modifiedAt`: always later than the previous time, so that each version of a record has another time. An import keeps
 * the time of the other site unless the record here is newer.
 */
export const nextModifiedAt = (before: Date, now: Date, { modifiedAt }: ImportedValues = {}): Date =>
  modifiedAt && modifiedAt >= before ? modifiedAt : new Date(Math.max(now.getTime(), before.getTime() + 1))

/** Sets the modification time of a record whose row the transaction has locked. */
export const setModified = (tx: Tx, kind: RecordKind, { id, modifiedAt }: ModifiedRecord, now: Date) =>
  tx.$executeRaw`
    UPDATE ${Prisma.raw(`"${kind}"`)} SET modified_at = ${nextModifiedAt(modifiedAt, now)} WHERE id = ${id}`
