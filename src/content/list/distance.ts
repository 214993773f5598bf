// Places by distance: boxes of degrees find candidates by an index, the distance on the sphere decides.
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { type Cut, tooMany } from '../text/search.ts'

/** Kilometres, as PostgreSQL's earthdistance has it. */
const earthRadius = 6378.168

/** Kilometres: half way round, and a little more. */
const farthest = 20_040

interface Point {
  readonly latitude: number
  readonly longitude: number
}

const degrees = {
  latitude: 'Degrees north, from -90 to 90.',
  longitude: 'Degrees east, from -180 to 180.',
}

export const GeoPoint = builder.inputType('GeoPoint', {
  description: 'A place on earth, WGS 84.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: degrees.latitude }),
    longitude: t.float({ required: true, description: degrees.longitude }),
  }),
})

export const Near = builder.inputType('Near', {
  description: 'Around a place.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: degrees.latitude }),
    longitude: t.float({ required: true, description: degrees.longitude }),
    radius: t.float({ defaultValue: 25, description: 'Kilometres.' }),
  }),
})

/** Nobody measures finer, and the database takes no number that is hardly one. */
export const rounded = (degrees: number): number => Math.round(degrees * 1e9) / 1e9

/** Throws badInput under `name` on a place that is not on earth. */
export function checkPoint(name: string, { latitude, longitude }: Point): void {
  if (Math.abs(latitude) > 90) throw badInput({ [name]: 'latitude is from -90 to 90.' })
  if (Math.abs(longitude) > 180) throw badInput({ [name]: 'longitude is from -180 to 180.' })
}

/** Venues within the radius, whoever may see them. Throws badInput when they are too many to go on with. */
export async function venuesNear(near: typeof Near.$inferInput, { db }: Context): Promise<number[]> {
  checkPoint('near', near)
  if ((near.radius ?? 25) <= 0) throw badInput({ near: 'radius is above 0.' })
  const radius = Math.min(Math.max(near.radius ?? 25, 1e-6), farthest)
  const boxes = boxesAround(near, radius).map(
    ([west, south, east, north]) =>
      Prisma.sql`point(longitude, latitude) <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`,
  )
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM venue WHERE (${Prisma.join(boxes, ' OR ')})
      AND ${distanceFrom(near)} <= ${radius * 1000}::float8 LIMIT ${tooMany + 1}`
  if (rows.length > tooMany)
    throw badInput({ near: `More than ${tooMany} venues are that near: take a smaller radius.` })
  return rows.map((row) => row.id)
}

/** Metres from a place to the venue of the statement. */
const distanceFrom = ({ latitude, longitude }: Point) =>
  Prisma.sql`earth_distance(ll_to_earth(${rounded(latitude)}::float8, ${rounded(longitude)}::float8), ll_to_earth(latitude, longitude))`

type Box = readonly [west: number, south: number, east: number, north: number]

/** One box, or two where the circle crosses the date line; a little too large, never too small. */
function boxesAround(place: Point, radius: number): Box[] {
  const [latitude, longitude] = [rounded(place.latitude), rounded(place.longitude)]
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

/** Kilometres between two places. */
export function distance(a: Point, b: Point): number {
  const [lat1, lng1, lat2, lng2] = [a.latitude, a.longitude, b.latitude, b.longitude].map(
    (d) => (d * Math.PI) / 180,
  ) as [number, number, number, number]
  const h = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lng2 - lng1) / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h)))
}

/**
 * Of events those from `skip` on, by the nearest of `venues` that each is held at; equal ones stay in the order given,
 * `descending` turns the whole order round.
 */
export async function eventsByDistance(
  ids: readonly number[],
  venues: readonly number[],
  from: Point,
  cut: Cut,
  { db }: Context,
) {
  const direction = Prisma.raw(cut.descending ? 'DESC' : 'ASC')
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT found.id FROM unnest(${[...ids]}::int[]) WITH ORDINALITY AS found(id, place)
      JOIN event_venue link ON link.event_id = found.id AND link.venue_id = ANY(${[...venues]}::int[])
      JOIN venue ON venue.id = link.venue_id
    GROUP BY found.id, found.place
    ORDER BY min(${distanceFrom(from)}) ${direction}, found.place ${direction}
    OFFSET ${cut.skip} LIMIT ${cut.take}`
  return rows.map((row) => row.id)
}

/** The same of venues themselves. */
export async function venuesByDistance(ids: readonly number[], from: Point, cut: Cut, { db }: Context) {
  const direction = Prisma.raw(cut.descending ? 'DESC' : 'ASC')
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT found.id FROM unnest(${[...ids]}::int[]) WITH ORDINALITY AS found(id, place) JOIN venue ON venue.id = found.id
    ORDER BY ${distanceFrom(from)} ${direction}, found.place ${direction}
    OFFSET ${cut.skip} LIMIT ${cut.take}`
  return rows.map((row) => row.id)
}
