// What an event is linked to: lists that are given replace those that are there.
import type { Context } from '../../context.ts'
import { type Tx, takeTurn } from '../../db/client.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { createCategory } from '../category/write.ts'
import { existingTerm } from '../existing.ts'
import { nameInput } from '../input.ts'
import { checkFound, distinct } from '../links.ts'
import { listedOrganizers, visibleOrganizers } from '../organizer/visibility.ts'
import { createOrganizer } from '../organizer/write.ts'
import { slugify } from '../slug.ts'
import { createTag } from '../tag/write.ts'
import { listedVenues, visibleVenues } from '../venue/visibility.ts'
import { createVenue } from '../venue/write.ts'
import type { UpdateEvent } from './inputs.ts'

type Links = Pick<UpdateEvent, 'venues' | 'organizers' | 'categories' | 'tags' | 'tickets'>

/** A new event has no links yet that could be in the way. */
export async function linkEvent(tx: Tx, event: Linked, links: Links, context: Context): Promise<void> {
  const { id: eventId, isNew } = event
  if (links.venues != null) await linkVenues(tx, event, links.venues, context)
  if (links.organizers != null) await linkOrganizers(tx, event, links.organizers, context)
  if (links.categories != null) {
    const ids = await termIds(tx, 'category', links.categories, context)
    if (!isNew) await tx.eventCategory.deleteMany({ where: { eventId } })
    await storeTerms(tx, 'category', eventId, ids)
  }
  if (links.tags != null) {
    const ids = await termIds(tx, 'tag', links.tags, context)
    if (!isNew) await tx.eventTag.deleteMany({ where: { eventId } })
    await storeTerms(tx, 'tag', eventId, ids)
  }
  if (links.tickets != null) await replaceTickets(tx, eventId, links.tickets)
}

interface Linked {
  readonly id: number
  readonly isNew: boolean
}

/**
 * A venue that the caller may not see stays linked, behind those that they give: it is not theirs to take away. One that
 * is linked already may be given though it may not be seen.
 */
async function linkVenues(tx: Tx, event: Linked, given: NonNullable<Links['venues']>, context: Context) {
  const { id: eventId, isNew } = event
  const known = given.flatMap(({ id }) => id ?? [])
  const linked = isNew ? [] : [{ events: { some: { eventId } } }]
  const where = { id: { in: known }, OR: [listedVenues(context), ...linked] }
  if (known.length > 0) checkFound('venues', known, await tx.venue.findMany({ where, select: { id: true } }))
  const ids: number[] = []
  for (const { id, create } of given) ids.push(id ?? (await createVenue(tx, required('venues', create), context)))
  if (!isNew) {
    await tx.eventVenue.deleteMany({ where: { eventId, venue: visibleVenues(context) } })
    await tx.eventVenue.deleteMany({ where: { eventId, venueId: { in: ids } } })
    await tx.eventVenue.updateMany({ where: { eventId }, data: { position: { increment: ids.length } } })
  }
  await storePlaced(tx, 'venue', eventId, distinct(ids))
}

/** As linkVenues does it. */
async function linkOrganizers(tx: Tx, event: Linked, given: NonNullable<Links['organizers']>, context: Context) {
  const { id: eventId, isNew } = event
  const known = given.flatMap(({ id }) => id ?? [])
  const linked = isNew ? [] : [{ events: { some: { eventId } } }]
  const where = { id: { in: known }, OR: [listedOrganizers(context), ...linked] }
  if (known.length > 0) checkFound('organizers', known, await tx.organizer.findMany({ where, select: { id: true } }))
  const ids: number[] = []
  for (const { id, create } of given)
    ids.push(id ?? (await createOrganizer(tx, required('organizers', create), context)))
  if (!isNew) {
    await tx.eventOrganizer.deleteMany({ where: { eventId, organizer: visibleOrganizers(context) } })
    await tx.eventOrganizer.deleteMany({ where: { eventId, organizerId: { in: ids } } })
    await tx.eventOrganizer.updateMany({ where: { eventId }, data: { position: { increment: ids.length } } })
  }
  await storePlaced(tx, 'organizer', eventId, distinct(ids))
}

/** In this order. By hand, as below: Prisma takes longer to make these statements than the database to run them. */
async function storePlaced(tx: Tx, kind: 'venue' | 'organizer', eventId: number, ids: readonly number[]) {
  if (ids.length === 0) return
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(`event_${kind}`)} (event_id, ${Prisma.raw(`${kind}_id`)}, position)
    SELECT ${eventId}::int, id, place - 1 FROM unnest(${ids}::int[]) WITH ORDINALITY AS given (id, place)`
}

async function storeTerms(tx: Tx, kind: 'category' | 'tag', eventId: number, ids: readonly number[]) {
  if (ids.length === 0) return
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(`event_${kind}`)} (event_id, ${Prisma.raw(`${kind}_id`)})
    SELECT ${eventId}::int, unnest(${ids}::int[])`
}

function required<T>(field: string, value: T | null | undefined): T {
  if (value == null) throw badInput({ [field]: 'Give an id, or what to create.' })
  return value
}

type TermInput = NonNullable<Links['categories']>[number]

/** Terms by number, slug or name; those that nobody has named yet are created, by whoever may write the event. */
async function termIds(tx: Tx, kind: 'category' | 'tag', given: readonly TermInput[], context: Context) {
  const where = { id: { in: given.flatMap(({ id, idIfThere }) => id ?? idIfThere ?? []) } }
  const select = { id: true }
  const found =
    kind === 'category' ? await tx.category.findMany({ where, select }) : await tx.tag.findMany({ where, select })
  const field = kind === 'category' ? 'categories' : 'tags'
  const needed = given.flatMap(({ id }) => id ?? [])
  checkFound(field, needed, found)
  const there = new Set(found.map(({ id }) => id))
  const ids: number[] = []
  for (const { id, idIfThere, named } of given) {
    if (id != null) ids.push(id)
    else if (idIfThere == null) ids.push(await namedTerm(tx, kind, required(field, named), context))
    else if (there.has(idIfThere)) ids.push(idIfThere)
  }
  return distinct(ids)
}

async function namedTerm(tx: Tx, kind: 'category' | 'tag', given: string, context: Context): Promise<number> {
  const name = nameInput(kind === 'category' ? 'categories' : 'tags', given) ?? ''
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

const currency = /^[A-Z]{3}$/
const price = /^\d{1,10}(\.\d{1,2})?$/

async function replaceTickets(tx: Tx, eventId: number, given: NonNullable<Links['tickets']>): Promise<void> {
  for (const ticket of given) {
    if (!price.test(ticket.price)) throw badInput({ tickets: 'A price is a decimal number such as 12.50.' })
    if (!currency.test(ticket.currency)) throw badInput({ tickets: 'A currency is an ISO 4217 code such as EUR.' })
    if ((ticket.capacity ?? 0) < 0) throw badInput({ tickets: 'A capacity is 0 or more.' })
  }
  await tx.ticket.deleteMany({ where: { eventId } })
  await tx.ticket.createMany({ data: given.map((ticket, position) => ({ ...ticket, eventId, position })) })
}
