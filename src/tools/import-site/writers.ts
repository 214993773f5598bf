// The mutations that write and remove each kind of record.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  ImportCreateCategoryDocument,
  ImportCreateEventDocument,
  ImportCreateOrganizerDocument,
  ImportCreateTagDocument,
  ImportCreateVenueDocument,
  ImportDeleteCategoryDocument,
  ImportDeleteTagDocument,
  type ImportErrorFragment,
  ImportTrashEventDocument,
  ImportTrashOrganizerDocument,
  ImportTrashVenueDocument,
  ImportUpdateCategoryDocument,
  ImportUpdateEventDocument,
  ImportUpdateOrganizerDocument,
  ImportUpdateTagDocument,
  ImportUpdateVenueDocument,
} from '../../generated/graphql/graphql.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Importing } from '../../service/context.ts'
import { errorsOf, type Operations } from '../operations.ts'
import type { RecordInput } from './record-input.ts'

type Mutation = TypedDocumentNode<
  { outcome: { userErrors: readonly ImportErrorFragment[] } | null },
  { input: RecordInput }
>
type Verb = 'create' | 'update' | 'remove'

const mutations = {
  event: { create: ImportCreateEventDocument, update: ImportUpdateEventDocument, remove: ImportTrashEventDocument },
  venue: { create: ImportCreateVenueDocument, update: ImportUpdateVenueDocument, remove: ImportTrashVenueDocument },
  organizer: {
    create: ImportCreateOrganizerDocument,
    update: ImportUpdateOrganizerDocument,
    remove: ImportTrashOrganizerDocument,
  },
  category: {
    create: ImportCreateCategoryDocument,
    update: ImportUpdateCategoryDocument,
    remove: ImportDeleteCategoryDocument,
  },
  tag: { create: ImportCreateTagDocument, update: ImportUpdateTagDocument, remove: ImportDeleteTagDocument },
} as unknown as Readonly<Record<RecordKind, Readonly<Record<Verb, Mutation>>>>

/** Writes or removes a record, or in a dry run checks whether it could. Returns the errors. */
export async function runMutation(
  { kind, verb, input, language }: { kind: RecordKind; verb: Verb; input: RecordInput; language: string },
  importing: Importing,
  { operations, options }: { readonly operations: Operations; readonly options: { readonly dryRun: boolean } },
): Promise<readonly ImportErrorFragment[]> {
  const mode = { language, checksOnly: options.dryRun, importing }
  const { outcome } = await operations.execute(mutations[kind][verb], { input }, mode)
  return errorsOf(outcome)
}
