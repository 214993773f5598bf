// Counts the published events of a category or tag. Triggers maintain counts per author and password, which are summed up.

import { Prisma } from '../../generated/prisma/client.ts'
import type { TermKind } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { recordResolver } from '../../service/graphql/record-resolver.ts'

type Reader = Pick<Context, 'now' | 'viewer' | 'passwordKey' | 'forEditing' | 'withheld'>

/** Returns the password keys and the author whose rows of counts the viewer may see; undefined for all rows. */
function countedPasswords({ viewer, passwordKey, forEditing }: Reader) {
  if (forEditing && may(viewer, 'editOthers')) return undefined
  return {
    keys: passwordKey === undefined ? [''] : ['', passwordKey],
    // Users who may not publish cannot edit their published events, so that these stay locked for them.
    ofAuthor: forEditing && may(viewer, 'publish') ? (viewer?.id ?? 0) : 0,
  }
}

/** Returns a filter of the rows that count published events whose fields the viewer may see. */
function countedRows(reader: Reader) {
  const passwords = countedPasswords(reader)
  const publishedAt = { lte: reader.now }
  if (!passwords) return { publishedAt }
  const { keys, ofAuthor } = passwords
  return { publishedAt, OR: [{ passwordKey: { in: keys } }, ...(ofAuthor ? [{ authorId: ofAuthor }] : [])] }
}

/** Returns a filter of the categories or tags of published events whose fields the viewer may see. */
export function hasCountedEventsFilter(reader: Reader) {
  const seesAll = reader.forEditing && may(reader.viewer, 'editOthers')
  if (reader.withheld && !seesAll) reader.withheld.byFilter = true
  return { counts: { some: { AND: [countedRows(reader), { events: { gt: 0 } }] } } }
}

/** Options of the field `count` of a category or tag, without the events of descendant categories. */
export const countFieldOptions = {
  select: (_args: object, context: Context) => ({
    id: true as const,
    counts: { where: countedRows(context), select: { events: true as const } },
  }),
  resolve: recordResolver(({ id, counts }: { id: number; counts: { events: number }[] }, { withheld }) => {
    withheld?.terms.add(id)
    return counts.reduce((sum, { events }) => sum + events, 0)
  }),
}

/** Returns SQL for the `count` of the category or tag `record`. */
export function termCountSql(kind: TermKind, reader: Reader): Prisma.Sql {
  const passwords = countedPasswords(reader)
  if (passwords && reader.withheld) reader.withheld.byFilter = true
  const isCounted = passwords
    ? Prisma.sql`AND (password_key = ANY(${passwords.keys}::text[]) OR author_id = nullif(${passwords.ofAuthor}::int, 0))`
    : Prisma.empty
  return Prisma.sql`(SELECT coalesce(sum(events), 0)::float8 FROM ${Prisma.raw(`${kind}_count`)}
    WHERE ${Prisma.raw(`${kind}_id`)} = record.id AND published_at <= ${reader.now} ${isCounted})`
}
