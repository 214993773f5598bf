// Records that a filter names. Those that don't exist find nothing, like those that the caller may not see, unless the
// filter says that they must exist, as the legacy door does (contract d.4).
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind, TermKind } from '../kinds.ts'
import { checkSearched } from '../text/search.ts'
import { slugify } from '../text/slug.ts'
import { foldLine } from '../text/text-rows.ts'

/** More would not fit into one statement, nor into a reader's patience. */
const most = 10_000

type Numbers = readonly number[] | null | undefined
type Items = readonly (string | number)[] | null | undefined

/** The number of a field that holds one, as a list. */
export const one = (id: number | null | undefined): Numbers => (id == null ? undefined : [id])

export const mustExist = {
  description: 'True: naming a record that does not exist is an error. Otherwise it finds nothing.',
} as const

interface Given {
  /** What is wrong otherwise. */
  readonly refused?: Readonly<Record<string, string>> | undefined
  readonly mustExist?: boolean | null | undefined
  readonly include?: Numbers
  /** Records by number, by field of the filter. */
  readonly numbers?: Readonly<Record<string, readonly [kind: RecordKind, ids: Numbers]>>
  /** Terms by slug, number or name, by field of the filter. */
  readonly categories?: Readonly<Record<string, Items>>
  readonly tags?: Readonly<Record<string, Items>>
}

/** The numbers of the terms that are named. Throws one badInput that says all that is unknown, if it must exist. */
export async function resolveReferences(given: Given, context: Context): Promise<Readonly<Record<string, number[]>>> {
  const wrong: Record<string, string> = { ...given.refused }
  const terms: Record<string, number[]> = {}
  const checkNumbers = async (field: string, kind: RecordKind, ids: Numbers) => {
    if (!isShort(field, ids, wrong) || !given.mustExist) return
    const unknown = await unknownNumbers(kind, ids, context)
    if (unknown.length > 0) wrong[field] = `Unknown: ${unknown.join(', ')}.`
  }
  const checkTerms = async (kind: TermKind, lists: Readonly<Record<string, Items>> = {}) => {
    for (const [field, items] of Object.entries(lists)) {
      if (!isShort(field, items, wrong)) continue
      for (const item of items) checkSearched(field, String(item))
      const found = await termNumbers(kind, items.map(String), context)
      terms[field] = found.flatMap(({ id }) => id ?? [])
      const unknown = found.flatMap(({ item, id }) => (id === undefined ? [item.slice(0, 100)] : []))
      if (given.mustExist && unknown.length > 0) wrong[field] = `Unknown: ${unknown.join(', ')}.`
    }
  }
  isShort('include', given.include, wrong)
  await Promise.all([
    ...Object.entries(given.numbers ?? {}).map(([field, [kind, ids]]) => checkNumbers(field, kind, ids)),
    checkTerms('category', given.categories),
    checkTerms('tag', given.tags),
  ])
  // In the order of the filter, whichever look-up ended first.
  const fields = [given.refused, { include: true }, given.numbers, given.categories, given.tags]
  const inOrder = fields.flatMap((some) => Object.keys(some ?? {})).filter((field) => wrong[field] !== undefined)
  if (inOrder.length > 0) throw badInput(Object.fromEntries(inOrder.map((field) => [field, wrong[field] ?? ''])))
  return terms
}

function isShort<T>(
  field: string,
  list: readonly T[] | null | undefined,
  wrong: Record<string, string>,
): list is readonly T[] {
  if (list != null && list.length > most) wrong[field] = `At most ${most} at once.`
  return list != null && list.length > 0 && list.length <= most
}

async function unknownNumbers(kind: RecordKind, ids: readonly number[], { db }: Context) {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT given.id FROM unnest(${ids.filter(isPossible)}::int[]) AS given(id)
    WHERE NOT EXISTS (SELECT FROM ${Prisma.raw(`"${kind}"`)} r WHERE r.id = given.id)`
  const unknown = new Set(rows.map((row) => row.id))
  return ids.filter((id) => !isPossible(id) || unknown.has(id))
}

const isPossible = (id: number) => Math.abs(id) <= 2_147_483_647

/** A slug goes before a number, and that before a name: a term whose slug is "5" is found by 5. */
async function termNumbers(kind: TermKind, items: readonly string[], { db }: Context) {
  const sql = (name: string) => Prisma.raw(`"${name}"`)
  const [key, names] = [sql(`${kind}_id`), sql(`${kind}_text`)]
  const numbers = items.map((item) => (/^\d{1,10}$/.test(item) && isPossible(Number(item)) ? Number(item) : null))
  const rows = await db.$queryRaw<{ place: number; id: number | null }[]>`
    SELECT given.place::int, coalesce(s.${key}, r.id) AS id
    FROM unnest(${items.map(slugify)}::text[], ${numbers}::int[]) WITH ORDINALITY AS given(slug, id, place)
      LEFT JOIN ${sql(`${kind}_slug`)} s ON s.slug = given.slug LEFT JOIN ${sql(kind)} r ON r.id = given.id`
  const known = new Map(rows.map((row) => [items[row.place - 1], row.id ?? undefined]))
  const others = items.filter((item) => known.get(item) === undefined).map(foldLine)
  if (others.length > 0) {
    // The name is the first line of what search looks at; terms are few.
    const named = await db.$queryRaw<{ name: string; id: number }[]>`
      SELECT split_part(folded, E'\n', 1) AS name, min(${key}) AS id FROM ${names}
      WHERE split_part(folded, E'\n', 1) = ANY(${others}::text[]) AND 'name' = ANY(written) GROUP BY 1`
    const byName = new Map(named.map((row) => [row.name, row.id]))
    for (const item of items) known.set(item, known.get(item) ?? byName.get(foldLine(item)))
  }
  return items.map((item) => ({ item, id: known.get(item) }))
}
