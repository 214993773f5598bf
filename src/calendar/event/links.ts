import { badInputError, inputProblemsError } from '../../basics/errors.ts'
import { checkAll, checkAtPath, checkEachItem } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import { findExistingIds } from '../../engine/reads/existing-ids.ts'
import { createTransactionReads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, type TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { createCategory } from '../category/write.ts'
import { findTermByName } from '../lifecycle/find-by-name.ts'
import { createOrganizer } from '../organizer/write.ts'
import { findDatabaseIds, parseReferencedId } from '../rules/identify.ts'
import { listedPostsFilter, readableFilter } from '../rules/status.ts'
import { createTag } from '../tag/write.ts'
import { findSlugOwners, slugify } from '../text/slug.ts'
import { readNameInput } from '../text/text-input.ts'
import { createVenue } from '../venue/write.ts'
import type { UpdateEventValues } from './inputs.ts'

type LinkInputs = Pick<UpdateEventValues, 'venues' | 'organizers' | 'categories' | 'tags'>

/** IDs of the records to link to an event; null and undefined leave the existing links. */
export type EventLinks = Readonly<Record<keyof LinkInputs, readonly number[] | null | undefined>>

const linkedKinds = ['venue', 'organizer', 'category', 'tag'] as const
type LinkedKind = (typeof linkedKinds)[number]

interface IdInput {
  readonly id?: string | null
  readonly idIfExists?: string | null
}

interface TermInput {
  readonly nameOrSlug?: string | null
}

/** Returns the IDs to link. Creating categories or tags requires no further permission. `eventId` is undefined for a new event. */
export async function resolveEventLinks(
  tx: Tx,
  eventId: number | undefined,
  links: LinkInputs,
  context: Context,
): Promise<EventLinks> {
  const find = await findLinkable(tx, eventId, links, context)
  const idsOf = async <Input extends IdInput>(
    kind: LinkedKind,
    inputs: readonly Input[] | null | undefined,
    findOrCreate: (input: Input) => Promise<number>,
  ) => {
    if (inputs == null) return inputs
    const ids = await checkEachItem(kinds[kind].plural, inputs, (input) => {
      const [field, id] = input.id == null ? (['idIfExists', input.idIfExists] as const) : (['id', input.id] as const)
      if (id == null) return findOrCreate(input)
      parseReferencedId(kind, id, field)
      const found = find(kind, id)
      if (found === undefined && field === 'id') throw badInputError({ id: `Unknown: ${id}.` })
      return found
    })
    return [...new Set(ids.filter((id) => id !== undefined))]
  }
  const [namedCategories, namedTags] = [
    await findNamedTerms(tx, 'category', links.categories),
    await findNamedTerms(tx, 'tag', links.tags),
  ]
  const termOf = (kind: TermKind, named: ReadonlyMap<string, number>) => (input: TermInput) =>
    findOrCreateTerm(tx, kind, required(input.nameOrSlug), named, context)
  return checkAll({
    venues: () =>
      idsOf('venue', links.venues, ({ create }) =>
        checkAtPath(['create'], () => createVenue(tx, required(create), context)),
      ),
    organizers: () =>
      idsOf('organizer', links.organizers, ({ create }) =>
        checkAtPath(['create'], () => createOrganizer(tx, required(create), context)),
      ),
    categories: () => idsOf('category', links.categories, termOf('category', namedCategories)),
    tags: () => idsOf('tag', links.tags, termOf('tag', namedTags)),
  })
}

/** Finds records that may be linked: all terms; venues and organizers that lists show to the caller or that are linked. */
async function findLinkable(tx: Tx, eventId: number | undefined, links: LinkInputs, context: Context) {
  const textsOf = (kind: LinkedKind) => {
    const inputs: readonly IdInput[] = links[kinds[kind].plural] ?? []
    return inputs.flatMap(({ id, idIfExists }) => id ?? idIfExists ?? [])
  }
  const find = await findLinkableOf(tx, eventId, textsOf, context, { includesMerged: false })
  const missingOf = (kind: LinkedKind) => textsOf(kind).filter((text) => find(kind, text) === undefined)
  if (linkedKinds.every((kind) => missingOf(kind).length === 0)) return find
  // Few IDs are those of records that were merged, so only those that are missing are looked up.
  const findMerged = await findLinkableOf(tx, eventId, missingOf, context, { includesMerged: true })
  return (kind: LinkedKind, text: string) => find(kind, text) ?? findMerged(kind, text)
}

async function findLinkableOf(
  tx: Tx,
  eventId: number | undefined,
  textsOf: (kind: LinkedKind) => readonly string[],
  context: Context,
  options: { readonly includesMerged: boolean },
) {
  const linkedAlready = eventId === undefined ? [] : [{ events: { some: { eventId } } }]
  const conditions = new Map<string, object>()
  const idsOf = new Map<LinkedKind, ReadonlyMap<string, number>>()
  for (const kind of linkedKinds) {
    const texts = textsOf(kind)
    const found = await findDatabaseIds(createTransactionReads(tx), kind, texts, options)
    const ids = new Map(
      texts.flatMap((text, index) => {
        const identity = found[index]
        return identity && 'id' in identity ? [[text, identity.id] as const] : []
      }),
    )
    idsOf.set(kind, ids)
    const condition = isPost(kind) ? { OR: [listedPostsFilter(context), ...linkedAlready] } : {}
    if (ids.size > 0) conditions.set(kinds[kind].type, { id: { in: [...ids.values()] }, ...condition })
  }
  const existing = await findExistingIds(tx, conditions)
  return (kind: LinkedKind, text: string): number | undefined => {
    const id = idsOf.get(kind)?.get(text)
    return id !== undefined && existing.get(kinds[kind].type)?.has(id) ? id : undefined
  }
}

function required<T>(value: T | null | undefined): T {
  if (value == null)
    throw inputProblemsError([
      { path: [], message: 'Set either the id of an existing record, or create with a new record.' },
    ])
  return value
}

/** Returns the IDs of the terms that exist, by their slugs. */
const findNamedTerms = (tx: Tx, kind: TermKind, inputs: readonly TermInput[] | null | undefined) =>
  findSlugOwners(
    createTransactionReads(tx),
    kind,
    (inputs ?? []).flatMap(({ nameOrSlug }) => (nameOrSlug == null ? [] : [slugify(nameOrSlug)])),
  )

/** `named`: the IDs that were found before, by slug. Other terms are looked up. */
async function findOrCreateTerm(
  tx: Tx,
  kind: TermKind,
  slugOrName: string,
  named: ReadonlyMap<string, number>,
  context: Context,
): Promise<number> {
  const name = readNameInput('nameOrSlug', slugOrName) ?? ''
  const slug = slugify(name)
  const bySlug = named.get(slug)
  if (bySlug !== undefined) return bySlug
  await acquireAdvisoryLock(tx, kind)
  // Another transaction, or another item of the list, may have created the term.
  const existing =
    (await findSlugOwners(createTransactionReads(tx), kind, [slug])).get(slug) ??
    (await findTermByName(tx, kind, name, undefined))
  if (existing !== undefined) return existing
  return kind === 'category' ? createCategory(tx, { name }, context) : createTag(tx, { name }, context)
}

type LinkTables = Readonly<
  Record<
    `content${(typeof kinds)[LinkedKind]['type']}`,
    {
      deleteMany(args: { where: object }): Promise<unknown>
      updateMany(args: { where: object; data: object }): Promise<unknown>
    }
  >
>

/** Replaces the links of a content. Keeps links to venues and organizers that the caller may not see, after the others. */
export async function replaceEventLinks(tx: Tx, contentId: number, links: EventLinks, context: Context): Promise<void> {
  for (const kind of linkedKinds) {
    const ids = links[kinds[kind].plural]
    if (ids == null) continue
    const table = (tx as unknown as LinkTables)[`content${kinds[kind].type}`]
    await table.deleteMany({ where: { contentId, ...(isPost(kind) && { [kind]: readableFilter(context) }) } })
    if (isPost(kind)) {
      await table.deleteMany({ where: { contentId, [`${kind}Id`]: { in: [...ids] } } })
      await table.updateMany({ where: { contentId }, data: { position: { increment: ids.length } } })
    }
    await tx.$executeRaw(insertOf(kind, contentId, ids))
  }
}

/** Returns parts of a WITH clause that insert the links of a new content. */
export function insertEventLinksSql(contentId: number, links: EventLinks): Prisma.Sql[] {
  const linked = linkedKinds.filter((kind) => links[kinds[kind].plural]?.length)
  return linked.map((kind) => {
    const { plural } = kinds[kind]
    // Locks categories before tags, as everywhere, to avoid deadlocks.
    const isAfter = kind === 'tag' && linked.includes('category')
    const after = isAfter ? Prisma.sql`WHERE (SELECT count(*) FROM categories) IS NOT NULL` : Prisma.empty
    return Prisma.sql`${Prisma.raw(plural)} AS (${insertOf(kind, contentId, links[plural] ?? [])} ${after} RETURNING 1)`
  })
}

function insertOf(kind: LinkedKind, contentId: number, ids: readonly number[]): Prisma.Sql {
  const [column, position] = isPost(kind) ? [', position', ', position - 1'] : ['', '']
  return Prisma.sql`
    INSERT INTO ${Prisma.raw(`content_${kind} (content_id, ${kind}_id${column})`)}
    SELECT ${contentId}::int, id${Prisma.raw(position)} FROM unnest(${ids}::int[]) WITH ORDINALITY AS item (id, position)`
}
