// Stores the generated data and assigns the IDs.
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { rebuildServedTexts } from '../../src/calendar/text/text-rows.ts'
import type { TestApp } from './app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue, type Texts } from './make.ts'
import type { EventFacts, LinkedFacts, OwnTexts, PostFacts, TermFacts, World } from './oracle-facts.ts'
import { drawWorld } from './oracle-world.ts'
import { type Role, roles } from './permissions.ts'
import type { TestUser } from './users.ts'

export const password = 'sesame'

export type Users = Readonly<Record<Exclude<Role, 'visitor'>, TestUser>>

interface Saved {
  readonly world: World
  readonly users: Users
}

const textsOf = (texts: OwnTexts): Texts => Object.fromEntries(texts)
const ids = (facts: readonly { readonly id: number }[]) => facts.map(({ id }) => id)

/** Stores the generated data in the database of the app, with a user for each role. */
export async function saveWorld({ db, site, settings, signIn }: TestApp): Promise<Saved> {
  const world = drawWorld()
  const users = {} as Record<Exclude<Role, 'visitor'>, TestUser>
  for (const role of roles) if (role !== 'visitor') users[role] = await signIn(role)
  const key = await hashRecordPassword(password, site.passwordSalt)
  const columns = ({ status, trashedFrom, publishedAt, author, locked }: PostFacts) => ({
    ...{ status, trashedFrom: trashedFrom ?? null, publishedAt: new Date(publishedAt) },
    ...{ authorId: author ? users[author].id : null, passwordKey: locked ? key : null },
  })
  for (const tag of world.tags) tag.id = await makeTag(db, termTexts(tag, world.tags))
  for (const category of world.categories)
    category.id = await makeCategory(db, termTexts(category, world.categories), category.parent?.id ?? null)
  for (const venue of world.venues)
    venue.id = await makeVenue(db, textsOf(venue.texts), { ...columns(venue), ...venue.contact, ...placeOf(venue) })
  for (const organizer of world.organizers)
    organizer.id = await makeOrganizer(db, textsOf(organizer.texts), { ...columns(organizer), ...organizer.contact })
  for (const event of world.events) event.authorId = event.author && users[event.author].id
  for (const event of world.events) event.id = await makeEvent(db, textsOf(event.texts), eventColumns(event, columns))
  // The helpers do not include contact fields in the search text.
  await db.$transaction((tx) => rebuildServedTexts(tx, settings))
  return { world, users }
}

/** The second record of a kind has the ID of the first one as slug: slugs are looked up before IDs. */
function termTexts(term: TermFacts, all: readonly TermFacts[]): Texts {
  const [first, second] = all
  if (term === second) for (const text of term.texts.values()) Object.assign(text, { slug: String(first?.id) })
  return textsOf(term.texts)
}

const placeOf = ({ place }: LinkedFacts) => ({
  latitude: place?.latitude ?? null,
  longitude: place?.longitude ?? null,
})

function eventColumns<Columns>(event: EventFacts, columns: (post: PostFacts) => Columns) {
  const { start, end, zone, hidden, featured, ticketed, allDay, eventStatus, attendanceMode } = event
  const tickets = ticketed ? { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] } : {}
  return {
    ...{ ...columns(event), start, end, timeZone: zone, hideFromListings: hidden, featured, tickets },
    ...{ eventStatus, attendanceMode, allDay, cost: [...event.cost.entries], modifiedAt: new Date(event.modifiedAt) },
    ...{ parentId: event.parent?.id ?? null, venueIds: ids(event.venues), organizerIds: ids(event.organizers) },
    ...{ categoryIds: ids(event.categories), tagIds: ids(event.tags) },
  }
}
