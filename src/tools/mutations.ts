// Returns the mutations that create, update and remove the records of each kind.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import * as documents from '../generated/graphql/graphql.ts'
import { isPost, kinds, type PostKind, type RecordKind } from '../kinds.ts'

/** The kinds of records that commands read and write. */
export type ToolKind = Extract<RecordKind, 'event' | 'venue' | 'organizer' | 'category' | 'tag'>

/** The input of a mutation. Commands build it from the fields of files without a static type; the mutation checks it. */
export type MutationInput = Readonly<Record<string, unknown>>

interface Payload {
  readonly record?: { readonly id: number } | null
  readonly userErrors: readonly documents.ToolErrorFragment[]
}
type Mutation = TypedDocumentNode<{ readonly outcome: Payload | null }, { readonly input: MutationInput }>

export const findMutation = (verb: 'Create' | 'Update' | 'Delete', kind: RecordKind): Mutation =>
  documents[`Tool${verb}${kinds[kind as ToolKind].type}Document`] as unknown as Mutation

/** Returns the mutation that moves a post to the trash, or deletes a term. */
export const findRemovalMutation = (kind: RecordKind): Mutation =>
  isPost(kind)
    ? (documents[`ToolTrash${kinds[kind as ToolKind & PostKind].type}Document`] as Mutation)
    : findMutation('Delete', kind)
