import type { Context } from '../../context.ts'
import { type DomainError, type Kind, notAccessible, notFound, trashed, wrongKind } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type PostKind, postKinds, type TermKind, termKinds } from '../kinds.ts'
import { delegateOf } from '../list/records.ts'

type Identity = { id: number } | { slug: string }

/** Why a single read of an event, venue or organizer found nothing that the caller may see. */
export async function postRefusal({ db, now }: Context, kind: PostKind, identity: Identity): Promise<DomainError> {
  const by = 'id' in identity ? 'id' : 'slug'
  const id = 'id' in identity ? identity.id : await slugOwner(db, kind, identity.slug)
  if (id === undefined) return notFound(kind, by)
  const posts = postKinds.map((post) => {
    const [name, table] = [Prisma.raw(`'${post}'`), Prisma.raw(`"${post}"`)]
    return Prisma.sql`
      SELECT ${name} AS kind, status = 'trash' AS trash, live AND published_at <= ${now} AS public
      FROM ${table} WHERE id = ${id}`
  })
  const rows = await db.$queryRaw<{ kind: Kind; trash: boolean; public: boolean }[]>`
    ${Prisma.join(posts, ' UNION ALL ')} UNION ALL SELECT 'image', false, true FROM image WHERE id = ${id}`
  const found = rows[0]
  if (!found) return notFound(kind, by)
  if (found.kind !== kind) return wrongKind(kind, found.kind)
  if (found.trash) return trashed(kind)
  // Public, yet not found by this slug: the site does without fallback, and it has no text in the language.
  return by === 'slug' && found.public ? notFound(kind, by) : notAccessible(kind)
}

/** The same for a category or tag, which everybody may see. */
export async function termRefusal({ db }: Context, kind: TermKind, identity: Identity): Promise<DomainError> {
  if ('slug' in identity) return notFound(kind, 'slug')
  const where = { id: identity.id }
  for (const other of termKinds) {
    if (other !== kind && (await delegateOf({ db }, other).count({ where })) > 0) return wrongKind(kind, other)
  }
  return notFound(kind, 'id')
}

async function slugOwner(db: Context['db'], kind: PostKind, slug: string): Promise<number | undefined> {
  const [table, key] = [Prisma.raw(`"${kind}_slug"`), Prisma.raw(`"${kind}_id"`)]
  const rows = await db.$queryRaw<{ id: number }[]>`SELECT ${key} AS id FROM ${table} WHERE slug = ${slug}`
  return rows[0]?.id
}
