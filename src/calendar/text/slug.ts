// Slugs are unique within a kind. A record may have a slug per language.

import { stripTags } from '../../basics/strip-tags.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import { createTransactionReads, type Reads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type RecordKind } from '../../kinds.ts'
import { foldText } from './fold.ts'

/** Maximum of bytes of a slug. A percent-encoded slug is cut at a character boundary. */
const maxLength = 200

/** A percent-encoded character of UTF-8 that is not ASCII. */
const encodedCharacter = /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi

const decodeCharacter = (bytes: string) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()

/**
 * Returns the slug of a title, or a normalized slug of a URL path (contract f.3): lower case without accents; other scripts are
 * percent-encoded. Empty if no character is left. A decoded slug, as routers pass it, has the same slug.
 */
export function slugify(text: string): string {
  // Limits the work: the slug is shortened further below.
  const words = stripTags(text.slice(0, 10 * maxLength).replace(encodedCharacter, decodeCharacter))
  return shorten(
    foldText(words.replace(/&[a-z0-9#]+;/gi, ''))
      .replace(/[\s./]+/g, '-')
      .replace(/[^\p{L}\p{N}_-]/gu, '')
      // Removed characters may have separated Hangul letters, which NFC composes to a syllable.
      .normalize('NFC')
      .replace(/[^\0-\x7f]+/g, (other) => encodeURIComponent(other).toLowerCase())
      .replace(/-+/g, '-'),
  )
}

/** Matches an incomplete percent-encoded UTF-8 character at the end. */
const halfCharacter = /%(?:[cd][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f])?|f[0-9a-f](?:%[89ab][0-9a-f]){0,2})$/

function shorten(slug: string): string {
  return slug
    .slice(0, maxLength)
    .replace(/%[0-9a-f]?$/, '')
    .replace(halfCharacter, '')
    .replace(/^-+|-+$/g, '')
}

/** A slug that a record needs. */
export interface SlugClaim {
  readonly id: number
  readonly slug: string
}

/**
 * Reserves a slug for each claim and returns them in order. A slug that another record has gets the first free suffix of
 * -2, -3, …; a record keeps a slug that it already has. Safe for concurrent transactions, because of the primary key.
 */
export async function reserveUniqueSlugs(tx: Tx, kind: RecordKind, claims: readonly SlugClaim[]): Promise<string[]> {
  const owners = (slugs: readonly string[]) => findSlugOwners(createTransactionReads(tx), kind, slugs)
  const assigned = new Map<number, string>()
  const locked = new Set<string>()
  const pending = (claim: SlugClaim, index: number) => ({ ...claim, index, candidate: claim.slug, nextSuffix: 2 })
  let remaining: PendingClaim[] = claims.map(pending)
  // Searches ever wider windows of suffixes, for titles that thousands of records share.
  for (let width = 8; remaining.length > 0; width *= 4) {
    const candidates = remaining.map((claim) => claim.candidate)
    const ids = remaining.map(({ id }) => id)
    const reserved = await tx.$queryRaw<SlugOwner[]>(insertFreeSlugs(kind, candidates, ids))
    const allReserved = reserved.length === candidates.length
    const ownerOf = allReserved ? new Map(reserved.map((row) => [row.slug, row.id])) : await owners(candidates)
    for (const claim of remaining)
      if (ownerOf.get(claim.candidate) === claim.id) assigned.set(claim.index, claim.candidate)
    const unassigned = remaining.filter((claim) => !assigned.has(claim.index))
    if (unassigned.length === 0) break
    // Serializes transactions that look for a suffix of the same slug: they would all try the same one.
    for (const slug of new Set(unassigned.map((claim) => claim.slug).sort())) {
      if (!locked.has(slug)) await acquireAdvisoryLock(tx, `${kind} ${slug}`)
      locked.add(slug)
    }
    const ownersOfNext = await owners(unassigned.flatMap((claim) => candidatesOf(claim, width)))
    remaining = nextCandidates(unassigned, width, ownersOfNext)
  }
  return claims.map((claim, index) => assigned.get(index) ?? claim.slug)
}

interface SlugOwner {
  readonly slug: string
  readonly id: number
}

/** Finds the IDs of the records with these slugs, in any language. */
export async function findSlugOwners(
  reads: Pick<Reads, 'rows'>,
  kind: RecordKind,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (slugs.length === 0) return new Map()
  const rows = await reads.rows<SlugOwner>(
    Prisma.sql`SELECT slug, ${column(kind)} AS id FROM ${table(kind)} WHERE slug = ANY(${[...slugs]}::text[])`,
    { prepared: true },
  )
  return new Map(rows.map((row) => [row.slug, row.id]))
}

const table = (kind: RecordKind) => Prisma.raw(`"${kinds[kind].owner}_slug"`)
const column = (kind: RecordKind) => Prisma.raw(`"${kinds[kind].owner}_id"`)

/** Inserts the slugs that are free, each for the record at the same index of `ids`, and returns the inserted rows. */
export const insertFreeSlugs = (
  kind: RecordKind,
  slugs: readonly string[],
  ids: readonly number[],
): Prisma.Sql => Prisma.sql`
  INSERT INTO ${table(kind)} (slug, ${column(kind)}) SELECT * FROM unnest(${slugs}::text[], ${ids}::int[])
  ON CONFLICT DO NOTHING RETURNING slug, ${column(kind)} AS id`

interface PendingClaim extends SlugClaim {
  readonly index: number
  readonly candidate: string
  readonly nextSuffix: number
}

const candidatesOf = ({ slug, nextSuffix }: PendingClaim, width: number): string[] =>
  Array.from({ length: width }, (_, offset) => suffixed(slug, nextSuffix + offset))

/** Chooses for each claim the first suffix that is neither used by a record nor chosen for another claim. */
function nextCandidates(
  claims: readonly PendingClaim[],
  width: number,
  owners: ReadonlyMap<string, number>,
): PendingClaim[] {
  const picked = new Map<string, number>()
  return claims.map((claim) => {
    const slugs = candidatesOf(claim, width)
    const isFree = (slug: string) => [claim.id, undefined].includes(owners.get(slug) ?? picked.get(slug))
    const offset = slugs.findIndex(isFree)
    if (offset === -1) return { ...claim, candidate: slugs.at(-1) ?? claim.slug, nextSuffix: claim.nextSuffix + width }
    const candidate = slugs[offset] ?? claim.slug
    picked.set(candidate, claim.id)
    return { ...claim, candidate, nextSuffix: claim.nextSuffix + offset + 1 }
  })
}

/** Releases the slugs of a record, but those of records that were merged into it. */
export async function releaseSlugs(tx: Tx, kind: RecordKind, id: number, kept: readonly string[] = []): Promise<void> {
  const own = kind === 'event' ? Prisma.empty : Prisma.sql`AND NOT merged`
  await tx.$executeRaw`
    DELETE FROM ${table(kind)} WHERE ${column(kind)} = ${id} AND NOT slug = ANY(${kept}::text[]) ${own}`
}

function suffixed(slug: string, n: number): string {
  const suffix = `-${n}`
  return `${shorten(slug.slice(0, maxLength - suffix.length))}${suffix}`
}
