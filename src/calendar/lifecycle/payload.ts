// Shared fields of mutation payloads: the written record, the ID of a deleted record, and user errors.
import type { ObjectRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { NodeKind } from '../../basics/errors.ts'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'
import { createUnreadableError } from '../../engine/postgres/write-outcome.ts'
import { withArticle } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder, type SchemaTypes } from '../../service/graphql/builder.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { findRecord } from '../list/records.ts'
import { globalId, nodeTypeName } from '../rules/identify.ts'
import { UserError, type UserErrorShape } from './user-error.ts'

/** What a mutation wrote, or the errors that its client can act on. */
export interface WriteResult {
  /** ID of the record that was written; null if nothing was written. */
  readonly id: number | null
  readonly userErrors: readonly UserErrorShape[]
}

/** Interface of all mutation payloads, with the field `userErrors`. */
export const Payload = builder.interfaceRef<WriteResult>('Payload').implement({
  description: 'Result of a mutation.',
  fields: (t) => ({
    userErrors: t.field({
      type: [UserError],
      description: 'Why nothing was written; empty after a success.',
      resolve: ({ userErrors }) => [...userErrors],
    }),
  }),
})

/** Options of the payload field that shows the record after the transaction. */
export const writtenRecordField = (
  kind: NodeKind,
  type: ObjectRef<SchemaTypes, object>,
  description = `The ${kind} after the change; null if nothing was written.`,
) => ({
  type,
  nullable: true as const,
  description,
  resolve: async ({ id }: WriteResult, _args: object, context: Context, info: GraphQLResolveInfo) => {
    if (id === null) return null
    const find = () => findRecord(context, kind, buildSelection(context, info), { id })
    // Tries twice, because a connection that was lost after the commit is replaced by the next statement.
    const record = await find().catch((error: unknown) => {
      if (!toUnavailableError(error)) throw error
      return find()
    })
    if (record) return record
    throw createUnreadableError(
      context.writes.current(),
      new Error('The record was deleted right after it was written'),
    )
  },
})

/** Adds the payload type of the mutations that write records of a kind. */
export const addRecordPayloadType = (kind: NodeKind, type: ObjectRef<SchemaTypes, object>) =>
  builder.objectRef<WriteResult>(`${nodeTypeName(kind)}Payload`).implement({
    description: `Result of writing ${withArticle(kind)}.`,
    interfaces: [Payload],
    fields: (t) => ({ [kind]: t.field(writtenRecordField(kind, type)) }),
  })

/** GraphQL field of a deletion payload with the numeric ID. */
export const deletedDatabaseIdField = {
  nullable: true,
  description: 'Numeric ID of the deleted record; null if nothing was deleted.',
  resolve: ({ id }: WriteResult) => id,
} as const

export const deletedGlobalIdField = <Deletion extends WriteResult>(kindOf: (deletion: Deletion) => NodeKind) => ({
  nullable: true as const,
  description: 'Global ID of the deleted record; null if nothing was deleted.',
  resolve: (deletion: Deletion) => (deletion.id === null ? null : globalId(kindOf(deletion), deletion.id)),
})

interface Deletion extends WriteResult {
  readonly kind: NodeKind
}

export const DeletionPayload = builder.objectRef<Deletion>('DeletionPayload').implement({
  description: 'Result of a deletion.',
  interfaces: [Payload],
  fields: (t) => ({
    id: t.id(deletedGlobalIdField(({ kind }: Deletion) => kind)),
    databaseId: t.int(deletedDatabaseIdField),
  }),
})
