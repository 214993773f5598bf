// Counts the published events of a term. Triggers maintain counts per author and password; a reader's count sums them.

import type { TermKind } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { fromRecord } from '../../service/graphql/record-resolver.ts'
import { delegateOf } from './records.ts'

type Reader = Pick<Context, 'now' | 'viewer' | 'passwordKey' | 'forEditing' | 'withheld'>

/** The rows that count published events whose fields the reader may see. */
function countedRows({ now, viewer, passwordKey, forEditing }: Reader) {
  const publishedAt = { lte: now }
  if (forEditing && may(viewer, 'editOthers')) return { publishedAt }
  const open: object[] = [{ passwordKey: '' }]
  if (passwordKey !== undefined) open.push({ passwordKey })
  // Users who may not publish cannot edit their published events, so that these stay locked for them.
  if (forEditing && may(viewer, 'publish')) open.push({ authorId: viewer?.id ?? 0, NOT: { passwordKey: '' } })
  return { publishedAt, OR: open }
}

/** Terms with at least one of these events. */
export function withCountedEvents(reader: Reader) {
  const seesAll = reader.forEditing && may(reader.viewer, 'editOthers')
  if (reader.withheld && !seesAll) reader.withheld.byFilter = true
  return { counts: { some: { AND: [countedRows(reader), { events: { gt: 0 } }] } } }
}

interface TermWithCounts {
  readonly id: number
  readonly counts: readonly { readonly events: number }[]
}

/** The `count` field of a term: published events that are linked to the term itself. */
export const countField = {
  select: (_args: object, context: Context) => ({
    id: true as const,
    counts: { where: countedRows(context), select: { events: true as const } },
  }),
  resolve: fromRecord(({ id, counts }: TermWithCounts, { withheld }) => {
    withheld?.terms.add(id)
    return counts.reduce((sum, { events }) => sum + events, 0)
  }),
}

/** The counts of the terms, by ID. */
export async function countsOf(
  context: Context,
  kind: TermKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { select } = countField
  const terms = (await delegateOf(context, kind).findMany({
    where: { id: { in: [...ids] } },
    select: select({}, context),
  })) as TermWithCounts[]
  return new Map(terms.map((term) => [term.id, countField.resolve(term, {}, context)]))
}
