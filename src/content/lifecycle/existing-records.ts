// Records that are there already under the same name (contract f.1, f.2); compared without case and accents.

import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PostKind, TermKind } from '../kinds.ts'
import { literal } from '../text/search.ts'
import { htmlInput } from '../text/text-input.ts'
import { fold } from '../text/text-rows.ts'

/**
 * The venue or organizer with this name, and with this description if one was sent; of several the oldest. Only what
 * the caller may read counts, and nothing in the trash.
 */
export async function existingPost(
  tx: Tx,
  kind: PostKind,
  name: string,
  description: string | null | undefined,
  { viewer, now }: Context,
): Promise<number | undefined> {
  const [record, table, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const everything = may(viewer, 'editOthers')
  const rows = await tx.$queryRaw<{ id: number; name: string; description: string; locked: boolean }[]>`
    SELECT r.id, t.name, t.description, r.password_key IS NOT NULL AS locked FROM ${table} t JOIN ${record} r ON r.id = t.${key}
    WHERE t.folded LIKE ${`${literal(fold(name))}%`} AND 'name' = ANY(t.written) AND r.status <> 'trash'
      AND (${everything} OR (r.live AND r.published_at <= ${now}) OR r.author_id = ${viewer?.id ?? 0})
    ORDER BY r.id`
  const stored = await htmlInput('description', description)
  // The description of a locked one is not to be guessed.
  const same = (row: (typeof rows)[number]) =>
    fold(row.name) === fold(name) && (!stored || row.locked || fold(row.description) === fold(stored))
  return rows.find(same)?.id
}

/** The category (below this parent) or tag with this name; of several the oldest. */
export async function existingTerm(
  tx: Tx,
  kind: TermKind,
  name: string,
  parentId: number | null | undefined,
): Promise<number | undefined> {
  const [record, table, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const sameParent =
    kind === 'tag' || parentId === undefined
      ? Prisma.empty
      : Prisma.sql`AND r.parent_id IS NOT DISTINCT FROM ${parentId}::int`
  const rows = await tx.$queryRaw<{ id: number; name: string }[]>`
    SELECT r.id, t.name FROM ${table} t JOIN ${record} r ON r.id = t.${key}
    WHERE t.folded LIKE ${`${literal(fold(name))}%`} AND 'name' = ANY(t.written) ${sameParent} ORDER BY r.id`
  return rows.find((row) => fold(row.name) === fold(name))?.id
}
