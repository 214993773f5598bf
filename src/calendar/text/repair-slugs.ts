// Until version 6 of the text rules, slugs kept percent signs that made the URL of their record invalid, and percent-encoded
// letters such as `ł`.
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { kinds, recordKinds } from '../../kinds.ts'
import { reserveUniqueSlugs, slugify } from './slug.ts'

interface StoredSlug {
  readonly id: number
  readonly slug: string
  /** Whether the record has reserved the slug: trashed records have not. */
  readonly isReserved: boolean
}

/** Replaces slugs that `slugify` would change. Call before texts are rebuilt: searched texts of terms contain the slug. */
export async function repairSlugs(tx: Tx): Promise<void> {
  for (const kind of recordKinds) {
    const [texts, slugs, id] = ['_text', '_slug', '_id'].map((end) => Prisma.raw(`"${kinds[kind].owner}${end}"`))
    const stored = await tx.$queryRaw<StoredSlug[]>`
      SELECT DISTINCT t.${id} AS id, t.slug, s.slug IS NOT NULL AS "isReserved"
      FROM ${texts} t LEFT JOIN ${slugs} s ON s.slug = t.slug AND s.${id} = t.${id} WHERE t.slug LIKE '%\\%%'`
    for (const { id: record, slug, isReserved } of stored) {
      const repaired = slugify(slug) || `${record}`
      if (repaired === slug) continue
      const claims = isReserved ? await reserveUniqueSlugs(tx, kind, [{ id: record, slug: repaired }]) : []
      await tx.$executeRaw`DELETE FROM ${slugs} WHERE slug = ${slug} AND ${id} = ${record}`
      await tx.$executeRaw`
        UPDATE ${texts} SET slug = ${claims[0] ?? repaired} WHERE ${id} = ${record} AND slug = ${slug}`
    }
  }
  const images = await tx.image.findMany({ where: { slug: { contains: '\\%' } }, select: { id: true, slug: true } })
  for (const { id, slug } of images) {
    if (slugify(slug) !== slug) await tx.image.update({ where: { id }, data: { slug: slugify(slug) } })
  }
}
