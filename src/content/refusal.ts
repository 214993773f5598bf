import type { Context } from '../context.ts'
import { type DomainError, type Kind, notAccessible, notFound, trashed, wrongKind } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'

type PostKind = 'event' | 'venue' | 'organizer'
type TermKind = 'category' | 'tag'
type Identity = { id: number } | { slug: string }

/** Why a single read of an event, venue or organizer found nothing that the caller may see. */
export async function postRefusal({ db, now }: Context, kind: PostKind, identity: Identity): Promise<DomainError> {
  const by = 'id' in identity ? 'id' : 'slug'
  const id = 'id' in identity ? identity.id : await slugOwner(db, kind, identity.slug)
  if (id === undefined) return notFound(kind, by)
  const state = Prisma.sql`status = 'trash' AS trash, live AND published_at <= ${now} AS public`
  const rows = await db.$queryRaw<{ kind: Kind; trash: boolean; public: boolean }[]>`
    SELECT 'event' AS kind, ${state} FROM event WHERE id = ${id}
    UNION ALL SELECT 'venue', ${state} FROM venue WHERE id = ${id}
    UNION ALL SELECT 'organizer', ${state} FROM organizer WHERE id = ${id}
    UNION ALL SELECT 'image', false, true FROM image WHERE id = ${id}`
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
  const other = kind === 'category' ? 'tag' : 'category'
  const where = { id: identity.id }
  const found = other === 'tag' ? await db.tag.count({ where }) : await db.category.count({ where })
  return found > 0 ? wrongKind(kind, other) : notFound(kind, 'id')
}

async function slugOwner(db: Context['db'], kind: PostKind, slug: string): Promise<number | undefined> {
  const [table, key] = [Prisma.raw(`"${kind}_slug"`), Prisma.raw(`"${kind}_id"`)]
  const rows = await db.$queryRaw<{ id: number }[]>`SELECT ${key} AS id FROM ${table} WHERE slug = ${slug}`
  return rows[0]?.id
}
