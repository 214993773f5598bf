// What an event is linked to: lists that are given replace those that are there.
import type { Context } from '../../context.ts'
import { type Tx, takeTurn } from '../../db/client.ts'
import { numbersOf } from '../../db/numbers.ts'
import { send } from '../../db/transaction.ts'
import { badInput, badInputs } from '../../errors.ts'
import { createCategory } from '../category/write.ts'
import { existingTerm } from '../existing.ts'
import { nameInput } from '../input.ts'
import { checkFound, distinct } from '../links.ts'
import { listedOrganizers, visibleOrganizers } from '../organizer/visibility.ts'
import { createOrganizer } from '../organizer/write.ts'
import { checkAll, checkEach, within } from '../problems.ts'
import { slugify } from '../slug.ts'
import { createTag } from '../tag/write.ts'
import { listedVenues, visibleVenues } from '../venue/visibility.ts'
import { createVenue } from '../venue/write.ts'
import type { UpdateEvent } from './inputs.ts'

type Links = Pick<UpdateEvent, 'venues' | 'organizers' | 'categories' | 'tags'>
type Ids = readonly number[] | null | undefined

/** The number of an event, and those of what it is to be linked to; what is not given stays. */
export interface Linked {
  readonly id: number
  readonly venues: Ids
  readonly organizers: Ids
  readonly categories: Ids
  readonly tags: Ids
}

/** Finds what is named, and creates what is to be created. An event that has no number yet gets one. */
export async function findLinks(tx: Tx, event: number | undefined, links: Links, context: Context): Promise<Linked> {
  const { venues, organizers, categories, tags } = links
  const found = await lookUp(tx, event, links, context)
  const [id = 0] = event === undefined ? found('next') : [event]
  const newVenue = (input: Parameters<typeof createVenue>[1]) => createVenue(tx, input, context)
  const newOrganizer = (input: Parameters<typeof createOrganizer>[1]) => createOrganizer(tx, input, context)
  const ids = await checkAll({
    venues: () => venues && placedIds('venues', venues, found('Venue'), newVenue),
    organizers: () => organizers && placedIds('organizers', organizers, found('Organizer'), newOrganizer),
    categories: () => categories && termIds(tx, 'category', categories, found('Category'), context),
    tags: () => tags && termIds(tx, 'tag', tags, found('Tag'), context),
  })
  return { id, ...ids }
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
  const conditions = new Map<Model | 'next', object>()
  const look = (model: Model, given: readonly Numbered[] | null | undefined, where: object = {}) => {
    const ids = given?.flatMap(({ id, idIfThere }) => id ?? idIfThere ?? []) ?? []
    if (ids.length > 0) conditions.set(model, { id: { in: ids }, ...where })
  }
  look('Venue', links.venues, { OR: [listedVenues(context), ...linked] })
  look('Organizer', links.organizers, { OR: [listedOrganizers(context), ...linked] })
  look('Category', links.categories)
  look('Tag', links.tags)
  const next = { next: `nextval('post_id_seq')::int` }
  const found = await numbersOf(tx, conditions, eventId === undefined ? next : {})
  return (name: Model | 'next') => found.get(name) ?? new Set<number>()
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
  await takeTurn(tx, kind)
  const byName = await existingTerm(tx, kind, name, undefined)
  if (byName !== undefined) return byName
  return kind === 'category' ? createCategory(tx, { name }, context) : createTag(tx, { name }, context)
}

/**
 * Links an event to what was found, and to nothing else of these lists. A venue that the caller may not see stays linked,
 * behind those that they give: it is not theirs to take away. Organizers alike.
 */
export async function replaceLinks(tx: Tx, linked: Linked, context: Context): Promise<void> {
  const { id: eventId, venues, organizers, categories, tags } = linked
  if (venues != null) {
    await tx.eventVenue.deleteMany({ where: { eventId, venue: visibleVenues(context) } })
    await tx.eventVenue.deleteMany({ where: { eventId, venueId: { in: [...venues] } } })
    await tx.eventVenue.updateMany({ where: { eventId }, data: { position: { increment: venues.length } } })
    await send(tx, placing('venue', 2), [eventId, venues])
  }
  if (organizers != null) {
    await tx.eventOrganizer.deleteMany({ where: { eventId, organizer: visibleOrganizers(context) } })
    await tx.eventOrganizer.deleteMany({ where: { eventId, organizerId: { in: [...organizers] } } })
    await tx.eventOrganizer.updateMany({ where: { eventId }, data: { position: { increment: organizers.length } } })
    await send(tx, placing('organizer', 2), [eventId, organizers])
  }
  if (categories != null) {
    await tx.eventCategory.deleteMany({ where: { eventId } })
    await send(tx, carrying('category', 2), [eventId, categories])
  }
  if (tags != null) {
    await tx.eventTag.deleteMany({ where: { eventId } })
    await send(tx, carrying('tag', 2), [eventId, tags])
  }
}

/** Links the event $1 to those at this place of the statement's values, in their order; `condition` may say when. */
export const placing = (kind: 'venue' | 'organizer', place: number, condition = ''): string => `
  INSERT INTO event_${kind} (event_id, ${kind}_id, position)
  SELECT $1::int, id, place - 1 FROM unnest($${place}::int[]) WITH ORDINALITY AS given (id, place) ${condition}`

export const carrying = (kind: 'category' | 'tag', place: number, condition = ''): string =>
  `INSERT INTO event_${kind} (event_id, ${kind}_id) SELECT $1::int, unnest($${place}::int[]) ${condition}`

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
