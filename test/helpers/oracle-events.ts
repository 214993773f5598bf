// The oracle for lists of events: filters and orders of both APIs.
import type { AttendanceMode, EventStatus, Status } from '../../src/generated/prisma/enums.ts'
import { now } from './app.ts'
import type { EventFacts, LinkedFacts, Reader, World } from './oracle-facts.ts'
import { distance, isNear, type Near, placeOf } from './oracle-linked.ts'
import { fitsPrice, hasCriteria, isIn, isNamed, lowestPrice, type Price } from './oracle-places.ts'
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
  readonly allDay?: boolean
  readonly price?: Price
  readonly cities?: readonly string[]
  readonly placeName?: string
  readonly modifiedAt?: Range
  readonly authors?: readonly number[]
  readonly not?: EventValues
  readonly any?: readonly EventValues[]
  /** Only in REST, like the dates. */
  readonly strict_dates?: boolean
}

type ValuedField = 'PRICE' | 'ALL_DAY' | 'PLACE_NAME'
export type EventField =
  | ('START' | 'START_LOCAL' | 'END' | 'PUBLICATION' | 'MODIFIED' | 'TITLE' | 'DISTANCE')
  | ValuedField

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

/** Undefined: the reader may not know it. */
type Truth = boolean | undefined

const every = (all: readonly Truth[]): Truth =>
  all.includes(false) ? false : all.includes(undefined) ? undefined : true
const some = (all: readonly Truth[]): Truth => (all.includes(true) ? true : all.includes(undefined) ? undefined : false)
const opposite = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)

/** Filters on fields that a password withholds: unknown for locked events. */
function fitsDetails(event: EventFacts, values: EventValues, world: World, reader: Reader): Truth {
  const { categories, tags, venues, organizers, featured, ticketed, located, near } = values
  const { allDay, cities, placeName } = values
  const price = values.price && hasCriteria(values.price) ? values.price : undefined
  const details = [categories, tags, venues, organizers, featured, ticketed, located, near, allDay, price]
  if ([...details, cities, placeName].every((value) => value === undefined)) return true
  if (!isOpen(event, reader)) return undefined
  const above = termsByReference(categories ?? [], world.categories)
  const visible = shown(event.venues, reader)
  return (
    (!categories || event.categories.some((own) => above.some((category) => isWithin(own, category)))) &&
    (!tags || termsByReference(tags, world.tags).some((tag) => event.tags.includes(tag))) &&
    (!venues || visible.some(({ id }) => venues.includes(id))) &&
    (!organizers || shown(event.organizers, reader).some(({ id }) => organizers.includes(id))) &&
    (featured === undefined || event.featured === featured) &&
    (ticketed === undefined || event.ticketed === ticketed) &&
    (allDay === undefined || event.allDay === allDay) &&
    (!price || fitsPrice(event, price)) &&
    (!cities || visible.some((venue) => isIn(venue, cities, reader))) &&
    (placeName === undefined || visible.some((venue) => isNamed(venue, placeName, reader))) &&
    (located === undefined || places(event, reader).length > 0 === located) &&
    (!near || places(event, reader).some((place) => isNear(place, near)))
  )
}

function fits(event: EventFacts, values: EventValues, world: World, reader: Reader): boolean {
  return (
    isListed(event, values.status, reader) &&
    event.hidden === (values.hideFromListings ?? false) &&
    meets(event, values, world, reader) === true
  )
}

/** Whether an event meets all criteria, without those on its visibility. */
function meets(event: EventFacts, values: EventValues, world: World, reader: Reader): Truth {
  const { search, parent, include, when, runningAt, authors, not, any } = values
  return every([
    search === undefined || findsEvent(search, event, reader.language, isOpen(event, reader)),
    fitsDetails(event, values, world, reader),
    parent === undefined || (event.parent?.id === parent && mayRead(event.parent, reader)),
    !include || include.includes(event.id),
    fitsTranslations(event.texts, values),
    isOneOf(event.eventStatus, values.eventStatus),
    isOneOf(event.attendanceMode, values.attendanceMode),
    within(starts(event), values.startsAt, Date.parse),
    within(ends(event), values.endsAt, Date.parse),
    within(event.modifiedAt, values.modifiedAt, Date.parse),
    within(wallOf(event.start), values.startsLocal, wallOf),
    within(wallOf(event.end), values.endsLocal, wallOf),
    when === undefined || isOver(event, now.getTime()) === (when === 'PAST'),
    runningAt === undefined || isRunning(event, Date.parse(runningAt)),
    !authors || (event.authorId !== undefined && authors.includes(event.authorId)),
    !not || opposite(meets(event, not, world, reader)),
    !any || some(any.map((each) => meets(event, each, world, reader))),
  ])
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
    Math.min(...places(event, reader).map((place) => (near ? distance(place, near.center) : 0)))
  /** Events without a value come last in both directions. */
  const valued = (value: (event: EventFacts) => number | string | undefined) => {
    const open = (event: EventFacts) => (isOpen(event, reader) ? value(event) : undefined)
    const compare: Compare<EventFacts> = (one, other) => {
      const [a, b] = [open(one), open(other)]
      if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
      return Number(a ?? 0) - Number(b ?? 0)
    }
    return inOrder(
      by<EventFacts>((event) => (open(event) === undefined ? 1 : 0)),
      (one, other) => (open(one) === undefined ? 0 : directed(compare)(one, other)),
      tied(by(starts)),
    )
  }
  const firstPlace = (event: EventFacts) => {
    const [venue] = shown(event.venues, reader)
    return venue && served(venue.texts, reader.language, 'name')
  }
  const orders: Readonly<Record<EventField, Compare<EventFacts>>> = {
    MODIFIED: directed(tied(by(({ modifiedAt }) => modifiedAt))),
    PRICE: valued(lowestPrice),
    ALL_DAY: valued(({ allDay }) => Number(allDay)),
    PLACE_NAME: valued(firstPlace),
    START: directed(tied(by(starts))),
    START_LOCAL: directed(tied(by(({ start }) => wallOf(start)))),
    END: directed(tied(by(ends))),
    PUBLICATION: directed(tied(() => 0)),
    TITLE: directed(inOrder((one, other) => compareText(title(one), title(other)), byId)),
    DISTANCE: inOrder(directed(by(nearest)), tied(by(starts))),
  }
  return orders[field]
}
