// Deletes categories and tags. The payload shows the deleted term.
import type { GraphQLResolveInfo } from 'graphql'
import type { Tx } from '../../engine/postgres/client.ts'
import type { TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { selectionOf } from '../../service/graphql/record-selection.ts'
import { findRecord } from '../list/records.ts'
import { translationsOf } from '../list/translations.ts'
import { type Identity, parseId } from '../rules/identify.ts'
import { mutate } from './mutation.ts'
import type { Outcome } from './payload.ts'

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
export async function deleteTerm<Node extends { readonly id: number }>(
  kind: TermKind,
  { input, context, info }: Request,
  remove: (tx: Tx) => Promise<number>,
): Promise<TermDeletion<Node>> {
  const identity = parseId(kind, input.id)
  const selection = selectionOf(context, info, { path: [kind] })
  // The mutation reports an invalid ID.
  const before = 'problem' in identity ? null : await findRecord<Node>(context, kind, selection, whereTerm(identity))
  if (before) await translationsOf(context, kind, before.id, info)
  const outcome = await mutate(context, input, remove)
  return { ...outcome, before: outcome.id === null ? null : before }
}

const whereTerm = (identity: Identity) => ('id' in identity ? identity : { slugs: { some: identity } })
