// Deleting categories and tags: the answer shows what is gone.
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { selectionOf } from '../../graphql/record-selection.ts'
import { databaseId } from '../identify.ts'
import type { TermKind } from '../kinds.ts'
import { findRecord } from '../list/records.ts'
import { translationsOf } from '../text/translations.ts'
import { mutate, type Outcome } from './mutation.ts'

export interface TermDeletion<Node> extends Outcome {
  /** The term as it was; null when it is still there. */
  readonly before: Node | null
}

interface Request {
  readonly input: { readonly id: string }
  readonly context: Context
  readonly info: GraphQLResolveInfo
}

/**
 * Runs the deletion of a term. What the payload selects of the term, in the field that has the name of the kind, is read
 * before, with what its resolvers would look up when it is gone.
 */
export async function deleteTerm<Node extends object>(
  kind: TermKind,
  { input, context, info }: Request,
  remove: (tx: Tx) => Promise<number>,
): Promise<TermDeletion<Node>> {
  const id = databaseId(kind, input.id)
  const selection = selectionOf(context, info, { path: [kind] })
  const before = id === undefined ? null : await findRecord<Node>(context, kind, selection, { id })
  if (before && id !== undefined) await translationsOf(context, kind, id)
  const outcome = await mutate(context, input, remove)
  return { ...outcome, before: outcome.id === null ? null : before }
}
