// Searches texts in the language of the operation (contract c.14), and sorts by relevance.
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type PostKind, type RecordKind } from '../kinds.ts'
import { isLocked, type Lockable, lockedFor, unlocked } from '../lifecycle/record-password.ts'
import { type ComputedValue, type ValuesById, valueName, valuesById } from '../list/computed-order.ts'
import { delegateOf } from '../list/records.ts'
import { fold, foldLine, stemmer, stemmerOf } from './text-rows.ts'

interface Words {
  /** Words or phrases that must occur. */
  readonly present: readonly string[]
  /** Words or phrases that must not occur. */
  readonly absent: readonly string[]
}

/** Splits at white space. Quotes make a phrase, a leading hyphen excludes the word or phrase. */
export function searchWords(search: string): Words {
  const present = new Set<string>()
  const absent = new Set<string>()
  for (const [, hyphen, phrase, word = ''] of fold(search).matchAll(/(-?)(?:["“”]([^"“”]*)["“”]?|([^\s"“”]+))/g)) {
    const text = foldLine(phrase ?? word)
    if (text !== '') (hyphen ? absent : present).add(text)
  }
  return { present: [...present], absent: [...absent] }
}

/** Splits at characters other than letters, digits and hyphens. Used for venues and organizers. */
const fragments = (search: string): string[] =>
  fold(search)
    .split(/[^\p{L}\p{M}\p{N}-]+/u)
    .filter((fragment) => fragment !== '')

/** Characters of a search text, or of a term in a filter. */
const maxLength = 1000

/** Throws badInput for text with a NUL character, and for text that is too long. */
export function checkSearchText(field: string, text: string): void {
  if (text.includes('\0')) throw badInput({ [field]: 'NUL characters are not allowed.' })
  if (text.length > maxLength) throw badInput({ [field]: `${field} can have at most ${maxLength} characters.` })
}

/** Escapes the wildcards of LIKE. */
export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const textContains = (text: string) => ({ folded: { contains: escapeLikePattern(text) } })
const nameContains = (text: string) => ({ foldedName: { contains: escapeLikePattern(text) } })

/**
 * Events whose text contains all words and no excluded word. Of a locked event, only the title is searched, because no
 * other text of it is shown (contract c.15). Undefined if the search is blank.
 */
export async function eventTextMatches(search: string, context: Context): Promise<Prisma.EventWhereInput | undefined> {
  checkSearchText('search', search)
  const { present, absent } = searchWords(search)
  if (present.length + absent.length === 0) return undefined
  const { language } = context
  const [required, excluded] = [present.map(textContains), absent.map(textContains)]
  const matchesByTitle = await lockedMatches(
    'event',
    { AND: present.map(nameContains), NOT: absent.map(nameContains) },
    context,
  )
  if (!matchesByTitle) return { texts: { some: { language, AND: required, NOT: excluded } } }
  // Uses only columns of the event and its text: a subquery per candidate takes several times as long.
  const titleMatches = { eventId: { in: matchesByTitle } }
  const row = {
    language,
    AND: excluded.length > 0 ? [...required, { OR: [{ NOT: excluded }, titleMatches] }] : required,
  }
  return { texts: { some: row }, OR: [unlocked(context), { id: { in: matchesByTitle } }] }
}

/**
 * IDs of records that are locked for this operation and whose text matches; undefined if nothing can be locked. Throws
 * badInput for more than `maxMatches`.
 */
async function lockedMatches(kind: PostKind, row: object, context: Context): Promise<number[] | undefined> {
  const locked = lockedFor(context)
  if (!locked) return undefined
  const texts = { some: { language: context.language, ...row } }
  const where = { AND: [{ passwordKey: { not: null } }, locked, { texts }] }
  const records = await delegateOf(context, kind).findMany({ select: { id: true }, where, take: maxMatches + 1 })
  if (records.length > maxMatches)
    throw badInput({ search: `More than ${maxMatches} protected ${kind}s match. Use a more specific search.` })
  return records.map((record) => (record as { id: number }).id)
}

/** Terms whose name or slug contains the text; undefined if the search is blank. */
export function termTextMatches(search: string, { language }: Context) {
  checkSearchText('search', search)
  const text = foldLine(search)
  return text === '' ? undefined : { texts: { some: { language, AND: [textContains(text)] } } }
}

/** More IDs exceed the number of parameters of a statement. */
export const maxMatches = 30_000

/**
 * Venues or organizers with a field that contains all words. Of locked records, only the name is searched. Undefined if
 * the search is blank. Throws badInput for more than `maxMatches`.
 */
export async function fieldMatches(kind: PostKind, search: string, context: Context) {
  checkSearchText('search', search)
  const { db, language } = context
  const all = fragments(search)
  const [first, ...others] = all
  if (first === undefined) return search.trim() === '' ? undefined : { id: { in: [] } }
  const matchesByName = await lockedMatches(kind, { AND: all.map(nameContains) }, context)
  const unlessHidden = matchesByName ? { OR: [unlocked(context), { id: { in: matchesByName } }] } : {}
  if (others.length === 0) return { texts: { some: { language, AND: [textContains(first)] } }, ...unlessHidden }
  const [textTable, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const patterns = all.map((fragment) => `%${escapeLikePattern(fragment)}%`)
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT ${key} AS id FROM ${textTable}
    WHERE language = ${language} AND folded LIKE ALL(${patterns}::text[])
      AND EXISTS (SELECT FROM string_to_table(folded, E'\n') AS field WHERE field LIKE ALL(${patterns}::text[]))
    LIMIT ${maxMatches + 1}`
  if (rows.length > maxMatches)
    throw badInput({ search: `More than ${maxMatches} ${kind}s match. Use a more specific search.` })
  return { id: { in: rows.map((row) => row.id) }, ...unlessHidden }
}

/** Sorts by `ts_rank`, best match first unless `descending`. Of a locked record, only the words of the name count. */
export const byRelevance = (
  kind: RecordKind,
  search: string,
  descending: boolean,
  context: Context,
): ComputedValue => ({
  name: valueName('relevance', search),
  descending: !descending,
  invertsTies: descending,
  values: (ids) => relevanceOf(kind, ids, search, context),
})

async function relevanceOf(kind: RecordKind, ids: readonly number[], search: string, context: Context) {
  const [table, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const locked = await lockedAmong(kind, ids, context)
  const rows = await context.db.$queryRaw<ValuesById[]>`
    WITH search AS (
      SELECT replace(plainto_tsquery(${stemmerOf(Prisma.sql`${stemmer(context.language)}`)},
        ${searchWords(search).present.join(' ')})::text, '&', '|')::tsquery AS words)
    SELECT array_agg(item.id) AS ids, array_agg(ts_rank(
        CASE WHEN item.id = ANY(${locked}::int[]) THEN ts_filter(t.stems, '{a}') ELSE t.stems END, search.words, 1)::float8)
      AS values
    FROM search, unnest(${[...ids]}::int[]) AS item(id)
      JOIN ${table} t ON t.${key} = item.id AND t.language = ${context.language}`
  return valuesById(rows)
}

/** The IDs of records that are locked for this operation. */
async function lockedAmong(kind: RecordKind, ids: readonly number[], context: Context): Promise<number[]> {
  if (!isPost(kind) || !lockedFor(context)) return []
  const rows = await context.db.$queryRaw<Lockable[]>`
    SELECT id, password_key AS "passwordKey", author_id AS "authorId", status::text, trashed_from::text AS "trashedFrom"
    FROM ${Prisma.raw(`"${kind}"`)} WHERE password_key IS NOT NULL AND id = ANY(${[...ids]}::int[])`
  return rows.filter((row) => isLocked(row, context)).map(({ id }) => id)
}
