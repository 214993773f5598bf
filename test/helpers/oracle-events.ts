// The oracle for lists of events: filters and orders of both APIs.
import type { AttendanceMode, EventStatus, Status } from '../../src/generated/prisma/enums.ts'
import { now } from './app.ts'
import type { EventFacts, LinkedFacts, Reader, World } from './oracle-facts.ts'
import { distance, isNear, type Near, placeOf } from './oracle-linked.ts'
import { isListed, isOpen, mayRead } from './oracle-readers.ts'
import { isWithin, type Order, termsByReference } from './oracle-terms.ts'
import {
  backwards,
  by,
  type Compare,
  compareText,
  findsEvent,
  fitsTranslations,
  inOrder,
  served,
  type TranslationValues,
} from './oracle-text.ts'
import {
  type Bounds,
  boundsOf,
  type Calendar,
  type Dates,
  dateNames,
  instantOf,
  liesWithin,
  wallOf,
} from './oracle-time.ts'

/** A range of instants or local times. */
export interface Range {
  readonly gt?: string
  readonly gte?: string
  readonly lt?: string
  readonly lte?: string
}

export interface EventValues extends Dates, TranslationValues {
  readonly search?: string
  readonly categories?: readonly string[]
  readonly tags?: readonly string[]
  readonly venues?: readonly number[]
  readonly organizers?: readonly number[]
  readonly parent?: number
  readonly featured?: boolean
  readonly ticketed?: boolean
  readonly located?: boolean
  readonly near?: Near
  readonly include?: readonly number[]
  readonly status?: readonly Status[]
  /** Only in GraphQL. */
  readonly hideFromListings?: boolean
  readonly eventStatus?: readonly Uppercase<EventStatus>[]
  readonly attendanceMode?: readonly Uppercase<AttendanceMode>[]
  readonly startsAt?: Range
  readonly endsAt?: Range
  readonly startsLocal?: Range
  readonly endsLocal?: Range
  readonly when?: 'UPCOMING' | 'PAST'
  readonly runningAt?: string
  /** Only in REST, like the dates. */
  readonly strict_dates?: boolean
}

export type EventField = 'START' | 'START_LOCAL' | 'END' | 'PUBLICATION' | 'TITLE' | 'DISTANCE'

const starts = ({ start, zone }: EventFacts) => instantOf(wallOf(start), zone)
const ends = ({ end, zone }: EventFacts) => instantOf(wallOf(end), zone)

/** Venues and organizers that the event shows to the reader, without trashed ones (contract c.12). */
const shown = (records: readonly LinkedFacts[], reader: Reader) =>
  records.filter((record) => mayRead(record, reader) && record.status !== 'trash')

const places = (event: EventFacts, reader: Reader) =>
  shown(event.venues, reader).flatMap((venue) => placeOf(venue, reader) ?? [])

const within = (value: number, range: Range | undefined, read: (text: string) => number): boolean =>
  !range ||
  ((range.gt === undefined || value > read(range.gt)) &&
    (range.gte === undefined || value >= read(range.gte)) &&
    (range.lt === undefined || value < read(range.lt)) &&
    (range.lte === undefined || value <= read(range.lte)))

/** An event that ends exactly now is not over yet. */
const isOver = (event: EventFacts, at: number) => ends(event) < at
const isRunning = (event: EventFacts, at: number) => starts(event) <= at && !isOver(event, at)

const isOneOf = (value: string, names: readonly string[] | undefined) => !names || names.includes(value.toUpperCase())

/** Filters on fields that a password withholds. */
function fitsDetails(event: EventFacts, values: EventValues, world: World, reader: Reader): boolean {
  const { categories, tags, venues, organizers, featured, ticketed, located, near } = values
  const oracleQuery = [categories, tags, venues, organizers, featured, ticketed, located, near]
  if (oracleQuery.every((value) => value === undefined)) return true
  const above = termsByReference(categories ?? [], world.categories)
  return (
    isOpen(event, reader) &&
    (!categories || event.categories.some((own) => above.some((category) => isWithin(own, category)))) &&
    (!tags || termsByReference(tags, world.tags).some((tag) => event.tags.includes(tag))) &&
    (!venues || shown(event.venues, reader).some(({ id }) => venues.includes(id))) &&
    (!organizers || shown(event.organizers, reader).some(({ id }) => organizers.includes(id))) &&
    (featured === undefined || event.featured === featured) &&
    (ticketed === undefined || event.ticketed === ticketed) &&
    (located === undefined || places(event, reader).length > 0 === located) &&
    (!near || places(event, reader).some((place) => isNear(place, near)))
  )
}

function fits(event: EventFacts, values: EventValues, world: World, reader: Reader): boolean {
  const { search, parent, include, status, when, runningAt } = values
  return (
    isListed(event, status, reader) &&
    event.hidden === (values.hideFromListings ?? false) &&
    (search === undefined || findsEvent(search, event, reader.language, isOpen(event, reader))) &&
    fitsDetails(event, values, world, reader) &&
    (parent === undefined || (event.parent?.id === parent && mayRead(event.parent, reader))) &&
    (!include || include.includes(event.id)) &&
    fitsTranslations(event.texts, values) &&
    isOneOf(event.eventStatus, values.eventStatus) &&
    isOneOf(event.attendanceMode, values.attendanceMode) &&
    within(starts(event), values.startsAt, Date.parse) &&
    within(ends(event), values.endsAt, Date.parse) &&
    within(wallOf(event.start), values.startsLocal, wallOf) &&
    within(wallOf(event.end), values.endsLocal, wallOf) &&
    (when === undefined || isOver(event, now.getTime()) === (when === 'PAST')) &&
    (runningAt === undefined || isRunning(event, Date.parse(runningAt)))
  )
}

type EventOrder = Order<EventField>

/** GraphQL sorts by start by default. */
export const listEvents = (
  values: EventValues,
  order: EventOrder = { field: 'START' },
  world: World,
  reader: Reader,
): number[] =>
  world.events
    .filter((event) => fits(event, values, world, reader))
    .sort(orderOf(order, values.near, reader))
    .map(({ id }) => id)

/** REST: `include` disables the date filters. */
export function listLegacyEvents(values: EventValues, calendar: Calendar, world: World, reader: Reader): number[] {
  const dates = Object.fromEntries(dateNames.map((name) => [name, values[name]]))
  const bounds: Bounds = values.include ? {} : boundsOf(dates, values.strict_dates ?? false, calendar)
  const field = values.include ? 'PUBLICATION' : calendar.oneZone ? 'START' : 'START_LOCAL'
  return world.events
    .filter((event) => fits(event, values, world, reader) && liesWithin(event, bounds, calendar))
    .sort(orderOf({ field }, undefined, reader))
    .map(({ id }) => id)
}

function orderOf({ field, direction }: EventOrder, near: Near | undefined, reader: Reader): Compare<EventFacts> {
  const directed = (compare: Compare<EventFacts>) => (direction === 'DESC' ? backwards(compare) : compare)
  const byId = by<EventFacts>(({ id }) => id)
  const tied = (compare: Compare<EventFacts>) =>
    inOrder(
      compare,
      by<EventFacts>(({ publishedAt }) => publishedAt),
      byId,
    )
  const title = ({ texts }: EventFacts) => served(texts, reader.language, 'name')
  const nearest = (event: EventFacts) =>
    Math.min(...places(event, reader).map((place) => (near ? distance(place, near) : 0)))
  const orders: Readonly<Record<EventField, Compare<EventFacts>>> = {
    START: directed(tied(by(starts))),
    START_LOCAL: directed(tied(by(({ start }) => wallOf(start)))),
    END: directed(tied(by(ends))),
    PUBLICATION: directed(tied(() => 0)),
    TITLE: directed(inOrder((one, other) => compareText(title(one), title(other)), byId)),
    DISTANCE: inOrder(directed(by(nearest)), tied(by(starts))),
  }
  return orders[field]
}
