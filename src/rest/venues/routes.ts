import {
  LegacyCreateVenueDocument,
  LegacyTrashVenueDocument,
  LegacyUpdateVenueDocument,
  LegacyVenueDocument,
  LegacyVenuesDocument,
} from '../../generated/graphql/graphql.ts'
import { linkedFilter, linkedQuery, namedByLinked } from '../linked.ts'
import { done } from '../outcome.ts'
import { postRoutes } from '../post-routes.ts'
import { venueBody, venueInput } from './body.ts'
import { venuesParams } from './params.ts'
import { serializeVenue } from './serialize.ts'

export const venueRoutes = postRoutes('venue', {
  listParams: venuesParams,
  filter: linkedFilter,
  namedFilter: namedByLinked,
  query: linkedQuery,
  body: venueBody,
  input: venueInput,
  list: async (variables, { execute, context }) => {
    const { venuesPage } = await execute(LegacyVenuesDocument, variables, context)
    return venuesPage
  },
  read: async (identity, { execute, context }) => {
    const { venue } = await execute(LegacyVenueDocument, identity, context)
    return venue
  },
  create: async (input, { execute, context }) => {
    const { createVenue } = await execute(LegacyCreateVenueDocument, { input }, context)
    return done(createVenue).venue
  },
  update: async (input, { execute, context }) => {
    const { updateVenue } = await execute(LegacyUpdateVenueDocument, { input }, context)
    return done(updateVenue).venue
  },
  trash: async (input, { execute, context }) => {
    const { trashVenue } = await execute(LegacyTrashVenueDocument, { input }, context)
    return done(trashVenue).venue
  },
  serialize: serializeVenue,
})
