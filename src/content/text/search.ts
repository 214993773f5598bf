// Search in the served text of the operation's language (contract c.14), and the order by relevance.
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type PostKind, type RecordKind } from '../kinds.ts'
import { isLocked, type Lockable, lockedOut, unlocked } from '../lifecycle/record-password.ts'
import { delegateOf } from '../list/records.ts'
import { fold, foldLine, stemmer, stemmerOf } from './text-rows.ts'

interface Words {
  /** All of them occur. */
  readonly present: readonly string[]
  readonly absent: readonly string[]
}

/** Words split at white space; quotes keep a phrase together, a leading hyphen excludes. */
export function searchWords(search: string): Words {
  const present = new Set<string>()
  const absent = new Set<string>()
  for (const [, hyphen, phrase, word = ''] of fold(search).matchAll(/(-?)(?:["“”]([^"“”]*)["“”]?|([^\s"“”]+))/g)) {
    const text = foldLine(phrase ?? word)
    if (text !== '') (hyphen ? absent : present).add(text)
  }
  return { present: [...present], absent: [...absent] }
}

/** What is neither letter, digit nor hyphen parts words of a venue's or organizer's fields; accents belong to letters. */
const fragments = (search: string): string[] =>
  fold(search)
    .split(/[^\p{L}\p{M}\p{N}-]+/u)
    .filter((fragment) => fragment !== '')

/** Characters of a search, or of the name of a term. */
const longest = 1000

/** Throws badInput on text that no record can hold, or that nobody searches for. */
export function checkSearched(field: string, text: string): void {
  if (text.includes('\0')) throw badInput({ [field]: 'Text holds no NUL character.' })
  if (text.length > longest) throw badInput({ [field]: `${field} has at most ${longest} characters.` })
}

/** Escapes what LIKE reads as patterns. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const holds = (text: string) => ({ folded: { contains: literal(text) } })
const nameHolds = (text: string) => ({ foldedName: { contains: literal(text) } })

/**
 * Events whose served text has all words and none of the excluded ones; of a locked one only the title counts, which is
 * all of its text that is shown (contract c.15). Undefined when blanks are all that was given.
 */
export async function textWith(search: string, context: Context): Promise<Prisma.EventWhereInput | undefined> {
  checkSearched('search', search)
  const { present, absent } = searchWords(search)
  if (present.length + absent.length === 0) return undefined
  const { language } = context
  const [has, hasNot] = [present.map(holds), absent.map(holds)]
  const titled = await lockedWith('event', { AND: present.map(nameHolds), NOT: absent.map(nameHolds) }, context)
  if (!titled) return { texts: { some: { language, AND: has, NOT: hasNot } } }
  // By columns of the two rows alone: a look at other rows for each candidate takes several times as long.
  const isTitled = { eventId: { in: titled } }
  const row = { language, AND: hasNot.length > 0 ? [...has, { OR: [{ NOT: hasNot }, isTitled] }] : has }
  return { texts: { some: row }, OR: [unlocked(context), { id: { in: titled } }] }
}

/**
 * Records whose fields are withheld from this operation and whose served row fits; undefined where nothing is withheld.
 * Throws badInput when they are too many to go on with.
 */
async function lockedWith(kind: PostKind, row: object, context: Context): Promise<number[] | undefined> {
  const locked = lockedOut(context)
  if (!locked) return undefined
  const texts = { some: { language: context.language, ...row } }
  const where = { AND: [{ passwordKey: { not: null } }, locked, { texts }] }
  const found = await delegateOf(context, kind).findMany({ select: { id: true }, where, take: tooMany + 1 })
  if (found.length > tooMany)
    throw badInput({ search: `More than ${tooMany} protected ${kind}s fit: search for more.` })
  return found.map((record) => (record as { id: number }).id)
}

/** The served row of a term whose name or slug has this in it. */
export function termWith(search: string, { language }: Context) {
  checkSearched('search', search)
  const text = foldLine(search)
  return text === '' ? undefined : { texts: { some: { language, AND: [holds(text)] } } }
}

/** More numbers than one statement takes. */
export const tooMany = 30_000

/**
 * Venues or organizers one field of which has all fragments; of locked ones the name, the only such field that is shown.
 * Throws badInput when they are too many to go on with.
 */
export async function fieldWith(kind: PostKind, search: string, context: Context) {
  checkSearched('search', search)
  const { db, language } = context
  const all = fragments(search)
  const [first, ...others] = all
  if (first === undefined) return search.trim() === '' ? undefined : { id: { in: [] } }
  const named = await lockedWith(kind, { AND: all.map(nameHolds) }, context)
  const shown = named ? { OR: [unlocked(context), { id: { in: named } }] } : {}
  if (others.length === 0) return { texts: { some: { language, AND: [holds(first)] } }, ...shown }
  const [rowsOf, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const patterns = all.map((fragment) => `%${literal(fragment)}%`)
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT ${key} AS id FROM ${rowsOf}
    WHERE language = ${language} AND folded LIKE ALL(${patterns}::text[])
      AND EXISTS (SELECT FROM string_to_table(folded, E'\n') AS field WHERE field LIKE ALL(${patterns}::text[]))
    LIMIT ${tooMany + 1}`
  if (rows.length > tooMany) throw badInput({ search: `More than ${tooMany} ${kind}s fit: search for more.` })
  return { id: { in: rows.map((row) => row.id) }, ...shown }
}

/** Which part of an order is wanted. */
export interface Cut {
  readonly descending: boolean
  readonly skip: number
  readonly take: number
}

/**
 * Of `ids` those from `skip` on, best match first: by how often, how near the front and in how weighty a field the words
 * occur in any of their forms. Equal ones stay in the order given; `descending` turns the whole order round. Of a locked
 * record only the words of the name count.
 */
export async function byRelevance(
  kind: RecordKind,
  ids: readonly number[],
  search: string,
  { descending, skip, take }: Cut,
  context: Context,
) {
  const [table, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const direction = Prisma.raw(descending ? 'ASC' : 'DESC')
  const tie = Prisma.raw(descending ? 'DESC' : 'ASC')
  const locked = await lockedAmong(kind, ids, context)
  const rows = await context.db.$queryRaw<{ id: number }[]>`
    WITH asked AS (
      SELECT replace(plainto_tsquery(${stemmerOf(Prisma.sql`${stemmer(context.language)}`)},
        ${searchWords(search).present.join(' ')})::text, '&', '|')::tsquery AS words),
    ranked AS MATERIALIZED (
      SELECT found.id, found.place, ts_rank(
        CASE WHEN found.id = ANY(${locked}::int[]) THEN ts_filter(t.stems, '{a}') ELSE t.stems END, asked.words, 1) AS rank
      FROM asked, unnest(${[...ids]}::int[]) WITH ORDINALITY AS found(id, place)
        JOIN ${table} t ON t.${key} = found.id AND t.language = ${context.language})
    SELECT id FROM ranked ORDER BY rank ${direction} NULLS LAST, place ${tie} OFFSET ${skip} LIMIT ${take}`
  return rows.map((row) => row.id)
}

/** Those of these records whose fields are withheld from this operation. */
async function lockedAmong(kind: RecordKind, ids: readonly number[], context: Context): Promise<number[]> {
  if (!isPost(kind) || !lockedOut(context)) return []
  const rows = await context.db.$queryRaw<Lockable[]>`
    SELECT id, password_key AS "passwordKey", author_id AS "authorId", status::text, trashed_from::text AS "trashedFrom"
    FROM ${Prisma.raw(`"${kind}"`)} WHERE password_key IS NOT NULL AND id = ANY(${[...ids]}::int[])`
  return rows.filter((row) => isLocked(row, context)).map(({ id }) => id)
}
