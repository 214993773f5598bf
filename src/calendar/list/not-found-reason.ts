import { type DomainError, type ErrorKind, notAccessible, notFound, trashed, wrongKind } from '../../basics/errors.ts'
import type { Reads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type PostKind, postKinds, type TermKind, termKinds } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { Identity } from '../rules/identify.ts'

/** A context, or the connection of a transaction. */
interface Reader {
  readonly reads: Pick<Reads, 'rows'>
}

interface Missing {
  readonly kind: ErrorKind
  readonly id: number
}

/**
 * The error for each record that does not exist or that the caller may not see. Takes one statement for all events, venues
 * and organizers, and one for all categories and tags. Users, images and credentials that the caller may not see are
 * unknown to them.
 */
export async function notFoundReasons(
  { reads, now }: Reader & Pick<Context, 'now'>,
  missing: readonly Missing[],
): Promise<(record: Missing) => DomainError> {
  const idsOf = (kinds: readonly ErrorKind[]) => missing.flatMap(({ kind, id }) => (kinds.includes(kind) ? [id] : []))
  const [posts, terms] = await Promise.all([
    findPosts({ reads, now }, idsOf(postKinds)),
    findTerms({ reads }, idsOf(termKinds)),
  ])
  return ({ kind, id }) => {
    if (isOneOf(postKinds, kind)) return postReason(kind, posts.get(id), 'id')
    if (isOneOf(termKinds, kind)) return termReason(kind, terms.get(id))
    return notFound(kind, 'id')
  }
}

const isOneOf = <Kind extends ErrorKind>(kinds: readonly Kind[], kind: ErrorKind): kind is Kind =>
  kinds.some((one) => one === kind)

/** The error for an event, venue or organizer that does not exist or that the caller may not see. */
export async function postNotFoundReason(
  { reads, now }: Reader & Pick<Context, 'now'>,
  kind: PostKind,
  identity: Identity,
): Promise<DomainError> {
  const by = 'id' in identity ? 'id' : 'slug'
  const id = 'id' in identity ? identity.id : await slugOwner(reads, kind, identity.slug)
  if (id === undefined) return notFound(kind, by)
  return postReason(kind, (await findPosts({ reads, now }, [id])).get(id), by)
}

/** The error for a category or tag that does not exist; everybody may see them. */
export async function termNotFoundReason({ reads }: Reader, kind: TermKind, identity: Identity): Promise<DomainError> {
  if ('slug' in identity) return notFound(kind, 'slug')
  return termReason(kind, (await findTerms({ reads }, [identity.id])).get(identity.id))
}

interface FoundPost {
  readonly id: number
  readonly kind: ErrorKind
  readonly trash: boolean
  readonly public: boolean
}

function postReason(kind: PostKind, record: FoundPost | undefined, by: 'id' | 'slug'): DomainError {
  if (!record) return notFound(kind, by)
  if (record.kind !== kind) return wrongKind(kind, record.kind)
  if (record.trash) return trashed(kind)
  // A public record is missing only on a site without language fallback: it has no text in the language.
  return by === 'slug' && record.public ? notFound(kind, by) : notAccessible(kind)
}

/** The records with these IDs, which identify an event, a venue, an organizer or an image. */
async function findPosts({ reads, now }: Reader & Pick<Context, 'now'>, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, FoundPost>()
  const posts = postKinds.map((post) => {
    const [name, table] = [Prisma.raw(`'${post}'`), Prisma.raw(`"${post}"`)]
    return Prisma.sql`
      SELECT id, ${name} AS kind, status = 'trash' AS trash, live AND published_at <= ${now} AS public
      FROM ${table} WHERE id = ANY(${[...ids]}::int[])`
  })
  const rows = await reads.rows<FoundPost>(
    Prisma.sql`
    ${Prisma.join(posts, ' UNION ALL ')}
    UNION ALL SELECT id, 'image', false, true FROM image WHERE id = ANY(${[...ids]}::int[])`,
    { prepared: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

interface FoundTerm {
  readonly id: number
  readonly kind: TermKind
}

const termReason = (kind: TermKind, record: FoundTerm | undefined): DomainError =>
  record && record.kind !== kind ? wrongKind(kind, record.kind) : notFound(kind, 'id')

async function findTerms({ reads }: Reader, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, FoundTerm>()
  const terms = termKinds.map(
    (kind) => Prisma.sql`
      SELECT id, ${Prisma.raw(`'${kind}'`)} AS kind FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ANY(${[...ids]}::int[])`,
  )
  const rows = await reads.rows<FoundTerm>(Prisma.sql`${Prisma.join(terms, ' UNION ALL ')}`, { prepared: true })
  return new Map(rows.map((row) => [row.id, row]))
}

async function slugOwner(reads: Reader['reads'], kind: PostKind, slug: string): Promise<number | undefined> {
  const [table, key] = [Prisma.raw(`"${kind}_slug"`), Prisma.raw(`"${kind}_id"`)]
  const rows = await reads.rows<{ id: number }>(Prisma.sql`SELECT ${key} AS id FROM ${table} WHERE slug = ${slug}`, {
    prepared: true,
  })
  return rows[0]?.id
}
