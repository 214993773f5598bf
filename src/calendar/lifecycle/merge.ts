// The mutations that merge duplicates: `mergeVenues` and those of the other kinds that events link to.
import type { ObjectRef } from '@pothos/core'
import { badInputError, trashedError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, type RecordKind } from '../../kinds.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, type SchemaTypes } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { mergedIdSlug, parseReferencedId } from '../rules/identify.ts'
import { setModified } from './modified-at.ts'
import { runMutation } from './mutation.ts'
import type { WriteResult } from './payload.ts'
import { lockPost } from './post.ts'
import { lockTerm, requireTermPermissions } from './term.ts'

const { raw, sql } = Prisma

export type MergedKind = Exclude<RecordKind, 'event'>

/** Maximum of records that one mutation merges into another. */
const maxMerged = 20

const MergeInput = builder.inputType('MergeInput', {
  description: 'Records of the same kind that stand for the same thing.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global ID or databaseId of the record to keep.' }),
    mergedIds: t.idList({
      required: true,
      description: `Global IDs or databaseIds of the records to merge into it, at most ${maxMerged}.`,
    }),
  }),
})

type Input = typeof MergeInput.$inferInput

/** What categories do besides: lock their tree, and move the children of the merged record. */
export interface MergeHooks {
  /** Takes locks that must come before the lock of the record. */
  beforeDelete?(tx: Tx): Promise<unknown>
  beforeMerge?(tx: Tx, merged: number, kept: number): Promise<unknown>
}

export function addMergeMutation(
  kind: MergedKind,
  type: ObjectRef<SchemaTypes, WriteResult>,
  { beforeDelete, beforeMerge }: MergeHooks = {},
): void {
  const { plural } = kinds[kind]
  builder.mutationField(`merge${plural.replace(/^./, (letter) => letter.toUpperCase())}`, (t) =>
    t.field({
      type,
      description: `Moves the events of the merged ${plural} to the kept record, then deletes the merged records permanently. Their IDs and slugs resolve to the kept record afterwards. The fields and texts of the kept record do not change. ${
        isPost(kind) ? 'For administrators and editors.' : `For users who may delete ${plural}.`
      }`,
      extensions: complexity({ weight: 200 }),
      args: { input: t.arg({ type: MergeInput, required: true, description: `The ${plural}.` }) },
      resolve: (_root, { input }, context) =>
        runMutation(context, input, async (tx, checked) => {
          await beforeDelete?.(tx)
          const { kept, merged } = await lockRecords(tx, kind, checked, context)
          for (const id of merged) {
            await beforeMerge?.(tx, id, kept)
            await merge(tx, kind, id, kept)
          }
          return kept
        }),
    }),
  )
}

/** Throws unless the viewer may merge records of the kind. */
export function requireMergePermission(kind: MergedKind, context: Context): void {
  if (isPost(kind)) requirePermission(context.viewer, 'purge')
  else requireTermPermissions(kind, context)
}

/** Locks the records in the order of their IDs, so that no two merges wait for each other. */
async function lockRecords(tx: Tx, kind: MergedKind, { id, mergedIds }: Input, context: Context) {
  requireMergePermission(kind, context)
  const idOf = (text: string, field: string) => {
    const identity = parseReferencedId(kind, text, field)
    if ('id' in identity) return identity.id
    throw badInputError({ [field]: `${field} must be a global ID or a databaseId.` })
  }
  const kept = idOf(id, 'id')
  const merged = [...new Set(mergedIds.map((text) => idOf(text, 'mergedIds')))]
  if (merged.length === 0 || merged.length > maxMerged) {
    throw badInputError({ mergedIds: `mergedIds must have from 1 to ${maxMerged} items.` })
  }
  if (merged.includes(kept)) throw badInputError({ mergedIds: 'mergedIds must not contain the record to keep.' })
  for (const each of [kept, ...merged].sort((a, b) => a - b)) {
    const id = String(each)
    const record = isPost(kind) ? await lockPost(tx, kind, { id }, context) : await lockTerm(tx, kind, id, context)
    if ('status' in record && record.status === 'trash') throw trashedError(kind)
    if (each === kept) await setModified(tx, kind, record, context.now)
  }
  return { kept, merged }
}

async function merge(tx: Tx, kind: MergedKind, merged: number, kept: number): Promise<void> {
  const [links, slugs, id] = [raw(`content_${kind}`), raw(`${kind}_slug`), raw(`${kind}_id`)]
  const position = isPost(kind) ? raw(', position') : Prisma.empty
  // The first venue is the main one. If an event has both records, the kept one takes the earlier position.
  const conflict = isPost(kind)
    ? sql`(content_id, ${id}) DO UPDATE SET position = excluded.position WHERE excluded.position < linked.position`
    : sql`DO NOTHING`
  await tx.$executeRaw`
    INSERT INTO ${links} AS linked (content_id, ${id}${position})
    SELECT content_id, ${kept}::int${position} FROM ${links} WHERE ${id} = ${merged} ON CONFLICT ${conflict}`
  await tx.$executeRaw`DELETE FROM ${links} WHERE ${id} = ${merged}`
  await tx.$executeRaw`UPDATE ${slugs} SET ${id} = ${kept}, merged = true WHERE ${id} = ${merged}`
  await tx.$executeRaw`INSERT INTO ${slugs} (slug, ${id}, merged) VALUES (${mergedIdSlug(merged)}, ${kept}, true)`
  // The next import links to the kept record, without overwriting it.
  await tx.$executeRaw`
    UPDATE imported_record SET record_id = ${kept}, is_adopted = true WHERE kind = ${kind} AND record_id = ${merged}`
  await tx.$executeRaw`DELETE FROM ${raw(kind)} WHERE id = ${merged}`
  await tx.$executeRaw`
    UPDATE change SET fields = fields || jsonb_build_object('merged_into', jsonb_build_array(NULL, ${kept}::int))
    WHERE transaction = pg_current_xact_id()::text::bigint AND kind = ${kind} AND record_id = ${merged}`
}
