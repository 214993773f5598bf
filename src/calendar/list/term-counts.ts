// Counts the published events of a term. Triggers maintain counts per author and password; a reader's count sums them.

import { Prisma } from '../../generated/prisma/client.ts'
import type { TermKind } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { fromRecord } from '../../service/graphql/record-resolver.ts'

type Reader = Pick<Context, 'now' | 'viewer' | 'passwordKey' | 'forEditing' | 'withheld'>

/** Which rows of counts the reader may see, by password and author; undefined for all rows. */
function countedPasswords({ viewer, passwordKey, forEditing }: Reader) {
  if (forEditing && may(viewer, 'editOthers')) return undefined
  return {
    keys: passwordKey === undefined ? [''] : ['', passwordKey],
    // Users who may not publish cannot edit their published events, so that these stay locked for them.
    ofAuthor: forEditing && may(viewer, 'publish') ? (viewer?.id ?? 0) : 0,
  }
}

/** The rows that count published events whose fields the reader may see. */
function countedRows(reader: Reader) {
  const passwords = countedPasswords(reader)
  const publishedAt = { lte: reader.now }
  if (!passwords) return { publishedAt }
  const { keys, ofAuthor } = passwords
  return { publishedAt, OR: [{ passwordKey: { in: keys } }, ...(ofAuthor ? [{ authorId: ofAuthor }] : [])] }
}

/** Filter of terms with at least one counted event. */
export function hasCountedEventsFilter(reader: Reader) {
  const seesAll = reader.forEditing && may(reader.viewer, 'editOthers')
  if (reader.withheld && !seesAll) reader.withheld.byFilter = true
  return { counts: { some: { AND: [countedRows(reader), { events: { gt: 0 } }] } } }
}

/** The `count` field of a term: published events that are linked to the term itself. */
export const countFieldOptions = {
  select: (_args: object, context: Context) => ({
    id: true as const,
    counts: { where: countedRows(context), select: { events: true as const } },
  }),
  resolve: fromRecord(({ id, counts }: { id: number; counts: { events: number }[] }, { withheld }) => {
    withheld?.terms.add(id)
    return counts.reduce((sum, { events }) => sum + events, 0)
  }),
}

/** The `count` of the term `record` in a statement. */
export function termCountSql(kind: TermKind, reader: Reader): Prisma.Sql {
  const passwords = countedPasswords(reader)
  if (passwords && reader.withheld) reader.withheld.byFilter = true
  const isCounted = passwords
    ? Prisma.sql`AND (password_key = ANY(${passwords.keys}::text[]) OR author_id = nullif(${passwords.ofAuthor}::int, 0))`
    : Prisma.empty
  return Prisma.sql`(SELECT coalesce(sum(events), 0)::float8 FROM ${Prisma.raw(`${kind}_count`)}
    WHERE ${Prisma.raw(`${kind}_id`)} = record.id AND published_at <= ${reader.now} ${isCounted})`
}
