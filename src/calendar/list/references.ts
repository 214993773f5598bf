// Resolves the IDs, slugs and names in filters. Unknown records match nothing, unless the filter sets `mustExist`, as the
// REST API does (contract d.4).

import { badInputs, type InputProblem, wrongKindMessage } from '../../basics/errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind, TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { parseGlobalId, parseId, parseNumber } from '../rules/identify.ts'
import { visibleUsers } from '../rules/visibility.ts'
import { checkSearchText } from '../search/words.ts'
import { foldLine } from '../text/fold.ts'
import { slugify, slugOwners } from '../text/slug.ts'

/** Bounds the number of parameters and the time of the lookups. */
const maxItems = 10_000

/** The value of a filter field: one ID, or a list of IDs. */
type Ids = string | readonly string[] | null | undefined
type Items = readonly string[] | null | undefined

export const mustExist = {
  description: 'True: an unknown record in the filter is an error. False, the default: it matches nothing.',
} as const

/** For descriptions of fields with categories or tags. */
export const termReferences = 'Each by slug, global ID, databaseId or name; a slug takes precedence over a number.'

interface References {
  /** Errors of other checks of the filter, by field; thrown together with those of references. */
  readonly errors?: Readonly<Record<string, string>> | undefined
  readonly mustExist?: boolean | null | undefined
  /** IDs of the records that the filter selects, which need not exist. */
  readonly include?: readonly [kind: RecordKind, ids: Ids]
  /** IDs of records, by field of the filter. */
  readonly records?: Readonly<Record<string, readonly [kind: RecordKind | 'user', ids: Ids]>>
  /** Terms by slug, ID or name, by field of the filter. */
  readonly terms?: Readonly<Record<string, readonly [kind: TermKind, items: Items]>>
}

/** Database IDs, by field of the filter. Fields without items are missing. */
export type ReferencedIds = Readonly<Record<string, number[]>>

/** The field of a filter, and whether an unknown record in it is an error. */
interface Field {
  readonly field: string
  readonly mustExist: boolean
}

interface ResolvedField {
  readonly field: string
  /** Undefined for a field without items. */
  readonly ids?: number[]
  readonly problems: readonly InputProblem[]
}

/**
 * The database IDs of the records by field; 0 for a slug that no record has. Throws one badInput for all invalid IDs and,
 * with `mustExist`, for all unknown records.
 */
export async function resolveReferences(references: References, context: Context): Promise<ReferencedIds> {
  const { errors = {}, include, records = {}, terms = {} } = references
  const mustExist = references.mustExist ?? false
  const resolved = await Promise.all([
    ...(include ? [resolveIds({ field: 'include', mustExist: false }, ...include, context)] : []),
    ...Object.entries(records).map(([field, [kind, ids]]) => resolveIds({ field, mustExist }, kind, ids, context)),
    ...Object.entries(terms).map(([field, [kind, items]]) => resolveTerms({ field, mustExist }, kind, items, context)),
  ])
  const problems = [
    ...Object.entries(errors).map(([field, message]) => ({ path: [field], message })),
    ...resolved.flatMap((each) => each.problems),
  ]
  if (problems.length > 0) throw badInputs(problems)
  return Object.fromEntries(resolved.flatMap(({ field, ids }) => (ids ? [[field, ids] as const] : [])))
}

async function resolveIds(
  { field, mustExist }: Field,
  kind: RecordKind | 'user',
  input: Ids,
  context: Context,
): Promise<ResolvedField> {
  const items = typeof input === 'string' ? [input] : (input ?? [])
  if (items.length === 0) return { field, problems: [] }
  if (items.length > maxItems) return { field, problems: [tooManyItems(field)] }
  const identities = items.map((text) => parseId(kind, text))
  const problems = identities.flatMap((identity, index) =>
    'problem' in identity
      ? [{ path: typeof input === 'string' ? [field] : [field, index], message: identity.problem }]
      : [],
  )
  const slugs = identities.flatMap((identity) => ('slug' in identity ? identity.slug : []))
  const owners = kind === 'user' ? new Map<string, number>() : await slugOwners(context.reads, kind, slugs)
  const idOfItem = identities.map((identity) => {
    if ('slug' in identity) return owners.get(identity.slug) ?? 0
    return 'id' in identity ? identity.id : undefined
  })
  const ids = idOfItem.flatMap((id) => id ?? [])
  if (!mustExist) return { field, ids, problems }
  const unknownIds = await findUnknownIds(kind, ids, context)
  const unknown = items.filter((_, index) => unknownIds.has(idOfItem[index]))
  return { field, ids, problems: [...problems, ...unknownItems(field, unknown)] }
}

async function resolveTerms(
  { field, mustExist }: Field,
  kind: TermKind,
  items: Items,
  context: Context,
): Promise<ResolvedField> {
  if (!items || items.length === 0) return { field, problems: [] }
  if (items.length > maxItems) return { field, problems: [tooManyItems(field)] }
  for (const item of items) checkSearchText(field, item)
  const matches = await findTerms(kind, items, context)
  const problems = matches.flatMap(({ error }, index) => (error ? [{ path: [field, index], message: error }] : []))
  const unknown = matches.flatMap(({ item, id, error }) => (id === undefined && !error ? [item] : []))
  return {
    field,
    ids: matches.flatMap(({ id }) => id ?? []),
    problems: mustExist ? [...problems, ...unknownItems(field, unknown)] : problems,
  }
}

const tooManyItems = (field: string): InputProblem => ({
  path: [field],
  message: `At most ${maxItems} items are allowed.`,
})

function unknownItems(field: string, items: readonly string[]): InputProblem[] {
  if (items.length === 0) return []
  return [{ path: [field], message: `Unknown: ${items.map((item) => item.slice(0, 100)).join(', ')}.` }]
}

async function findUnknownIds(kind: RecordKind | 'user', ids: readonly number[], context: Context) {
  const { reads } = context
  if (kind === 'user') {
    const users = await reads.user.findMany({
      select: { id: true },
      where: { AND: [{ id: { in: [...ids] } }, visibleUsers(context)] },
    })
    const visibleIds = new Set(users.map(({ id }) => id))
    return new Set<number | undefined>(ids.filter((id) => !visibleIds.has(id)))
  }
  const rows = await reads.rows<{ id: number }>(
    Prisma.sql`
    SELECT item.id FROM unnest(${[...ids]}::int[]) AS item(id)
    WHERE NOT EXISTS (SELECT FROM ${Prisma.raw(`"${kind}"`)} r WHERE r.id = item.id)`,
    { prepared: true },
  )
  return new Set<number | undefined>(rows.map((row) => row.id))
}

interface TermMatch {
  readonly item: string
  readonly id: number | undefined
  readonly error?: string
}

/**
 * Looks up each item as a slug, then as a number, then as a name: 5 is first looked up as the slug "5". A global ID is only
 * an ID; that of another type is an error.
 */
async function findTerms(kind: TermKind, items: readonly string[], { reads }: Context): Promise<TermMatch[]> {
  const sql = (name: string) => Prisma.raw(`"${name}"`)
  const [key, texts] = [sql(`${kind}_id`), sql(`${kind}_text`)]
  const globalIds = items.map(parseGlobalId)
  const isText = (index: number) => globalIds[index] === undefined
  const slugs = items.map((item, index) => (isText(index) ? slugify(item) : null))
  const ids = items.map((item, index) => parseNumber(item) ?? globalIds[index]?.id ?? null)
  const rows = await reads.rows<{ position: number; id: number | null }>(
    Prisma.sql`
    SELECT item.position::int, coalesce(s.${key}, r.id) AS id
    FROM unnest(${slugs}::text[], ${ids}::int[]) WITH ORDINALITY AS item(slug, id, position)
      LEFT JOIN ${sql(`${kind}_slug`)} s ON s.slug = item.slug LEFT JOIN ${sql(kind)} r ON r.id = item.id`,
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
  return items.map((item, index): TermMatch => {
    const actual = globalIds[index]?.kind ?? kind
    if (actual !== kind) return { item, id: undefined, error: wrongKindMessage(kind, actual) }
    return { item, id: idByItem.get(item) ?? (isText(index) ? byName.get(foldLine(item)) : undefined) }
  })
}
