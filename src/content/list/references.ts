// Resolves the IDs, slugs and names in filters. Unknown records match nothing, unless the filter sets `mustExist`, as the
// REST API does (contract d.4).
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind, TermKind } from '../kinds.ts'
import { checkSearchText } from '../text/search.ts'
import { slugify } from '../text/slug.ts'
import { foldLine } from '../text/text-rows.ts'

/** Bounds the number of parameters and the time of the lookups. */
const maxItems = 10_000

type Ids = readonly number[] | null | undefined
type Items = readonly (string | number)[] | null | undefined

/** The value of a filter field with one ID, as a list. */
export const oneId = (id: number | null | undefined): Ids => (id == null ? undefined : [id])

export const mustExist = {
  description: 'True: an unknown record in the filter is an error. False: it matches nothing.',
} as const

interface References {
  /** Errors of other checks of the filter, by field; thrown together with unknown records. */
  readonly errors?: Readonly<Record<string, string>> | undefined
  readonly mustExist?: boolean | null | undefined
  readonly include?: Ids
  /** IDs of records, by field of the filter. */
  readonly records?: Readonly<Record<string, readonly [kind: RecordKind, ids: Ids]>>
  /** Terms by slug, ID or name, by field of the filter. */
  readonly categories?: Readonly<Record<string, Items>>
  readonly tags?: Readonly<Record<string, Items>>
}

/** The IDs of the terms by field. With `mustExist`, throws one badInput that lists all unknown records. */
export async function resolveReferences(
  references: References,
  context: Context,
): Promise<Readonly<Record<string, number[]>>> {
  const errors: Record<string, string> = { ...references.errors }
  const terms: Record<string, number[]> = {}
  const checkIds = async (field: string, kind: RecordKind, ids: Ids) => {
    if (!checkLength(field, ids, errors) || !references.mustExist) return
    const unknown = await findUnknownIds(kind, ids, context)
    if (unknown.length > 0) errors[field] = `Unknown: ${unknown.join(', ')}.`
  }
  const checkTerms = async (kind: TermKind, lists: Readonly<Record<string, Items>> = {}) => {
    for (const [field, items] of Object.entries(lists)) {
      if (!checkLength(field, items, errors)) continue
      for (const item of items) checkSearchText(field, String(item))
      const matches = await findTerms(kind, items.map(String), context)
      terms[field] = matches.flatMap(({ id }) => id ?? [])
      const unknown = matches.flatMap(({ item, id }) => (id === undefined ? [item.slice(0, 100)] : []))
      if (references.mustExist && unknown.length > 0) errors[field] = `Unknown: ${unknown.join(', ')}.`
    }
  }
  checkLength('include', references.include, errors)
  await Promise.all([
    ...Object.entries(references.records ?? {}).map(([field, [kind, ids]]) => checkIds(field, kind, ids)),
    checkTerms('category', references.categories),
    checkTerms('tag', references.tags),
  ])
  // The lookups run concurrently: report errors in the order of the filter fields.
  const fieldOrder = [references.errors, { include: true }, references.records, references.categories, references.tags]
  const inOrder = fieldOrder.flatMap((group) => Object.keys(group ?? {})).filter((field) => errors[field] !== undefined)
  if (inOrder.length > 0) throw badInput(Object.fromEntries(inOrder.map((field) => [field, errors[field] ?? ''])))
  return terms
}

function checkLength<T>(
  field: string,
  list: readonly T[] | null | undefined,
  errors: Record<string, string>,
): list is readonly T[] {
  if (list != null && list.length > maxItems) errors[field] = `At most ${maxItems} items are allowed.`
  return list != null && list.length > 0 && list.length <= maxItems
}

async function findUnknownIds(kind: RecordKind, ids: readonly number[], { db }: Context) {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT item.id FROM unnest(${ids.filter(isInteger32)}::int[]) AS item(id)
    WHERE NOT EXISTS (SELECT FROM ${Prisma.raw(`"${kind}"`)} r WHERE r.id = item.id)`
  const unknown = new Set(rows.map((row) => row.id))
  return ids.filter((id) => !isInteger32(id) || unknown.has(id))
}

const isInteger32 = (id: number) => Math.abs(id) <= 2_147_483_647

/** Looks up each item as a slug, then as an ID, then as a name: 5 is first looked up as the slug "5". */
async function findTerms(kind: TermKind, items: readonly string[], { db }: Context) {
  const sql = (name: string) => Prisma.raw(`"${name}"`)
  const [key, texts] = [sql(`${kind}_id`), sql(`${kind}_text`)]
  const ids = items.map((item) => (/^\d{1,10}$/.test(item) && isInteger32(Number(item)) ? Number(item) : null))
  const rows = await db.$queryRaw<{ position: number; id: number | null }[]>`
    SELECT item.position::int, coalesce(s.${key}, r.id) AS id
    FROM unnest(${items.map(slugify)}::text[], ${ids}::int[]) WITH ORDINALITY AS item(slug, id, position)
      LEFT JOIN ${sql(`${kind}_slug`)} s ON s.slug = item.slug LEFT JOIN ${sql(kind)} r ON r.id = item.id`
  const idByItem = new Map(rows.map((row) => [items[row.position - 1], row.id ?? undefined]))
  const names = items.filter((item) => idByItem.get(item) === undefined).map(foldLine)
  if (names.length > 0) {
    // The first line of `folded` is the name. Terms are few, so that no index is needed.
    const rowsByName = await db.$queryRaw<{ name: string; id: number }[]>`
      SELECT split_part(folded, E'\n', 1) AS name, min(${key}) AS id FROM ${texts}
      WHERE split_part(folded, E'\n', 1) = ANY(${names}::text[]) AND 'name' = ANY(written) GROUP BY 1`
    const byName = new Map(rowsByName.map((row) => [row.name, row.id]))
    for (const item of items) idByItem.set(item, idByItem.get(item) ?? byName.get(foldLine(item)))
  }
  return items.map((item) => ({ item, id: idByItem.get(item) }))
}
