// The mutation `announceEditing`: who else has the form of a record open, as a hint. Nothing is locked.
import { badInputError, notFoundError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, type RecordKind } from '../../kinds.ts'
import {
  type OwnedRecord,
  requireEditPermission,
  requirePermission,
  type Viewer,
} from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { mutateAccounts } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult } from '../lifecycle/payload.ts'
import { requireTermPermissions } from '../lifecycle/term.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { parseGlobalId } from '../rules/identify.ts'
import { User } from '../user/type.ts'

const { raw } = Prisma

/** Milliseconds after which somebody who announced nothing counts as gone: two announcements can get lost. */
const expiry = 75_000

interface Editor {
  readonly userId: number
  readonly since: Date
}

const RecordEditor = builder.objectRef<Editor>('RecordEditor').implement({
  description: 'A user who has the form of a record open.',
  fields: (t) => ({
    user: t.field({
      type: User,
      nullable: true,
      description: 'The user; null if the user was deleted meanwhile.',
      resolve: ({ userId }, _args, context, info) => loadRecordById('user', userId, context, info),
    }),
    since: t.expose('since', { type: 'DateTime', description: 'When the user opened the form.' }),
  }),
})

interface Announcement extends WriteResult {
  readonly others?: readonly Editor[]
}

const AnnounceEditingPayload = builder.objectRef<Announcement>('AnnounceEditingPayload').implement({
  description: 'Who else edits a record.',
  interfaces: [Payload],
  fields: (t) => ({
    others: t.field({
      type: [RecordEditor],
      description: 'Others who have the form open, by the time when they opened it.',
      resolve: ({ others = [] }) => others,
    }),
  }),
})

const AnnounceEditingInput = builder.inputType('AnnounceEditingInput', {
  description: 'Says that the form of a record is open.',
  fields: (t) => ({
    recordId: t.id({
      required: true,
      description: 'Global ID of an event, series, venue, organizer, category or tag.',
    }),
    isDone: t.boolean({ description: 'Whether the form was closed. Default: false.' }),
  }),
})

builder.mutationField('announceEditing', (t) =>
  t.field({
    type: AnnounceEditingPayload,
    description:
      'Says that you have the form of a record open, and returns who else has: a hint, not a lock. Call it every 30 seconds, and with `isDone` at the end; after 75 seconds you count as gone. For those who may update the record.',
    args: { input: t.arg({ type: AnnounceEditingInput, required: true, description: 'The record.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, async (tx) => {
        const viewer = requirePermission(context.viewer, 'write')
        const { kind, id } = await requireEditable(tx, String(input.recordId), context)
        return { id, others: await announce(tx, { kind, id, isDone: input.isDone ?? false }, viewer, context) }
      }),
  }),
)

type EditedKind = RecordKind | 'series'

/** Throws unless the viewer may update the record. */
async function requireEditable(tx: Tx, text: string, context: Context) {
  const { kind, id } = parseGlobalId(text) ?? {}
  if (id === undefined || !(kind === 'series' || Object.hasOwn(kinds, kind ?? ''))) {
    throw badInputError({ recordId: 'Send the global ID of an event, series, venue, organizer, category or tag.' })
  }
  const edited = kind as EditedKind
  if (edited !== 'series' && !isPost(edited)) {
    requireTermPermissions(edited, context)
    const [term] = await tx.$queryRaw<unknown[]>`SELECT FROM ${raw(edited)} WHERE id = ${id}`
    if (!term) throw notFoundError(edited, 'id')
    return { kind: edited, id }
  }
  const [table, column] = edited === 'series' ? ['event', 'series_id'] : [edited, 'id']
  const [post] = await tx.$queryRaw<OwnedRecord[]>`
    SELECT author_id AS "authorId", status::text, trashed_from::text AS "trashedFrom" FROM ${raw(table)}
    WHERE ${raw(column)} = ${id} LIMIT 1`
  if (!post) throw notFoundError(edited, 'id')
  requireEditPermission(context.viewer, post)
  return { kind: edited, id }
}

interface Edited {
  readonly kind: EditedKind
  readonly id: number
  readonly isDone: boolean
}

async function announce(tx: Tx, { kind, id, isDone }: Edited, viewer: Viewer, { now }: Context): Promise<Editor[]> {
  const expired = new Date(now.getTime() - expiry)
  await tx.$executeRaw`
    DELETE FROM presence WHERE seen_at < ${expired}
      OR ${isDone} AND kind = ${kind} AND record_id = ${id} AND user_id = ${viewer.id}`
  if (!isDone) {
    await tx.$executeRaw`
      INSERT INTO presence (kind, record_id, user_id, since, seen_at) VALUES (${kind}, ${id}, ${viewer.id}, ${now}, ${now})
      ON CONFLICT (kind, record_id, user_id) DO UPDATE SET seen_at = excluded.seen_at`
  }
  return tx.$queryRaw<Editor[]>`
    SELECT user_id AS "userId", since FROM presence
    WHERE kind = ${kind} AND record_id = ${id} AND user_id <> ${viewer.id} ORDER BY since, user_id`
}
