// Filters and sorts by distance. Bounding boxes find candidates with an index; the great-circle distance decides.
import type { Context } from '../../context.ts'
import { querySql } from '../../db/query.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { maxMatches } from '../text/search.ts'
import { type ComputedValue, type ValuesById, valueName, valuesById } from './computed-order.ts'

/** Kilometres; the radius that PostgreSQL's earthdistance extension uses. */
const earthRadius = 6378.168

/** Kilometres; a little more than half the circumference of the earth. */
const maxRadius = 20_040

interface Point {
  readonly latitude: number
  readonly longitude: number
}

const degrees = {
  latitude: 'Degrees north, from -90 to 90.',
  longitude: 'Degrees east, from -180 to 180.',
}

export const GeoPoint = builder.inputType('GeoPoint', {
  description: 'A point in WGS 84 coordinates.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: degrees.latitude }),
    longitude: t.float({ required: true, description: degrees.longitude }),
  }),
})

export const Near = builder.inputType('Near', {
  description: 'A circle around a point in WGS 84 coordinates.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: degrees.latitude }),
    longitude: t.float({ required: true, description: degrees.longitude }),
    radius: t.float({ defaultValue: 25, description: 'Radius in kilometres.' }),
  }),
})

/** Rounds to nine decimal places. PostgreSQL rejects numbers that are too close to zero. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * 1e9) / 1e9

/** Throws badInput for coordinates out of range; `name` is the field of the input. */
export function checkPoint(name: string, { latitude, longitude }: Point): void {
  if (Math.abs(latitude) > 90) throw badInput({ [name]: 'latitude must be between -90 and 90.' })
  if (Math.abs(longitude) > 180) throw badInput({ [name]: 'longitude must be between -180 and 180.' })
}

export interface NearVenue {
  readonly id: number
  /** Metres. */
  readonly distance: number
}

/** The venues within the radius that `where` selects, nearest first. Throws badInput for more than `maxMatches`. */
export async function venuesNear(
  near: typeof Near.$inferInput,
  where: Prisma.VenueWhereInput,
  { db }: Context,
): Promise<NearVenue[]> {
  checkPoint('near', near)
  if ((near.radius ?? 25) <= 0) throw badInput({ near: 'radius must be greater than 0.' })
  const radius = Math.min(Math.max(near.radius ?? 25, 1e-6), maxRadius)
  const boxes = boxesAround(near, radius).map(
    ([west, south, east, north]) =>
      Prisma.sql`point(longitude, latitude) <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`,
  )
  const statement = Prisma.sql`
    WITH inside AS MATERIALIZED (
      SELECT id, ${distanceFrom(near)} AS distance FROM (${await db.venue.matchingRows(where)}) AS venue
      WHERE ${Prisma.join(boxes, ' OR ')})
    SELECT id, distance FROM inside WHERE distance <= ${radius * 1000}::float8
    ORDER BY distance, id LIMIT ${maxMatches + 1}::int`
  const venues = await querySql<NearVenue>(db, statement)
  if (venues.length > maxMatches)
    throw badInput({ near: `More than ${maxMatches} venues are within the radius. Use a smaller radius.` })
  return venues
}

/** Metres from a point to the venue of the current row. */
const distanceFrom = ({ latitude, longitude }: Point) =>
  Prisma.sql`earth_distance(ll_to_earth(${roundDegrees(latitude)}::float8, ${roundDegrees(longitude)}::float8), ll_to_earth(latitude, longitude))`

type Box = readonly [west: number, south: number, east: number, north: number]

/** One bounding box, or two if the circle crosses the antimeridian; slightly too large, never too small. */
function boxesAround(center: Point, radius: number): Box[] {
  const [latitude, longitude] = [roundDegrees(center.latitude), roundDegrees(center.longitude)]
  const angle = (radius / earthRadius) * 1.000001
  const height = (angle * 180) / Math.PI
  const [south, north] = [latitude - height, latitude + height]
  if (south <= -90 || north >= 90) return [[-180, south, 180, north]]
  const width = (Math.asin(Math.min(1, Math.sin(angle) / Math.cos((latitude * Math.PI) / 180))) * 180) / Math.PI
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180)
    return [
      [-180, south, east, north],
      [west + 360, south, 180, north],
    ]
  if (east > 180)
    return [
      [west, south, 180, north],
      [-180, south, east - 360, north],
    ]
  return [[west, south, east, north]]
}

/** Great-circle distance in kilometres (haversine formula). */
export function distance(a: Point, b: Point): number {
  const [lat1, lng1, lat2, lng2] = [a.latitude, a.longitude, b.latitude, b.longitude].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number, number]
  const haversine =
    Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lng2 - lng1) / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

/** Sorts by distance from a point. Records at the same distance are in the order of the sort keys, in both directions. */
const byDistance = (from: Point, descending: boolean, values: ComputedValue['values']): ComputedValue => ({
  name: valueName('distance', roundDegrees(from.latitude), roundDegrees(from.longitude)),
  ...{ descending, invertsTies: false, values },
})

/** Numbers of nearest venues whose events are read before those of all venues. */
const nearest = [32, 256]

/** Sorts events by the distance to their nearest venue among `venues`, which are in the order of distance. */
export const eventsByDistance = (
  venues: readonly NearVenue[],
  from: Point,
  descending: boolean,
  { db }: Context,
): ComputedValue => ({
  ...byDistance(from, descending, async (ids) => {
    const statement = Prisma.sql`
      SELECT array_agg(id) AS ids, array_agg(distance) AS values FROM (
        SELECT link.event_id AS id, min(near.distance) AS distance
        FROM unnest(${venues.map(({ id }) => id)}::int[], ${venues.map(({ distance }) => distance)}::float8[]) AS near(id, distance)
          JOIN event_venue link ON link.venue_id = near.id
          JOIN unnest(${[...ids]}::int[]) AS item(id) ON item.id = link.event_id
        GROUP BY link.event_id) AS distances`
    return valuesById(await querySql<ValuesById>(db, statement))
  }),
  ...(!descending && { prefixes: nearest.flatMap((count) => eventsWithin(venues, count)) }),
})

/**
 * Selects the events at the `count` nearest venues, and at others as near as the last of them. No filter if these are all
 * venues.
 */
function eventsWithin(venues: readonly NearVenue[], count: number): Prisma.EventWhereInput[] {
  const last = venues[count - 1]
  const ids = last ? venues.filter(({ distance }) => distance <= last.distance).map(({ id }) => id) : []
  return ids.length === 0 || ids.length === venues.length ? [] : [{ venues: { some: { venueId: { in: ids } } } }]
}

export const venuesByDistance = (from: Point, descending: boolean, { db }: Context): ComputedValue =>
  byDistance(from, descending, async (ids) => {
    const rows = await db.$queryRaw<ValuesById[]>`
      SELECT array_agg(id) AS ids, array_agg(${distanceFrom(from)}) AS values FROM venue WHERE id = ANY(${[...ids]}::int[])`
    return valuesById(rows)
  })
