// Filters and sorts by distance. Bounding boxes find candidates with an index; the great-circle distance decides.

import { badInputError } from '../../basics/errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { type ComputedOrder, computedOrderName } from './list-query.ts'
import { maxMatches } from './records.ts'

/** Kilometres; the radius that PostgreSQL's earthdistance extension uses. */
const earthRadius = 6378.168

/** Kilometres; a little more than half the circumference of the earth. */
const maxRadius = 20_040

/** A point on the earth. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

const degrees = {
  latitude: 'Degrees north, from -90 to 90.',
  longitude: 'Degrees east, from -180 to 180.',
}

export const Coordinates = builder.objectRef<Point>('Coordinates').implement({
  description: 'A point in WGS 84 coordinates.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { description: degrees.latitude }),
    longitude: t.exposeFloat('longitude', { description: degrees.longitude }),
  }),
})

export const CoordinatesInput = builder.inputType('CoordinatesInput', {
  description: 'A point in WGS 84 coordinates, as input.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: degrees.latitude }),
    longitude: t.float({ required: true, description: degrees.longitude }),
  }),
})

export const Near = builder.inputType('Near', {
  description: 'A circle around a point.',
  fields: (t) => ({
    center: t.field({ type: CoordinatesInput, description: 'Center of the circle; required.' }),
    radius: t.float({ defaultValue: 25, description: 'Radius of the circle in kilometres.' }),
    latitude: t.float({ description: degrees.latitude, deprecationReason: 'Use `center`.' }),
    longitude: t.float({ description: degrees.longitude, deprecationReason: 'Use `center`.' }),
  }),
})

/** Rounds to nine decimal places. PostgreSQL rejects numbers that are too close to zero. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * 1e9) / 1e9

/** Throws badInputError for coordinates out of range; `name` is the field of the input. */
export function checkCoordinatesInRange(name: string, { latitude, longitude }: Point): void {
  if (Math.abs(latitude) > 90) throw badInputError({ [name]: 'latitude must be between -90 and 90.' })
  if (Math.abs(longitude) > 180) throw badInputError({ [name]: 'longitude must be between -180 and 180.' })
}

/** Returns the center of the circle. Throws badInputError without a center, and for coordinates out of range. */
export function requireCenter({ center, latitude, longitude }: typeof Near.$inferInput): Point {
  const point = center ?? (latitude != null && longitude != null ? { latitude, longitude } : undefined)
  if (!point) throw badInputError({ near: 'center is required.' })
  checkCoordinatesInRange('near', point)
  return point
}

export interface VenueWithDistance {
  readonly id: number
  /** Metres from the center of the search. */
  readonly distance: number
}

/** Finds the venues within the radius that `where` selects, nearest first. Throws badInputError for more than `maxMatches`. */
export async function findVenuesNear(
  near: typeof Near.$inferInput,
  where: Prisma.VenueWhereInput,
  { reads }: Context,
): Promise<VenueWithDistance[]> {
  const center = requireCenter(near)
  const requested = near.radius ?? 25
  if (requested <= 0) throw badInputError({ near: 'radius must be greater than 0.' })
  const radius = Math.min(Math.max(requested, 1e-6), maxRadius)
  const boxes = boxesAround(center, radius).map(
    ([west, south, east, north]) =>
      Prisma.sql`point(longitude, latitude) <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`,
  )
  const venues = await reads.rows<VenueWithDistance>(Prisma.sql`
    WITH inside AS MATERIALIZED (
      SELECT id, ${distanceFrom(center)} AS distance FROM (${await reads.venue.matchingRowsSql(where)}) AS venue
      WHERE ${Prisma.join(boxes, ' OR ')})
    SELECT id, distance FROM inside WHERE distance <= ${radius * 1000}::float8
    ORDER BY distance, id LIMIT ${maxMatches + 1}::int`)
  if (venues.length > maxMatches)
    throw badInputError({ near: `More than ${maxMatches} venues are within the radius. Use a smaller radius.` })
  return venues
}

/** Returns SQL for the metres from a point to the venue of the current row (haversine formula), five times as fast as `earth_distance`. */
function distanceFrom(from: Point) {
  const [latitude, longitude] = [roundDegrees(from.latitude), roundDegrees(from.longitude)]
  return Prisma.sql`${2000 * earthRadius}::float8 * asin(least(1, sqrt(sind((latitude - ${latitude}::float8) / 2) ^ 2
    + cosd(${latitude}::float8) * cosd(latitude) * sind((longitude - ${longitude}::float8) / 2) ^ 2)))`
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** Returns one bounding box, or two if the circle crosses the antimeridian; slightly too large, never too small. */
function boxesAround(center: Point, radius: number): Box[] {
  const [latitude, longitude] = [roundDegrees(center.latitude), roundDegrees(center.longitude)]
  const angle = (radius / earthRadius) * 1.000001
  const height = (angle * 180) / Math.PI
  const [south, north] = [latitude - height, latitude + height]
  if (south <= -90 || north >= 90) return [[-180, south, 180, north]]
  const width = (Math.asin(Math.min(1, Math.sin(angle) / Math.cos((latitude * Math.PI) / 180))) * 180) / Math.PI
  return [0, 360, -360]
    .map((turn): Box => [longitude - width + turn, south, longitude + width + turn, north])
    .filter(([west, , east]) => west <= 180 && east >= -180)
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the great-circle distance in kilometres (haversine formula). */
export function distanceKm(a: Point, b: Point): number {
  const haversineOf = (angle: number) => Math.sin(radians(angle) / 2) ** 2
  const haversine =
    haversineOf(b.latitude - a.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * haversineOf(b.longitude - a.longitude)
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

/** Sorts by distance from a point. Records at the same distance are in the order of the sort keys, in both directions. */
const byDistance = (from: Point, descending: boolean, select: ComputedOrder['select']): ComputedOrder => ({
  name: computedOrderName('distance', roundDegrees(from.latitude), roundDegrees(from.longitude)),
  ...{ descending, type: 'number', select },
})

/**
 * Sorts events by the distance to their nearest venue among `venues`, which are sorted by distance. `anywhere` selects
 * the events of the list, and events at other venues: a join excludes these faster than the filter would.
 */
export const eventDistanceOrder = (
  { venues, anywhere }: { readonly venues: readonly VenueWithDistance[]; readonly anywhere: Prisma.EventWhereInput },
  from: Point,
  descending: boolean,
): ComputedOrder => {
  const ids = Prisma.sql`${venues.map(({ id }) => id)}::int[]`
  const near = Prisma.sql`unnest(${ids}, ${venues.map((venue) => venue.distance)}::float8[]) WITH ORDINALITY`
  const select = (events: Prisma.Sql) => Prisma.sql`
    SELECT event.*, near.distance AS value FROM (${events}) AS event
      JOIN event_venue link ON link.event_id = event.id JOIN ${near} AS near(id, distance, place) ON near.id = link.venue_id
    WHERE NOT EXISTS (
      SELECT FROM event_venue nearer WHERE nearer.event_id = event.id AND nearer.venue_id <> near.id
        AND array_position(${ids}, nearer.venue_id) < near.place)`
  return { ...byDistance(from, descending, select), where: anywhere }
}

export const venueDistanceOrder = (from: Point, descending: boolean): ComputedOrder =>
  byDistance(
    from,
    descending,
    (venues) => Prisma.sql`SELECT venue.*, ${distanceFrom(from)} AS value FROM (${venues}) AS venue`,
  )
