// Resolves the IDs, slugs and names in filters. Unknown records match nothing, unless the filter sets `mustExist`, as the
// REST API does (contract d.4).

import { type InputProblem, inputProblemsError, wrongKindMessage } from '../../basics/errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind, TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { findDatabaseIds, parseDatabaseId, parseGlobalId } from '../rules/identify.ts'
import { visibleUsersFilter } from '../rules/visibility.ts'
import { checkSearchText } from '../search/words.ts'
import { foldLine } from '../text/fold.ts'
import { slugify } from '../text/slug.ts'
import { getRecordReads } from './records.ts'

/** Maximum of items in a field of a filter, to bound the number of parameters and the time of the lookups. */
const maxItems = 10_000

type Ids = string | readonly string[] | null | undefined

export const mustExistOptions = {
  description: 'Whether unknown records in the filter are an error. False, the default: unknown records match nothing.',
} as const

export const termReferencesNote =
  'Each item is a slug, a global ID, a databaseId or a name. Digits are a slug if a record has this slug, and else a databaseId.'

interface References {
  /** Errors of other checks of the filter, by field; thrown together with those of references. */
  readonly errors?: Readonly<Record<string, string>> | undefined
  readonly mustExist?: boolean | null | undefined
  /** IDs to include; unknown IDs are no error. */
  readonly include?: readonly [kind: RecordKind, ids: Ids]
  readonly records?: Readonly<Record<string, readonly [kind: RecordKind | 'user', ids: Ids]>>
  /** Terms by slug, ID or name, by field of the filter. */
  readonly terms?: Readonly<Record<string, readonly [kind: TermKind, items: readonly string[] | null | undefined]>>
}

/** Database IDs, by field of the filter. Fields without items are missing. */
export type ReferencedIds = Readonly<Record<string, number[]>>

interface Field {
  readonly field: string
  readonly mustExist: boolean
  readonly kind: RecordKind | 'user'
  readonly input: Ids
  readonly isByName: boolean
}

interface ResolvedField {
  readonly field: string
  /** IDs of the items of the field; undefined for a field without items. */
  readonly ids?: number[]
  readonly problems: readonly InputProblem[]
}

/** Returns IDs, 0 for an unknown slug. Throws one badInputError for all invalid IDs and, with `mustExist`, all unknown records. */
export async function resolveReferences(references: References, context: Context): Promise<ReferencedIds> {
  const { errors = {}, include, records = {}, terms = {} } = references
  const mustExist = references.mustExist ?? false
  const fields: Field[] = [
    ...(include ? [{ field: 'include', mustExist: false, kind: include[0], input: include[1], isByName: false }] : []),
    ...Object.entries(records).map(([field, [kind, input]]) => ({ field, mustExist, kind, input, isByName: false })),
    ...Object.entries(terms).map(([field, [kind, input]]) => ({ field, mustExist, kind, input, isByName: true })),
  ]
  const resolved = await Promise.all(fields.map((field) => resolveField(field, context)))
  const problems = [
    ...Object.entries(errors).map(([field, message]) => ({ path: [field], message })),
    ...resolved.flatMap((each) => each.problems),
  ]
  if (problems.length > 0) throw inputProblemsError(problems)
  return Object.fromEntries(resolved.flatMap(({ field, ids }) => (ids ? [[field, ids] as const] : [])))
}

/** `isByName`: terms are looked up by slug, ID or name. */
async function resolveField(
  { field, mustExist, kind, input, isByName }: Field,
  context: Context,
): Promise<ResolvedField> {
  const items = typeof input === 'string' ? [input] : (input ?? [])
  if (items.length === 0) return { field, problems: [] }
  if (items.length > maxItems) {
    return { field, problems: [{ path: [field], message: `At most ${maxItems} items are allowed.` }] }
  }
  if (isByName) for (const item of items) checkSearchText(field, item)
  const found: readonly Found[] = isByName
    ? await findTerms(kind as TermKind, items, context)
    : await findDatabaseIds(context.reads, kind, items)
  const ids = found.flatMap(({ id }) => id ?? [])
  const problems: InputProblem[] = found.flatMap(({ problem }, index) =>
    problem === undefined ? [] : [{ path: typeof input === 'string' ? [field] : [field, index], message: problem }],
  )
  if (!mustExist) return { field, ids, problems }
  const existing = isByName ? new Set(ids) : await existingIds(kind, ids, context)
  const unknown = items.filter((_, index) => {
    const { id, problem } = found[index] ?? {}
    return problem === undefined && !(id !== undefined && existing.has(id))
  })
  const message = `Unknown: ${unknown.map((item) => item.slice(0, 100)).join(', ')}.`
  return { field, ids, problems: [...problems, ...(unknown.length > 0 ? [{ path: [field], message }] : [])] }
}

async function existingIds(kind: RecordKind | 'user', ids: number[], context: Context): Promise<ReadonlySet<number>> {
  const visible = kind === 'user' ? visibleUsersFilter(context) : {}
  const where = { AND: [{ id: { in: ids } }, visible] }
  const rows = await getRecordReads(context, kind).findMany({ select: { id: true }, where })
  return new Set((rows as { id: number }[]).map(({ id }) => id))
}

/** The result for an item of a filter; an unknown item has no `ids` and no `problem`. */
interface Found {
  readonly id?: number | undefined
  readonly problem?: string
}

/**
 * Looks up each item as a slug, then as a number, then as a name: 5 is first looked up as the slug "5". A global ID is only
 * an ID; a global ID of another type is an error.
 */
async function findTerms(kind: TermKind, items: readonly string[], { reads }: Context): Promise<Found[]> {
  const sql = (name: string) => Prisma.raw(`"${name}"`)
  const [key, texts] = [sql(`${kind}_id`), sql(`${kind}_text`)]
  const globalIds = items.map(parseGlobalId)
  const isText = (index: number) => globalIds[index] === undefined
  const slugs = items.map((item, index) => (isText(index) ? slugify(item) : null))
  const ids = items.map((item, index) => parseDatabaseId(item) ?? globalIds[index]?.id ?? null)
  const rows = await reads.rows<{ position: number; id: number | null }>(
    Prisma.sql`
    SELECT item.position::int, coalesce(s.${key}, r.id, m.${key}) AS id
    FROM unnest(${slugs}::text[], ${ids}::int[]) WITH ORDINALITY AS item(slug, id, position)
      LEFT JOIN ${sql(`${kind}_slug`)} s ON s.slug = item.slug LEFT JOIN ${sql(kind)} r ON r.id = item.id
      LEFT JOIN ${sql(`${kind}_slug`)} m ON m.slug = '#' || item.id`,
    { prepared: true },
  )
  const idByItem = new Map(rows.map((row) => [items[row.position - 1], row.id ?? undefined]))
  const names = items.filter((item, index) => isText(index) && idByItem.get(item) === undefined).map(foldLine)
  const byName = new Map<string, number>()
  if (names.length > 0) {
    // The first line of `folded` is the name. Terms are few, so that no index is needed.
    const rowsByName = await reads.rows<{ name: string; id: number }>(
      Prisma.sql`
      SELECT split_part(folded, E'\n', 1) AS name, min(${key}) AS id FROM ${texts}
      WHERE split_part(folded, E'\n', 1) = ANY(${names}::text[]) AND 'name' = ANY(written) GROUP BY 1`,
      { prepared: true },
    )
    for (const row of rowsByName) byName.set(row.name, row.id)
  }
  return items.map((item, index) => {
    const actual = globalIds[index]?.kind ?? kind
    if (actual !== kind) return { problem: wrongKindMessage(kind, actual) }
    return { id: idByItem.get(item) ?? (isText(index) ? byName.get(foldLine(item)) : undefined) }
  })
}
