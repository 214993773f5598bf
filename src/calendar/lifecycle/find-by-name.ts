// Finds existing records by name (contract f.1, f.2). Names are compared without case and accents.

import type { Tx } from '../../engine/postgres/client.ts'
import { escapeLikePattern } from '../../engine/postgres/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PostKind, RecordKind, TermKind } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { foldLine } from '../text/fold.ts'
import { readHtmlInput } from '../text/text-input.ts'

/**
 * Returns the ID of the oldest venue or organizer with this name, and with this description unless it is null. Ignores the trash
 * and records that the caller may not read.
 */
export async function findPostByName(
  tx: Tx,
  kind: PostKind,
  name: string,
  description: string | null | undefined,
  { viewer, now }: Context,
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ id: number; name: string; description: string; locked: boolean }[]>`
    SELECT r.id, t.name, t.description, r.password_key IS NOT NULL AS locked ${named(kind, name)} AND r.status <> 'trash'
      AND (${may(viewer, 'editOthers')} OR (r.live AND r.published_at <= ${now}) OR r.author_id = ${viewer?.id ?? 0})
    ORDER BY r.id`
  const storedDescription = await readHtmlInput('description', description)
  // Comparing the description of a protected record would let callers guess it.
  const isSame = (row: (typeof rows)[number]) =>
    foldLine(row.name) === foldLine(name) &&
    (!storedDescription || row.locked || foldLine(row.description) === foldLine(storedDescription))
  return rows.find(isSame)?.id
}

/** Returns the ID of the oldest category (below `parentId`, if given) or tag with this name. */
export async function findTermByName(
  tx: Tx,
  kind: TermKind,
  name: string,
  parentId: number | null | undefined,
): Promise<number | undefined> {
  const sameParent =
    kind === 'tag' || parentId === undefined
      ? Prisma.empty
      : Prisma.sql`AND r.parent_id IS NOT DISTINCT FROM ${parentId}::int`
  const rows = await tx.$queryRaw<{ id: number; name: string }[]>`
    SELECT r.id, t.name ${named(kind, name)} ${sameParent} ORDER BY r.id`
  return rows.find((row) => foldLine(row.name) === foldLine(name))?.id
}

/** Returns a FROM clause of the records `r` with a text `t` that begins with the name. */
const named = (kind: RecordKind, name: string) => Prisma.sql`
  FROM ${Prisma.raw(`"${kind}_text" t JOIN "${kind}" r ON r.id = t."${kind}_id"`)}
  WHERE t.folded LIKE ${`${escapeLikePattern(foldLine(name))}%`} AND 'name' = ANY(t.written)`
