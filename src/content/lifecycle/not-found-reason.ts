import type { Context } from '../../context.ts'
import { type DomainError, type ErrorKind, notAccessible, notFound, trashed, wrongKind } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type PostKind, postKinds, type TermKind, termKinds } from '../kinds.ts'
import { delegateOf } from '../list/records.ts'

type Identity = { id: number } | { slug: string }

/** The error for an event, venue or organizer that does not exist or that the caller may not see. */
export async function postNotFoundReason(
  { db, now }: Context,
  kind: PostKind,
  identity: Identity,
): Promise<DomainError> {
  const by = 'id' in identity ? 'id' : 'slug'
  const id = 'id' in identity ? identity.id : await slugOwner(db, kind, identity.slug)
  if (id === undefined) return notFound(kind, by)
  const posts = postKinds.map((post) => {
    const [name, table] = [Prisma.raw(`'${post}'`), Prisma.raw(`"${post}"`)]
    return Prisma.sql`
      SELECT ${name} AS kind, status = 'trash' AS trash, live AND published_at <= ${now} AS public
      FROM ${table} WHERE id = ${id}`
  })
  const rows = await db.$queryRaw<{ kind: ErrorKind; trash: boolean; public: boolean }[]>`
    ${Prisma.join(posts, ' UNION ALL ')} UNION ALL SELECT 'image', false, true FROM image WHERE id = ${id}`
  const record = rows[0]
  if (!record) return notFound(kind, by)
  if (record.kind !== kind) return wrongKind(kind, record.kind)
  if (record.trash) return trashed(kind)
  // A public record is missing only on a site without language fallback: it has no text in the language.
  return by === 'slug' && record.public ? notFound(kind, by) : notAccessible(kind)
}

/** The error for a category or tag that does not exist; everybody may see them. */
export async function termNotFoundReason({ db }: Context, kind: TermKind, identity: Identity): Promise<DomainError> {
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
