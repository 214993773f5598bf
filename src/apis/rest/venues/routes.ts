import {
  LegacyCreateVenueDocument,
  LegacyTrashVenueDocument,
  LegacyUpdateVenueDocument,
  LegacyVenueDocument,
  LegacyVenuesDocument,
} from '../../../generated/graphql/graphql.ts'
import { postRoutes } from '../post-routes.ts'
import { venueBody, venueInput } from './body.ts'
import { serializeVenue } from './serialize.ts'

export const venueRoutes = postRoutes('venue', {
  operations: {
    list: LegacyVenuesDocument,
    read: LegacyVenueDocument,
    create: LegacyCreateVenueDocument,
    update: LegacyUpdateVenueDocument,
    trash: LegacyTrashVenueDocument,
  },
  body: venueBody,
  input: venueInput,
  serialize: serializeVenue,
})
