// The query `auditLog`, which reads the log of changes for administrators.

import { badInputError } from '../../basics/errors.ts'
import { maxItems } from '../../basics/input-limits.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type RecordKind, recordKinds } from '../../kinds.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import { type Context, readFromPrimary } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { SortKey } from '../../service/graphql/keyset.ts'
import { complexity, searchComplexity } from '../../service/graphql/limits/complexity.ts'
import { toConnection } from '../../service/graphql/pagination.ts'
import { fieldsSql } from '../changes/record-state.ts'
import { loadConnectionRows } from '../list/sql-connection.ts'
import { idDescription, parseGlobalId, parseReferenceId } from '../rules/identify.ts'
import { AuditAction, AuditEntry, AuditKind, type AuditRow } from './audit-entry.ts'

const { sql, raw, join } = Prisma

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'Selects entries of the audit log. Criteria combine with AND, the values of one with OR.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Only entries from this time on.' }),
    to: t.field({ type: 'DateTime', description: 'Only entries before this time.' }),
    users: t.idList({
      description: `Only what these users did. ${idDescription('user')}`,
      extensions: searchComplexity,
    }),
    kinds: t.field({ type: [AuditKind], description: 'Only entries of these kinds.', extensions: searchComplexity }),
    actions: t.field({ type: [AuditAction], description: 'Only these actions.', extensions: searchComplexity }),
    records: t.idList({
      description: 'Only entries about these records, by their global IDs. They may have been deleted.',
      extensions: searchComplexity,
    }),
    sources: t.stringList({
      description: 'Only what was done through these, such as `rest`. `command` stands for all commands.',
      extensions: searchComplexity,
    }),
  }),
})

type Filter = typeof AuditLogFilter.$inferInput

const newestFirst: readonly SortKey[] = [
  { column: 'createdAt', type: 'date', descending: true },
  { column: 'id', type: 'bigint', descending: true },
]

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: AuditEntry,
      description:
        'What was done, by whom and when, newest first: changes, sign-ins, exports, and settings at the start. For administrators.',
      extensions: complexity({ slicingArguments: ['first', 'last'] }),
      args: { filter: t.arg({ type: AuditLogFilter, description: 'Selects the entries.' }) },
      resolve: async (_root, { filter, ...args }, context, info) => {
        requirePermission(context.viewer, 'manageUsers')
        context.recorder?.preventCaching()
        const source = readFromPrimary(context)
        const { slice, rows } = await loadConnectionRows<AuditRow>(listOf(filter ?? {}, context), args, source, info)
        return toConnection(slice, newestFirst, {
          rows: rows.map((row) => ({ keys: row, record: row })),
          total: undefined,
        })
      },
    },
    { name: 'AuditLogConnection', description: 'Entries of the audit log with cursors.' },
    { name: 'AuditLogEdge', description: 'An entry in the audit log.' },
  ),
)

function conditionsOf({ from, to, users, kinds, actions, records, sources }: Filter): Prisma.Sql[] {
  const lists = Object.entries({ users, kinds, actions, records, sources })
  const long = lists.find(([, list]) => (list?.length ?? 0) > maxItems)
  if (long) throw badInputError({ [long[0]]: `${long[0]} can have at most ${maxItems} items.` })
  const conditions: Prisma.Sql[] = []
  if (from) conditions.push(sql`c.created_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`c.created_at < ${to}::timestamptz`)
  if (kinds) conditions.push(sql`c.kind = ANY (${kinds}::text[])`)
  if (actions) conditions.push(sql`c.action = ANY (${actions}::change_action[])`)
  if (users) {
    const ids = users.map((id) => parseReferenceId('user', String(id), 'users'))
    conditions.push(sql`c.user_id = ANY (${ids}::int[])`)
  }
  if (records) {
    const parsed = records.map((id) => parseGlobalId(String(id)))
    if (parsed.includes(undefined))
      throw badInputError({ records: 'records must be global IDs, which fields `id` return.' })
    conditions.push(sql`(c.kind, c.record_id) IN (
      SELECT * FROM unnest(${parsed.map((each) => each?.kind)}::text[], ${parsed.map((each) => each?.id)}::int[]))`)
  }
  if (sources) {
    const names = sources.filter((name) => !name.includes('\0'))
    conditions.push(sql`(c.source = ANY (${names}::text[]) OR split_part(c.source, ' ', 1) = ANY (${names}::text[]))`)
  }
  return conditions
}

/** The present name of a record in the language of the operation. */
const nameSql = (language: string) => {
  const textOf = (kind: RecordKind | 'series' | 'image', column: string, owner: string = kind) =>
    sql`WHEN ${kind} THEN (SELECT ${raw(column)} FROM ${raw(`${owner}_text`)} WHERE ${raw(`${owner}_id`)} = c.record_id AND language = ${language})`
  const texts = [
    ...recordKinds.map((kind) => textOf(kind, 'name')),
    ...[textOf('series', 'name', 'content'), textOf('image', 'title')],
  ]
  return sql`CASE c.kind ${join(texts, ' ')} WHEN 'user' THEN (SELECT name FROM "user" WHERE id = c.record_id) END`
}

const listOf = (filter: Filter, { language }: Context) => ({
  keys: newestFirst,
  table: 'c.',
  columns: sql`c.id::text, c.created_at AS "createdAt", c.kind, c.record_id AS "recordId", c.action, ${fieldsSql},
    c.user_id AS "userId", c.credential_id AS "credentialId", c.source, c.request_id AS "requestId", ${nameSql(language)} AS name`,
  from: sql`FROM change c WHERE ${join([sql`true`, ...conditionsOf(filter)], ' AND ')}`,
})
