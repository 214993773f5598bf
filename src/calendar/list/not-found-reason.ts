import {
  type DomainError,
  type NodeKind,
  notAccessibleError,
  notFoundError,
  trashedError,
  wrongKindError,
} from '../../basics/errors.ts'
import type { Reads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, postKinds, type RecordKind, termKinds } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { ParsedGlobalId, RecordKey } from '../rules/identify.ts'
import { findSlugOwners } from '../text/slug.ts'

/** A context, or the connection of a transaction. */
type Reader = Pick<Context, 'now'> & { readonly reads: Pick<Reads, 'rows'> }

/** Finds why records were not returned, with one statement for posts and one for terms. Hides that users and images exist. */
export async function findNotFoundReasons(reader: Reader, missing: readonly ParsedGlobalId[]) {
  const findAll = (family: 'post' | 'term') =>
    findRecords(
      reader,
      family,
      missing.flatMap(({ kind, id }) => (isRecord(kind) && kinds[kind].family === family ? [id] : [])),
    )
  const [post, term] = await Promise.all([findAll('post'), findAll('term')])
  const found = { post, term }
  return ({ kind, id }: ParsedGlobalId): DomainError =>
    isRecord(kind) ? reasonOf(kind, found[kinds[kind].family].get(id), 'id') : notFoundError(kind, 'id')
}

const isRecord = (kind: NodeKind): kind is RecordKind => Object.hasOwn(kinds, kind)

/** Returns the error for a record that was not found. */
export async function findNotFoundReason(reader: Reader, kind: RecordKind, identity: RecordKey): Promise<DomainError> {
  const by = 'id' in identity ? 'id' : 'slug'
  // Everybody may see terms.
  const owners =
    'slug' in identity && isPost(kind) ? await findSlugOwners(reader.reads, kind, [identity.slug]) : undefined
  const id = 'id' in identity ? identity.id : owners?.get(identity.slug)
  if (id === undefined) return notFoundError(kind, by)
  return reasonOf(kind, (await findRecords(reader, kinds[kind].family, [id])).get(id), by)
}

interface Found {
  readonly id: number
  readonly kind: NodeKind
  readonly trash: boolean
  readonly public: boolean
}

function reasonOf(kind: RecordKind, record: Found | undefined, by: 'id' | 'slug'): DomainError {
  if (record && record.kind !== kind) return wrongKindError(kind, record.kind)
  if (!record || !isPost(kind)) return notFoundError(kind, by)
  if (record.trash) return trashedError(kind)
  // A public record is missing only on a site without language fallback: it has no text in the language.
  return by === 'slug' && record.public ? notFoundError(kind, by) : notAccessibleError(kind)
}

/** The records with these IDs. An ID of a post identifies an event, a venue, an organizer or an image. */
async function findRecords({ reads, now }: Reader, family: 'post' | 'term', ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Found>()
  const state = Prisma.sql`status = 'trash' AS trash, live AND published_at <= ${now} AS public`
  const ofKind = (kind: NodeKind, columns: Prisma.Sql) => Prisma.sql`
    SELECT id, ${Prisma.raw(`'${kind}'`)} AS kind, ${columns}
    FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ANY(${[...ids]}::int[])`
  const others = (family === 'post' ? (['image'] as const) : termKinds).map((kind) =>
    ofKind(kind, Prisma.sql`false AS trash, true AS public`),
  )
  const posts = family === 'post' ? postKinds.map((kind) => ofKind(kind, state)) : []
  const rows = await reads.rows<Found>(Prisma.join([...posts, ...others], ' UNION ALL '), { prepared: true })
  return new Map(rows.map((row) => [row.id, row]))
}
