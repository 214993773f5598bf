// The content of a record by the keys of the log of changes, now and after an earlier change.
import type { Reads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { loggedFields, type RevisedKind } from '../lifecycle/logged-fields.ts'

const { sql, raw, join } = Prisma

/** The changes of an entry of the log. Of long texts, it has only what was before. */
export const fieldsSql = sql`complete_fields(c.kind, c.record_id, c.id, c.fields) AS fields`

/** Values by the keys of the log, without those that are null. */
export type RecordState = ReadonlyMap<string, unknown>

const secrets = new Set(['password_key', 'email'])

interface StoredRow {
  readonly columns: Readonly<Record<string, unknown>>
  readonly texts: readonly Readonly<Record<string, unknown>>[] | null
  readonly links: Readonly<Record<string, unknown>> | null
}

/** Reads the content of a record; undefined if it does not exist. */
export async function readState(
  reads: Pick<Reads, 'rows'>,
  kind: RevisedKind,
  id: number,
): Promise<RecordState | undefined> {
  const texts = [...Object.keys(loggedFields[kind].texts), 'language', 'written']
  const textObject = join(texts.map((column) => sql`${raw(`'${column}', t.${column}`)}`))
  // A series is read as one of its dates.
  const isSeries = kind === 'series'
  const table = isSeries ? 'event' : kind
  const from = isSeries
    ? sql`event r JOIN series s ON s.id = r.series_id WHERE s.id = ${id} ORDER BY cardinality(r.changed_fields), r.starts_at, r.id LIMIT 1`
    : sql`${raw(`"${kind}"`)} r WHERE r.id = ${id}`
  const [row] = await reads.rows<StoredRow>(sql`
    SELECT to_jsonb(r)${isSeries ? raw(' || to_jsonb(s)') : raw('')} AS columns,
      (${table === 'event' ? linksSql : sql`NULL::jsonb`}) AS links,
      (SELECT jsonb_agg(jsonb_build_object(${textObject})) FROM ${raw(`"${table}_text"`)} t WHERE t.${raw(`${table}_id`)} = r.id) AS texts
    FROM ${from}`)
  if (!row) return undefined
  const { columns } = loggedFields[kind]
  const own = Object.entries(row.columns).flatMap(([column, value]) =>
    Object.hasOwn(columns, column) ? [[column, secrets.has(column) ? concealed(value) : value] as const] : [],
  )
  const written = (row.texts ?? []).flatMap((text) =>
    Object.keys(loggedFields[kind].texts)
      .filter((column) => (text.written as string[]).includes(column.replace('alt_text', 'altText')))
      .map((column) => [`${column}@${text.language}`, text[column]] as const),
  )
  const entries = [...own, ...written, ...Object.entries(row.links ?? {})]
  return new Map(entries.filter(([, value]) => value !== null))
}

const concealed = (value: unknown) => (value === null || value === '' ? value : '***')

const linksSql = sql`
  SELECT jsonb_object_agg(key, value) FROM (${join(
    ['venue', 'organizer', 'category', 'tag', 'ticket'].map((part) => {
      const [table, link] = part === 'ticket' ? ['ticket', 'id'] : [`event_${part}`, `${part}_id`]
      return sql`
        SELECT ${raw(`'${part}#'`)} || ${raw(link)} AS key, to_jsonb(l) - ARRAY['id', 'event_id', ${raw(`'${part}_id'`)}] AS value
        FROM ${raw(table)} l WHERE l.event_id = r.id`
    }),
    ' UNION ALL ',
  )}) AS linked`

/** Returns the content that a record had after a change: the log has the first value that each key had before a later change. */
export async function readStateAfter(
  reads: Pick<Reads, 'rows'>,
  kind: RevisedKind,
  id: number,
  changeId: string,
  current: RecordState,
): Promise<RecordState> {
  const earlier = await reads.rows<{ key: string; value: unknown }>(sql`
    SELECT DISTINCT ON (key) key, pair->0 AS value
    FROM change c, jsonb_each(c.fields) AS field (key, pair)
    WHERE c.kind = ${kind} AND c.record_id = ${id} AND c.id > ${changeId}::bigint ORDER BY key, c.id`)
  const state = new Map(current)
  for (const { key, value } of earlier) {
    if (value === null) state.delete(key)
    else state.set(key, value)
  }
  return state
}

/** The IDs of a list of links in a state: venues and organizers in their order, categories and tags by ID. */
export function linkedIds(state: RecordState, part: string): number[] {
  const links = [...state].flatMap(([key, value]) => {
    const [name, id] = key.split('#')
    return name === part && id !== undefined ? [{ id: Number(id), ...(value as { position?: number }) }] : []
  })
  return links.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.id - b.id).map(({ id }) => id)
}
