import { builder } from '../../service/graphql/builder.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { addPostFields, recordTypeOptions } from '../fields/common-fields.ts'
import { postFieldOptions, withheldFields } from '../fields/fields.ts'
import { Post } from '../fields/interfaces.ts'
import { lockableField, nullIfLocked, nullWhileLockedNote } from '../fields/lockable.ts'
import { Coordinates, CoordinatesInput, checkCoordinatesInRange, distanceKm, type Point } from '../list/distance.ts'
import { isLocked, type LockableRecord, lockColumns } from '../rules/record-password.ts'
import { readableFilter } from '../rules/status.ts'
import { Translatable } from '../text/translatable.ts'

const detailsWithheld = withheldFields([
  ...(['address', 'city', 'country', 'province', 'state', 'stateProvince', 'zip', 'phone', 'website'] as const),
])

interface LocatedVenue extends LockableRecord {
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Returns the kilometres between a point and a venue; null if the coordinates are unknown or withheld. */
export function distanceToVenue(venue: LocatedVenue, from: Point, context: RecordContext): number | null {
  const { latitude, longitude } = venue
  return latitude === null || longitude === null || isLocked(venue, context)
    ? null
    : distanceKm(from, { latitude, longitude })
}

type DetailedVenue = Parameters<typeof detailsWithheld.resolve>[0] & LocatedVenue

export const Venue = builder.prismaNode('Venue', {
  description: 'A venue of events.',
  ...recordTypeOptions(readableFilter),
  interfaces: [Translatable, Post],
  fields: (t) => ({
    name: t.string({ ...postFieldOptions.name, description: 'Name of the venue as plain text, never empty.' }),
    withheldFields: t.stringList({
      ...detailsWithheld,
      select: (args, context) => ({ ...detailsWithheld.select(args, context), latitude: true, longitude: true }),
      resolve: recordResolver((venue: DetailedVenue, context) => {
        const hasCoordinates = isLocked(venue, context) && venue.latitude !== null && venue.longitude !== null
        return [
          ...detailsWithheld.resolve(venue, {}, context),
          ...(hasCoordinates ? ['coordinates', 'latitude', 'longitude'] : []),
        ]
      }),
    }),
    address: t.string(lockableField('address', 'Street and house number.')),
    city: t.string(lockableField('city', 'City.')),
    country: t.string(lockableField('country', 'Country.')),
    province: t.string(lockableField('province', 'Province.')),
    state: t.string(lockableField('state', 'State.')),
    stateProvince: t.string(lockableField('stateProvince', 'State or province, depending on the country.')),
    zip: t.string(lockableField('zip', 'Postal code.')),
    phone: t.string(lockableField('phone', 'Telephone number.')),
    website: t.string(lockableField('website', 'Website; empty if unknown.')),
    coordinates: t.field({
      type: Coordinates,
      nullable: true,
      description: `Coordinates; null if unknown. ${nullWhileLockedNote}`,
      select: { ...lockColumns, latitude: true, longitude: true },
      resolve: nullIfLocked(({ latitude, longitude }: LocatedVenue) =>
        latitude === null || longitude === null ? null : { latitude, longitude },
      ),
    }),
    latitude: t.float({
      ...lockableField('latitude', 'Latitude in degrees north (WGS 84).'),
      deprecationReason: 'Use `coordinates`.',
    }),
    longitude: t.float({
      ...lockableField('longitude', 'Longitude in degrees east (WGS 84).'),
      deprecationReason: 'Use `coordinates`.',
    }),
    distance: t.float({
      nullable: true,
      description: `Kilometres from a point to the venue; null if the venue has no coordinates. ${nullWhileLockedNote}`,
      args: {
        from: t.arg({ type: CoordinatesInput, required: true, description: 'Point to measure the distance from.' }),
      },
      select: { ...lockColumns, latitude: true, longitude: true },
      resolve: (venue, { from }, context) => {
        checkCoordinatesInRange('from', from)
        return distanceToVenue(venue, from, context)
      },
    }),
    showMap: t.boolean(lockableField('showMap', 'Whether clients should show a map of the venue.')),
    showMapLink: t.boolean(lockableField('showMapLink', 'Whether clients should link to a map of the venue.')),
  }),
})

addPostFields('venue')
