// Resolves the IDs, slugs and names in filters. Unknown records match nothing, unless the filter sets `mustExist`, as the
// REST API does (contract d.4).
import type { Context } from '../../context.ts'
import { badInputs, type InputProblem, wrongKindMessage } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { parseGlobalId, parseId, parseNumber } from '../identify.ts'
import type { RecordKind, TermKind } from '../kinds.ts'
import { checkSearchText } from '../text/search.ts'
import { slugify, slugOwners } from '../text/slug.ts'
import { foldLine } from '../text/text-rows.ts'
import { visibleUsers } from '../user/visibility.ts'

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
  readonly categories?: Readonly<Record<string, Items>>
  readonly tags?: Readonly<Record<string, Items>>
}

/** Database IDs, by field of the filter. */
export type ReferencedIds = Readonly<Record<string, number[]>>

/**
 * The database IDs of the records by field; 0 for records that cannot exist. Throws one badInput for all invalid IDs and,
 * with `mustExist`, for all unknown records.
 */
export async function resolveReferences(references: References, context: Context): Promise<ReferencedIds> {
  const problems: InputProblem[] = Object.entries(references.errors ?? {}).map(([field, message]) => ({
    path: [field],
    message,
  }))
  const resolved: Record<string, number[]> = {}
  const reportUnknown = (field: string, unknown: readonly string[]) => {
    if (!references.mustExist || unknown.length === 0) return
    const texts = unknown.map((text) => text.slice(0, 100))
    problems.push({ path: [field], message: `Unknown: ${texts.join(', ')}.` })
  }
  const resolveIds = async (field: string, kind: RecordKind | 'user', ids: Ids, isChecked: boolean) => {
    const items = typeof ids === 'string' ? [ids] : (ids ?? [])
    if (!checkLength(field, items, problems)) return
    const identities = items.map((text) => parseId(kind, text))
    identities.forEach((identity, index) => {
      const path = typeof ids === 'string' ? [field] : [field, index]
      if ('problem' in identity) problems.push({ path, message: identity.problem })
    })
    const slugs = identities.flatMap((identity) => ('slug' in identity ? identity.slug : []))
    const owners = kind === 'user' ? new Map<string, number>() : await slugOwners(context.db, kind, slugs)
    const found = identities.map((identity) => {
      if ('slug' in identity) return owners.get(identity.slug) ?? 0
      return 'id' in identity ? identity.id : undefined
    })
    resolved[field] = found.flatMap((id) => id ?? [])
    if (!isChecked || !references.mustExist) return
    const unknown = await findUnknownIds(kind, resolved[field], context)
    reportUnknown(
      field,
      items.filter((_, index) => unknown.has(found[index])),
    )
  }
  const resolveTerms = async (kind: TermKind, lists: Readonly<Record<string, Items>> = {}) => {
    for (const [field, items] of Object.entries(lists)) {
      if (!items || !checkLength(field, items, problems)) continue
      for (const item of items) checkSearchText(field, item)
      const matches = await findTerms(kind, items, context)
      resolved[field] = matches.flatMap(({ id }) => id ?? [])
      matches.forEach(({ error }, index) => {
        if (error) problems.push({ path: [field, index], message: error })
      })
      reportUnknown(
        field,
        matches.flatMap(({ item, id, error }) => (id === undefined && !error ? [item] : [])),
      )
    }
  }
  const { include, records = {}, categories, tags } = references
  await Promise.all([
    ...(include ? [resolveIds('include', ...include, false)] : []),
    ...Object.entries(records).map(([field, [kind, ids]]) => resolveIds(field, kind, ids, true)),
    resolveTerms('category', categories),
    resolveTerms('tag', tags),
  ])
  if (problems.length === 0) return resolved
  // The lookups run concurrently: report errors in the order of the filter fields.
  const fields = [references.errors, { include }, records, categories, tags].flatMap((group) =>
    Object.keys(group ?? {}),
  )
  throw badInputs(fields.flatMap((field) => problems.filter(({ path }) => path[0] === field)))
}

function checkLength(field: string, list: readonly string[], problems: InputProblem[]): boolean {
  if (list.length > maxItems) problems.push({ path: [field], message: `At most ${maxItems} items are allowed.` })
  return list.length > 0 && list.length <= maxItems
}

async function findUnknownIds(kind: RecordKind | 'user', ids: readonly number[], context: Context) {
  const { db } = context
  if (kind === 'user') {
    const users = await db.user.findMany({
      select: { id: true },
      where: { AND: [{ id: { in: [...ids] } }, visibleUsers(context)] },
    })
    const visibleIds = new Set(users.map(({ id }) => id))
    return new Set<number | undefined>(ids.filter((id) => !visibleIds.has(id)))
  }
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT item.id FROM unnest(${[...ids]}::int[]) AS item(id)
    WHERE NOT EXISTS (SELECT FROM ${Prisma.raw(`"${kind}"`)} r WHERE r.id = item.id)`
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
async function findTerms(kind: TermKind, items: readonly string[], { db }: Context): Promise<TermMatch[]> {
  const sql = (name: string) => Prisma.raw(`"${name}"`)
  const [key, texts] = [sql(`${kind}_id`), sql(`${kind}_text`)]
  const globalIds = items.map(parseGlobalId)
  const isText = (index: number) => globalIds[index] === undefined
  const slugs = items.map((item, index) => (isText(index) ? slugify(item) : null))
  const ids = items.map((item, index) => parseNumber(item) ?? globalIds[index]?.id ?? null)
  const rows = await db.$queryRaw<{ position: number; id: number | null }[]>`
    SELECT item.position::int, coalesce(s.${key}, r.id) AS id
    FROM unnest(${slugs}::text[], ${ids}::int[]) WITH ORDINALITY AS item(slug, id, position)
      LEFT JOIN ${sql(`${kind}_slug`)} s ON s.slug = item.slug LEFT JOIN ${sql(kind)} r ON r.id = item.id`
  const idByItem = new Map(rows.map((row) => [items[row.position - 1], row.id ?? undefined]))
  const names = items.filter((item, index) => isText(index) && idByItem.get(item) === undefined).map(foldLine)
  const byName = new Map<string, number>()
  if (names.length > 0) {
    // The first line of `folded` is the name. Terms are few, so that no index is needed.
    const rowsByName = await db.$queryRaw<{ name: string; id: number }[]>`
      SELECT split_part(folded, E'\n', 1) AS name, min(${key}) AS id FROM ${texts}
      WHERE split_part(folded, E'\n', 1) = ANY(${names}::text[]) AND 'name' = ANY(written) GROUP BY 1`
    for (const row of rowsByName) byName.set(row.name, row.id)
  }
  return items.map((item, index): TermMatch => {
    const actual = globalIds[index]?.kind ?? kind
    if (actual !== kind) return { item, id: undefined, error: wrongKindMessage(kind, actual) }
    return { item, id: idByItem.get(item) ?? (isText(index) ? byName.get(foldLine(item)) : undefined) }
  })
}
