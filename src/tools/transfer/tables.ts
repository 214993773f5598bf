// The exported tables, ordered so that rows are inserted after the rows that they refer to.
import type { Database } from '../../engine/postgres/pool.ts'
import { idSequences, kinds, type RecordKind, recordKinds } from '../../kinds.ts'

export type Queryable = Pick<Database['pool'], 'query'>

/** Events come last, because they refer to records of the other kinds. */
const kindsInOrder: readonly RecordKind[] = [...recordKinds.filter((kind) => kind !== 'event'), 'event']

/** All exported tables. `key`: the columns by which rows are sorted. */
export const tables: readonly { readonly name: string; readonly key: readonly string[] }[] = [
  { name: 'site', key: ['id'] },
  { name: 'user', key: ['id'] },
  { name: 'credential', key: ['id'] },
  { name: 'image', key: ['id'] },
  { name: 'image_text', key: ['image_id', 'language'] },
  ...kindsInOrder.flatMap((kind) => {
    const { owner } = kinds[kind]
    return [
      ...(owner === kind ? [] : [owner, 'series'].map((name) => ({ name, key: ['id'] }))),
      { name: kind, key: ['id'] },
      { name: `${owner}_text`, key: [`${owner}_id`, 'language'] },
      { name: `${owner}_slug`, key: ['slug'] },
    ]
  }),
  { name: 'category_path', key: ['ancestor_id', 'descendant_id'] },
  ...['venue', 'organizer', 'category', 'tag'].map((kind) => ({
    name: `content_${kind}`,
    key: ['content_id', `${kind}_id`],
  })),
  { name: 'content_ticket', key: ['id'] },
  { name: 'imported_record', key: ['site', 'kind', 'source_id'] },
]

/**
 * Tables that the export omits. Triggers rebuild counts, facet keys and search words. Idempotency keys, rate limits and
 * presence expire. CDN targets, webhooks and proposals belong to one installation: the edit links of proposals contain its URL.
 */
export const omittedTables: readonly string[] = [
  ...['category_count', 'tag_count', 'event_facet_keys', 'search_token'],
  ...['change', 'idempotency_key', 'cdn_target', 'cdn_purge', 'rate_limit', 'webhook', 'webhook_delivery'],
  ...['proposal', 'proposal_contact', 'presence'],
]

/** Plurals for messages by the name of a table with content. A database is empty if these tables have no rows. */
export const contentTables: Readonly<Record<string, string>> = {
  user: 'users',
  image: 'images',
  ...Object.fromEntries(kindsInOrder.map((kind) => [kind, kinds[kind].plural])),
}

export const exportedSequences = [
  ...Object.values(idSequences),
  'user_id_seq',
  'credential_id_seq',
  'content_ticket_id_seq',
] as const

export const quoteName = (name: string): string => `"${name}"`

/** Reads the columns of each table, without generated columns. */
export async function readColumns(client: Queryable) {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT c.relname::text AS "table", a.attname::text AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY c.relname, a.attnum`,
  )
  const byTable = Map.groupBy(rows, (row) => row.table)
  return new Map(tables.map(({ name }) => [name, (byTable.get(name) ?? []).map((row) => row.column)]))
}
