// Writes the links of an event to venues, organizers, categories and tags.

import { badInput, badInputs } from '../../basics/errors.ts'
import { checkAll, checkEach, within } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import { findExistingIds } from '../../engine/reads/existing-ids.ts'
import { readsIn } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type RecordKind, type TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { createCategory } from '../category/write.ts'
import { findTermByName } from '../lifecycle/find-by-name.ts'
import { distinct } from '../lifecycle/linked-records.ts'
import { createOrganizer } from '../organizer/write.ts'
import { identifyAll, parseReference } from '../rules/identify.ts'
import { listedOrganizers, listedVenues, visibleOrganizers, visibleVenues } from '../rules/visibility.ts'
import { createTag } from '../tag/write.ts'
import { slugify, slugOwners } from '../text/slug.ts'
import { nameInput } from '../text/text-input.ts'
import { createVenue } from '../venue/write.ts'
import type { UpdateEvent } from './inputs.ts'

type LinkInputs = Pick<UpdateEvent, 'venues' | 'organizers' | 'categories' | 'tags'>
type Ids = readonly number[] | null | undefined

/** IDs of the records to link to an event; null and undefined leave the existing links. */
export type EventLinks = Readonly<Record<keyof LinkInputs, Ids>>

/** Finds or creates the records to link. `event` is the ID of an existing event; undefined for a new one. */
export async function resolveLinks(
  tx: Tx,
  event: number | undefined,
  links: LinkInputs,
  context: Context,
): Promise<EventLinks> {
  const { venues, organizers, categories, tags } = links
  const find = await findLinkable(tx, event, links, context)
  const newVenue = (input: Parameters<typeof createVenue>[1]) => createVenue(tx, input, context)
  const newOrganizer = (input: Parameters<typeof createOrganizer>[1]) => createOrganizer(tx, input, context)
  return checkAll({
    venues: () => venues && idsOrCreated('venue', venues, find('venue'), newVenue),
    organizers: () => organizers && idsOrCreated('organizer', organizers, find('organizer'), newOrganizer),
    categories: () => categories && termIds(tx, 'category', categories, find('category'), context),
    tags: () => tags && termIds(tx, 'tag', tags, find('tag'), context),
  })
}

const linkedKinds = ['venue', 'organizer', 'category', 'tag'] as const
type LinkedKind = (typeof linkedKinds)[number]

interface IdInput {
  readonly id?: string | null
  readonly idIfExists?: string | null
}

/** The database ID of the record that an ID of the input identifies; undefined for one that may not be linked. */
type FindLinkable = (id: string) => number | undefined

/**
 * Looks up which of the IDs may be linked: all terms, and venues and organizers that lists show to the caller or that are
 * linked already.
 */
async function findLinkable(tx: Tx, eventId: number | undefined, links: LinkInputs, context: Context) {
  const linked = eventId === undefined ? [] : [{ events: { some: { eventId } } }]
  const linkable: Readonly<Record<LinkedKind, object>> = {
    venue: { OR: [listedVenues(context), ...linked] },
    organizer: { OR: [listedOrganizers(context), ...linked] },
    category: {},
    tag: {},
  }
  const conditions = new Map<string, object>()
  const idsOf = new Map<LinkedKind, ReadonlyMap<string, number>>()
  for (const kind of linkedKinds) {
    const inputs: readonly IdInput[] = links[kinds[kind].plural] ?? []
    const texts = inputs.flatMap(({ id, idIfExists }) => id ?? idIfExists ?? [])
    const found = await identifyAll(readsIn(tx), kind, texts)
    const ids = new Map(found.flatMap((each, index) => ('id' in each ? [[texts[index] ?? '', each.id] as const] : [])))
    idsOf.set(kind, ids)
    if (ids.size > 0) conditions.set(kinds[kind].type, { id: { in: [...ids.values()] }, ...linkable[kind] })
  }
  const existing = await findExistingIds(tx, conditions)
  return (kind: LinkedKind): FindLinkable =>
    (text) => {
      const id = idsOf.get(kind)?.get(text)
      return id !== undefined && existing.get(kinds[kind].type)?.has(id) ? id : undefined
    }
}

interface IdOrCreate<Input> {
  readonly id?: string | null
  readonly create?: Input | null
}

async function idsOrCreated<Input>(
  kind: 'venue' | 'organizer',
  inputs: readonly IdOrCreate<Input>[],
  find: FindLinkable,
  createRecord: (input: Input) => Promise<number>,
): Promise<number[]> {
  const ids = await checkEach(kinds[kind].plural, inputs, ({ id, create }) =>
    id == null ? within(['create'], () => createRecord(required(create))) : linkableId(kind, id, find),
  )
  return distinct(ids)
}

/** Throws badInput for an ID that is invalid, or of no record that may be linked. */
function linkableId(kind: RecordKind, id: string, find: FindLinkable): number {
  parseReference(kind, id, 'id')
  const found = find(id)
  if (found !== undefined) return found
  throw badInput({ id: `Unknown: ${id}.` })
}

function required<T>(value: T | null | undefined): T {
  if (value == null) throw badInputs([{ path: [], message: 'Set an id, or the record to create.' }])
  return value
}

type TermInput = NonNullable<LinkInputs['categories']>[number]

/** Looks up terms by ID, slug or name, and creates those whose name does not exist. That requires no permission besides writing the event. */
async function termIds(
  tx: Tx,
  kind: TermKind,
  inputs: readonly TermInput[],
  find: FindLinkable,
  context: Context,
): Promise<number[]> {
  const ids = await checkEach(kinds[kind].plural, inputs, ({ id, idIfExists, nameOrSlug }) => {
    if (id != null) return linkableId(kind, id, find)
    if (idIfExists == null) return findOrCreateTerm(tx, kind, required(nameOrSlug), context)
    parseReference(kind, idIfExists, 'idIfExists')
    return find(idIfExists)
  })
  return distinct(ids.flatMap((id) => id ?? []))
}

async function findOrCreateTerm(tx: Tx, kind: TermKind, slugOrName: string, context: Context): Promise<number> {
  const name = nameInput('nameOrSlug', slugOrName) ?? ''
  const slug = slugify(name)
  const bySlug = (await slugOwners(readsIn(tx), kind, [slug])).get(slug)
  if (bySlug !== undefined) return bySlug
  await acquireAdvisoryLock(tx, kind)
  const byName = await findTermByName(tx, kind, name, undefined)
  if (byName !== undefined) return byName
  return kind === 'category' ? createCategory(tx, { name }, context) : createTag(tx, { name }, context)
}

/** The table of the links to venues or organizers in Prisma Client. */
interface LinkTable {
  deleteMany(args: { where: object }): Promise<unknown>
  updateMany(args: { where: object; data: object }): Promise<unknown>
}

/**
 * Replaces the links of an event. Venues and organizers that the caller may not see stay linked, after those of the
 * input: callers must not remove what they cannot see.
 */
export async function replaceLinks(tx: Tx, eventId: number, links: EventLinks, context: Context): Promise<void> {
  const ordered = [
    { kind: 'venue', table: tx.eventVenue as unknown as LinkTable, visible: { venue: visibleVenues(context) } },
    {
      kind: 'organizer',
      table: tx.eventOrganizer as unknown as LinkTable,
      visible: { organizer: visibleOrganizers(context) },
    },
  ] as const
  for (const { kind, table, visible } of ordered) {
    const ids = links[kinds[kind].plural]
    if (ids == null) continue
    await table.deleteMany({ where: { eventId, ...visible } })
    await table.deleteMany({ where: { eventId, [`${kind}Id`]: { in: [...ids] } } })
    await table.updateMany({ where: { eventId }, data: { position: { increment: ids.length } } })
    await tx.$executeRaw(insertOrderedLinks(kind, eventId, ids))
  }
  for (const kind of ['category', 'tag'] as const) {
    const ids = links[kinds[kind].plural]
    if (ids == null) continue
    await tx.$executeRaw`DELETE FROM ${Prisma.raw(`event_${kind}`)} WHERE event_id = ${eventId}`
    await tx.$executeRaw(insertTermLinks(kind, eventId, ids))
  }
}

/** Inserts the links of a new event: parts of a WITH clause. */
export function insertLinks(eventId: number, links: EventLinks): Prisma.Sql[] {
  const { venues, organizers, categories, tags } = links
  const parts: Prisma.Sql[] = []
  if (venues?.length) parts.push(Prisma.sql`venues AS (${insertOrderedLinks('venue', eventId, venues)})`)
  if (organizers?.length) {
    parts.push(Prisma.sql`organizers AS (${insertOrderedLinks('organizer', eventId, organizers)})`)
  }
  if (categories?.length) {
    parts.push(Prisma.sql`categories AS (${insertTermLinks('category', eventId, categories)} RETURNING 1)`)
  }
  if (tags?.length) {
    // Locks categories before tags, as everywhere, to avoid deadlocks.
    const after = categories?.length ? Prisma.sql`WHERE (SELECT count(*) FROM categories) IS NOT NULL` : Prisma.empty
    parts.push(Prisma.sql`tags AS (${insertTermLinks('tag', eventId, tags)} ${after})`)
  }
  return parts
}

const insertOrderedLinks = (kind: 'venue' | 'organizer', eventId: number, ids: readonly number[]) => Prisma.sql`
  INSERT INTO ${Prisma.raw(`event_${kind} (event_id, ${kind}_id`)}, position)
  SELECT ${eventId}::int, id, position - 1 FROM unnest(${ids}::int[]) WITH ORDINALITY AS item (id, position)`

const insertTermLinks = (kind: 'category' | 'tag', eventId: number, ids: readonly number[]) => Prisma.sql`
  INSERT INTO ${Prisma.raw(`event_${kind} (event_id, ${kind}_id)`)}
  SELECT ${eventId}::int, id FROM unnest(${ids}::int[]) AS item (id)`
