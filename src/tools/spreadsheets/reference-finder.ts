// Finds the records that cells refer to by name, slug or ID.
import { foldLine } from '../../calendar/text/fold.ts'
import { slugify } from '../../calendar/text/slug.ts'
import * as documents from '../../generated/graphql/graphql.ts'
import { kinds } from '../../kinds.ts'
import { type ExecuteOperation, type Operations, readAllNodes, type ToolKind } from '../operations.ts'
import { CellError, parseId, parseLine, shorten } from './cells.ts'

export type LinkedKind = Exclude<ToolKind, 'event'>

/** Thrown if the parent category does not exist yet, but another row of the file creates it. */
export class PendingParentError extends Error {}

type Linked = { readonly id: number; readonly name: string }

export type ReferenceFinder = ReturnType<typeof createReferenceFinder>

interface ReferenceOptions {
  readonly pageSize: number
  /** Whether events may create records for unknown names. */
  readonly createMissing: boolean
  /** Names and slugs of the categories in the file, without case and accents. */
  readonly announced: ReadonlySet<string>
}

export function createReferenceFinder(
  { execute, session: { db } }: Operations,
  { pageSize, createMissing, announced }: ReferenceOptions,
) {
  let names: Partial<Record<LinkedKind, ReturnType<typeof readNames>>> = {}
  const namesOf = (kind: LinkedKind) => {
    names[kind] ??= readNames(execute, kind, pageSize)
    return names[kind]
  }
  /** Returns the ID of the record with this name or slug. Throws CellError if there are several. */
  const findByName = async (kind: LinkedKind, name: string): Promise<number | undefined> => {
    const { bySlug, byName } = await namesOf(kind)
    const slugged = isTermKind(kind) ? bySlug.get(name) : undefined
    if (slugged !== undefined) return slugged
    const ids = [...(byName.get(foldLine(parseLine(name))) ?? [])]
    if (ids.length <= 1) return ids[0]
    const choices = ids.slice(0, 5).map((id) => `#${id}`)
    throw new CellError(`There are several records of the name "${shorten(name)}". Write ${choices.join(' or ')}.`)
  }
  /** Returns the ID for an item of a cell; undefined if a record may be created for it. Throws CellError if it is unknown. */
  const find = async (kind: LinkedKind, item: string, current: readonly Linked[]): Promise<number | undefined> => {
    const linked = current.find(({ name }) => escapeListItem(name) === item)
    if (linked) return linked.id
    const { ids, bySlug } = await namesOf(kind)
    if (/^#\d+$/.test(item)) {
      const id = parseId(item)
      if (ids.has(id)) return id
      throw new CellError(`There is no ${kind} with the ID ${id}.`)
    }
    const name = unescapeListItem(item)
    // The mutation links a category or tag by the slug of the name, even if its name differs.
    const found = (await findByName(kind, name)) ?? (isTermKind(kind) ? bySlug.get(slugify(name)) : undefined)
    if (found !== undefined) return found
    if (/^[1-9]\d{0,8}$/.test(name) && ids.has(Number(name))) return Number(name)
    if (createMissing) return undefined
    throw new CellError(
      `There is no ${kind} named "${shorten(name)}". Write the name of an existing one, # and its ID, or add --create-missing.`,
    )
  }
  /** Returns the ID of a parent category. Throws PendingParentError if another row creates the category. */
  const findParent = async (text: string, current: readonly Linked[]): Promise<number> => {
    try {
      const found = await find('category', text, current)
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof CellError) || !announced.has(foldLine(text))) throw error
    }
    if (announced.has(foldLine(text))) throw new PendingParentError()
    throw new CellError(`There is no category named "${shorten(text)}", and no row of the file creates it.`)
  }
  /** Returns the ID of the image that was downloaded from this URL; undefined if there is none. */
  const imageOf = async (sourceUrl: string): Promise<number | undefined> =>
    (await db.image.findFirst({ where: { sourceUrl }, orderBy: { id: 'asc' }, select: { id: true } }))?.id
  /** Clears the cache of names. Call it after records were created. */
  const forget = () => {
    names = {}
  }
  return { find, findByName, findParent, imageOf, forget }
}

export const isTermKind = (kind: LinkedKind) => kind === 'category' || kind === 'tag'

/** Adds a backslash to a name that looks like a reference by ID, such as `#12`. */
export const escapeListItem = (name: string): string => (/^\\*#\d+$/.test(name) ? `\\${name}` : name)

/** Removes the backslash that escapeListItem added. */
export const unescapeListItem = (item: string): string => (/^\\+#\d+$/.test(item) ? item.slice(1) : item)

async function readNames(execute: ExecuteOperation, kind: LinkedKind, first: number) {
  const ids = new Set<number>()
  const bySlug = new Map<string, number>()
  /** IDs of records by folded name. */
  const byName = new Map<string, Set<number>>()
  const document = documents[`Sheet${kinds[kind].type}NamesDocument`]
  const records = readAllNodes(async (after) => (await execute(document, { first, after })).page)
  for await (const { id, translations } of records) {
    ids.add(id)
    for (const { name, slug } of translations) {
      if (slug) bySlug.set(slug, id)
      if (name !== null) byName.set(foldLine(name), (byName.get(foldLine(name)) ?? new Set()).add(id))
    }
  }
  return { ids, bySlug, byName }
}
