// Remembers which record here was imported from which record of a site, so that a repeated import updates it.
import { createHash } from 'node:crypto'
import { conflict } from '../../basics/errors.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type RecordKind, recordKinds } from '../../kinds.ts'
import type { SourceId } from './source-records.ts'

type LedgerKind = RecordKind | 'user'

type IdsByLanguage = Readonly<Record<string, SourceId>>

export interface LedgerEntry {
  readonly kind: LedgerKind
  /** ID on the site in the original language. */
  readonly sourceId: SourceId
  readonly sourceIds: IdsByLanguage
  readonly recordId: number
  /** The version of the record that the import wrote. */
  readonly recordVersion: string
  readonly sourceModifiedAt: Date | null
  readonly digest: string
  readonly isComplete: boolean
  readonly isAdopted: boolean
}

interface LoadedEntry extends LedgerEntry {
  /** The version of the record when the ledger was opened; null if it was deleted. */
  readonly currentVersion: string | null
}

type NewEntry = Omit<LedgerEntry, 'recordVersion'>

export interface SavedEntry {
  readonly entry: LoadedEntry
  /** The stored slugs by language. */
  readonly slugs: Readonly<Record<string, string>>
}

export interface Ledger {
  /** The entry of a record with these IDs, of which the first is that of the original language. */
  find(kind: LedgerKind, ids: readonly SourceId[]): LoadedEntry | undefined
  /** The entry of a record with this ID in any language. */
  findByAnyId(kind: LedgerKind, id: SourceId): LoadedEntry | undefined
  entries(kind: LedgerKind): readonly LoadedEntry[]
  /** Writes an entry in the transaction of its record. `previous` is the entry that it replaces. */
  save(tx: Tx, entry: NewEntry, previous: LedgerEntry | undefined): Promise<SavedEntry>
  /** Locks the record. Throws conflict if it was edited here since it was imported. */
  requireUnmodified(tx: Tx, entry: LedgerEntry): Promise<void>
  /** Call after the transaction of `save` was committed. */
  committed(entry: LoadedEntry, previous: LedgerEntry | undefined): void
  /** Deletes an entry in the transaction of its record. */
  remove(tx: Tx, entry: LedgerEntry): Promise<void>
  /** Call after the transaction of `remove` was committed. */
  removed(entry: LedgerEntry): void
}

export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** The ledger entry changed since it was read. Without this check, two imports at a time would create records twice. */
export class ConcurrentImport extends Error {
  constructor() {
    super('Another import of this site is running. Wait until it has ended.')
    this.name = 'ConcurrentImport'
  }
}

/** Reads the entries of a site. The ledger of a site of 100,000 records takes less than 100 MB. */
export async function openLedger(db: Db, site: string): Promise<Ledger> {
  const kinds = [...recordKinds, 'user'] as const
  const maps = () => new Map(kinds.map((kind) => [kind, new Map<SourceId, LoadedEntry>()]))
  const [entries, aliases] = [maps(), maps()]
  const drop = ({ kind, sourceId, sourceIds }: LedgerEntry) => {
    entries.get(kind)?.delete(sourceId)
    for (const id of Object.values(sourceIds)) aliases.get(kind)?.delete(id)
  }
  const add = (entry: LoadedEntry) => {
    entries.get(entry.kind)?.set(entry.sourceId, entry)
    for (const id of Object.values(entry.sourceIds)) aliases.get(entry.kind)?.set(id, entry)
  }
  for (const kind of kinds) for (const entry of await readEntries(db, site, kind)) add(entry)
  return {
    find: (kind, ids) => ids.map((id) => entries.get(kind)?.get(id)).find((entry) => entry !== undefined),
    findByAnyId: (kind, id) => entries.get(kind)?.get(id) ?? aliases.get(kind)?.get(id),
    entries: (kind) => [...(entries.get(kind)?.values() ?? [])],
    save: async (tx, entry, previous) => {
      if (previous && previous.sourceId !== entry.sourceId) await deleteEntry(tx, site, previous)
      return saveEntry(tx, site, entry, previous)
    },
    committed: (entry, previous) => {
      if (previous) drop(previous)
      add(entry)
    },
    requireUnmodified,
    remove: (tx, entry) => deleteEntry(tx, site, entry),
    removed: drop,
  }
}

async function readEntries(db: Db, site: string, kind: LedgerKind): Promise<LoadedEntry[]> {
  const rows = await db.$queryRaw<Omit<LoadedEntry, 'kind'>[]>`
    SELECT source_id::float8 AS "sourceId", source_ids AS "sourceIds", record_id AS "recordId",
      record_version AS "recordVersion", source_modified_at AS "sourceModifiedAt", digest, is_complete AS "isComplete",
      is_adopted AS "isAdopted", ${versionOf(kind, Prisma.sql`i.record_id`)} AS "currentVersion"
    FROM imported_record i WHERE site = ${site} AND kind = ${kind} ORDER BY source_id`
  return rows.map((row) => ({ kind, ...row }))
}

/** The version of a record as SQL; null if there is no such record. */
export function versionOf(kind: LedgerKind, id: Prisma.Sql): Prisma.Sql {
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

/** The mutation reports a record that was deleted. */
async function requireUnmodified(tx: Tx, { kind, recordId, recordVersion }: LedgerEntry): Promise<void> {
  const id = Prisma.sql`${recordId}::int`
  await tx.$executeRaw`SELECT FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ${id} FOR NO KEY UPDATE`
  const [row] = await tx.$queryRaw<{ version: string | null }[]>`SELECT ${versionOf(kind, id)} AS version`
  if (row?.version != null && row.version !== recordVersion) throw conflict(`The ${kind} was edited here.`)
}

async function saveEntry(
  tx: Tx,
  site: string,
  entry: NewEntry,
  previous: LedgerEntry | undefined,
): Promise<SavedEntry> {
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
      ${versionOf(kind, id)}, ${sourceModifiedAt}::timestamptz, ${digest}, ${isComplete}, ${isAdopted})
    ON CONFLICT (site, kind, source_id) DO UPDATE SET source_ids = excluded.source_ids, record_id = excluded.record_id,
      record_version = excluded.record_version, source_modified_at = excluded.source_modified_at, digest = excluded.digest,
      is_complete = excluded.is_complete, is_adopted = excluded.is_adopted
    WHERE imported_record.digest = ${previous?.digest ?? null} AND imported_record.record_version = ${previous?.recordVersion ?? null}
    RETURNING record_version AS version, ${slugs} AS slugs`
  if (!row) throw new ConcurrentImport()
  return { entry: { ...entry, recordVersion: row.version, currentVersion: row.version }, slugs: row.slugs ?? {} }
}

async function deleteEntry(tx: Tx, site: string, { kind, sourceId }: LedgerEntry): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM imported_record WHERE site = ${site} AND kind = ${kind} AND source_id = ${sourceId}::bigint`
}

/** Whether every record here was imported from the site, as in an empty database. */
export async function hasOnlyImported(db: Db, site: string): Promise<boolean> {
  const counts = recordKinds.map(
    (kind) => Prisma.sql`
      SELECT 1 FROM ${Prisma.raw(`"${kind}"`)} r WHERE NOT EXISTS (
        SELECT FROM imported_record i WHERE i.site = ${site} AND i.kind = ${kind} AND i.record_id = r.id AND NOT i.is_adopted)`,
  )
  const [row] = await db.$queryRaw<
    { others: boolean }[]
  >`SELECT EXISTS (${Prisma.join(counts, ' UNION ALL ')}) AS others`
  return row?.others === false
}
