// The field `revisions` of records: what was changed, when, and by whom.

import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import { forbiddenError } from '../../basics/errors.ts'
import { takesInfo } from '../../engine/execution/record-resolvers.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type PostKind, postKinds, type RecordKind, termKinds } from '../../kinds.ts'
import { may, mayEdit, mayManageTerms, type OwnedRecord, type Viewer } from '../../service/auth/permissions.ts'
import { type Context, readFromPrimary } from '../../service/context.ts'
import { type Arguments, builder } from '../../service/graphql/builder.ts'
import type { SortKey } from '../../service/graphql/keyset.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { type Connection, toConnection, totalCount } from '../../service/graphql/pagination.ts'
import { Post, Term } from '../fields/interfaces.ts'
import { Image, mayEditImage } from '../image/type.ts'
import type { RevisedKind } from '../lifecycle/logged-fields.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { loadConnectionRows } from '../list/sql-connection.ts'
import { enumValues } from '../rules/enums.ts'
import { nodeTypeName } from '../rules/identify.ts'
import { ownerColumns } from '../rules/record-password.ts'
import { EventSeries } from '../series/type.ts'
import { User } from '../user/type.ts'
import { fieldsSql, readState, readStateAfter } from './record-state.ts'
import { type FieldChange, findVisibleLinks, type LoggedChanges, linksIn, toFieldChanges } from './revision-changes.ts'

const { sql } = Prisma

interface StoredRevision {
  readonly id: string
  readonly createdAt: Date
  readonly action: 'created' | 'updated' | 'trashed' | 'restored'
  readonly source: string | null
  readonly userId: number | null
  readonly fields: LoggedChanges
}

interface Revision extends Omit<StoredRevision, 'fields'> {
  readonly changes: readonly FieldChange[]
}

const RevisionChange = builder.objectRef<FieldChange>('RevisionChange').implement({
  description: 'The change of a field, in one language if it is a text.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description:
        'Name of the GraphQL field, such as `title`, `startsLocal` or `venues`; `schedule` stands for the recurrences, extra and excluded dates of a series.',
    }),
    language: t.expose('language', {
      type: LanguageCode,
      nullable: true,
      description: 'Language of the text; null for fields that are the same in all languages.',
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description:
        'Value before the change. Author, image and parent are database IDs. For `venues`, `organizers`, `categories` and `tags`: the database IDs that were removed or moved. For `tickets`: all tickets. `***` stands for an e-mail address. Null if there was no value, or if you may not see the linked record.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'Value after the change, like `before`; the database IDs that were added or moved.',
    }),
  }),
})

const RevisionAction = builder.enumType('RevisionAction', {
  description: 'What happened to a record.',
  values: enumValues({
    created: 'The record was created. The changes are its content of that time.',
    updated: 'The record was changed.',
    trashed: 'The record was moved to the trash.',
    restored: 'The record was restored from the trash.',
  }),
})

const RevisionObject = builder.objectRef<Revision>('Revision').implement({
  description: 'What one operation changed in a record.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'ID for `restoreRevision`, unique among all revisions.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the record was changed.' }),
    action: t.expose('action', { type: RevisionAction, description: 'What happened to the record.' }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'Who changed the record; null for a command or job, and if the user was deleted.',
      resolve: ({ userId }, _args, context, info) => loadRecordById('user', userId, context, info),
    }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'What changed the record: `graphql`, `rest`, `page`, `command` or `job`; null if unknown.',
    }),
    changes: t.field({
      type: [RevisionChange],
      description:
        'What was changed, by field and language. Empty if only linked records changed that you may not see.',
      resolve: ({ changes }) => changes,
    }),
  }),
})

const RevisionConnection = builder.connectionObject<typeof RevisionObject, Connection<Revision>>(
  {
    type: RevisionObject,
    name: 'RevisionConnection',
    description: 'A list of revisions with cursors.',
    fields: (t) => ({ totalCount: t.int(totalCount) }),
  },
  { name: 'RevisionEdge', description: 'A revision in a list.' },
)

const newestFirst: readonly SortKey[] = [{ column: 'id', type: 'bigint', descending: true, order: 'revision' }]

/** Changes of a record since it was created. An ID can belong to another record after a deletion, by an import. */
export const revisionsSql = (kind: RevisedKind, id: number): Prisma.Sql => sql`
  FROM change c WHERE c.kind = ${kind} AND c.record_id = ${id} AND c.action <> 'deleted' AND c.id > coalesce((
    SELECT max(id) FROM change WHERE kind = ${kind} AND record_id = ${id} AND action = 'deleted'), 0)`

async function loadRevisions(
  kind: RevisedKind,
  id: number,
  args: DefaultConnectionArguments,
  source: Context,
  info: GraphQLResolveInfo,
) {
  const context = readFromPrimary(source)
  const hidden = may(context.viewer, 'editOthers') ? sql`` : sql`AND NOT c.is_hidden`
  const from = sql`${revisionsSql(kind, id)} ${hidden} AND (c.fields <> '{}' OR c.action <> 'updated')`
  const columns = sql`c.id::text, c.created_at AS "createdAt", c.action::text, c.source, c.user_id AS "userId", ${fieldsSql}`
  const list = { keys: newestFirst, table: 'c.', columns, from }
  const { slice, rows, total } = await loadConnectionRows<StoredRevision>(list, args, context, info)
  const changed = await Promise.all(
    rows.slice(0, slice.expectedSize).map(async (row) => {
      if (row.action === 'created') return { ...row, fields: await readCreated(kind, id, row.id, context) }
      return { ...row, fields: withoutMovedContent(row.fields) }
    }),
  )
  const sees = await findVisibleLinks(
    kind,
    changed.flatMap(({ fields }) => linksIn(kind, fields)),
    context,
  )
  const records = changed.map(({ fields, ...row }) => {
    const revision: Revision = { ...row, changes: toFieldChanges(kind, fields, sees, context) }
    return { keys: row, record: revision }
  })
  return toConnection(slice, newestFirst, { rows: records, found: rows.length, total })
}

const isEmpty = (value: unknown) => value === false || ['""', '[]', '{}'].includes(JSON.stringify(value))

/** Leaves out texts and links if a single event became a date of a series: its content moved to the series, and was not removed. */
const withoutMovedContent = (changes: LoggedChanges): LoggedChanges =>
  changes.series_id?.[1] == null
    ? changes
    : Object.fromEntries(Object.entries(changes).filter(([key]) => !/[@#]/.test(key)))

/** Returns the content of a new record as changes. */
async function readCreated(
  kind: RevisedKind,
  id: number,
  changeId: string,
  { reads }: Context,
): Promise<LoggedChanges> {
  const current = await readState(reads, kind, id)
  const state = current && (await readStateAfter(reads, kind, id, changeId, current))
  const content = [...(state ?? [])].filter(([key, value]) => key.includes('#') || !isEmpty(value))
  return Object.fromEntries(content.map(([key, value]) => [key, [null, value] as const]))
}

type Owned = { readonly id: number } & Partial<OwnedRecord>

const hasOwner = (kind: RecordKind | 'series'): kind is PostKind | 'series' => kind === 'series' || isPost(kind)

/** Whether the viewer may update a record, and so read its revisions. */
function mayRevise(kind: RevisedKind, record: Owned, viewer: Viewer | undefined): boolean {
  if (kind === 'image') return mayEditImage(viewer, { authorId: record.authorId ?? null })
  return hasOwner(kind) ? mayEdit(viewer, record as OwnedRecord) : mayManageTerms(viewer, kind)
}

const fieldOptions = (arg: Arguments) => ({
  type: RevisionConnection,
  nullable: true as const,
  description:
    'What was changed in the record, newest first. Null, with the error FORBIDDEN, unless you may update the record. Changes are kept for a limited time.',
  extensions: { ...complexity({ weight: 10, slicingArguments: ['first', 'last'] }), [takesInfo]: true },
  args: arg.connectionArgs(),
})

for (const type of [Post, Term]) {
  builder.interfaceField(type, 'revisions', (t) => t.field(fieldOptions(t.arg)))
}

for (const kind of [...postKinds, 'series', ...termKinds, 'image'] as const) {
  const select = kind === 'image' ? { authorId: true } : hasOwner(kind) ? ownerColumns : {}
  // All of these types have an ID, and those with an author the columns that say who may update them.
  const type = (kind === 'image' ? Image : kind === 'series' ? EventSeries : nodeTypeName(kind)) as 'Organizer'
  builder.prismaObjectField(type, 'revisions', (t) =>
    t.field({
      ...fieldOptions(t.arg),
      select: { id: true, ...(select as typeof ownerColumns) },
      resolve: (record, args, context, info) => {
        context.recorder?.preventCaching()
        const { seriesId } = record as { seriesId?: number }
        const id = kind === 'series' ? (seriesId ?? 0) : record.id
        if (mayRevise(kind, record, context.viewer)) return loadRevisions(kind, id, args, context, info)
        throw forbiddenError('Only those who may update the record can read its revisions.')
      },
    }),
  )
}
