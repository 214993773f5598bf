// Adds the mutations of a kind to the schema: create, update, trash, restore and delete.
import type { InputRef, ObjectRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { Tx } from '../../engine/postgres/client.ts'
import { kinds, type PostKind, type RecordKind, type TermKind, withArticle } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder, type SchemaTypes } from '../../service/graphql/builder.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { findRecord } from '../list/records.ts'
import { loadTranslations } from '../list/translations.ts'
import { parseId } from '../rules/identify.ts'
import { addMergeMutation, type MergeHooks } from './merge.ts'
import type { ImportedValues } from './modified-at.ts'
import { runMutation } from './mutation.ts'
import {
  addRecordPayloadType,
  DeletionPayload,
  deletedDatabaseIdField,
  deletedGlobalIdField,
  Payload,
  type WriteResult,
} from './payload.ts'
import { lockTerm, requireTermPermissions, TermInput } from './term.ts'
import { purgePost, type RecordIdentity, RecordInput, restorePost, type SeriesScope, trashPost } from './trash.ts'

interface RecordMutations<Create, Update> {
  readonly type: ObjectRef<SchemaTypes, object>
  readonly createInput: InputRef<Create>
  readonly updateInput: InputRef<Update>
  create(tx: Tx, input: Create, context: Context, imported: ImportedValues | undefined): Promise<number>
  update(tx: Tx, input: Update, context: Context): Promise<number>
}

interface TermMutations<Create, Update> extends RecordMutations<Create, Update>, MergeHooks {
  readonly deletion: string
  remove(tx: Tx, id: number): Promise<unknown>
}

type ChangePost = (tx: Tx, input: RecordIdentity, context: Context) => Promise<number>

/** The mutations of events, which can be dates of a series: the inputs of all but `create` have a scope. */
export interface ScopedMutations<Create, Update> extends RecordMutations<Create, Update> {
  /** Returns the mutations for the scope. */
  scoped(
    scope: SeriesScope,
  ): { readonly update: RecordMutations<Create, Update>['update'] } & Readonly<
    Record<'trash' | 'restore' | 'purge', ChangePost>
  >
}

type Update = RecordMutations<object, object>['update']
const updates = new Map<RecordKind, Update>()

/** Updates a record with all checks of the mutation. */
export function updateRecord(kind: RecordKind, ...args: Parameters<Update>): Promise<number> {
  const update = updates.get(kind)
  if (!update) throw new Error(`There is no mutation that updates the kind ${kind}.`)
  return update(...args)
}

function addCreateAndUpdate(kind: RecordKind, mutations: RecordMutations<object, object>) {
  const { type, createInput, updateInput, create } = mutations
  const [name, aRecord] = [kinds[kind].type, withArticle(kind)]
  const RecordPayload = addRecordPayloadType(kind, type)
  updates.set(kind, (tx, input, context) => scopedOf(mutations, kind, input).update(tx, input, context))
  builder.mutationFields((t) => ({
    [`create${name}`]: t.field({
      type: RecordPayload,
      description: `Creates ${aRecord} with text in the language of the operation.`,
      args: { input: t.arg({ type: createInput, required: true, description: `The new ${kind}.` }) },
      resolve: (_root, { input }, context) =>
        runMutation(context, input, (tx, checked) => create(tx, checked, context, context.importing)),
    }),
    [`update${name}`]: t.field({
      type: RecordPayload,
      description: `Updates ${aRecord}. Fields that the input omits stay unchanged. Text is written in the language of the operation.`,
      args: { input: t.arg({ type: updateInput, required: true, description: `Changes to the ${kind}.` }) },
      resolve: (_root, { input }, context) =>
        runMutation(context, input, (tx, checked) => scopedOf(mutations, kind, input).update(tx, checked, context)),
    }),
  }))
  return RecordPayload
}

const isScoped = (
  mutations: RecordMutations<object, object> | ScopedMutations<object, object>,
): mutations is ScopedMutations<object, object> => 'scoped' in mutations

/** Returns the mutations for the scope in the input. */
function scopedOf(mutations: RecordMutations<object, object>, kind: RecordKind, input: object) {
  const { scope } = input as { readonly scope?: SeriesScope | null }
  if (isScoped(mutations)) return mutations.scoped(scope ?? 'this')
  const change = (work: typeof trashPost) => (tx: Tx, input: RecordIdentity, context: Context) =>
    work(tx, kind as PostKind, input, context)
  return { ...mutations, trash: change(trashPost), restore: change(restorePost), purge: change(purgePost) }
}

export function addPostMutations<Create extends object, Update extends object>(
  kind: PostKind,
  mutations: RecordMutations<Create, Update> | ScopedMutations<Create, Update>,
): void
export function addPostMutations(kind: PostKind, mutations: RecordMutations<object, object>): void {
  const RecordPayload = addCreateAndUpdate(kind, mutations)
  if (kind !== 'event') addMergeMutation(kind, RecordPayload)
  const [name, aRecord] = [kinds[kind].type, withArticle(kind)]
  builder.mutationFields((t) => {
    const args = { input: t.arg({ type: RecordInput, required: true, description: `Identifies the ${kind}.` }) }
    const changing = (description: string, action: 'trash' | 'restore') =>
      t.field({
        type: RecordPayload,
        description,
        args,
        resolve: (_root, { input }, context) =>
          runMutation(context, input, (tx, checked) => scopedOf(mutations, kind, input)[action](tx, checked, context)),
      })
    return {
      [`trash${name}`]: changing(`Moves ${aRecord} to the trash.`, 'trash'),
      [`restore${name}`]: changing(`Restores ${aRecord} from the trash with its previous status.`, 'restore'),
      [`delete${name}`]: t.field({
        type: DeletionPayload,
        description: `Deletes ${aRecord} permanently. For administrators and editors.`,
        args,
        resolve: async (_root, { input }, context) => {
          const outcome = await runMutation(context, input, (tx, checked) =>
            scopedOf(mutations, kind, input).purge(tx, checked, context),
          )
          return { ...outcome, kind }
        },
      }),
    }
  })
}

export function addTermMutations<Create extends object, Update extends object>(
  kind: TermKind,
  mutations: TermMutations<Create, Update>,
): void
export function addTermMutations(kind: TermKind, mutations: TermMutations<object, object>): void {
  const { type, create, deletion, beforeDelete, remove } = mutations
  const [name, aRecord] = [kinds[kind].type, withArticle(kind)]
  const RecordPayload = addCreateAndUpdate(kind, {
    ...mutations,
    create: (tx, input, context, imported) => {
      requireTermPermissions(kind, context)
      return create(tx, input, context, imported)
    },
  })
  addMergeMutation(kind, RecordPayload, mutations)
  const Deletion = builder.objectRef<TermDeletion>(`${name}DeletionPayload`).implement({
    description: `Result of deleting ${aRecord}.`,
    interfaces: [Payload],
    fields: (t) => ({
      id: t.id(deletedGlobalIdField(() => kind)),
      databaseId: t.int(deletedDatabaseIdField),
      [kind]: t.field({
        type,
        nullable: true,
        description: `The ${kind} before it was deleted, but with empty connections; null if nothing was deleted.`,
        resolve: ({ before }) => before,
      }),
    }),
  })
  builder.mutationField(`delete${name}`, (t) =>
    t.field({
      type: Deletion,
      description: deletion,
      args: { input: t.arg({ type: TermInput, required: true, description: `Identifies the ${kind}.` }) },
      resolve: async (_root, { input }, context, info) => {
        const term = await readTerm(kind, input.id, context, info)
        const outcome = await runMutation(context, input, async (tx) => {
          await beforeDelete?.(tx)
          const { id } = await lockTerm(tx, kind, input.id, context)
          requireTermPermissions(kind, context)
          await remove(tx, id)
          return id
        })
        return { ...outcome, before: outcome.id === null ? null : term }
      },
    }),
  )
}

interface TermDeletion extends WriteResult {
  /** The term before the deletion; null if it was not deleted. */
  readonly before: object | null
}

/** Reads all fields that the payload of a deletion selects, before the term is deleted. Null if the ID is invalid. */
async function readTerm(kind: TermKind, idOrSlug: string, context: Context, info: GraphQLResolveInfo) {
  const identity = parseId(kind, idOrSlug)
  if ('problem' in identity) return null
  const where = 'id' in identity ? identity : { slugs: { some: identity } }
  const term = await findRecord<{ id: number }>(context, kind, buildSelection(context, info, { path: [kind] }), where)
  if (term) await loadTranslations(context, kind, term.id, info)
  return term
}
