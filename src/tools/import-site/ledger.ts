// The ledger of imports (table imported_record): which stored record was imported from which record of a legacy site, so
// that a repeated import updates the stored record.
import { createHash } from 'node:crypto'
import { conflictError } from '../../basics/errors.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type RecordKind, recordKinds } from '../../kinds.ts'
import type { SourceId } from './source-records.ts'

type LedgerKind = RecordKind | 'user'

export interface LedgerEntry {
  readonly kind: LedgerKind
  /** The ID of the record on the site, in the original language. */
  readonly sourceId: SourceId
  readonly sourceIds: Readonly<Record<string, SourceId>>
  readonly recordId: number
  /** The version of the stored record after the last import. If the current version differs, a user of this service edited it. */
  readonly recordVersion: string
  /** The version of the record when the ledger was opened; null if it was deleted. */
  readonly currentVersion: string | null
  readonly sourceModifiedAt: Date | null
  readonly digest: string
  readonly isComplete: boolean
  readonly isAdopted: boolean
}

type NewEntry = Omit<LedgerEntry, 'recordVersion' | 'currentVersion'>

export type Ledger = Awaited<ReturnType<typeof openLedger>>
export type SavedLedgerEntry = Awaited<ReturnType<Ledger['save']>>

/** Returns a key for maps with records of several kinds, such as `venue 12`. */
export const recordKey = (kind: string, id: number): string => `${kind} ${id}`

export const hashValue = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** The ledger entry changed since it was read. Without this check, two imports at a time would create records twice. */
export class ConcurrentImportError extends Error {
  constructor() {
    super('Another import of this site is running. Wait until it has ended.')
    this.name = 'ConcurrentImport'
  }
}

/** Reads the entries of a site. The ledger of a site of 100,000 records takes less than 100 MB. */
export async function openLedger(db: Db, site: string) {
  const entries = new Map<string, LedgerEntry>()
  /** Entries by the IDs of all translations. */
  const aliases = new Map<string, LedgerEntry>()
  const aliasesOf = ({ kind, sourceIds }: LedgerEntry) => Object.values(sourceIds).map((id) => recordKey(kind, id))
  const add = (entry: LedgerEntry) => {
    entries.set(recordKey(entry.kind, entry.sourceId), entry)
    for (const key of aliasesOf(entry)) aliases.set(key, entry)
  }
  for (const kind of [...recordKinds, 'user'] as const)
    for (const entry of await readEntries(db, site, kind)) add(entry)

  /** Deletes an entry in the transaction that deletes the record. */
  const remove = async (tx: Tx, { kind, sourceId }: LedgerEntry) => {
    await tx.$executeRaw`
      DELETE FROM imported_record WHERE site = ${site} AND kind = ${kind} AND source_id = ${sourceId}::bigint`
  }
  return {
    /** Returns the entry with one of these source IDs. The first is the ID in the original language. */
    find: (kind: LedgerKind, ids: readonly SourceId[]) =>
      ids.map((id) => entries.get(recordKey(kind, id))).find((entry) => entry !== undefined),
    /** Returns the entry whose record has this ID in any language. */
    findByAnyId: (kind: LedgerKind, id: SourceId) =>
      entries.get(recordKey(kind, id)) ?? aliases.get(recordKey(kind, id)),
    entries: (kind: LedgerKind) => [...entries.values()].filter((entry) => entry.kind === kind),
    /** Writes an entry in place of `previous`, in the transaction of the record. Returns it with the stored slugs. */
    async save(tx: Tx, entry: NewEntry, previous: LedgerEntry | undefined) {
      if (previous && previous.sourceId !== entry.sourceId) await remove(tx, previous)
      return saveEntry(tx, site, entry, previous)
    },
    remove,
    requireUnmodified,
    /** Updates the entries in memory. Call it after the transaction of `save` or `remove` was committed. */
    applyCommitted(previous: LedgerEntry | undefined, entry?: LedgerEntry) {
      if (previous) {
        entries.delete(recordKey(previous.kind, previous.sourceId))
        for (const key of aliasesOf(previous)) aliases.delete(key)
      }
      if (entry) add(entry)
    },
  }
}

async function readEntries(db: Db, site: string, kind: LedgerKind): Promise<LedgerEntry[]> {
  const rows = await db.$queryRaw<Omit<LedgerEntry, 'kind'>[]>`
    SELECT source_id::float8 AS "sourceId", source_ids AS "sourceIds", record_id AS "recordId",
      record_version AS "recordVersion", source_modified_at AS "sourceModifiedAt", digest, is_complete AS "isComplete",
      is_adopted AS "isAdopted", ${recordVersionSql(kind, Prisma.sql`i.record_id`)} AS "currentVersion"
    FROM imported_record i WHERE site = ${site} AND kind = ${kind} ORDER BY source_id`
  return rows.map((row) => ({ kind, ...row }))
}

/** Returns SQL for the version of a record: modification time of a post, hash of a term; null if it does not exist. */
export function recordVersionSql(kind: LedgerKind, id: Prisma.Sql): Prisma.Sql {
  if (kind === 'user') return Prisma.sql`(SELECT ''::text FROM "user" r WHERE r.id = ${id})`
  const record = Prisma.raw(`"${kind}"`)
  if (isPost(kind)) {
    return Prisma.sql`(SELECT (extract(epoch FROM r.modified_at) * 1000)::bigint::text FROM ${record} r WHERE r.id = ${id})`
  }
  const fields = ['name', 'description', 'slug'].map(
    (field) => `CASE WHEN '${field}' = ANY(t.written) THEN t.${field} END`,
  )
  const texts = Prisma.raw(`(
    SELECT jsonb_agg(jsonb_build_array(t.language, ${fields}) ORDER BY t.language)::text
    FROM "${kind}_text" t WHERE t.${kind}_id = r.id AND t.written <> '{}')`)
  const parent = Prisma.raw(kind === 'category' ? `coalesce(r.parent_id::text, '')` : `''`)
  return Prisma.sql`(SELECT md5(${parent} || coalesce(${texts}, '')) FROM ${record} r WHERE r.id = ${id})`
}

/** Locks the record. Throws a conflict if it was edited in this service after the import. Ignores a deleted record. */
async function requireUnmodified(tx: Tx, { kind, recordId, recordVersion }: LedgerEntry): Promise<void> {
  const id = Prisma.sql`${recordId}::int`
  await tx.$executeRaw`SELECT FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ${id} FOR NO KEY UPDATE`
  const [row] = await tx.$queryRaw<{ version: string | null }[]>`SELECT ${recordVersionSql(kind, id)} AS version`
  if (row?.version != null && row.version !== recordVersion)
    throw conflictError(`The ${kind} was edited in this service after its import. --overwrite replaces it.`)
}

async function saveEntry(tx: Tx, site: string, entry: NewEntry, previous: LedgerEntry | undefined) {
  const { kind, sourceId, sourceIds, recordId, sourceModifiedAt, digest, isComplete, isAdopted } = entry
  const id = Prisma.sql`${recordId}::int`
  const slugs =
    kind === 'user'
      ? Prisma.sql`NULL`
      : Prisma.sql`(SELECT jsonb_object_agg(language, slug) FROM ${Prisma.raw(`"${kind}_text"`)}
          WHERE ${Prisma.raw(`${kind}_id`)} = ${id} AND 'slug' = ANY(written))`
  const [row] = await tx.$queryRaw<{ version: string; slugs: Record<string, string> | null }[]>`
    INSERT INTO imported_record (site, kind, source_id, source_ids, record_id, record_version, source_modified_at, digest,
      is_complete, is_adopted)
    VALUES (${site}, ${kind}, ${sourceId}::bigint, ${JSON.stringify(sourceIds)}::jsonb, ${id},
      ${recordVersionSql(kind, id)}, ${sourceModifiedAt}::timestamptz, ${digest}, ${isComplete}, ${isAdopted})
    ON CONFLICT (site, kind, source_id) DO UPDATE SET source_ids = excluded.source_ids, record_id = excluded.record_id,
      record_version = excluded.record_version, source_modified_at = excluded.source_modified_at, digest = excluded.digest,
      is_complete = excluded.is_complete, is_adopted = excluded.is_adopted
    WHERE imported_record.digest = ${previous?.digest ?? null} AND imported_record.record_version = ${previous?.recordVersion ?? null}
    RETURNING record_version AS version, ${slugs} AS slugs`
  if (!row) throw new ConcurrentImportError()
  return { entry: { ...entry, recordVersion: row.version, currentVersion: row.version }, slugs: row.slugs ?? {} }
}

/** Whether all stored records were imported from the site; true for an empty database. */
export async function hasOnlyRecordsOfSite(db: Db, site: string): Promise<boolean> {
  const others = recordKinds.map(
    (kind) => Prisma.sql`
      SELECT FROM ${Prisma.raw(`"${kind}"`)} r WHERE NOT EXISTS (
        SELECT FROM imported_record i WHERE i.site = ${site} AND i.kind = ${kind} AND i.record_id = r.id AND NOT i.is_adopted)`,
  )
  const [row] = await db.$queryRaw<{ is: boolean }[]>`SELECT NOT EXISTS (${Prisma.join(others, ' UNION ALL ')}) AS is`
  return row?.is === true
}
