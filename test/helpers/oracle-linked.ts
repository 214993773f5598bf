// The oracle for lists of venues and organizers.
import type { Status } from '../../src/generated/prisma/enums.ts'
import { now } from './app.ts'
import type { EventFacts, LinkedFacts, Place, Reader, World } from './oracle-facts.ts'
import { isListed, isOpen, mayRead, showsLinks, statusOf } from './oracle-readers.ts'
import type { Order } from './oracle-terms.ts'
import {
  backwards,
  by,
  type Compare,
  compareText,
  findsLinked,
  fitsTranslations,
  inOrder,
  served,
  type TranslationValues,
} from './oracle-text.ts'
import { instantOf, wallOf } from './oracle-time.ts'

export interface Near {
  readonly center: Place
  readonly radius?: number
}

export interface LinkedValues extends TranslationValues {
  readonly search?: string
  readonly event?: number
  readonly hasEvents?: boolean
  readonly onlyWithUpcoming?: boolean
  readonly include?: readonly number[]
  readonly located?: boolean
  readonly near?: Near
  readonly status?: readonly Status[]
}

export type LinkedField = 'PUBLICATION' | 'NAME' | 'DISTANCE'
type LinkedKind = 'venues' | 'organizers'

const earth = 6378.168
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in kilometres. */
export function distance(one: Place, other: Place): number {
  const [north, east] = [radians(other.latitude - one.latitude), radians(other.longitude - one.longitude)]
  const h =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(h)))
}

export const isNear = (place: Place, near: Near): boolean => distance(place, near.center) <= (near.radius ?? 25)

/** The coordinates of a venue that the reader may see. */
export const placeOf = (venue: LinkedFacts, reader: Reader): Place | undefined =>
  isOpen(venue, reader) ? venue.place : undefined

const startsAt = ({ start, zone }: EventFacts) => instantOf(wallOf(start), zone)

const isCounted = (event: EventFacts, reader: Reader) =>
  (statusOf(event) === 'publish' || (statusOf(event) === 'private' && mayRead(event, reader))) && isOpen(event, reader)

const isUpcoming = (event: EventFacts, reader: Reader) => showsLinks(event, reader) && startsAt(event) >= now.getTime()

/** In REST, a search never finds trashed records, even with their status in the filter (contract c.14). */
export const listLegacyLinked = (kind: LinkedKind, values: LinkedValues, world: World, reader: Reader): number[] => {
  const ids = listLinked(kind, values, undefined, world, reader)
  const trashed = world[kind].filter(({ status }) => status === 'trash').map(({ id }) => id)
  return values.search === undefined ? ids : ids.filter((id) => !trashed.includes(id))
}

export function listLinked(
  kind: LinkedKind,
  values: LinkedValues,
  order: Order<LinkedField> | undefined,
  world: World,
  reader: Reader,
): number[] {
  const { search, event, hasEvents, onlyWithUpcoming, include, located, near, status } = values
  const linkedTo = (record: LinkedFacts, fits: (event: EventFacts) => boolean) =>
    world.events.some((event) => event[kind].includes(record) && fits(event))
  const fitting = world[kind].filter((record) => {
    const place = placeOf(record, reader)
    return (
      isListed(record, status, reader) &&
      (search === undefined || findsLinked(search, record, reader.language, isOpen(record, reader))) &&
      (event === undefined || linkedTo(record, (other) => other.id === event && showsLinks(other, reader))) &&
      (hasEvents === undefined || linkedTo(record, (other) => isCounted(other, reader)) === hasEvents) &&
      (!onlyWithUpcoming || linkedTo(record, (other) => isUpcoming(other, reader))) &&
      fitsTranslations(record.texts, values) &&
      (!include || include.includes(record.id)) &&
      (located === undefined || (isOpen(record, reader) && (place !== undefined) === located)) &&
      (!near || (place !== undefined && isNear(place, near)))
    )
  })
  return fitting.sort(orderOf(order, near, reader)).map(({ id }) => id)
}

/** By default the newest first. */
function orderOf(
  { field, direction }: Order<LinkedField> = { field: 'PUBLICATION', direction: 'DESC' },
  near: Near | undefined,
  reader: Reader,
): Compare<LinkedFacts> {
  const byId = by<LinkedFacts>(({ id }) => id)
  const byPublication = inOrder(
    by<LinkedFacts>(({ publishedAt }) => publishedAt),
    byId,
  )
  const name = ({ texts }: LinkedFacts) => served(texts, reader.language, 'name')
  const byName = inOrder<LinkedFacts>((one, other) => compareText(name(one), name(other)), byId)
  const byDistance = by<LinkedFacts>(({ place }) => (place && near ? distance(place, near.center) : 0))
  const directed = (compare: Compare<LinkedFacts>) => (direction === 'DESC' ? backwards(compare) : compare)
  if (field === 'DISTANCE') return inOrder(directed(byDistance), backwards(byPublication))
  return directed(field === 'NAME' ? byName : byPublication)
}
