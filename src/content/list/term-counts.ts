// How many published events carry a term: triggers keep the counts, a count for a reader is a sum of them.

import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import type { TermKind } from '../kinds.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { published } from '../lifecycle/status.ts'
import { delegateOf } from './records.ts'

type Reader = Pick<Context, 'now' | 'viewer' | 'passwordKey' | 'forEditing' | 'withheld'>

/** The events that a count counts: published ones that are open to the reader. */
export const countedEvents = (reader: Reader) => ({ AND: [published(reader.now), unlocked(reader)] })

/** The same of the rows that triggers keep. */
function countedRows({ now, viewer, passwordKey, forEditing }: Reader) {
  const publishedAt = { lte: now }
  if (forEditing && may(viewer, 'editOthers')) return { publishedAt }
  const open: object[] = [{ passwordKey: '' }]
  if (passwordKey !== undefined) open.push({ passwordKey })
  // Of their own events those who may not publish can edit none that is published.
  if (forEditing && may(viewer, 'publish')) open.push({ authorId: viewer?.id ?? 0, NOT: { passwordKey: '' } })
  return { publishedAt, OR: open }
}

interface Counted {
  readonly id: number
  readonly counts: readonly { readonly events: number }[]
}

/** The field of a term that tells how many published events are in it itself. */
export const countField = {
  select: (_args: object, context: Context) => ({
    id: true as const,
    counts: { where: countedRows(context), select: { events: true as const } },
  }),
  resolve: fromRecord(({ id, counts }: Counted, { withheld }) => {
    withheld?.terms.add(id)
    return counts.reduce((sum, { events }) => sum + events, 0)
  }),
}

/** The counts of these terms, in their order. */
export async function countsOf(context: Context, kind: TermKind, ids: readonly number[]): Promise<number[]> {
  const { select } = countField
  const terms = (await delegateOf(context, kind).findMany({
    where: { id: { in: [...ids] } },
    select: select({}, context),
  })) as Counted[]
  const counts = new Map(terms.map((term) => [term.id, countField.resolve(term, {}, context)]))
  return ids.map((id) => counts.get(id) ?? 0)
}
