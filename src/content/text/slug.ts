// One name space of slugs per kind: a slug belongs to one record, which may have one per language.
import type { Tx } from '../../db/client.ts'
import { acquireAdvisoryLock } from '../../db/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../kinds.ts'
import { normalize } from './normalize.ts'

/** Bytes; of a percent-encoded slug whole characters are kept. */
const longest = 200

/**
 * The slug of a text, or of a slug as it came in a path (contract f.3): accents removed, lower case, other scripts as
 * percent-encoded bytes. Empty when nothing is left.
 */
export function slugify(text: string): string {
  // What is behind this is cut off in any case.
  const words = text
    .slice(0, 10 * longest)
    .replace(/<(?:\/?[a-z]|!)[^<>]*>/gi, '')
    .replace(/&[a-z0-9#]+;/gi, '')
  const ascii = normalize(words, 'NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßẞ]/g, 'ss')
    .replace(/æ/gi, 'ae')
    .replace(/œ/gi, 'oe')
    .replace(/ø/gi, 'o')
    .toLowerCase()
  return shorten(
    ascii
      .replace(/%(?![0-9a-f]{2})/g, '')
      .replace(/[\s./\u2013\u2014]+/g, '-')
      .replace(/[^\p{L}\p{N}_%-]/gu, '')
      .replace(/[^\0-\x7f]+/g, (other) => encodeURIComponent(other).toLowerCase())
      .replace(/-+/g, '-'),
  )
}

/** The start of a character whose other bytes are cut off. */
const halfCharacter = /%(?:[cd][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f])?|f[0-9a-f](?:%[89ab][0-9a-f]){0,2})$/

function shorten(slug: string): string {
  return slug
    .slice(0, longest)
    .replace(/%[0-9a-f]?$/, '')
    .replace(halfCharacter, '')
    .replace(/^-+|-+$/g, '')
}

export interface SlugClaim {
  readonly id: number
  readonly slug: string
}

/**
 * Gives each record the slug it wants, or that slug with the first free of -2, -3, …, and returns them in the order
 * asked. A record keeps a slug it already has. Claims made at once by others are safe: the table's key decides.
 */
export async function claimSlugs(tx: Tx, kind: RecordKind, claims: readonly SlugClaim[]): Promise<string[]> {
  const owners = async (slugs: readonly string[]) => {
    const rows = await tx.$queryRaw<Owned[]>`
      SELECT slug, ${column(kind)} AS id FROM ${table(kind)} WHERE slug = ANY(${slugs}::text[])`
    return new Map(rows.map((row) => [row.slug, row.id]))
  }
  const given = new Map<number, string>()
  const locked = new Set<string>()
  let open: OpenClaim[] = claims.map((claim, index) => ({ ...claim, index, candidate: claim.slug, next: 2 }))
  // Of a title that thousands have, the free number is found by ever wider looks.
  for (let width = 8; open.length > 0; width *= 4) {
    const candidates = open.map((claim) => claim.candidate)
    const ids = open.map(({ id }) => id)
    const reserved = await tx.$queryRaw<Owned[]>(reserveSlugs(kind, candidates, ids))
    const isSettled = reserved.length === candidates.length
    const settled = isSettled ? new Map(reserved.map((row) => [row.slug, row.id])) : await owners(candidates)
    for (const claim of open) if (settled.get(claim.candidate) === claim.id) given.set(claim.index, claim.candidate)
    const left = open.filter((claim) => !given.has(claim.index))
    if (left.length === 0) break
    // One after the other: all would look for, and wait for, the same number.
    for (const slug of new Set(left.map((claim) => claim.slug).sort())) {
      if (!locked.has(slug)) await acquireAdvisoryLock(tx, `${kind} ${slug}`)
      locked.add(slug)
    }
    open = nextCandidates(left, width, await owners(left.flatMap((claim) => window(claim, width))))
  }
  return claims.map((claim, index) => given.get(index) ?? claim.slug)
}

interface Owned {
  readonly slug: string
  readonly id: number
}

const table = (kind: RecordKind) => Prisma.raw(`"${kind}_slug"`)
const column = (kind: RecordKind) => Prisma.raw(`"${kind}_id"`)

/** Inserts those of the slugs that are free, each for the record at its place in `ids`, and returns them. */
export const reserveSlugs = (
  kind: RecordKind,
  slugs: readonly string[],
  ids: readonly number[],
): Prisma.Sql => Prisma.sql`
  INSERT INTO ${table(kind)} (slug, ${column(kind)}) SELECT * FROM unnest(${slugs}::text[], ${ids}::int[])
  ON CONFLICT DO NOTHING RETURNING slug, ${column(kind)} AS id`

interface OpenClaim extends SlugClaim {
  readonly index: number
  readonly candidate: string
  /** The number to look from. */
  readonly next: number
}

const window = ({ slug, next }: OpenClaim, width: number): string[] =>
  Array.from({ length: width }, (_, offset) => suffixed(slug, next + offset))

/** For each claim the first slug of its window that is nobody else's, nor another claim's of this round. */
function nextCandidates(open: readonly OpenClaim[], width: number, owners: ReadonlyMap<string, number>): OpenClaim[] {
  const picked = new Map<string, number>()
  return open.map((claim) => {
    const slugs = window(claim, width)
    const isFree = (slug: string) => [claim.id, undefined].includes(owners.get(slug) ?? picked.get(slug))
    const offset = slugs.findIndex(isFree)
    if (offset === -1) return { ...claim, candidate: slugs.at(-1) ?? claim.slug, next: claim.next + width }
    const candidate = slugs[offset] ?? claim.slug
    picked.set(candidate, claim.id)
    return { ...claim, candidate, next: claim.next + offset + 1 }
  })
}

/** Frees the slugs of a record but those it keeps. */
export async function releaseSlugs(tx: Tx, kind: RecordKind, id: number, kept: readonly string[] = []): Promise<void> {
  await tx.$executeRaw`DELETE FROM ${table(kind)} WHERE ${column(kind)} = ${id} AND NOT slug = ANY(${kept}::text[])`
}

function suffixed(slug: string, n: number): string {
  const suffix = `-${n}`
  return `${shorten(slug.slice(0, longest - suffix.length))}${suffix}`
}
