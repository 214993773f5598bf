import {
  LegacyCreateVenueDocument,
  LegacyTrashVenueDocument,
  LegacyUpdateVenueDocument,
  LegacyVenueDocument,
  LegacyVenuesDocument,
} from '../../../generated/graphql/graphql.ts'
import { namedPostRoutes, postList } from '../post-list-params.ts'
import { recordRoutes } from '../record-routes.ts'
import { venueBody, venueInput } from './body.ts'
import { serializeVenue } from './serialize.ts'

export const venueRoutes = recordRoutes('venue', {
  ...namedPostRoutes,
  operations: {
    list: LegacyVenuesDocument,
    read: LegacyVenueDocument,
    create: LegacyCreateVenueDocument,
    update: LegacyUpdateVenueDocument,
    delete: LegacyTrashVenueDocument,
  },
  list: postList('venues'),
  body: venueBody,
  nameParam: 'venue',
  input: (body, { context, settings }) => venueInput(body, context.now, settings.siteTimeZone),
  serialize: serializeVenue,
})
