// What an event is linked to: lists that are given replace those that are there.
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { findExistingIds } from '../../db/existing-ids.ts'
import { acquireAdvisoryLock } from '../../db/transaction.ts'
import { badInput, badInputs } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { createCategory } from '../category/write.ts'
import { existingTerm } from '../lifecycle/existing-records.ts'
import { checkAll, checkEach, within } from '../lifecycle/input-errors.ts'
import { checkFound, distinct } from '../lifecycle/linked-records.ts'
import { listedOrganizers, visibleOrganizers } from '../organizer/visibility.ts'
import { createOrganizer } from '../organizer/write.ts'
import { createTag } from '../tag/write.ts'
import { slugify } from '../text/slug.ts'
import { nameInput } from '../text/text-input.ts'
import { listedVenues, visibleVenues } from '../venue/visibility.ts'
import { createVenue } from '../venue/write.ts'
import type { UpdateEvent } from './inputs.ts'

type Links = Pick<UpdateEvent, 'venues' | 'organizers' | 'categories' | 'tags'>
type Ids = readonly number[] | null | undefined

/** The IDs of what an event is to be linked to; a list that is not given stays as it is. */
export interface Linked {
  readonly venues: Ids
  readonly organizers: Ids
  readonly categories: Ids
  readonly tags: Ids
}

/** Finds what is named, and creates what is to be created. `event` is the ID of one that exists already. */
export async function findLinks(tx: Tx, event: number | undefined, links: Links, context: Context): Promise<Linked> {
  const { venues, organizers, categories, tags } = links
  const found = await lookUp(tx, event, links, context)
  const newVenue = (input: Parameters<typeof createVenue>[1]) => createVenue(tx, input, context)
  const newOrganizer = (input: Parameters<typeof createOrganizer>[1]) => createOrganizer(tx, input, context)
  return checkAll({
    venues: () => venues && placedIds('venues', venues, found('Venue'), newVenue),
    organizers: () => organizers && placedIds('organizers', organizers, found('Organizer'), newOrganizer),
    categories: () => categories && termIds(tx, 'category', categories, found('Category'), context),
    tags: () => tags && termIds(tx, 'tag', tags, found('Tag'), context),
  })
}

interface Numbered {
  readonly id?: number | null
  readonly idIfThere?: number | null
}

type Model = 'Venue' | 'Organizer' | 'Category' | 'Tag'

/**
 * Which of the numbers that are given there are. Of venues and organizers those count that lists show the caller, and
 * those that are linked already.
 */
async function lookUp(tx: Tx, eventId: number | undefined, links: Links, context: Context) {
  const linked = eventId === undefined ? [] : [{ events: { some: { eventId } } }]
  const conditions = new Map<Model, object>()
  const look = (model: Model, given: readonly Numbered[] | null | undefined, where: object = {}) => {
    const ids = given?.flatMap(({ id, idIfThere }) => id ?? idIfThere ?? []) ?? []
    if (ids.length > 0) conditions.set(model, { id: { in: ids }, ...where })
  }
  look('Venue', links.venues, { OR: [listedVenues(context), ...linked] })
  look('Organizer', links.organizers, { OR: [listedOrganizers(context), ...linked] })
  look('Category', links.categories)
  look('Tag', links.tags)
  const found = await findExistingIds(tx, conditions)
  return (model: Model) => found.get(model) ?? new Set<number>()
}

interface Placed<Input> {
  readonly id?: number | null
  readonly create?: Input | null
}

async function placedIds<Input>(
  field: string,
  given: readonly Placed<Input>[],
  there: ReadonlySet<number>,
  make: (input: Input) => Promise<number>,
): Promise<number[]> {
  const known = given.flatMap(({ id }) => id ?? [])
  const { ids } = await checkAll({
    known: () => checkFound(field, known, there),
    ids: () => checkEach(field, given, ({ id, create }) => id ?? within(['create'], () => make(required(create)))),
  })
  return distinct(ids)
}

function required<T>(value: T | null | undefined): T {
  if (value == null) throw badInputs([{ path: [], message: 'Give an id, or what to create.' }])
  return value
}

type TermInput = NonNullable<Links['categories']>[number]
type TicketInput = NonNullable<UpdateEvent['tickets']>[number]

/** Terms by number, slug or name; those that nobody has named yet are created, by whoever may write the event. */
async function termIds(
  tx: Tx,
  kind: 'category' | 'tag',
  given: readonly TermInput[],
  there: ReadonlySet<number>,
  context: Context,
): Promise<number[]> {
  const field = kind === 'category' ? 'categories' : 'tags'
  const needed = given.flatMap(({ id }) => id ?? [])
  const { ids } = await checkAll({
    known: () => checkFound(field, needed, there),
    ids: () =>
      checkEach(field, given, ({ id, idIfThere, named }) => {
        if (id != null) return id
        if (idIfThere == null) return namedTerm(tx, kind, required(named), context)
        return there.has(idIfThere) ? idIfThere : undefined
      }),
  })
  return distinct(ids.flatMap((id) => id ?? []))
}

async function namedTerm(tx: Tx, kind: 'category' | 'tag', given: string, context: Context): Promise<number> {
  const name = nameInput('named', given) ?? ''
  const slug = slugify(name)
  const bySlug =
    kind === 'category'
      ? (await tx.categorySlug.findUnique({ where: { slug } }))?.categoryId
      : (await tx.tagSlug.findUnique({ where: { slug } }))?.tagId
  if (bySlug !== undefined) return bySlug
  await acquireAdvisoryLock(tx, kind)
  const byName = await existingTerm(tx, kind, name, undefined)
  if (byName !== undefined) return byName
  return kind === 'category' ? createCategory(tx, { name }, context) : createTag(tx, { name }, context)
}

/**
 * Links an event to what was found, and to nothing else of these lists. A venue that the caller may not see stays linked,
 * behind those that they give: it is not theirs to take away. Organizers alike.
 */
export async function replaceLinks(tx: Tx, eventId: number, linked: Linked, context: Context): Promise<void> {
  const { venues, organizers, categories, tags } = linked
  if (venues != null) {
    await tx.eventVenue.deleteMany({ where: { eventId, venue: visibleVenues(context) } })
    await tx.eventVenue.deleteMany({ where: { eventId, venueId: { in: [...venues] } } })
    await tx.eventVenue.updateMany({ where: { eventId }, data: { position: { increment: venues.length } } })
    await tx.$executeRaw(insertOrderedLinks('venue', eventId, venues))
  }
  if (organizers != null) {
    await tx.eventOrganizer.deleteMany({ where: { eventId, organizer: visibleOrganizers(context) } })
    await tx.eventOrganizer.deleteMany({ where: { eventId, organizerId: { in: [...organizers] } } })
    await tx.eventOrganizer.updateMany({ where: { eventId }, data: { position: { increment: organizers.length } } })
    await tx.$executeRaw(insertOrderedLinks('organizer', eventId, organizers))
  }
  if (categories != null) {
    await tx.eventCategory.deleteMany({ where: { eventId } })
    await tx.$executeRaw(insertTermLinks('category', eventId, categories))
  }
  if (tags != null) {
    await tx.eventTag.deleteMany({ where: { eventId } })
    await tx.$executeRaw(insertTermLinks('tag', eventId, tags))
  }
}

/** The links of a new event, as parts of a WITH clause. */
export function insertLinks(eventId: number, linked: Linked): Prisma.Sql[] {
  const { venues, organizers, categories, tags } = linked
  const parts: Prisma.Sql[] = []
  if (venues?.length) parts.push(Prisma.sql`venues AS (${insertOrderedLinks('venue', eventId, venues)})`)
  if (organizers?.length) {
    parts.push(Prisma.sql`organizers AS (${insertOrderedLinks('organizer', eventId, organizers)})`)
  }
  if (categories?.length) {
    parts.push(Prisma.sql`categories AS (${insertTermLinks('category', eventId, categories)} RETURNING 1)`)
  }
  if (tags?.length) {
    // Categories come before tags, as everywhere, so that no two transactions wait for each other.
    const after = categories?.length ? Prisma.sql`WHERE (SELECT count(*) FROM categories) IS NOT NULL` : Prisma.empty
    parts.push(Prisma.sql`tags AS (${insertTermLinks('tag', eventId, tags)} ${after})`)
  }
  return parts
}

const insertOrderedLinks = (kind: 'venue' | 'organizer', eventId: number, ids: readonly number[]) => Prisma.sql`
  INSERT INTO ${Prisma.raw(`event_${kind} (event_id, ${kind}_id`)}, position)
  SELECT ${eventId}::int, id, place - 1 FROM unnest(${ids}::int[]) WITH ORDINALITY AS linked (id, place)`

const insertTermLinks = (kind: 'category' | 'tag', eventId: number, ids: readonly number[]) => Prisma.sql`
  INSERT INTO ${Prisma.raw(`event_${kind} (event_id, ${kind}_id)`)}
  SELECT ${eventId}::int, id FROM unnest(${ids}::int[]) AS linked (id)`

const currency = /^[A-Z]{3}$/
const price = /^\d{1,10}(\.\d{1,2})?$/

type Tickets = readonly TicketInput[] | null | undefined

export const checkTickets = (given: Tickets) =>
  checkEach('tickets', given ?? [], (ticket) => {
    const wrong = {
      ...(!price.test(ticket.price) && { price: 'A price is a decimal number such as 12.50.' }),
      ...(!currency.test(ticket.currency) && { currency: 'A currency is an ISO 4217 code such as EUR.' }),
      ...((ticket.capacity ?? 0) < 0 && { capacity: 'A capacity is 0 or more.' }),
    }
    if (Object.keys(wrong).length > 0) throw badInput(wrong)
  })

export async function replaceTickets(tx: Tx, eventId: number, given: Tickets): Promise<void> {
  if (given == null) return
  await tx.ticket.deleteMany({ where: { eventId } })
  await tx.ticket.createMany({ data: given.map((ticket, position) => ({ ...ticket, eventId, position })) })
}
