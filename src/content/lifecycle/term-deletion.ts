// Deletes categories and tags. The payload shows the deleted term.
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
  /** The term before the deletion; null if it was not deleted. */
  readonly before: Node | null
}

interface Request {
  readonly input: { readonly id: string }
  readonly context: Context
  readonly info: GraphQLResolveInfo
}

/**
 * Deletes a term. Reads what the payload selects of it before the deletion, including what its resolvers would load
 * later.
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
